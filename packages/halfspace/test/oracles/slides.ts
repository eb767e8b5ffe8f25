import type { Example, Inner, Outcome, Update } from './oracle.ts';

/**
 * The slides' `PerceptronTrain(D, MaxIter)`.
 *
 *     1: wᵢ = 0   2: b = 0
 *     3: for iter = 1 … MaxIter:
 *     4:   for all (X, y) ∈ D:
 *     5:     a = WᵀX + b
 *     6:     if y·a ≤ 0:
 *     7:       wᵢ = wᵢ + y·xᵢ   8: b = b + y
 *     9: return b, w
 */
export function* slides(
  data: readonly Example[],
  { inner, maxIter }: { inner: Inner; maxIter: number },
): Generator<Update, Outcome> {
  const d = data[0]!.x.length;
  let w: number[] = [];
  for (let j = 0; j < d; j++) w.push(0);
  let b = 0;
  const updatesPerPass: number[] = [];
  for (let iter = 0; iter < maxIter; iter++) {
    updatesPerPass.push(0);
    for (let i = 0; i < data.length; i++) {
      const { x, y } = data[i]!;
      const a = inner(w, x) + b;
      if (y * a <= 0) {
        const next: number[] = [];
        for (let j = 0; j < d; j++) next.push(w[j]! + y * x[j]!);
        w = next;
        b = b + y;
        updatesPerPass[iter]!++;
        yield { pass: iter, example: i, weights: w, bias: b };
      }
    }
  }
  return { weights: w, bias: b, updatesPerPass };
}
