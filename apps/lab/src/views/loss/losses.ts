import { lossOf } from 'halfspace/rules';
import type { Recording } from '../../engine/recording.ts';
import { classOf } from '../../engine/recording.ts';
import type { Role } from '../../picture/picture.ts';

/** The loss of one example, by its margin y·a. */
export interface Loss {
  readonly id: LossId;
  readonly title: string;
  readonly at: (margin: number) => number;
  readonly stroke: Role;
  /** Dashes make the lines differ without colour. */
  readonly dash?: readonly number[];
}

export type LossId = 'zero-one' | 'perceptron' | 'hinge' | 'logistic' | 'squared-hinge' | 'modified-huber';

export const losses: readonly Loss[] = [
  { id: 'zero-one', title: '0–1', at: (m) => (m < 0 ? 1 : 0), stroke: 'muted' },
  { id: 'perceptron', title: 'perceptron', at: lossOf.perceptron, stroke: 'line' },
  { id: 'hinge', title: 'hinge', at: lossOf.hinge, stroke: 'answer', dash: [7, 4] },
  { id: 'logistic', title: 'logistic', at: lossOf.logistic, stroke: 'star', dash: [2, 4] },
];

const others: readonly Loss[] = [
  { id: 'squared-hinge', title: 'squared hinge', at: lossOf['squared-hinge'], stroke: 'bound', dash: [9, 3, 2, 3] },
  { id: 'modified-huber', title: 'modified Huber', at: lossOf['modified-huber'], stroke: 'bound', dash: [9, 3, 2, 3] },
];

/** Returns the loss that a run minimises; null: its rule minimises none of these. */
export function ownLoss({ model }: Pick<Recording, 'model'>): LossId | null {
  const { rule, options } = model;
  if (rule === 'sgd') return (options.loss as LossId | undefined) ?? null;
  if (rule === 'passive-aggressive') return 'hinge';
  if (rule === 'logistic') return rule;
  return rule === 'perceptron' || rule === 'averaged' || rule === 'pocket' ? 'perceptron' : null;
}

/** Returns the four losses of the lectures, and the run's own where it is another. */
export function lossesFor(recording: Pick<Recording, 'model'>): readonly Loss[] {
  const own = others.find(({ id }) => id === ownLoss(recording));
  return own === undefined ? losses : [...losses, own];
}

/** Returns the loss of one example. Its 0–1 loss at a score of 0 depends on the class that ties have. */
function lossAt(loss: Loss, score: number, label: number, tie: -1 | 1): number {
  if (loss.id === 'zero-one') return classOf(score, tie) === label ? 0 : 1;
  return loss.at(label * score);
}

export function meanLoss(loss: Loss, scores: Float64Array, labels: Int8Array, tie: -1 | 1): number {
  let sum = 0;
  for (let k = 0; k < scores.length; k++) sum += lossAt(loss, scores[k]!, labels[k]!, tie);
  return sum / Math.max(1, scores.length);
}
