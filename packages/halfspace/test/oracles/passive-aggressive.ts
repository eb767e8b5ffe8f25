import type { Example, Inner, Update } from './oracle.ts';

/**
 * Figure 1 of Crammer et al. 2006, the constant feature 1 being the last of x:
 *
 *     for t = 1, 2, …
 *       ℓ = max{0, 1 − y(w·x)}
 *       set  τ = ℓ/‖x‖² (PA),  τ = min{C, ℓ/‖x‖²} (PA-I),  τ = ℓ/(‖x‖² + 1/(2C)) (PA-II)
 *       w = w + τ·y·x
 *
 * C of an example is C times its importance. Yields after every update.
 */
export function* passiveAggressive(
  data: readonly Example[],
  {
    inner,
    passes,
    variant,
    C,
    importance = data.map(() => 1),
  }: { inner: Inner; passes: number; variant: 'pa' | 'pa-1' | 'pa-2'; C: number; importance?: readonly number[] },
): Generator<Update, void> {
  let w = [...data[0]!.x.map(() => 0), 0];
  for (let pass = 0; pass < passes; pass++)
    for (const [example, { x: features, y }] of data.entries()) {
      const x = [...features, 1];
      const withConstantLast = (a: readonly number[], b: readonly number[]) =>
        inner(a.slice(0, -1), b.slice(0, -1)) + a.at(-1)! * b.at(-1)!;
      const loss = Math.max(0, 1 - y * withConstantLast(w, x));
      const squaredNorm = withConstantLast(x, x);
      const c = C * importance[example]!;
      const tau = {
        pa: loss / squaredNorm,
        'pa-1': Math.min(c, loss / squaredNorm),
        'pa-2': loss / (squaredNorm + 1 / (2 * c)),
      }[variant];
      if (loss === 0 || importance[example] === 0) continue;
      w = w.map((weight, j) => weight + tau * y * x[j]!);
      yield { pass, example, weights: w.slice(0, -1), bias: w.at(-1)! };
    }
}
