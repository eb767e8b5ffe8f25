import type { ExampleSource } from '../data/source.ts';
import type { Metric, MetricName } from '../evaluate/metric.ts';
import { type RuleWithOptions, ruleOf } from '../rules/rule-with-options.ts';
import { validated } from '../train/finish.ts';
import { planTraining, type RunOptions } from '../train/options.ts';
import type { TrainingResult } from '../train/report.ts';
import { autoPasses } from '../train/stop-rule.ts';
import { trainFrom } from '../train/train-once.ts';
import { choose, type Tried } from './choose.ts';
import { fewestMany } from './grid.ts';
import type { AllExamples } from './read-all.ts';

/** The search that chose a rule. */
export interface RuleSearch {
  /** The evaluated candidates, best first. */
  readonly tried: readonly TriedRule[];
  /** Position of the chosen candidate; −1 if none was evaluated. */
  readonly taken: number;
  /**
   * Reason of the choice. `best`: the best value of the metric. `separates`: the averaged perceptron, nearly as good as
   * the best, separates the examples; only for the metric accuracy. `large`: too many examples for a search; the
   * averaged perceptron learns with early stopping.
   */
  readonly why: 'best' | 'separates' | 'large';
  /** The metric that the choice follows. */
  readonly metric: MetricName;
}

/** A candidate of the search with its result; {@link Tried} with the rule in the form that `train` takes. */
export interface TriedRule extends Omit<Tried, 'rule' | 'options' | 'biasConstant'> {
  /** The rule with all its options. */
  readonly rule: RuleWithOptions;
}

/** Largest number of stored values for a search. */
const mostSearched = 5e7;
/** Patience of early stopping if there is no search. */
const patience = 3;

export interface Searching {
  /** The metric of `options.goal`. Default: accuracy, without a goal. */
  readonly metric?: Metric;
  /** Called after every run of the search. */
  readonly onRun?: (done: number, of: number) => void;
}

/** A result of a run and the search for its rule. */
export interface SearchedResult extends TrainingResult {
  readonly search: RuleSearch;
}

/**
 * Trains with a rule, options and a number of passes chosen by cross-validation over the published `grid`. Large data
 * are learned by the averaged perceptron with early stopping. Equal data, options and seed give equal choices.
 *
 * @param options determine neither rule nor order.
 * @param all may be shuffled.
 * @throws HalfspaceError as `train` does.
 */
export async function trainSearched(
  source: ExampleSource,
  { validation, ...options }: RunOptions,
  all: AllExamples,
  searching: Searching = {},
): Promise<SearchedResult> {
  const result = await searched(source, options, all, searching);
  // Not an option of the runs: there may be two, and some sources can be read only once.
  const report = { ...result.report, validation: await validated(all.context.kernels, result.model, validation) };
  return { ...result, report };
}

async function searched(
  source: ExampleSource,
  options: RunOptions,
  { intake, context }: AllExamples,
  { metric = { name: 'accuracy', cost: null }, onRun }: Searching,
): Promise<SearchedResult> {
  const { seed } = planTraining(options);
  const shared: RunOptions = { ...options, kernels: context.kernels };
  const { stored, large } = intake.store;
  if (stored > mostSearched || large) {
    const result = await trainFrom(source, { ...shared, rule: 'averaged', patience }, intake);
    return { ...result, search: { tried: [], taken: -1, why: 'large', metric: metric.name } };
  }
  const classes = context.classes > 2 ? context.classes : 1;
  const oneTraining = autoPasses(stored) * stored * classes;
  const choice = await choose(intake.store, context, {
    seed,
    multiclass: options.multiclass,
    oneTraining,
    metric,
    goal: options.goal ?? null,
    onProgress: onRun,
  });
  const { tried } = choice;
  const published = tried.map(publishedOf);
  const taken = tried.findIndex(({ rule }) => rule === 'averaged');
  // For many classes, separating all rows says little about others: a class has few rows for its many weights.
  const isFew = context.classes < fewestMany;
  if (isFew && metric.name === 'accuracy' && taken !== -1 && isHardlyBehind(tried[taken]!, tried[0]!)) {
    const { multiclass } = tried[taken]!;
    const averaged: RunOptions = { ...shared, rule: 'averaged', multiclass, order: 'shuffled-once' };
    const result = await trainFrom(source, averaged, intake);
    if (result.report.stop === 'separated')
      return { ...result, search: { tried: published, taken, why: 'separates', metric: metric.name } };
  }
  const { rule, multiclass, passes } = tried[0]!;
  const chosen: RunOptions = { ...shared, rule, multiclass, passes: options.passes ?? passes };
  const result = await trainFrom(source, { ...chosen, ...choice.options, order: 'shuffled-once' }, intake);
  return { ...result, search: { tried: published, taken: 0, why: 'best', metric: metric.name } };
}

function publishedOf({
  rule,
  options,
  multiclass,
  passes,
  accuracy,
  spread,
  value,
  valueSpread,
  errors,
  folds,
  examples,
}: Tried): TriedRule {
  return {
    rule: ruleOf(rule, options),
    multiclass,
    passes,
    accuracy,
    spread,
    value,
    valueSpread,
    errors,
    folds,
    examples,
  };
}

/** Returns true if a candidate makes at most one error more than the best, or half of that number's standard error. */
function isHardlyBehind(one: Tried, best: Tried): boolean {
  const { accuracy, examples } = best;
  const half = Math.sqrt(accuracy * (1 - accuracy) * examples) / 2;
  return one.examples === examples && one.errors - best.errors <= Math.max(1, half);
}
