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
  /** The probability of each class, in the order of the model's classes; they add up to 1. */
  readonly probabilities: number[];
}

/**
 * Judges rows one at a time, with the bits that batches give.
 *
 * Every row is checked. A record may lack fields: these are missing values, or 0 for named features. It may have fields that the model does
 * not know: these are ignored. A record without any known field is refused, except the empty record of named features, which is a row of
 * zeros. A feature that a model of numbered features does not have counts 0. A row of finite numbers is refused if its score overflows.
 */
export class Predictor {
  readonly model: Model;
  readonly #scores: RowScorer;

  /** @throws HalfspaceError `option-invalid` for models of hashed text, which are asked through their text format. */
  constructor(model: Model) {
    this.model = model;
    const scores = createRowScorer(model);
    this.#scores = (row) => {
      const all = scores(row);
      for (let k = 0; k < all.length; k++) if (!Number.isFinite(all[k])) throw beyondDoubles(all[k]!);
      return all;
    };
  }

  /** The class of a row, by its scores. @throws HalfspaceError `number-invalid`, `row-malformed`, `index-invalid` for what is no row of this model's. */
  predict(row: RawRow): string {
    const { model } = this;
    const scores = this.#scores(row);
    return model.classes[classPosition(scores, 0, scores.length, tieOf(model))]!;
  }

  /**
   * The score of a row by a model of two classes: above 0 for the positive class. It is no probability.
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

  /** The scores of a row, one for each class, or the only one of a model of two classes. A new array. */
  scores(row: RawRow): Float64Array {
    return this.#scores(row).slice();
  }

  /**
   * The probability of each class, by the model's calibration; they add up to 1.
   * @throws HalfspaceError as `predict`; `option-invalid` for a model without calibration.
   */
  probabilities(row: RawRow): number[] {
    const calibration = this.#calibration();
    const scores = this.#scores(row);
    return classProbabilities(calibration, scores, 0, scores.length);
  }

  /**
   * The most probable class of a row, and the probability of each class. That class may be another one than `predict` gives, which goes
   * by the score: of two classes the probability may cross ½ at another score than 0, see {@link evenScore}. Of equally probable classes it
   * is the one that `predict` gives, if that is among them.
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
   * The score of an example that is encoded already, with the bits that a batch of dense rows gives; nothing is allocated.
   *
   * @param x one finite number per weight, in the order of `model.weights`: by index for numbered features, which the text formats
   *   count from 1, so that x[0] is then 0; by `names` for named ones; as `encodeRow` gives them for tables without categories. Only read.
   * @throws HalfspaceError `row-malformed` for another length, `number-invalid` for NaN, infinities, and numbers so large that the score is
   *   no finite double; `option-invalid` for a model of more than two classes, in dual form, or a tree.
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
    // No weight turns NaN or an infinity into a finite term, so only such a score calls for a look at the values.
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

/** A vector from numbers in another list. @throws HalfspaceError `row-malformed`, `number-invalid`. */
function vectorOf(x: unknown, length: number): Float64Array {
  const given = typeof x === 'object' && x !== null ? (x as ArrayLike<unknown>).length : undefined;
  if (given !== length)
    throw new HalfspaceError(
      'row-malformed',
      `expected ${length} values, one per weight; got ${typeof given === 'number' ? given : quote(x)}`,
    );
  return Float64Array.from({ length }, (_, j) => finiteField((x as ArrayLike<unknown>)[j], j));
}
