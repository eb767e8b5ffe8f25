import type { Example, Inner, Update } from './oracle.ts';

/** The weights and their variances just after an update, the bias's last. */
export interface ArowUpdate extends Update {
  readonly variances: readonly number[];
}

/**
 * Figure 1 of Crammer, Kulesza & Dredze 2009, with a diagonal Σ and the constant feature 1 last:
 *
 *     μ = 0, Σ = I
 *     for t = 1, 2, …
 *       m = μ·x,  v = xᵀΣx
 *       if m·y < 1:  β = 1/(v + r),  α = max(0, 1 − y·m)·β,  μ = μ + αΣyx,  Σ = Σ − βΣx(Σx)ᵀ
 *
 * r of an example is r over its importance. Yields after every update.
 */
export function* arow(
  data: readonly Example[],
  { inner, passes, r, importance }: { inner: Inner; passes: number; r: number; importance: readonly number[] },
): Generator<ArowUpdate, void> {
  const sum = (a: readonly number[], b: readonly number[]) =>
    inner(a.slice(0, -1), b.slice(0, -1)) + a.at(-1)! * b.at(-1)!;
  let mu = [...data[0]!.x.map(() => 0), 0];
  let sigma = mu.map(() => 1);
  for (let pass = 0; pass < passes; pass++)
    for (const [example, { x: features, y }] of data.entries()) {
      const x = [...features, 1];
      const m = y * sum(mu, x);
      if (m >= 1 || importance[example] === 0) continue;
      const along = x.map((value, j) => sigma[j]! * value);
      const beta = 1 / (sum(x, along) + r / importance[example]!);
      const alpha = (1 - m) * beta;
      mu = mu.map((weight, j) => weight + alpha * y * along[j]!);
      sigma = sigma.map((variance, j) => variance - beta * along[j]! * along[j]!);
      yield { pass, example, weights: mu.slice(0, -1), bias: mu.at(-1)!, variances: sigma };
    }
}
