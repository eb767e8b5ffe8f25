/**
 * A formula in TeX, without parts that are computed: formula`w \gets w + yx`. When the page is built its HTML takes this place
 * (vite-formulas.ts); where nothing is built, as in tests in Node, it stays TeX.
 */
export function formula({ raw }: TemplateStringsArray): string {
  return raw[0]!;
}
