import type { StoredBatch } from '../batch.ts';
import { relabelled } from '../data/relabelled.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { findClass } from '../features/class-names.ts';
import type { ClassWeights } from './plan.ts';

/**
 * Returns the factor of each class for a run's class weights; null if every example keeps its importance.
 *
 * @param counts number of examples of each class.
 * @throws HalfspaceError `option-invalid` for the weight of an unknown class.
 */
export function classFactors(
  weights: ClassWeights | null,
  classes: readonly string[],
  counts: readonly number[],
): readonly number[] | null {
  if (weights === null) return null;
  if (weights === 'balanced') {
    const examples = counts.reduce((sum, count) => sum + count, 0);
    return counts.map((count) => examples / (classes.length * count));
  }
  const factors = new Array<number>(classes.length).fill(1);
  let unknown: string | undefined;
  for (const [name, weight] of Object.entries(weights)) {
    const k = findClass(classes, name);
    if (k === -1) unknown ??= name;
    else factors[k] = weight;
  }
  if (unknown !== undefined)
    throw new HalfspaceError(
      'option-invalid',
      `classWeights must be of the classes ${classes.join(', ')}; got ${quote(unknown)}`,
    );
  return factors;
}

/** Multiplies the importance of examples by the factor of their class. */
export class ClassWeighing {
  /** By class; null: all 1. */
  readonly factors: readonly number[] | null;
  #importance = new Float64Array(0);

  /** @param factors by {@link classFactors}. */
  constructor(factors: readonly number[] | null) {
    this.factors = factors;
  }

  /** Returns the batch with multiplied importance; valid until the next call. */
  weigh(batch: StoredBatch): StoredBatch {
    const { factors } = this;
    if (factors === null) return batch;
    const { rows, labels, importance } = batch;
    if (this.#importance.length < rows) this.#importance = new Float64Array(rows);
    const own = this.#importance;
    const two = factors.length === 2;
    for (let i = 0; i < rows; i++) {
      const factor = factors[two ? (labels[i]! > 0 ? 1 : 0) : labels[i]!]!;
      own[i] = factor * (importance === null ? 1 : importance[i]!);
    }
    return relabelled(batch, undefined, own);
  }

  /** Yields batches with multiplied importance, each valid until the next. The batch of {@link weigh} stays valid. */
  *weighEach(batches: Iterable<StoredBatch>): Generator<StoredBatch> {
    const own = new ClassWeighing(this.factors);
    for (const batch of batches) yield own.weigh(batch);
  }
}
