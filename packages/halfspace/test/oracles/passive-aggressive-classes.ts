import type { Arithmetic } from '../support/arithmetic.ts';
import type { Labelled } from './multiclass-perceptron.ts';

/** W after all examples, each class's constant last, and what was decided at each of them. */
export interface Course {
  readonly weights: readonly (readonly number[])[];
  /** For each example: the lowered rival (−1: no update), and the distance to another decision (0: a tie). */
  readonly decisions: readonly { readonly rival: number; readonly distance: number }[];
}

/**
 * Crammer et al. 2006, section 8, with one vector for each class and the constant feature 1:
 *
 *     for t = 1, 2, …
 *       r = the class other than y with the highest w_r·x, of equals the first
 *       ℓ = max{0, 1 − (w_y·x − w_r·x)},   n = 2‖x‖²
 *       τ = ℓ/n (PA),  min{C, ℓ/n} (PA-I),  ℓ/(n + 1/(2C)) (PA-II)
 *       w_y = w_y + τ·x,  w_r = w_r − τ·x
 *
 * Sums run from left to right.
 */
export function passiveAggressiveClasses<T>(
  data: readonly Labelled[],
  { of, add, minus, times, over, less, double }: Arithmetic<T>,
  { classes, passes, variant, C }: { classes: number; passes: number; variant: 'pa' | 'pa-1' | 'pa-2'; C: number },
): Course {
  const inner = (w: readonly T[], x: readonly T[]) =>
    w.reduce((sum, weight, j) => add(sum, times(weight, x[j]!)), of(0));
  let W = Array.from({ length: classes }, () => [...data[0]!.x, 1].map(() => of(0)));
  const decisions: { rival: number; distance: number }[] = [];
  for (let pass = 0; pass < passes; pass++)
    for (const { x: features, y } of data) {
      const x = [...features, 1].map(of);
      const scores = W.map((w) => inner(w, x));
      const others = scores.map((_, k) => k).filter((k) => k !== y);
      const r = others.reduce((best, k) => (less(scores[best]!, scores[k]!) ? k : best));
      const loss = minus(of(1), minus(scores[y]!, scores[r]!));
      const gaps = others.filter((k) => k !== r).map((k) => double(minus(scores[r]!, scores[k]!)));
      const distance = Math.min(Math.abs(double(loss)), ...gaps);
      const updates = less(of(0), loss);
      decisions.push({ rival: updates ? r : -1, distance });
      if (!updates) continue;
      const n = times(of(2), inner(x, x));
      const whole = over(loss, variant === 'pa-2' ? add(n, of(0.5 / C)) : n);
      const tau = variant === 'pa-1' && less(of(C), whole) ? of(C) : whole;
      W = W.map((w, k) => {
        const step = k === y ? tau : k === r ? minus(of(0), tau) : null;
        return step === null ? w : w.map((weight, j) => add(weight, times(step, x[j]!)));
      });
    }
  return { weights: W.map((w) => w.map(double)), decisions };
}
