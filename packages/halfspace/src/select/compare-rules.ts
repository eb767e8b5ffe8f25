import type { ExampleSource, Source } from '../data/source.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { checkWhole } from '../evaluate/checks.ts';
import { correctedResampledTTest, type DifferenceTest } from '../evaluate/compare.ts';
import { type ErrorCosts, impliedMetricNote, type MetricName, metricOf, valueOfLoss } from '../evaluate/metric.ts';
import { goalOf } from '../evaluate/metric-value.ts';
import { dimensionOf } from '../features/dimension.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { loadKernels } from '../kernels/load-late.ts';
import type { Scored } from '../pool/fold-task.ts';
import { hasWeights, type RuleName, rules } from '../rules/registry.ts';
import type { RuleToTry } from '../rules/rule-with-options.ts';
import type { ClassWeights } from '../train/plan.ts';
import { checkTrends } from '../train/trends.ts';
import {
  budgetOf,
  checkSameRows,
  complexityOf,
  judgeRuns,
  type Rows,
  rowsOf,
  runsOf,
  type Setting,
  settingsOf,
  valuesOf,
} from './listed.ts';
import { type CrossValidationOptions, crossValidationNames, withFolds } from './read-all.ts';
import { type Contender, meanLoss, simplest, summaryOf } from './simplest.ts';
import type { OneOrMore } from './train-options.ts';

export interface CompareOptions extends Omit<CrossValidationOptions, 'passes' | 'classWeights'> {
  /**
   * Rules to compare: names, or names with options, `{ name: 'sgd', alpha: 0.01 }`. A list of values of an option tries
   * each of them, and several lists try every combination: `{ name: 'sgd', alpha: [1e-5, 1e-4] }`. Default: every rule
   * that learns weights, with its defaults. This excludes `tree` and dual rules, whose time grows with the number of
   * rows times that of mistakes.
   */
  readonly candidates?: readonly RuleToTry[] | undefined;
  /** Number of passes of every run, a whole number from 1, or a list of them to try. Default 10. */
  readonly passes?: OneOrMore<number> | undefined;
  /** Weights of the classes, or a list of them to try; `{}` has none. Default: none. */
  readonly classWeights?: OneOrMore<ClassWeights> | undefined;
  /**
   * Seconds after which no further candidate begins, above 0. The first one is always tried, and what was not is
   * `untried`. Default: no limit.
   */
  readonly seconds?: number | undefined;
  /**
   * The metric by which rules are ordered and tested. Default: `cost` if `cost` is given, `balanced-accuracy` for
   * `classWeights: 'balanced'`, else `accuracy`.
   */
  readonly metric?: MetricName | undefined;
  /** Costs of errors for the metric `cost`, of two classes. */
  readonly cost?: ErrorCosts | undefined;
  /** Number of repetitions of the cross-validation, a whole number from 1. Default 3. */
  readonly repeats?: number | undefined;
  /** Called after every run. */
  readonly onProgress?: ((progress: CompareProgress) => void) | undefined;
}

/** Progress of {@link compareRules}: `done` of `of` runs are finished. */
interface CompareProgress {
  readonly done: number;
  readonly of: number;
}

const compareOptionNames = [
  ...crossValidationNames,
  ...optionNames<Omit<CompareOptions, keyof CrossValidationOptions>>()(
    'candidates metric cost repeats seconds onProgress',
  ),
];

export interface Comparison {
  readonly examples: number;
  readonly classes: readonly string[];
  readonly folds: number;
  readonly repeats: number;
  /** Accuracy of always predicting the most frequent class. */
  readonly baseline: number;
  /** The metric of the order. */
  readonly metric: MetricName;
  /** Best first. */
  readonly compared: readonly Compared[];
  /**
   * Position of the one to choose: the simplest that is at most one standard error of the difference worse than the
   * best, as `train` chooses from lists of values.
   */
  readonly taken: number;
  /** Candidates that `seconds` left out, in the order in which they would have been tried. */
  readonly untried: readonly Setting[];
  /** Notes for the user about how the data are read, about classes with fewer rows than folds, and about the metric. */
  readonly notes: readonly string[];
}

/** A candidate and its result. */
export interface Compared extends Setting {
  /** Mean accuracy over all folds of all repetitions. */
  readonly accuracy: number;
  /** Standard deviation of the accuracy over these folds. */
  readonly spread: number;
  /** Accuracy in every fold, repetition by repetition. */
  readonly foldAccuracies: readonly number[];
  /** Mean value of the metric over all folds of all repetitions; the accuracy if that is the metric. */
  readonly value: number;
  /** Standard deviation of the value over these folds. */
  readonly valueSpread: number;
  /** Value in every fold that defines it, repetition by repetition. */
  readonly foldValues: readonly number[];
  /**
   * Tests if the first one is better by the metric: corrected resampled t-test of the differences per fold, above 0 if
   * the first is better; null for the first.
   */
  readonly behind: DifferenceTest | null;
}

