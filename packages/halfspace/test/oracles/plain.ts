import type { Example, Inner, Update } from './oracle.ts';

/** A rule as a plain loop over the features, as its file has it, with options. */
export type Plain = (
  w: number[],
  example: { readonly x: readonly number[]; readonly y: -1 | 1; readonly h: number },
  inner: Inner,
) => boolean;

/** Shows the examples to a rule, pass by pass, with the constant 1 as the last feature. Yields after every update. */
export function* plainUpdates(
  data: readonly Example[],
  plain: Plain,
  { inner, passes, importance = data.map(() => 1) }: { inner: Inner; passes: number; importance?: readonly number[] },
): Generator<Update, void> {
  // The kernels add the term of the constant after those of the features.
  const constantLast: Inner = (a, b) => inner(a.slice(0, -1), b.slice(0, -1)) + a.at(-1)! * b.at(-1)!;
  const w = [...data[0]!.x.map(() => 0), 0];
  for (let pass = 0; pass < passes; pass++)
    for (const [example, { x, y }] of data.entries()) {
      const h = importance[example]!;
      if (h > 0 && plain(w, { x: [...x, 1], y, h }, constantLast))
        yield { pass, example, weights: w.slice(0, -1), bias: w.at(-1)! };
    }
}
