import type { Label } from '../data/label.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { findClass } from '../features/class-names.ts';
import { checkOptionNames } from '../features/option-names.ts';
import { Explainer, type ScoreTerms } from './explainer.ts';
import type { LinearFunction } from './linear/model.ts';
import { functionsOf, isDual, type Model } from './model.ts';
import type { FeatureList } from './raw-features.ts';

/** Options of {@link Predictor.explain}. */
export interface RowExplanationOptions {
  /**
   * The class whose score is explained. Default: the positive one of two classes, whatever the answer; the predicted
   * one of more.
   */
  readonly class?: Label | undefined;
  /** Largest number of terms, a whole number from 0. Default: all. */
  readonly most?: number | undefined;
}

/**
 * The score of a row as a sum of terms; see {@link Predictor.explain}.
 *
 * `meanScore`, all contributions, `others` and `rounding` add up to `score`. The sum of these doubles without
 * intermediate rounding, as by Python's `math.fsum`, is `score` exactly; only if `score` itself is smaller than four
 * times `rounding`, so that no digit of it means anything, may it differ, by at most 2⁻⁵³ · `rounding`.
 *
 * If the model has `means` (the option `means` of `train`), they are the mean row. Else `isMean` is true only if all
 * columns are plain numbers, dates or booleans, whose means the encoding has; if it is false, these are at their means
 * and other features at 0: no level, no word, not missing.
 */
export interface Explanation extends ScoreTerms {
  /** The class whose score is explained. */
  readonly class: string;
  /** The score of that class, with the same bits as from `scores`; for the negative one of two classes, minus it. */
  readonly score: number;
  /** Fields of the row that the model does not know, as {@link Predictor.unknownFields} lists them. */
  readonly unknown: readonly string[];
}

/** Explains scores of a model; its rows are read already. */
export class RowExplainer {
  readonly #classes: readonly string[];
  readonly #explainer: Explainer;
  readonly #single: boolean;

  /** @throws HalfspaceError `option-invalid` for models whose score is no sum over features. */
  constructor(model: Model) {
    const functions = functionsOf(model);
    if (functions.length === 0 || functions.some(isDual))
      throw new HalfspaceError(
        'option-invalid',
        `expected a linear model, whose score is a sum over fields; got a ${model.kind} model`,
      );
    this.#classes = model.classes;
    this.#single = functions.length === 1;
    this.#explainer = new Explainer(model, functions as readonly LinearFunction[]);
  }

  /**
   * Explains a score of a row.
   *
   * @param scores of the row.
   * @param predicted position of the predicted class.
   * @throws HalfspaceError `option-invalid` for options that do not fit.
   */
  explain(
    row: FeatureList,
    scores: ArrayLike<number>,
    predicted: number,
    given: Label | RowExplanationOptions = {},
  ): Omit<Explanation, 'unknown'> {
    const options = typeof given === 'object' ? given : { class: given };
    checkOptionNames(options, ['class', 'most'], 'explain');
    const { class: of, most = Infinity } = options;
    if (!(most === Infinity || (Number.isSafeInteger(most) && most >= 0)))
      throw new HalfspaceError('option-invalid', `most must be a whole number from 0; got ${quote(most)}`);
    const classes = this.#classes;
    const k = of === undefined ? (this.#single ? 1 : predicted) : findClass(classes, String(of));
    if (k < 0)
      throw new HalfspaceError('option-invalid', `expected one of the classes ${classes.join(', ')}; got ${quote(of)}`);
    const position = this.#single ? 0 : k;
    const score = scores[position]!;
    const found = this.#explainer.terms(position, row, score, most);
    if (!this.#single || k === 1) return { class: classes[k]!, score, ...found };
    // The negative class has minus the score. −x + 0 is never −0.
    const { terms, meanScore, others, rounding } = found;
    return {
      ...{ class: classes[k]!, score: -score + 0, ...found, meanScore: -meanScore + 0 },
      ...{ others: -others + 0, rounding: -rounding + 0 },
      terms: terms.map((term) => ({ ...term, contribution: -term.contribution })),
    };
  }
}
