import type { StoredBatch } from '../batch.ts';
import { lead } from './lead.ts';
import { classPosition, labelPosition } from './scorer.ts';

/**
 * `confusion[i][j]` is the number of examples of class i that were predicted as class j, whatever their importance. The
 * classes are those of the model, then `unknownClasses` of a {@link Judgement}, which are never predicted.
 */
export type Confusion = readonly (readonly number[])[];

/** The results of a model on examples with known labels. */
export interface Score {
  readonly examples: number;
  readonly errors: number;
  /** Share of correctly classified examples, in [0, 1]; NaN without examples. */
  readonly accuracy: number;
}

export interface Judgement extends Score {
  readonly confusion: Confusion;
  /** Classes of examples that the model does not have: all their examples are errors. Absent: there are none. */
  readonly unknownClasses?: readonly string[];
}

/** Accumulates a {@link Confusion} and the functional margin over batches. */
export class ScoreTally {
  readonly #outputs: number;
  readonly #classes: number;
  readonly #tie: number;
  /** The confusion matrix, row by row. */
  readonly #counts: Float64Array;
  #right = 0;
  /** Number of examples so far. */
  examples = 0;
  /** Counts of the predicted classes of examples of each class that the model does not have. */
  readonly #unknown: Float64Array[] = [];
  #margin = Infinity;
  /** True if all margins so far were finite. */
  finite = true;

  /**
   * @param outputs number of scores of an example: 1 for two classes, else the number of classes.
   * @param tie class of score 0 for one output, −1 or +1.
   * @param classes number of classes; more than `outputs` if the training rows lacked the last ones.
   */
  constructor(outputs: number, tie: number, classes = Math.max(2, outputs)) {
    this.#outputs = outputs;
    this.#classes = classes;
    this.#tie = tie;
    this.#counts = new Float64Array(this.#classes ** 2);
  }

  /**
   * Counts a batch. Labels are −1 or +1; with several outputs they are positions of classes. Those of classes that the
   * model does not have are as {@link labelPosition} takes them.
   */
  add(batch: StoredBatch, scores: Float64Array): void {
    const { labels, rows } = batch;
    const outputs = this.#outputs;
    this.examples += rows;
    for (let i = 0; i < rows; i++) {
      const y = labels[i]!;
      const actual = labelPosition(y, outputs);
      const given = classPosition(scores, i * outputs, outputs, this.#tie);
      if (actual === given) this.#right++;
      if (actual >= this.#classes) {
        this.#addUnknown(actual - this.#classes, given);
        continue;
      }
      this.#counts[actual * this.#classes + given]!++;
      const margin = outputs === 1 ? y * scores[i]! : lead(scores, i * outputs, outputs, actual);
      if (!(margin >= this.#margin)) this.#margin = margin;
      if (!Number.isFinite(margin)) this.finite = false;
    }
  }

  #addUnknown(k: number, given: number): void {
    while (this.#unknown.length <= k) this.#unknown.push(new Float64Array(this.#classes));
    this.#unknown[k]![given]!++;
  }

  get errors(): number {
    return this.examples - this.#right;
  }

  /** Share of correctly classified examples; NaN without examples. */
  get accuracy(): number {
    return this.#right / this.examples;
  }

  /** Smallest y·score, or lead of the true class if several outputs. Above 0: every example is strictly correct. */
  get functionalMargin(): number {
    return this.#margin;
  }

  get score(): Score {
    return { examples: this.examples, errors: this.errors, accuracy: this.accuracy };
  }

  get judgement(): Judgement {
    return this.judgementWith([]);
  }

  /** Returns the judgement. @param unknown names of the classes that the model does not have, in their order. */
  judgementWith(unknown: readonly string[]): Judgement {
    const classes = this.#classes;
    const known = Array.from({ length: classes }, (_, k) => this.#counts.subarray(k * classes, (k + 1) * classes));
    // A class may occur in rows of importance 0 only.
    const present = this.#unknown.flatMap((counts, k) =>
      sumOf(counts) === 0 ? [] : [{ name: unknown[k] ?? `class ${classes + k}`, counts }],
    );
    const rows = [...known, ...present.map(({ counts }) => counts)];
    return {
      ...this.score,
      confusion: rows.map((counts) => [...counts, ...present.map(() => 0)]),
      ...(present.length === 0 ? {} : { unknownClasses: present.map(({ name }) => name) }),
    };
  }
}

function sumOf(counts: Float64Array): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

export interface ClassMetrics {
  readonly class: string;
  /** Number of examples of this class. */
  readonly support: number;
  /** Share of correct ones among the examples predicted as this class; null if there are none. */
  readonly precision: number | null;
  /** Share of correctly classified ones among the examples of this class; null if there are none. */
  readonly recall: number | null;
  /** 2·precision·recall / (precision + recall); null if that is undefined. */
  readonly f1: number | null;
}

/**
 * Returns precision, recall and F1 of every class, in the order of `classes`: those of a model, or also the unknown
 * ones of a judgement.
 */
export function perClass(confusion: Confusion, classes: readonly string[]): ClassMetrics[] {
  return classes.map((name, k) => {
    const support = supportOf(confusion[k]!);
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

/** Measures of the classes, from a confusion matrix. */
export interface Quality {
  /** Accuracy of always predicting the most frequent class. A model that is no better has learned nothing of use. */
  readonly baseline: number;
  /** Precision, recall, F1 and support of the model's classes, then of `unknownClasses`. */
  readonly perClass: readonly ClassMetrics[];
  /** Classes of the model that occur but are never predicted. */
  readonly neverPredicted: readonly string[];
}

/** Returns the measures of the classes. @param classes of the model. */
export function qualityOf(
  { confusion, unknownClasses = [] }: Pick<Judgement, 'confusion' | 'unknownClasses'>,
  classes: readonly string[],
): Quality {
  const all = perClass(confusion, [...classes, ...unknownClasses]);
  const missed = all.slice(0, classes.length).filter(({ support, precision }) => support > 0 && precision === null);
  return { baseline: baselineAccuracy(confusion), perClass: all, neverPredicted: missed.map((each) => each.class) };
}

/** Returns the position of the class with the most examples, the first of equal ones. */
export function mostFrequentClass(confusion: Confusion): number {
  const supports = confusion.map(supportOf);
  return supports.indexOf(Math.max(...supports));
}

/**
 * Returns the accuracy of always predicting the most frequent class of the same examples, in [0, 1]; NaN without
 * examples. A model that is no better has learned nothing of use from the features.
 */
export function baselineAccuracy(confusion: Confusion): number {
  const supports = confusion.map(supportOf);
  return Math.max(...supports) / supports.reduce((sum, count) => sum + count, 0);
}

/** Returns the number of examples of a class, given its row of a confusion matrix. */
function supportOf(row: readonly number[]): number {
  return row.reduce((sum, count) => sum + count, 0);
}