/**
 * Compares rules, and values of options, by repeated stratified cross-validation. All candidates use the same folds and
 * the same order of examples. Equal data, options and seed give equal results; `seconds` decides only how
 * many there are.
 *
 * @example
 * const candidates = ['averaged', 'arow'] as const;
 * const { compared } = await compareRules(csv('mails.csv'), { candidates, folds: 3, repeats: 1 });
 * for (const { rule, accuracy } of compared) console.log(rule.name, accuracy.toFixed(2));
 * // averaged 1.00
 * // arow 1.00
 *
 * @param source or a list of sources to try: the same rows, read in several ways.
 * @throws HalfspaceError `option-invalid`, and as `train` does.
 */
export async function compareRules(
  source: OneOrMore<Source | ExampleSource>,
  options: CompareOptions = {},
): Promise<Comparison> {
  return compareRulesWith(await loadKernels(), source, options);
}

/** {@link compareRules} with given kernels. */
export async function compareRulesWith(
  kernels: Kernels,
  source: OneOrMore<Source | ExampleSource>,
  options: CompareOptions = {},
): Promise<Comparison> {
  checkOptionNames(options, compareOptionNames, 'compareRules');
  const { folds = 5, repeats = 3, passes, seed = 1, multiclass, classWeights, seconds, onProgress } = options;
  checkWhole('repeats', repeats, 1);
  const isOver = budgetOf(seconds);
  const sources = valuesOf('source', source);
  const runs = runsOf({
    rules: candidatesOf(options.candidates),
    usual: () => 10,
    ...{ passes, classWeights, multiclass },
  });
  const metric = metricOf(options);
  const goal = goalOf(metric);
  const note = impliedMetricNote(options, metric.name);
  const rules = runs.map(({ candidate }) => candidate.rule);
  const of = sources.length * runs.length * folds * repeats;
  let done = 0;
  const onFold = () => onProgress?.({ done: ++done, of });
  const judged: Judged[] = [];
  const untried: Setting[] = [];
  const notes = new Set<string>();
  let first: (Rows & { readonly baseline: number }) | null = null;
  for (const [k, each] of sources.entries()) {
    if (k > 0 && isOver?.() === true) {
      untried.push(...runs.flatMap((run) => settingsOf(run, k)));
      continue;
    }
    await withFolds(kernels, each, { ...options, classWeights: undefined, folds, seed }, async (read) => {
      const { intake, context } = read;
      first ??= { ...rowsOf(read), baseline: Math.max(...intake.classExamples) / intake.rows };
      checkSameRows(first, rowsOf(read));
      for (const { candidate } of runs) checkTrends(context.encoding(), candidate.rule, context.classes);
      const repetitions = Array.from({ length: repeats }, (_, repeat) => repeat);
      const scores = await judgeRuns(read, runs, { folds, repetitions, seed, metric, goal, isOver, onFold });
      for (const [r, run] of runs.entries()) {
        const settings = settingsOf(run, k);
        if (r >= scores.length) untried.push(...settings);
        else
          judged.push(
            ...settings.map((setting, p) => ({
              setting,
              scores: scores[r]![p]!,
              complexity: complexityOf(setting, dimensionOf(context.encoding()), rules),
            })),
          );
      }
      for (const own of read.notes) notes.add(own);
    });
  }
  const { labels, classes, baseline } = first!;
  return {
    examples: labels.length,
    classes,
    folds,
    repeats,
    baseline,
    metric: metric.name,
    ...ranked(judged, folds, metric.name),
    untried,
    notes: note === null ? [...notes] : [...notes, note],
  };
}

function candidatesOf(given: CompareOptions['candidates']): readonly RuleToTry[] {
  if (given !== undefined && !Array.isArray(given))
    throw new HalfspaceError('option-invalid', `candidates must be a list of rules; got ${quote(given)}`);
  return given ?? (Object.keys(rules) as RuleName[]).filter(hasWeights);
}

interface Judged extends Contender {
  readonly setting: Setting;
}

/** Ranks candidates, best first; equal ones keep their order. */
function ranked(all: readonly Judged[], folds: number, metric: MetricName): Pick<Comparison, 'compared' | 'taken'> {
  // A fold without a class may not define the metric, for any candidate.
  const defined = (some: readonly Scored[]) => some.filter((_, k) => !Number.isNaN(all[0]!.scores[k]!.loss));
  if (all.length > 0 && defined(all[0]!.scores).length < 2)
    throw new HalfspaceError(
      'label-classes',
      `expected rows of every class in two folds or more, for the metric ${metric}; got fewer: give another metric`,
    );
  const order = [...all].sort((a, b) => meanLoss(a.scores) - meanLoss(b.scores));
  const lossesOf = ({ scores }: Judged) => defined(scores).map(({ loss }) => loss);
  const best = lossesOf(order[0]!);
  const compared = order.map((each, place): Compared => {
    const losses = lossesOf(each);
    const differences = Float64Array.from(losses, (loss, k) => loss - best[k]!);
    const { accuracy, spread, value, valueSpread } = summaryOf(each.scores, metric, 0);
    return {
      ...each.setting,
      accuracy,
      spread,
      foldAccuracies: each.scores.map(({ accuracy }) => accuracy),
      value,
      valueSpread,
      foldValues: losses.map((loss) => valueOfLoss(metric, loss)),
      behind: place === 0 ? null : correctedResampledTTest(differences, 1 / (folds - 1)),
    };
  });
  return { compared, taken: order.indexOf(all[simplest(all)]!) };
}
