import { HalfspaceError } from '../errors.ts';
import { type Metric, valueOfLoss } from '../evaluate/metric.ts';
import { spreadOf } from '../evaluate/run-curves.ts';
import { dimensionOf } from '../features/dimension.ts';
import type { Scored } from '../pool/fold-task.ts';
import { hasHyperplanes, hasPasses, ruleOptionOwners } from '../rules/registry.ts';
import type { RuleToTry } from '../rules/rule-with-options.ts';
import { ClassWeighing, classFactors } from '../train/class-weights.ts';
import type { RunOptions } from '../train/options.ts';
import { usualPasses } from '../train/stop-rule.ts';
import { checkTrends } from '../train/trends.ts';
import { budgetOf, checkSameRows, judgeRuns, rowsOf, runsOf, type Setting, settingsOf } from './listed.ts';
import type { AllExamples } from './read-all.ts';
import type { RuleSearch, TriedRule } from './search.ts';
import type { TrainLists } from './train-options.ts';

/** Smallest number of predictions of a candidate: with few examples the cross-validation is repeated. */
const fewestJudged = 1000;
const mostRepeats = 3;

export interface ListedSearch {
  readonly folds: number;
  readonly metric: Metric;
  readonly onRun: (done: number, of: number) => void;
}

/** The choice of a search by lists. */
export interface ListedChoice {
  /** Position of the source. */
  readonly source: number;
  /** Its examples, with the chosen weights of the classes. */
  readonly read: AllExamples;
  /** Options of the run that gives the model. */
  readonly run: RunOptions;
  readonly search: RuleSearch;
}

interface Judged {
  readonly setting: Setting;
  readonly scores: readonly Scored[];
  /** Mean loss over the folds that define it; lower is better. */
  readonly loss: number;
  readonly spread: number;
}

/**
 * Tries every combination of lists of values by cross-validation. The simplest that is at most one standard error of
 * the difference worse than the best is chosen: that with the fewest features, then of the rule that is listed first,
 * then the most regularised, then that of fewer passes, then the one that is listed first.
 *
 * @param reads the same rows, read in the ways to try.
 * @throws HalfspaceError as `train` does.
 */
export async function chooseListed(
  reads: readonly AllExamples[],
  lists: TrainLists,
  run: RunOptions,
  { folds, metric, onRun }: ListedSearch,
): Promise<ListedChoice> {
  const isOver = budgetOf(lists.seconds);
  const { goal = null, multiclass, seed = 1 } = run;
  const [first] = reads as [AllExamples];
  const { rows, stored } = first.intake.store;
  if (folds > rows)
    throw new HalfspaceError('option-invalid', `folds must be at most the number of examples, ${rows}; got ${folds}`);
  const { passes: lengths, classWeights: weights } = lists;
  const runs = runsOf({
    ...{ rules: rulesOf(lists), passes: lengths, classWeights: weights, multiclass },
    usual: (rule) => usualPasses(rule, stored),
  });
  const kinds = new Set(runs.map(({ candidate }) => hasHyperplanes(candidate.rule)));
  if (kinds.size > 1)
    throw new HalfspaceError(
      'option-invalid',
      'expected rules that all take numbers scaled, or all as they are; got tree beside others (compareRules compares them)',
    );
  const repeats = Math.min(mostRepeats, Math.max(1, Math.ceil(fewestJudged / rows)));
  const of = reads.length * runs.length * folds * repeats;
  let done = 0;
  const judged: Judged[] = [];
  const untried: Setting[] = [];
  const shared = rowsOf(first);
  for (const [k, read] of reads.entries()) {
    checkSameRows(shared, rowsOf(read));
    for (const { candidate } of runs) checkTrends(read.context.encoding(), candidate.rule, read.context.classes);
    const isLeftOut = k > 0 && isOver?.() === true;
    const judging = { folds, repeats, seed, metric, goal, isOver, onFold: () => onRun(++done, of) };
    const scores = isLeftOut ? [] : await judgeRuns(read, runs, judging);
    for (const [r, each] of runs.entries()) {
      const settings = settingsOf(each, k);
      if (r >= scores.length) untried.push(...settings);
      else judged.push(...settings.map((setting, p) => judgedOf(setting, scores[r]![p]!)));
    }
  }
  const order = [...judged].sort((a, b) => a.loss - b.loss);
  const rules = [...new Set(runs.map(({ candidate }) => candidate.rule))];
  const complexity = ({ setting }: Judged): number[] => [
    dimensionOf(reads[setting.source]!.context.encoding()),
    rules.indexOf(setting.rule.name),
    freedomOf(setting.rule),
    setting.passes,
  ];
  // A sort keeps the order of the lists among equals.
  const [chosen] = judged
    .filter((each) => isWithinOneError(each, order[0]!))
    .sort((a, b) => compared(complexity(a), complexity(b))) as [Judged];
  const { rule, passes, classWeights, source } = chosen.setting;
  const { name, ...options } = rule;
  const read = reads[source]!;
  const factors = classFactors(classWeights, read.classes, read.intake.classExamples);
  const own = lists.passes !== undefined && hasPasses(name) ? { passes } : { passes: undefined };
  return {
    source,
    read: { ...read, context: { ...read.context, weighing: new ClassWeighing(factors) } },
    run: { ...withoutRule(run), ...options, ...own, rule: name, classWeights: classWeights ?? undefined },
    search: {
      tried: order.map((each) => triedOf(each, metric, repeats, rows)),
      taken: order.indexOf(chosen),
      why: chosen === order[0] ? 'best' : 'simplest',
      metric: metric.name,
      untried,
    },
  };
}

