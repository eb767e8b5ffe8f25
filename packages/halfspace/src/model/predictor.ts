import { HalfspaceError, quote } from '../errors.ts';
import { finiteField } from '../features/record.ts';
import type { Calibration } from './calibration.ts';
import { classProbabilities, mostProbable } from './class-probabilities.ts';
import { createRowScorer } from './kinds.ts';
import type { LinearModel } from './linear/model.ts';
import { type Model, tieOf } from './model.ts';
import type { RawRow } from './raw-features.ts';
import type { RowScorer } from './row-scorer.ts';
import { beyondDoubles, classPosition } from './scorer.ts';

/** The answer of {@link Predictor.predictProbable}. */
export interface ProbableClass {
  /** The most probable class. */
  readonly class: string;
  /** Probability of each class, in the order of the model's classes; they add up to 1. */
  readonly probabilities: number[];
}

/**
 * Classifies rows one at a time. The scores have the same bits as those of batches.
 *
 * Every row is checked. A missing field of a record is a missing value, or 0 for named features. Unknown fields are
 * ignored. A record with unknown fields only is refused; the empty record of named features is a row of zeros. A
 * numbered feature that the model does not have counts 0. A row of finite numbers is refused if its score overflows.
 */
export class Predictor {
  readonly model: Model;
  readonly #scores: RowScorer;

  /** @throws HalfspaceError `option-invalid` for models of hashed text; score these through their text format. */
  constructor(model: Model) {
    this.model = model;
    const scores = createRowScorer(model);
    this.#scores = (row) => {
      const all = scores(row);
      for (let k = 0; k < all.length; k++) if (!Number.isFinite(all[k])) throw beyondDoubles(all[k]!);
      return all;
    };
  }

  /**
   * Returns the class of a row by its scores. @throws HalfspaceError `number-invalid`, `row-malformed`,
   * `index-invalid`.
   */
  predict(row: RawRow): string {
    const { model } = this;
    const scores = this.#scores(row);
    return model.classes[classPosition(scores, 0, scores.length, tieOf(model))]!;
  }

  /**
   * Returns the score of a row by a model of two classes: above 0 for the positive class. It is not a probability.
   * @throws HalfspaceError as `predict`; `option-invalid` for a model of more classes.
   */
  score(row: RawRow): number {
    const scores = this.#scores(row);
    if (scores.length === 1) return scores[0]!;
    throw new HalfspaceError(
      'option-invalid',
      `expected a model of two classes, which have one score; got one of ${scores.length}`,
    );
  }

  /** Returns the scores of a row in a new array: one for each class, or one if there are two classes. */
  scores(row: RawRow): Float64Array {
    return this.#scores(row).slice();
  }

  /**
   * Returns the probability of each class by the model's calibration; they add up to 1.
   * @throws HalfspaceError as `predict`; `option-invalid` for a model without calibration.
   */
  probabilities(row: RawRow): number[] {
    const calibration = this.#calibration();
    const scores = this.#scores(row);
    return classProbabilities(calibration, scores, 0, scores.length);
  }

  /**
   * Returns the most probable class and the probability of each class. The class may differ from that of `predict`,
   * which uses scores: the probability of two classes may cross ½ at a score other than 0, see {@link evenScore}. If
   * classes are equally probable, the class of `predict` wins if it is one of them.
   * @throws HalfspaceError as `probabilities`.
   */
  predictProbable(row: RawRow): ProbableClass {
    const { model } = this;
    const calibration = this.#calibration();
    const scores = this.#scores(row);
    const probabilities = classProbabilities(calibration, scores, 0, scores.length);
    const scored = classPosition(scores, 0, scores.length, tieOf(model));
    return { class: model.classes[mostProbable(probabilities, 0, probabilities.length, scored)]!, probabilities };
  }

  #calibration(): readonly Calibration[] {
    const { calibration } = this.model;
    if (calibration === null)
      throw new HalfspaceError(
        'option-invalid',
        'expected a calibrated model; got one whose scores are no probabilities',
      );
    return calibration;
  }

  /**
   * Returns the score of an encoded example, with the same bits as a batch of dense rows. Allocates nothing.
   *
   * @param x one finite number per weight, in the order of `model.weights`; only read. Numbered features: by index
   *   (text formats count from 1, so x[0] is 0). Named features: in the order of `names`. Tables without categories:
   *   the result of `encodeRow`.
   * @throws HalfspaceError `row-malformed` for another length; `number-invalid` for NaN, infinities, or a score that
   *   overflows; `option-invalid` for a model of more than two classes, a dual model or a tree.
   */
  scoreVector(x: Float64Array): number {
    const { weights, divisor, bias, biasConstant } = this.#linear();
    const { length } = weights;
    if (!(x instanceof Float64Array) || x.length !== length) return this.scoreVector(vectorOf(x, length));
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    const whole = length - (length % 4);
    for (let j = 0; j < whole; j += 4) {
      s0 += weights[j]! * (x[j]! / divisor);
      s1 += weights[j + 1]! * (x[j + 1]! / divisor);
      s2 += weights[j + 2]! * (x[j + 2]! / divisor);
      s3 += weights[j + 3]! * (x[j + 3]! / divisor);
    }
    if (whole < length) s0 += weights[whole]! * (x[whole]! / divisor);
    if (whole + 1 < length) s1 += weights[whole + 1]! * (x[whole + 1]! / divisor);
    if (whole + 2 < length) s2 += weights[whole + 2]! * (x[whole + 2]! / divisor);
    const score = s0 + s1 + (s2 + s3) + bias * biasConstant;
    // NaN or an infinity in x always makes the score not finite, so check the values only then.
    if (!Number.isFinite(score)) {
      for (let j = 0; j < length; j++) finiteField(x[j], j);
      throw beyondDoubles(score);
    }
    return score;
  }

  #linear(): LinearModel {
    const { model } = this;
    if (model.kind === 'linear') return model;
    throw new HalfspaceError('option-invalid', `expected a linear model of two classes; got a ${model.kind} model`);
  }
}

/** Copies a list of numbers to a vector. @throws HalfspaceError `row-malformed`, `number-invalid`. */
function vectorOf(x: unknown, length: number): Float64Array {
  const given = typeof x === 'object' && x !== null ? (x as ArrayLike<unknown>).length : undefined;
  if (given !== length)
    throw new HalfspaceError(
      'row-malformed',
      `expected ${length} values, one per weight; got ${typeof given === 'number' ? given : quote(x)}`,
    );
  return Float64Array.from({ length }, (_, j) => finiteField((x as ArrayLike<unknown>)[j], j));
}
