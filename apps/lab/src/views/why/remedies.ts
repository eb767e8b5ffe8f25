import type { Algorithm } from '../../algorithm/algorithm.ts';
import { choiceById, choose } from '../../algorithm/catalogue.ts';
import type { Dataset } from '../../data/dataset.ts';
import type { NotSeparable } from '../../engine/verdict.ts';

/** An algorithm that may do with data that no line separates. */
export interface Remedy {
  readonly title: string;
  readonly change: (algorithm: Algorithm) => Algorithm;
}

const plain =
  (id: string, options: Algorithm['options'] = {}) =>
  (algorithm: Algorithm): Algorithm => ({ ...choose(choiceById(id), algorithm), options });

/** The algorithms that are tried, in the order in which they are drawn. */
export const remedies: readonly Remedy[] = [
  { title: 'Perceptron', change: plain('rule perceptron') },
  { title: 'Averaged', change: plain('rule averaged') },
  { title: 'Pocket', change: plain('rule pocket') },
  { title: 'Kernel', change: plain('rule kernel', { kernel: 'rbf' }) },
  { title: 'Tree', change: plain('rule tree') },
];

/** Returns the algorithms of the remedies, with the seed and passes of the shown one. */
export function remedyAlgorithms(algorithm: Algorithm): Algorithm[] {
  return remedies.map(({ change }) => change({ ...algorithm, holdout: 0 }));
}

/** Returns drawn points without the examples of a proof; null: a table, or a class would be empty. */
export function withoutOffenders(dataset: Dataset, { combination }: NotSeparable): Dataset | null {
  if (dataset.kind !== 'points') return null;
  const out = new Set(combination.map(({ row }) => row));
  const points = dataset.points.filter((_, row) => !out.has(row));
  const both = points.some(({ label }) => label > 0) && points.some(({ label }) => label < 0);
  return both ? { ...dataset, points } : null;
}