/** Returns the rules of a search. @throws HalfspaceError `option-invalid` for options that it does not follow. */
export function rulesOf({ rule, bend = 'none', pairs = 'none' }: TrainLists): readonly RuleToTry[] {
  if (rule === undefined || rule === 'auto')
    throw new HalfspaceError(
      'option-invalid',
      `lists of values are for rules that are named, as rule: { name: 'sgd', alpha: [1e-5, 1e-4] }; got the rule auto`,
    );
  if (bend !== 'none' || pairs !== 'none')
    throw new HalfspaceError('option-invalid', 'bend and pairs are for a run without lists of values; got one of them');
  return [rule].flat() as readonly RuleToTry[];
}

/** Returns the options of the run without those of its rule. */
function withoutRule(run: RunOptions): RunOptions {
  return Object.fromEntries(Object.entries(run).filter(([name]) => !ruleOptionOwners.has(name)));
}

function judgedOf(setting: Setting, scores: readonly Scored[]): Judged {
  const known = scores.filter(({ loss }) => !Number.isNaN(loss));
  const { mean, deviation } = spreadOf(known.map((each) => ({ ...each, accuracy: each.loss })));
  return { setting, scores, loss: known.length === 0 ? Infinity : mean, spread: known.length === 0 ? 0 : deviation };
}

/** Tests if a candidate is at most one standard error of the difference worse than the best. */
function isWithinOneError(one: Judged, best: Judged): boolean {
  const differences = one.scores.map(({ loss }, fold) => loss - best.scores[fold]!.loss).filter(Number.isFinite);
  if (differences.length === 0) return one === best;
  const { mean, deviation } = spreadOf(differences.map((accuracy) => ({ examples: 1, errors: 0, accuracy })));
  return mean <= deviation / Math.sqrt(differences.length);
}

/** Returns how little an option regularises: −α, −r, or the largest step C. */
function freedomOf(rule: Setting['rule']): number {
  const { alpha, r, aggressiveness } = rule as Readonly<Record<string, unknown>> as Readonly<
    Record<string, number | undefined>
  >;
  return alpha !== undefined ? -alpha : r !== undefined ? -r : (aggressiveness ?? 0);
}

function compared(one: readonly number[], other: readonly number[]): number {
  const place = one.findIndex((each, k) => each !== other[k]);
  return place === -1 ? 0 : one[place]! - other[place]!;
}

function triedOf({ setting, scores, loss, spread }: Judged, metric: Metric, repeats: number, rows: number): TriedRule {
  const own = spreadOf(scores);
  return {
    ...setting,
    accuracy: own.mean,
    spread: own.deviation,
    value: valueOfLoss(metric.name, loss),
    valueSpread: spread,
    errors: scores.reduce((sum, { errors }) => sum + errors, 0) / repeats,
    folds: scores.length,
    examples: rows,
    shape: 'straight',
  };
}
