import type { Label, Labelled } from '../data/label.ts';
import type { Threshold } from '../evaluate/threshold.ts';
import type { DualModel } from '../model/dual/model.ts';
import type { Evaluation } from '../model/evaluation.ts';
import type { LinearModel } from '../model/linear/model.ts';
import type { Judgement } from '../model/metrics.ts';
import type { MulticlassModel } from '../model/multiclass/model.ts';
import type { TreeModel } from '../model/tree/model.ts';
import type { RuleName, rules } from '../rules/registry.ts';
import type { RuleNamed, RuleToTryNamed } from '../rules/rule-with-options.ts';
import type { MarginReport, TrainingReport } from '../train/report.ts';
import type { TrainState } from '../train/train-state.ts';
import type { CalibrationReport } from './calibration-report.ts';
import type { CrossValidation } from './cross-validation.ts';
import type { RuleSearch } from './search.ts';
import type { TrainingCurves } from './several-runs.ts';
import type { onlyOfNamedRules, TrainOptions } from './train-options.ts';
import type { TrainingScores } from './training-scores.ts';

/**
 * Result of {@link train} with the options O. A member that an option asks for is null without that option. If only the
 * type {@link TrainOptions} of the options is known, such a member may be null.
 */
export interface Trained<O extends TrainOptions = TrainOptions, L extends Label = Label> {
  /** The model. A tree for the rule `tree`, dual for `voted` and `kernel`, else linear or multiclass. */
  readonly model: TrainedModel<O, L>;
  /** Data, course and results of the run that gave the model. */
  readonly report: TrainedReport<O>;
  /** The search that chose the rule, or values of lists; null for a rule that was named. */
  readonly search: Searched<O>;
  /** The calibration and the quality of its probabilities. Asked for by `calibrate`. */
  readonly calibration: Asked<O, 'calibrate', CalibrationReport>;
  /** The decision threshold; score 0 of the model is there. Asked for by `threshold`. */
  readonly threshold: Asked<O, 'threshold', Threshold>;
  /** Evaluation of the rule, its options and passes by k-fold cross-validation. Asked for by `folds`. */
  readonly crossValidation: Asked<O, 'folds', CrossValidation>;
  /** Learning and validation curves. Asked for by `curves`. */
  readonly curves: Asked<O, 'curves', TrainingCurves>;
  /**
   * Scores of examples for rankings and curves over thresholds, with `calibrate`, `folds` or `curves`. Null without
   * these, or for more than 2²⁰ scores.
   */
  readonly scores: TrainingScores | null;
  /** Notes about how the source was read: a guessed label, columns that were left out, … */
  readonly notes: readonly string[];
  /** The state to continue `from` later. Asked for by `keepState`. */
  readonly state: Asked<O, 'keepState', TrainState>;
}

/** The report of a run with the options O. */
export interface TrainedReport<O extends TrainOptions = TrainOptions>
  extends Omit<TrainingReport, 'holdout' | 'validation' | 'maximumMargin'> {
  /** Score of the model on the held-out examples. Asked for by `holdout`. */
  readonly holdout: Asked<O, 'holdout', Judgement>;
  /** Score of the model on other examples. Asked for by `validation`. */
  readonly validation: Asked<O, 'validation', Evaluation>;
  /** The largest margin, in the geometry of `Geometry.margin`. Asked for by `marginGap`. */
  readonly maximumMargin: Asked<O, 'marginGap', MarginReport>;
}

/** The value of an option; undefined if it is absent. */
type Given<O, K extends PropertyKey> = K extends keyof O ? O[K] : undefined;

/** T if the options O give K; null if they do not; both if it is not known. False counts as absent. */
type Asked<O, K extends keyof TrainOptions, T> = [Given<O, K>] extends [undefined | false]
  ? null
  : undefined extends Given<O, K>
    ? T | null
    : false extends Given<O, K>
      ? T | null
      : T;

