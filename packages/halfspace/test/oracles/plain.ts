import type { Example, Inner, Update } from './oracle.ts';

/**
 * A rule as a plain loop over the features: learns from the example (x, y) of importance h > 0.
 *
 * @param w the weights, the bias last; changed in place.
 * @param x the features, the constant c last.
 * @param inner the sum w·x; the order of its terms decides how it rounds.
 * @returns true after an update.
 */
type PlainRule<O> = (
  w: number[],
  example: { readonly x: readonly number[]; readonly y: -1 | 1; readonly h: number },
  inner: Inner,
  options: O,
) => boolean;

/** A rule as a plain loop, with options. */
export type Plain = (w: number[], example: Parameters<PlainRule<never>>[1], inner: Inner) => boolean;

export const plainPerceptron: PlainRule<{ updateWhen: 'at-most-zero' | 'below-zero' | 'sign-differs' }> = (
  w,
  { x, y, h },
  inner,
  { updateWhen },
) => {
  const a = inner(w, x);
  const wrong = { 'at-most-zero': y * a <= 0, 'below-zero': y * a < 0, 'sign-differs': y !== (a < 0 ? -1 : 1) };
  if (!wrong[updateWhen]) return false;
  for (let j = 0; j < x.length; j++) w[j]! += h * y * x[j]!;
  return true;
};

export const plainMargin: PlainRule<{ margin: number }> = (w, { x, y, h }, inner, { margin: tau }) => {
  if (y * inner(w, x) > tau) return false;
  for (let j = 0; j < x.length; j++) w[j]! += h * y * x[j]!;
  return true;
};

export const plainPassiveAggressive: PlainRule<{ variant: 'pa' | 'pa-1' | 'pa-2'; aggressiveness: number }> = (
  w,
  { x, y, h },
  inner,
  { variant, aggressiveness },
) => {
  const loss = Math.max(0, 1 - y * inner(w, x));
  if (loss === 0) return false;
  const n = inner(x, x);
  const c = h * aggressiveness;
  const tau = { pa: loss / n, 'pa-1': Math.min(c, loss / n), 'pa-2': loss / (n + 1 / (2 * c)) }[variant];
  for (let j = 0; j < x.length; j++) w[j]! += tau * y * x[j]!;
  return true;
};

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
