import type { Label } from '../data/label.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { finiteField } from '../features/record.ts';
import { OneReading, readable } from '../readable.ts';
import { mostProbable } from './class-probabilities.ts';
import * as dual from './dual/row-kind.ts';
import { type Explanation, RowExplainer, type RowExplanationOptions } from './explain-row.ts';
import { featureReaders } from './feature-readers.ts';
import * as linear from './linear/kind.ts';
import type { LinearModel } from './linear/model.ts';
import { type Model, tieOf } from './model.ts';
import * as multiclass from './multiclass/kind.ts';
import { FeatureList, type FeatureReader, type RawRow, rawFeatures } from './raw-features.ts';
import { RowPredictor } from './row-predictor.ts';
import { type RowScorers, rowScorerOf } from './row-scorer-of.ts';
import { beyondDoubles, classPosition } from './scorer.ts';
import * as tree from './tree/kind.ts';

const rowScorers: RowScorers = {
  linear: linear.createRowScorer,
  multiclass: multiclass.createRowScorer,
  dual: dual.createRowScorer,
  tree: tree.createRowScorer,
};

/**
 * Classifies rows one at a time. The scores have the same bits as those of batches.
 *
 * Every row is checked. A missing field of a record is a missing value, or 0 for named features. Fields and indices
 * that the model does not know count nothing, and `unknownFields` lists them; a record without any other field is
 * answered like one of missing values. A list has a number for each index of the model. A row of finite numbers is
 * refused if its score overflows.
 *
 * @example
 * const { model } = await train(csv('mails.csv'));
 * const predictor = new Predictor(model);
 * console.log(predictor.predict({ sender: 'friend', links: 0, words: 90 })); // no
 */
export class Predictor<L extends Label = Label> extends RowPredictor<L> {
  readonly #weights: Float64Array | null;
  /** Made when a row is first explained. */
  #explaining: { readonly explainer: RowExplainer; readonly read: FeatureReader } | null = null;
  readonly #reading = new OneReading();

  /** @throws HalfspaceError `option-invalid` for models of hashed text; score these through their text format. */
  constructor(model: Model<L>) {
    super(model, rowScorerOf(rowScorers, featureReaders, model));
    const fast =
      model.kind === 'linear' &&
      model.features.kind === 'indexed' &&
      model.features.far === undefined &&
      model.sparse === undefined;
    this.#weights = fast ? model.weights : null;
  }

  /**
   * Returns the class of a row, as a label of the type that the model learned.
   *
   * @param by `score`: the class by its scores. `probability`: the most probable class by the model's calibration; of
   *   equally probable classes the one by score, if it is among them. For two classes they may differ, because the
   *   probability may cross ½ at a score other than 0; see {@link evenScore}.
   * @throws HalfspaceError `number-invalid`, `row-malformed`, `index-invalid`; `option-invalid` for probabilities of a
   *   model without calibration.
   */
  override predict(row: RawRow, by: 'score' | 'probability' = 'score'): L {
    const scored = super.predict(row);
    if (by === 'score') return scored;
    if (by !== 'probability')
      throw new HalfspaceError('option-invalid', `expected to predict by score or probability; got ${quote(by)}`);
    const { labels } = this;
    return labels[mostProbable(this.probabilities(row), 0, labels.length, labels.indexOf(scored))]!;
  }

  /**
   * Returns the score of a row by a model of two classes: above 0 for the positive class. It is not a probability. A
   * `Float64Array` with one number for each weight of a model of numbered features takes a fraction of the time.
   *
   * @throws HalfspaceError as `predict`; `option-invalid` for a model of more classes.
   */
  override score(row: RawRow): number {
    const weights = this.#weights;
    // A view is no proxy, which `instanceof` would ask.
    return weights !== null && ArrayBuffer.isView(row) && row instanceof Float64Array && row.length === weights.length
      ? this.#scoreVector(row, weights)
      : super.score(row);
  }

  /** Sums in the order of the kernels, without a list of features. */
  #scoreVector(x: Float64Array, weights: Float64Array): number {
    const { divisor, bias, biasConstant } = this.model as LinearModel;
    const { length } = weights;
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

  /**
   * Explains the score of a row: how far each term moves it from the score of the mean row. A term is a column of a
   * table, a word of a text, or a numbered or named feature, and contributes Σ weight · (x − mean) over its features.
   * These are the exact Shapley values of a linear function whose terms are independent. They say how the model scored,
   * not what causes what.
   *
   * @param options a class whose score is explained, or options.
   * @throws HalfspaceError as `predict`; `option-invalid` for kernel models and trees, whose score is no such sum, and
   *   for options that do not fit.
   */
  explain(row: RawRow, options?: L | RowExplanationOptions): Explanation {
    const { model } = this;
    this.#explaining ??= {
      explainer: new RowExplainer(model),
      read: rawFeatures(model.features, featureReaders),
    };
    const { explainer, read } = this.#explaining;
    const scores = this.scores(row);
    const features = new FeatureList();
    this.#reading.run(() => readable('a row', () => read(row, features)));
    const predicted = classPosition(scores, 0, scores.length, tieOf(model));
    return { ...explainer.explain(features, scores, predicted, options), unknown: this.unknownFields(row) };
  }
}
