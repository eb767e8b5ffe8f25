import type { StoredBatch } from '../batch.ts';
import { relabelled } from '../data/relabelled.ts';
import { HalfspaceError, quote } from '../errors.ts';
import type { ClassWeights } from './plan.ts';

/** Multiplies the importance of examples by the weight of their class. */
export class ClassWeighing {
  /** One for each class. */
  readonly #weights: readonly number[];
  #importance = new Float64Array(0);

  /**
   * @param counts examples of each class.
   * @throws HalfspaceError `option-invalid` for a weight of a class that there is not.
   */
  constructor(weights: ClassWeights, classes: readonly string[], counts: readonly number[]) {
    if (weights === 'balanced') {
      const examples = counts.reduce((sum, count) => sum + count, 0);
      this.#weights = counts.map((count) => examples / (classes.length * count));
      return;
    }
    const unknown = Object.keys(weights).find((name) => !classes.includes(name));
    if (unknown !== undefined)
      throw new HalfspaceError(
        'option-invalid',
        `classWeights must be of the classes ${classes.join(', ')}; got ${quote(unknown)}`,
      );
    this.#weights = classes.map((name) => (Object.hasOwn(weights, name) ? weights[name]! : 1));
  }

  /** The batch with its examples weighed; valid until the next call. */
  weigh(batch: StoredBatch): StoredBatch {
    if (this.#importance.length < batch.rows) this.#importance = new Float64Array(batch.rows);
    return this.#weighed(batch, this.#importance);
  }

  /** Batches with their examples weighed, each valid until the next is asked for; what {@link weigh} gave stays as it is meanwhile. */
  *weighEach(batches: Iterable<StoredBatch>): Generator<StoredBatch> {
    let importance = new Float64Array(0);
    for (const batch of batches) {
      if (importance.length < batch.rows) importance = new Float64Array(batch.rows);
      yield this.#weighed(batch, importance);
    }
  }

  #weighed(batch: StoredBatch, own: Float64Array): StoredBatch {
    const { rows, labels, importance } = batch;
    const two = this.#weights.length === 2;
    for (let i = 0; i < rows; i++) {
      const weight = this.#weights[two ? (labels[i]! > 0 ? 1 : 0) : labels[i]!]!;
      own[i] = weight * (importance === null ? 1 : importance[i]!);
    }
    return relabelled(batch, undefined, own);
  }
}
