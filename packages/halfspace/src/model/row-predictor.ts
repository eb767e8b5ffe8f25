import { type Label, labelValue } from '../data/label.ts';
import { HalfspaceError } from '../errors.ts';
import { OneReading, readable, unreadable } from '../readable.ts';
import { classProbabilities } from './class-probabilities.ts';
import { type Model, tieOf } from './model.ts';
import type { RawRow } from './raw-features.ts';
import type { RowScorer } from './row-scorer.ts';
import { beyondDoubles, classPosition } from './scorer.ts';
import { unknownFieldsBy } from './unknown-fields.ts';

/** Returns values of classes by their names; one value is that of the positive one of two. */
export function byClass(classes: readonly string[], values: ArrayLike<number>): Record<string, number> {
  const all = values.length === 1 ? [0 - values[0]!, values[0]!] : values;
  return Object.fromEntries(classes.map((name, k) => [name, all[k]!]));
}

/** The part of every `Predictor` that does not depend on the kinds of models that it can ask. */
export abstract class RowPredictor<L extends Label = Label> {
  readonly model: Model<L>;
  /** The classes as labels, in the order of `model.classes`. */
  readonly labels: readonly L[];
  readonly #scores: RowScorer;
  /** Made when it is first asked. */
  #unknown: ((row: RawRow) => string[]) | null = null;

  /** @param scores scores single rows of the model. */
  constructor(model: Model<L>, scores: RowScorer) {
    this.model = model;
    this.labels = model.classes.map((name) => labelValue(name, model.labelType) as L);
    const reading = new OneReading();
    this.#scores = (row) => {
      reading.enter();
      let all: Float64Array;
      try {
        all = scores(row);
      } catch (error) {
        throw unreadable(error);
      } finally {
        reading.leave();
      }
      for (const score of all) if (!Number.isFinite(score)) throw beyondDoubles(score);
      return all;
    };
  }

  /**
   * Returns the class of a row by its scores: a label of the type that the model learned, such as `true` or 1. The
   * class of all others besides a positive one is text, `not 1`.
   *
   * @throws HalfspaceError `number-invalid`, `row-malformed`, `index-invalid`.
   */
  predict(row: RawRow): L {
    const scores = this.#scores(row);
    return this.labels[classPosition(scores, 0, scores.length, tieOf(this.model))]!;
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

  /**
   * Returns the scores of a row in a new array: one for each class, in the order of `model.classes`, or one if there
   * are two classes.
   */
  scores(row: RawRow): Float64Array {
    return this.#scores(row).slice();
  }

  /**
   * Returns the probability of each class by the model's calibration, in the order of `model.classes`; their sum is 1.
   * @throws HalfspaceError as `predict`; `option-invalid` for a model without calibration.
   */
  probabilities(row: RawRow): number[] {
    const { calibration } = this.model;
    if (calibration === null)
      throw new HalfspaceError('option-invalid', 'expected a model trained with calibrate; got one without');
    const scores = this.#scores(row);
    return classProbabilities(calibration, scores, 0, scores.length);
  }

  /** Returns {@link probabilities} by the names of the classes. @throws HalfspaceError as `probabilities`. */
  probabilitiesByClass(row: RawRow): Record<string, number> {
    return byClass(this.model.classes, this.probabilities(row));
  }

  /** Returns the score of each class by its name; of two classes, that of the negative one is minus the other. */
  scoresByClass(row: RawRow): Record<string, number> {
    return byClass(this.model.classes, this.#scores(row));
  }

  /**
   * Lists the fields of a row that the model does not know, such as misspelt ones, in the order of the row; of a row of
   * numbers, the indices as text. They do not count for any answer. The label and columns that were left out in
   * training are known. A field that is undefined is absent. No value is checked.
   *
   * @throws HalfspaceError `row-malformed` for a record that is none.
   */
  unknownFields(row: RawRow): string[] {
    this.#unknown ??= unknownFieldsBy(this.model.features);
    const unknown = this.#unknown;
    return readable('a row', () => unknown(row));
  }
}
