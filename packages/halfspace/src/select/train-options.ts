import { HalfspaceError, quote } from '../errors.ts';
import { type CalibrationKind, calibrationKinds } from '../evaluate/calibration-kinds.ts';
import { checkWhole } from '../evaluate/checks.ts';
import type { ErrorCosts, MetricName } from '../evaluate/metric.ts';
import type { Pairs } from '../features/cross/pair-gains.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import { readable } from '../readable.ts';
import { type AnyRuleOptions, ruleOptionOwners, rules } from '../rules/registry.ts';
import { partsOf, type RuleToTry } from '../rules/rule-with-options.ts';
import { type RunOptions, type RunProgress, runOptionNames } from '../train/options.ts';
import type { ClassWeights } from '../train/plan.ts';

/** A value, or a list of values to try. */
export type OneOrMore<T> = T | readonly T[];

/** The largest number of cuts of a bent number, or the choice: see {@link TrainOptions.bend}. */
type Bending = 'auto' | 'none' | number;

/** Options of {@link train}. All may be absent. */
export interface TrainOptions
  extends Omit<
    RunOptions,
    keyof AnyRuleOptions | 'rule' | 'order' | 'passes' | 'classWeights' | 'kernels' | 'goal' | 'means' | 'onProgress'
  > {
  /**
   * The update rule: `auto`, a name, or a name with options, `{ name: 'passive-aggressive', aggressiveness: 0.1 }`.
   * `auto` chooses rule, options and passes by cross-validation over the published `grid` of `halfspace/metrics`; large
   * data are learned by the averaged perceptron with early stopping. A list of rules, and lists of values of their
   * options, are searched: cross-validation tries every combination, and the simplest within one standard error of the
   * best gives the model. Default: the rule of `as` or `from`; without them, `auto`.
   */
  readonly rule?: OneOrMore<RuleToTry> | 'auto' | undefined;
  /** Short for `stop.passes`; a list of numbers is searched. */
  readonly passes?: OneOrMore<NonNullable<RunOptions['passes']>> | undefined;
  /** As in a run: `balanced`, or numbers by class; a list of them is searched, where `{}` has no weights. */
  readonly classWeights?: OneOrMore<ClassWeights> | undefined;
  /**
   * Seconds after which a search by lists tries no further candidate and deals no folds again, above 0. The first
   * candidate is always tried, and `search.untried` has what was not. Default: no limit.
   */
  readonly seconds?: number | undefined;
  /** Order of the examples in each pass. Not with `rule: 'auto'`. Default: that of `as`; without that, `auto`. */
  readonly order?: RunOptions['order'];
  /**
   * The metric that chooses rule and passes, and by which early stopping (`patience`) compares passes. For named rules
   * only with `patience`. Default: `cost` if `cost` is given, `balanced-accuracy` for `classWeights: 'balanced'`,
   * `log-loss` for a choice with `calibrate` and without `threshold`, else `accuracy`.
   */
  readonly metric?: MetricName | undefined;
  /** Costs of errors for the metric `cost`, of two classes. */
  readonly cost?: ErrorCosts | undefined;
  /**
   * `best`: the model of two classes gets the decision threshold with the best value of the metric, which must be
   * accuracy, balanced-accuracy, f1 or cost, on cross-validated scores. Its bias is moved, so that score 0 is the
   * threshold. For rules that learn a hyperplane; not with `folds`, `keepState` and `bias: 'none'`. Default: none.
   */
  readonly threshold?: 'best' | undefined;
  /**
   * Calibration of the model, which turns scores into probabilities. It is fitted on cross-validated scores. `platt`: a
   * sigmoid, or a softmax for several classes; needs few examples. `isotonic`: an increasing curve of any shape.
   * Default: none.
   */
  readonly calibrate?: CalibrationKind | undefined;
  /**
   * Evaluates the rule, its options and the number of passes by k-fold cross-validation, k a whole number from 2. A
   * calibration and curves use the same number of folds. Default: no evaluation; 5 folds for calibration and curves.
   */
  readonly folds?: number | undefined;
  /**
   * True adds the mean of every feature over the training rows to the model (`means`), so that explanations compare
   * with their mean row. A model file grows by a number per feature. For rules that learn a hyperplane; not with
   * `from`. Default false.
   */
  readonly means?: boolean | undefined;
  /**
   * Bends the score along each number and plain date of a table: the column is cut into intervals, and the rule
   * `logistic` learns a weight for each, so that neighbours differ little. A number is the largest number of cuts of a
   * column, in [1, 999]; `none`: numbers stay straight; `auto`: the search decides, with up to 48 cuts, or 128
   * from 5000 rows on. For the rule
   * `logistic` and for `auto`. Default: `auto` for the rule `auto`, else `none`.
   */
  readonly bend?: Bending | undefined;
  /**
   * Pairs of columns whose weights add to those of single columns. A number in [0, 100] is the largest number of pairs;
   * `none`: 0; `auto`: the search decides, with up to 10. Pairs of names are learned in any case. For bent numbers and
   * categories, for the rules `logistic` and `auto`. Default: `auto` for the rule `auto`, else `none`.
   */
  readonly pairs?: 'auto' | 'none' | Pairs | undefined;
  /**
   * Largest number of threads, a whole number from 1: for the runs of search, cross-validation and curves, and after a
   * search for classes that learn one against the rest. The result is the same. Default: one for each core.
   */
  readonly threads?: number | undefined;
  /** True computes learning and validation curves. Default false. */
  readonly curves?: boolean | undefined;
  /** Called after every batch of the training, and after every run of the search and of the cross-validation. */
  readonly onProgress?: ((progress: TrainProgress) => void) | undefined;
}

