import { divided, longest } from './cs4780.ts';
import type { Example, Inner, Outcome, Update } from './oracle.ts';

/** Step 1: x → (1, x). Step 2: x ← x / ‖x_max‖, so the longest has length 1. */
export function overLongest(data: readonly Example[], inner: Inner): { vectors: number[][]; divisor: number } {
  return divided(data, longest(data, inner));
}

/**
 * FODA L26.
 *
 *     0. w = yᵢxᵢ of any (xᵢ, yᵢ)                                here: of the first
 *     1. repeat: for any (xᵢ, yᵢ) with yᵢ⟨xᵢ, w⟩ < 0: w ← w + yᵢxᵢ       here: the next one in turn
 *        until no misclassified points for T steps              here: T = n, which is all of them
 *     2. return w ← w / ‖w‖
 */
export function* foda(
  data: readonly Example[],
  { inner, maxPasses }: { inner: Inner; maxPasses: number },
): Generator<Update, Outcome> {
  const n = data.length;
  const { vectors } = overLongest(data, inner);
  let w: number[] = [];
  for (let j = 0; j < vectors[0]!.length; j++) w.push(data[0]!.y * vectors[0]![j]!);
  const updatesPerPass: number[] = [];
  let steps = 0;
  for (let t = 0; t < maxPasses * n && steps < n; t++) {
    const pass = Math.floor(t / n);
    const i = t % n;
    if (i === 0) updatesPerPass.push(0);
    const x = vectors[i]!;
    const { y } = data[i]!;
    steps++;
    if (y * inner(w, x) < 0) {
      const next: number[] = [];
      for (let j = 0; j < x.length; j++) next.push(w[j]! + y * x[j]!);
      w = next;
      steps = 0;
      updatesPerPass[pass]!++;
      yield { pass, example: i, weights: w.slice(1), bias: w[0]! };
    }
  }
  let squared = 0;
  for (const component of w) squared += component * component;
  // Where updates cancelled each other there is no direction: w stays 0, and the engine says so too.
  const norm = squared === 0 ? 1 : Math.sqrt(squared);
  const unit: number[] = [];
  for (const component of w) unit.push(component / norm);
  return { weights: unit.slice(1), bias: unit[0]!, updatesPerPass };
}
