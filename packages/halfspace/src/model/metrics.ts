import type { StoredBatch } from '../batch.ts';
import { classOf } from '../kernels/kernels.ts';

/** How often examples of each class were given each class; counts of examples, importance not counted. */
export interface Confusion {
  readonly truePositive: number;
  readonly falseNegative: number;
  readonly falsePositive: number;
  readonly trueNegative: number;
}

/** How well a model did on examples with known labels. */
export interface Score {
  readonly examples: number;
  readonly errors: number;
  /** Share of examples given their class, in [0, 1]; NaN without examples. */
  readonly accuracy: number;
}

export interface Judgement extends Score {
  readonly confusion: Confusion;
}

/** What scores against labels amount to, folded over batches. */
export class ScoreTally {
  readonly #tie: number;
  #truePositive = 0;
  #falseNegative = 0;
  #falsePositive = 0;
  #trueNegative = 0;
  #margin = Infinity;

  /** @param tie the class of score 0, −1 or +1. */
  constructor(tie: number) {
    this.#tie = tie;
  }

  /** Counts a batch, labels −1 or +1, given its scores. */
  add(batch: StoredBatch, scores: Float64Array): void {
    const { labels, rows } = batch;
    for (let i = 0; i < rows; i++) {
      const y = labels[i]!;
      const right = classOf(scores[i]!, this.#tie) === y;
      if (y > 0) right ? this.#truePositive++ : this.#falseNegative++;
      else right ? this.#trueNegative++ : this.#falsePositive++;
      const margin = y * scores[i]!;
      if (!(margin >= this.#margin)) this.#margin = margin;
    }
  }

  get examples(): number {
    return this.#truePositive + this.#falseNegative + this.#falsePositive + this.#trueNegative;
  }

  get errors(): number {
    return this.#falseNegative + this.#falsePositive;
  }

  /** Share of examples whose class is right; NaN without examples. */
  get accuracy(): number {
    return (this.examples - this.errors) / this.examples;
  }

  /** The least y·score: above 0 exactly when every example is strictly on its side. */
  get functionalMargin(): number {
    return this.#margin;
  }

  get judgement(): Judgement {
    return {
      examples: this.examples,
      errors: this.errors,
      accuracy: this.accuracy,
      confusion: {
        truePositive: this.#truePositive,
        falseNegative: this.#falseNegative,
        falsePositive: this.#falsePositive,
        trueNegative: this.#trueNegative,
      },
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

/** Precision, recall and F1 of the negative and the positive class, in that order. */
export function perClass(confusion: Confusion, classes: readonly [string, string]): [ClassMetrics, ClassMetrics] {
  const metrics = (name: string, right: number, missed: number, wrong: number): ClassMetrics => ({
    class: name,
    support: right + missed,
    precision: right + wrong === 0 ? null : right / (right + wrong),
    recall: right + missed === 0 ? null : right / (right + missed),
    f1: 2 * right + missed + wrong === 0 ? null : (2 * right) / (2 * right + missed + wrong),
  });
  const { truePositive, falseNegative, falsePositive, trueNegative } = confusion;
  return [
    metrics(classes[0], trueNegative, falsePositive, falseNegative),
    metrics(classes[1], truePositive, falseNegative, falsePositive),
  ];
}