/** The search of a run with the options O: there is one for the rule `auto`, the default without `as`. */
type Searched<O> = [Given<O, 'rule'>] extends ['auto']
  ? RuleSearch
  : true extends HasLists<O>
    ? RuleSearch
    : [Given<O, 'rule'>] extends [undefined]
      ? [Given<O, 'as'> | Given<O, 'from'>] extends [undefined]
        ? RuleSearch
        : undefined extends Given<O, 'as'> & Given<O, 'from'>
          ? RuleSearch | null
          : null
      : [Extract<Given<O, 'rule'>, 'auto' | undefined>] extends [never]
        ? 'maybe' extends HasLists<O>
          ? RuleSearch | null
          : null
        : RuleSearch | null;

type List = readonly unknown[];

/** True for options that have a list of values, `maybe` for those whose type allows one. */
type HasLists<O> = Any<ListOf<Given<O, 'passes'>>, ListOf<Given<O, 'classWeights'>>, ListIn<Given<O, 'rule'>>>;

type Any<A, B, C> = true extends Surely<A> | Surely<B> | Surely<C>
  ? true
  : [A | B | C] extends [false]
    ? false
    : 'maybe';

type Surely<A> = [A] extends [true] ? true : false;

type ListOf<T> = [T] extends [undefined]
  ? false
  : [T] extends [List]
    ? true
    : [Extract<T, List>] extends [never]
      ? false
      : 'maybe';

type ListIn<R> = R extends List ? true : R extends { readonly name: string } ? ListAmong<R> : false;

type ListAmong<R> = true extends { [K in keyof R]-?: ListOf<R[K]> }[keyof R]
  ? true
  : [{ [K in keyof R]-?: ListOf<R[K]> }[keyof R]] extends [false]
    ? false
    : 'maybe';

/** The kind of model that the options O give, for labels of the type L. */
type TrainedModel<O, L extends Label = Label> = ModelOf<Given<O, 'rule'>> & Labelled<L>;

type ModelOf<R> = R extends readonly (infer E)[]
  ? ModelOf<E>
  : R extends RuleName
    ? ModelOfName<R>
    : R extends { readonly name: infer N extends RuleName }
      ? ModelOfName<N>
      : LinearModel | MulticlassModel;

type ModelOfName<N extends RuleName> = N extends 'tree'
  ? TreeModel
  : (typeof rules)[N] extends { readonly dual: true }
    ? DualModel
    : LinearModel | MulticlassModel;

/**
 * Makes faults in the options O errors of the compiler: options that `train` does not have, options of another rule,
 * and options that are only for named rules. `unknown` leaves the type of a member as it is; `never` refuses it.
 */
export type CheckedOptions<O> = { readonly [K in keyof O]: CheckedOption<O, K> };

/**
 * The members of {@link TrainOptions} for editors, which list nothing for a type that is inferred from what they
 * complete. A rule with a name has its own options only.
 */
export type ListedOptions<O> = {
  readonly [K in keyof TrainOptions]?: K extends 'rule' ? ListedRule<Given<O, K>> : TrainOptions[K];
};

type ListedRule<R> = R extends { readonly name: infer N extends RuleName } ? RuleToTryNamed<N> : TrainOptions['rule'];

type CheckedOption<O, K extends keyof O> = K extends 'rule'
  ? CheckedRule<O[K]>
  : K extends (typeof onlyOfNamedRules)[number]
    ? [Searched<O>, O[K]] extends [RuleSearch, NonNullable<unknown>]
      ? never
      : unknown
    : K extends keyof TrainOptions
      ? unknown
      : never;

type CheckedRule<R> = R extends List
  ? { readonly [K in keyof R]: CheckedRule<R[K]> }
  : R extends { readonly name: infer N extends RuleName }
    ? { readonly [K in keyof R]: K extends keyof RuleNamed<N> ? unknown : never }
    : unknown;
