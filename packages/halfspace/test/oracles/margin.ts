import type { Example, Inner, Update } from './oracle.ts';

/** The perceptron that learns from y(w·x + b) ≤ τ, in turn; stops after a clean pass. Yields after every update. */
export function* margin(
  data: readonly Example[],
  { inner, tau, maxPasses }: { inner: Inner; tau: number; maxPasses: number },
): Generator<Update, void> {
  let w = data[0]!.x.map(() => 0);
  let b = 0;
  for (let pass = 0; pass < maxPasses; pass++) {
    let clean = true;
    for (const [example, { x, y }] of data.entries()) {
      if (y * (inner(w, x) + b) > tau) continue;
      w = w.map((weight, j) => weight + y * x[j]!);
      b += y;
      clean = false;
      yield { pass, example, weights: w, bias: b };
    }
    if (clean) return;
  }
}
