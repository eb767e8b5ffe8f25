import type { ExampleSource, Source } from '../data/source.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { type Candidate, candidateOf } from '../evaluate/candidate.ts';
import { checkWhole } from '../evaluate/checks.ts';
import { correctedResampledTTest, type DifferenceTest } from '../evaluate/compare.ts';
import { FoldedExamples } from '../evaluate/folded-examples.ts';
import { type ErrorCosts, impliedMetricNote, type MetricName, metricOf, valueOfLoss } from '../evaluate/metric.ts';
import { goalOf } from '../evaluate/metric-value.ts';
import { spreadOf } from '../evaluate/run-curves.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { loadKernels } from '../kernels/load-late.ts';
import type { Strategy } from '../model/multiclass/model.ts';
import { FoldPool } from '../pool/fold-pool.ts';
import type { FoldTask, Scored } from '../pool/fold-task.ts';
import { hasHyperplanes, hasWeights, type RuleName, rules } from '../rules/registry.ts';
import { type Rule, type RuleWithOptions, ruleOf } from '../rules/rule-with-options.ts';
import { checkTrends, trendedColumn } from '../train/trends.ts';
import { type CrossValidationOptions, crossValidationNames, withFolds } from './read-all.ts';

export interface CompareOptions extends CrossValidationOptions {
  /**
   * Rules to compare: names, or names with options, `{ name: 'sgd', alpha: 0.01 }`. Default: every rule that learns
   * weights, with its defaults. This excludes `tree` and dual rules, whose time grows with the number of rows times
   * that of mistakes.
   */
  readonly candidates?: readonly Rule[] | undefined;
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
export interface CompareProgress {
  readonly done: number;
  readonly of: number;
}

const compareOptionNames = [
  ...crossValidationNames,
  ...optionNames<Omit<CompareOptions, keyof CrossValidationOptions>>()('candidates metric cost repeats onProgress'),
];

export interface Comparison {
  readonly examples: number;
  readonly classes: readonly string[];
  readonly folds: number;
  readonly repeats: number;
  readonly passes: number;
  /** Accuracy of always predicting the most frequent class. */
  readonly baseline: number;
  /** The metric of the order. */
  readonly metric: MetricName;
  /** Best first. */
  readonly compared: readonly Compared[];
  /** Notes for the user about how the data are read, about classes with fewer rows than folds, and about the metric. */
  readonly notes: readonly string[];
}

/** A rule and its result. */
export interface Compared {
  /** The rule with all its options, in the form that `train` takes. */
  readonly rule: RuleWithOptions;
  /** Strategy for several classes. */
  readonly multiclass: Strategy;
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
 * Compares rules by repeated stratified cross-validation. All rules use the same folds and the same order of examples.
 * Equal data, options and seed give equal results.
 *
 * @example
 * const candidates = ['averaged', 'arow'] as const;
 * const { compared } = await compareRules(csv('mails.csv'), { candidates, folds: 3, repeats: 1 });
 * for (const { rule, accuracy } of compared) console.log(rule.name, accuracy.toFixed(2));
 * // averaged 1.00
 * // arow 1.00
 *
 * @throws HalfspaceError `option-invalid`, and as `train` does.
 */
export async function compareRules(source: Source | ExampleSource, options: CompareOptions = {}): Promise<Comparison> {
  return compareRulesWith(await loadKernels(), source, options);
}

/** {@link compareRules} with given kernels. */
export async function compareRulesWith(
  kernels: Kernels,
  source: Source | ExampleSource,
  options: CompareOptions = {},
): Promise<Comparison> {
  checkOptionNames(options, compareOptionNames, 'compareRules');
  const { folds = 5, repeats = 3, passes = 10, seed = 1, multiclass, onProgress } = options;
  checkWhole('repeats', repeats, 1);
  const candidates = candidatesOf(options.candidates, multiclass);
  const metric = metricOf(options);
  const goal = goalOf(metric);
  const note = impliedMetricNote(options, metric.name);
  return withFolds(
    kernels,
    source,
    { ...options, folds, passes, seed },
    async ({ intake, classes, context, notes }) => {
      const encoding = context.encoding();
      for (const { rule } of candidates) checkTrends(encoding, rule, context.classes);
      const scores = candidates.map((): Scored[] => []);
      const tasks = candidates.flatMap((candidate) =>
        Array.from({ length: folds }, (_, fold): FoldTask => ({ candidate, fold, passes: [passes], endsEarly: false })),
      );
      // Trees look features up in an encoding, which threads may lack.
      const isPooled = candidates.every(({ rule }) => hasHyperplanes(rule));
      const renumber = isPooled && !trendedColumn(encoding);
      const pool = new FoldPool(context, { goal, metric: !isPooled ? undefined : goal === null ? null : metric });
      let done = 0;
      try {
        for (let repeat = 0; repeat < repeats; repeat++) {
          const dealt = new FoldedExamples(kernels, intake.store, { folds, repeat, seed, renumber });
          try {
            await pool.run(dealt, tasks, tasks.length * (repeats - repeat - 1), ([score], task) => {
              const { loss, ...rest } = score!;
              const k = Math.floor(task / folds);
              scores[k]!.push({ ...rest, loss: goal === null ? 0 - rest.accuracy : loss });
              onProgress?.({ done: ++done, of: tasks.length * repeats });
            });
          } finally {
            dealt.free();
          }
        }
      } finally {
        pool.close();
      }
      return {
        examples: intake.rows,
        classes,
        folds,
        repeats,
        passes,
        baseline: Math.max(...intake.classExamples) / intake.rows,
        metric: metric.name,
        compared: ranked(candidates, scores, folds, metric.name),
        notes: note === null ? notes : [...notes, note],
      };
    },
  );
}

function candidatesOf(given: CompareOptions['candidates'], multiclass: Strategy | undefined): Candidate[] {
  if (given !== undefined && !Array.isArray(given))
    throw new HalfspaceError('option-invalid', `candidates must be a list of rules; got ${quote(given)}`);
  return (given ?? comparedByDefault()).map((rule) => candidateOf(rule, multiclass));
}

function comparedByDefault(): RuleName[] {
  return (Object.keys(rules) as RuleName[]).filter(hasWeights);
}

/** Ranks candidates, best first; equal ones keep their order. */
function ranked(
  candidates: readonly Candidate[],
  scores: readonly (readonly Scored[])[],
  folds: number,
  metric: MetricName,
): Compared[] {
  // A fold without a class may not define the metric, for any candidate.
  const defined = (some: readonly Scored[]) => some.filter((_, k) => !Number.isNaN(scores[0]![k]!.loss));
  if (candidates.length > 0 && defined(scores[0]!).length < 2)
    throw new HalfspaceError(
      'label-classes',
      `expected rows of every class in two folds or more, for the metric ${metric}; got fewer: give another metric`,
    );
  const order = candidates
    .map((candidate, k) => {
      const judged = defined(scores[k]!);
      const loss = spreadOf(judged.map((each) => ({ ...each, accuracy: each.loss })));
      return { candidate, scores: scores[k]!, losses: judged.map((each) => each.loss), loss };
    })
    .sort((a, b) => a.loss.mean - b.loss.mean);
  const best = order[0]!.losses;
  return order.map(({ candidate, scores: own, losses, loss }, place) => {
    const differences = Float64Array.from(losses, (each, k) => each - best[k]!);
    const { mean, deviation } = spreadOf(own);
    return {
      rule: ruleOf(candidate.rule, candidate.options),
      multiclass: candidate.multiclass,
      accuracy: mean,
      spread: deviation,
      foldAccuracies: own.map(({ accuracy }) => accuracy),
      value: valueOfLoss(metric, loss.mean),
      valueSpread: loss.deviation,
      foldValues: losses.map((each) => valueOfLoss(metric, each)),
      behind: place === 0 ? null : correctedResampledTTest(differences, 1 / (folds - 1)),
    };
  });
}
