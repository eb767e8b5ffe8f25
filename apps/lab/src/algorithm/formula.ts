/**
 * A formula in TeX without computed parts: formula`w \gets w + yx`. The build replaces it by HTML (vite-formulas.ts);
 * without a build, as in tests in Node, it stays TeX.
 */
export function formula({ raw }: TemplateStringsArray): string {
  return raw[0]!;
}