/** Progress of {@link train}. `done` of `of` runs, or of the classes of one-vs-rest, are finished. */
export type TrainProgress =
  | RunProgress
  | { readonly phase: 'search' | 'cross-validation' | 'classes'; readonly done: number; readonly of: number };

/** Options that are only for a rule that is named: `auto` chooses their values, or cannot use them. */
export const onlyOfNamedRules = [
  'as',
  'bias',
  'start',
  'order',
  'tie',
  'scaling',
  'returns',
  'stop',
  'patience',
  'ledger',
  'onStep',
  'from',
] as const satisfies readonly (keyof TrainOptions)[];

/** The names of all options of {@link train}. */
const trainOptionNames = [
  ...runOptionNames.filter((name) => !ruleOptionOwners.has(name) && name !== 'kernels' && name !== 'goal'),
  ...optionNames<Omit<TrainOptions, keyof RunOptions>>()(
    'metric threshold cost calibrate folds bend pairs threads curves seconds',
  ),
];

/** The options of {@link train}, taken apart. */
export interface TrainSettings {
  /** Options of the run that gives the model. If the rule is searched for, they determine neither rule nor order. */
  readonly run: RunOptions;
  readonly searches: boolean;
  /** The lists of a search; null: there are none. The run has the first of each. */
  readonly lists: TrainLists | null;
  readonly bend: Bending;
  /** 0: none. */
  readonly pairs: Pairs;
  /** True if the model gets the means of its features. */
  readonly means: boolean;
  /** Cross-validation of the model; null if nothing needs one. */
  readonly study: StudySettings | null;
  readonly threads: number | undefined;
  readonly onProgress: TrainOptions['onProgress'];
}

/** The options of a search by lists, as given. */
export interface TrainLists extends Pick<TrainOptions, 'rule' | 'classWeights' | 'seconds' | 'bend' | 'pairs'> {
  readonly passes: OneOrMore<number> | undefined;
}

export interface StudySettings {
  readonly calibrate: CalibrationKind | null;
  /** Null: no evaluation by folds. */
  readonly folds: number | null;
  readonly curves: boolean;
  /** True chooses the decision threshold. */
  readonly threshold: boolean;
}

