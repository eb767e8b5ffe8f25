import type { StoredBatch } from '../batch.ts';
import { lead } from './lead.ts';
import { classPosition, labelPosition } from './scorer.ts';

/** `confusion[i][j]` is the number of examples of class i that were given class j, whatever their importance. */
export type Confusion = readonly (readonly number[])[];

/** The results of a model on examples with known labels. */
export interface Score {
  readonly examples: number;
  readonly errors: number;
  /** Share of examples given their class, in [0, 1]; NaN without examples. */
  readonly accuracy: number;
}

export interface Judgement extends Score {
  readonly confusion: Confusion;
}

/** Collects the results of scores against labels, batch by batch. */
export class ScoreTally {
  readonly #outputs: number;
  readonly #classes: number;
  readonly #tie: number;
  /** Row by row. */
  readonly #counts: Float64Array;
  #margin = Infinity;
  /** Whether all margins so far were finite. */
  finite = true;

  /**
   * @param outputs scores for an example: 1 for two classes, else as many as there are classes.
   * @param tie of one output, the class of score 0, −1 or +1.
   * @param classes number of classes; more than outputs if learning has not met the last ones.
   */
  constructor(outputs: number, tie: number, classes = Math.max(2, outputs)) {
    this.#outputs = outputs;
    this.#classes = classes;
    this.#tie = tie;
    this.#counts = new Float64Array(this.#classes ** 2);
  }

  /** Counts a batch, given its scores. Labels are −1 or +1, or positions of classes where there are several outputs. */
  add(batch: StoredBatch, scores: Float64Array): void {
    const { labels, rows } = batch;
    const outputs = this.#outputs;
    for (let i = 0; i < rows; i++) {
      const y = labels[i]!;
      const actual = labelPosition(y, outputs);
      const given = classPosition(scores, i * outputs, outputs, this.#tie);
      this.#counts[actual * this.#classes + given]!++;
      const margin = outputs === 1 ? y * scores[i]! : lead(scores, i * outputs, outputs, actual);
      if (!(margin >= this.#margin)) this.#margin = margin;
      if (!Number.isFinite(margin)) this.finite = false;
    }
  }

  get examples(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  get errors(): number {
    let right = 0;
    for (let k = 0; k < this.#classes; k++) right += this.#counts[k * this.#classes + k]!;
    return this.examples - right;
  }

  /** Share of examples whose class is right; NaN without examples. */
  get accuracy(): number {
    return (this.examples - this.errors) / this.examples;
  }

  /**
   * The least y·score, or of several outputs the least lead of the true class's score over the highest other one: above 0 exactly when
   * every example is strictly on its side.
   */
  get functionalMargin(): number {
    return this.#margin;
  }

  get judgement(): Judgement {
    return {
      examples: this.examples,
      errors: this.errors,
      accuracy: this.accuracy,
      confusion: Array.from({ length: this.#classes }, (_, k) =>
        Array.from(this.#counts.subarray(k * this.#classes, (k + 1) * this.#classes)),
      ),
    };
  }
}

export interface ClassMetrics {
  readonly class: string;
  /** Examples of this class. */
  readonly support: number;
  /** Of those given this class, the share that have it; null when none was given it. */
  readonly precision: number | null;
  /** Of those that have this class, the share that were given it; null when there are none. */
  readonly recall: number | null;
  /** 2·precision·recall / (precision + recall); null where that has no value. */
  readonly f1: number | null;
}

/** Precision, recall and F1 of every class, in the order of `classes`. */
export function perClass(confusion: Confusion, classes: readonly string[]): ClassMetrics[] {
  return classes.map((name, k) => {
    const support = confusion[k]!.reduce((sum, count) => sum + count, 0);
    const given = confusion.reduce((sum, row) => sum + row[k]!, 0);
    const right = confusion[k]![k]!;
    return {
      class: name,
      support,
      precision: given === 0 ? null : right / given,
      recall: support === 0 ? null : right / support,
      f1: support + given === 0 ? null : (2 * right) / (support + given),
    };
  });
}
