import type { StoredBatch } from '../batch.ts';
import { exponential } from '../kernels/exponential.ts';
import { logOnePlus } from '../kernels/natural-log.ts';
import type { LinearParameters } from './learner.ts';

/** The losses of rules/sgd.ts by name, at a margin m = y·a. Plain doubles: for evaluation, not for learning. */
export const lossOf = {
  perceptron: (m: number) => Math.max(0, -m),
  hinge: (m: number) => Math.max(0, 1 - m),
  'squared-hinge': (m: number) => Math.max(0, 1 - m) ** 2,
  logistic: (m: number) => Math.max(0, -m) + logOnePlus(exponential(-Math.abs(m))),
  'modified-huber': (m: number) => (m >= -1 ? Math.max(0, 1 - m) ** 2 : -4 * m),
} as const;

export type LossName = keyof typeof lossOf;

export interface ObjectiveOptions {
  readonly loss: LossName;
  /** α, in [0, ∞); 0: no penalty. */
  readonly alpha: number;
  /** ρ: share of L1, in [0, 1]: 0 for `l2`, 1 for `l1`. */
  readonly l1Ratio: number;
}

/**
 * Returns the objective of rules/sgd.ts: the mean loss by importance, plus the penalty.
 *
 * @param batches with their scores; `scores[i]` belongs to row i. Labels are −1 or +1.
 */
export function objective(
  batches: Iterable<{ readonly batch: StoredBatch; readonly scores: ArrayLike<number> }>,
  { weights }: LinearParameters,
  { loss, alpha, l1Ratio }: ObjectiveOptions,
): number {
  let sum = 0;
  let importance = 0;
  for (const { batch, scores } of batches)
    for (let i = 0; i < batch.rows; i++) {
      const h = batch.importance === null ? 1 : batch.importance[i]!;
      sum += h * lossOf[loss](batch.labels[i]! * scores[i]!);
      importance += h;
    }
  let [absolute, squared] = [0, 0];
  for (const w of weights) {
    absolute += Math.abs(w);
    squared += w * w;
  }
  return (importance === 0 ? 0 : sum / importance) + alpha * (l1Ratio * absolute + ((1 - l1Ratio) * squared) / 2);
}