/** Checks names and takes options apart; `planTraining` checks those of the run. @throws HalfspaceError. */
export function settingsOf(options: TrainOptions, sources = 1): TrainSettings {
  checkNames(options);
  const {
    rule,
    passes,
    classWeights,
    seconds,
    calibrate = null,
    folds = null,
    curves = false,
    bend,
    pairs,
    metric: _,
    cost: __,
    threshold,
    means = false,
    threads,
    onProgress,
    ...rest
  } = options;
  if (calibrate !== null && !calibrationKinds.includes(calibrate))
    throw unfit(`calibrate must be one of ${calibrationKinds.join(', ')}; got ${quote(calibrate)}`);
  if (folds !== null) checkWhole('folds', folds, 2);
  if (threads !== undefined) checkWhole('threads', threads, 1);
  if (typeof curves !== 'boolean') throw unfit(`curves must be true or false; got ${quote(curves)}`);
  if (threshold !== undefined) checkThreshold(options);
  if (typeof means !== 'boolean') throw unfit(`means must be true or false; got ${quote(means)}`);
  if (means && options.from !== undefined)
    throw unfit('means is for a run without from, whose earlier rows are unknown');
  const isStudied = calibrate !== null || folds !== null || curves || threshold !== undefined;
  const study = isStudied ? { calibrate, folds, curves, threshold: threshold !== undefined } : null;
  const named = options.as !== undefined || options.from !== undefined;
  const isChosen = rule === 'auto' || (rule === undefined && !named);
  const values = readable(
    'the rule',
    () => (typeof rule === 'object' ? Object.values(rule ?? {}) : []),
    'option-invalid',
  );
  const isListed = sources > 1 || [rule, passes, classWeights, ...values].some(Array.isArray);
  const searches = isChosen && !isListed;
  if (seconds !== undefined && !isListed) throw unfit(`seconds is for a search by lists of values; got none`);
  if (isChosen || isListed) checkSearchable(options, isListed ? 'lists of values' : 'the rule auto, which is chosen');
  const order = options.order ?? (options.as === undefined && !searches ? 'auto' : undefined);
  const run: RunOptions = {
    ...rest,
    ...(rule === undefined || rule === 'auto' ? {} : flatRule(rule)),
    ...(passes === undefined ? {} : { passes: firstOf(passes) }),
    ...(classWeights === undefined ? {} : { classWeights: firstOf(classWeights) }),
    ...(order === undefined ? {} : { order }),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
  if (bend !== undefined) checkBend(bend);
  if (pairs !== undefined) checkPairs(pairs);
  const crosses = pairs === 'none' ? 0 : pairs !== undefined && pairs !== 'auto' ? pairs : searches ? usualPairs : 0;
  const asksPairs = pairs !== undefined && pairs !== 'auto' && crosses !== 0;
  if (asksPairs && bend === 'none') throw unfit('pairs is for bent numbers; got bend none');
  const bent = asksPairs ? 'pairs' : typeof bend === 'number' ? 'bend' : null;
  if (bent !== null && !searches && run.rule !== 'logistic')
    throw unfit(`${bent} is for the rules auto and logistic; got another`);
  if (typeof crosses !== 'number' && options.passes !== undefined)
    throw unfit('named pairs are for a rule without passes; got passes');
  if (study !== null && options.from !== undefined)
    throw unfit('from is for a run without calibrate, folds, curves and threshold; got one of them');
  // A named rule has no search that could bend.
  const bends = searches || bent !== null;
  const lists = isListed ? ({ rule, passes, classWeights, seconds, bend, pairs } as TrainLists) : null;
  return {
    run,
    searches,
    lists,
    bend: bends ? (bend ?? 'auto') : 'none',
    pairs: crosses,
    means,
    study,
    threads,
    onProgress,
  };
}

const mostEdges = 999;

/** @throws HalfspaceError `option-invalid`. */
function checkBend(bend: unknown): asserts bend is Bending {
  const fits = Number.isInteger(bend) && (bend as number) >= 1 && (bend as number) <= mostEdges;
  if (bend !== 'auto' && bend !== 'none' && !fits)
    throw new HalfspaceError(
      'option-invalid',
      `bend must be auto, none or a whole number of edges in [1, ${mostEdges}]; got ${quote(bend)}`,
    );
}

const mostPairs = 100;
const usualPairs = 10;

/** @throws HalfspaceError `option-invalid`. */
function checkPairs(pairs: unknown): void {
  const isPair = (pair: unknown) =>
    Array.isArray(pair) && pair.length === 2 && pair.every((name) => typeof name === 'string') && pair[0] !== pair[1];
  const fits = Array.isArray(pairs)
    ? pairs.length > 0 && pairs.every(isPair)
    : ['auto', 'none'].includes(pairs as string) ||
      (Number.isInteger(pairs) && (pairs as number) >= 0 && (pairs as number) <= mostPairs);
  if (!fits)
    throw unfit(
      `pairs must be auto, none, a whole number in [0, ${mostPairs}] or pairs of names of two columns; got ${quote(pairs)}`,
    );
}

/** @throws HalfspaceError `option-invalid` for options that do not go with a threshold. */
function checkThreshold({ threshold, folds, keepState, bias }: TrainOptions): void {
  if (threshold !== 'best') throw unfit(`threshold must be best; got ${quote(threshold)}`);
  const other = folds !== undefined ? 'folds' : keepState === true ? 'keepState' : bias === 'none' ? 'bias none' : null;
  if (other !== null) throw unfit(`threshold is for a run without folds, keepState and bias none; got ${other}`);
}

function firstOf<T>(given: OneOrMore<T>): T {
  return Array.isArray(given) ? (given as readonly T[])[0]! : (given as T);
}

/** Returns the rule, the first of a list, with the first values of its options. */
function flatRule(given: OneOrMore<RuleToTry>): RunOptions {
  const rule = firstOf(given);
  const { name, options } = partsOf(rule, typeof rule === 'string' ? ['auto', ...Object.keys(rules)] : undefined);
  return { ...Object.fromEntries(Object.entries(options).map(([key, value]) => [key, firstOf(value)])), rule: name };
}

/** Options of sources that are easily taken for options of `train`. */
const optionsOfSources = ['label', 'features', 'scale', 'header', 'format', 'classes', 'importance'];

/** @throws HalfspaceError `option-invalid`; for an option of a rule or a source, the message shows where it goes. */
function checkNames(options: TrainOptions): void {
  if (typeof options === 'object' && options !== null)
    for (const name of readable('the options of train', () => Object.keys(options), 'option-invalid')) {
      const owners = ruleOptionOwners.get(name);
      if (owners !== undefined)
        throw unfit(
          `expected options of a rule inside rule, as { name: '${owners[0]}', ${name}: … }; got ${name} beside it`,
        );
      if (optionsOfSources.includes(name))
        throw unfit(
          `expected ${name} as an option of the source, as csv(input, { ${name}: … }); got it as one of train`,
        );
    }
  checkOptionNames(options, trainOptionNames, 'train');
}

/** @throws HalfspaceError `option-invalid` for options of named rules. */
function checkSearchable(options: TrainOptions, got: string): void {
  for (const name of onlyOfNamedRules)
    if (options[name] !== undefined)
      throw unfit(`${name} is for a rule that is named, such as rule: 'averaged'; got ${got}`);
}

function unfit(message: string): HalfspaceError {
  return new HalfspaceError('option-invalid', message);
}
