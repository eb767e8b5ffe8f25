import type { Example, Inner, Outcome, Update } from './oracle.ts';

/**
 * The blog's `perceptron(data, labels)`, with the loop over the n examples (it prints d) and θ of d components (it prints n).
 *
 *     th = 0;  th_0 = 0
 *     while True:
 *       done = True
 *       for i in range(n):
 *         if labels[i] * (th * data[i] + th_0) <= 0:
 *           th += labels[i] * data[i];  th_0 += labels[i];  done = False
 *       if done: break
 *     return (th, th_0)
 */
export function* blog(
  data: readonly Example[],
  { inner, maxPasses }: { inner: Inner; maxPasses: number },
): Generator<Update, Outcome> {
  const d = data[0]!.x.length;
  let th: number[] = [];
  for (let j = 0; j < d; j++) th.push(0);
  let th0 = 0;
  const updatesPerPass: number[] = [];
  for (let pass = 0; pass < maxPasses; pass++) {
    let done = true;
    let updates = 0;
    for (let i = 0; i < data.length; i++) {
      const { x, y } = data[i]!;
      if (y * (inner(th, x) + th0) <= 0) {
        const next: number[] = [];
        for (let j = 0; j < d; j++) next.push(th[j]! + y * x[j]!);
        th = next;
        th0 = th0 + y;
        done = false;
        updates++;
        yield { pass, example: i, weights: th, bias: th0 };
      }
    }
    updatesPerPass.push(updates);
    if (done) break;
  }
  return { weights: th, bias: th0, updatesPerPass };
}
