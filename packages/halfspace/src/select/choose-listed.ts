import { HalfspaceError } from '../errors.ts';
import type { Metric } from '../evaluate/metric.ts';
import { dimensionOf } from '../features/dimension.ts';
import type { Scored } from '../pool/fold-task.ts';
import { hasHyperplanes, hasPasses, ruleOptionOwners } from '../rules/registry.ts';
import type { RuleToTry } from '../rules/rule-with-options.ts';
import { ClassWeighing, classFactors } from '../train/class-weights.ts';
import type { RunOptions } from '../train/options.ts';
import { usualPasses } from '../train/stop-rule.ts';
import { checkTrends } from '../train/trends.ts';
import { fewExamples, mostRepeats } from './choose.ts';
import {
  budgetOf,
  checkSameRows,
  complexityOf,
  judgeRuns,
  rowsOf,
  runsOf,
  type Setting,
  settingsOf,
} from './listed.ts';
import type { AllExamples } from './read-all.ts';
import type { RuleSearch } from './search.ts';
import { type Contender, meanLoss, simplest, summaryOf } from './simplest.ts';
import type { TrainLists } from './train-options.ts';

interface ListedSearch {
  readonly folds: number;
  readonly metric: Metric;
  readonly onRun: (done: number, of: number) => void;
}

/** The choice of a search by lists. */
interface ListedChoice {
  /** Position of the source. */
  readonly source: number;
  /** Its examples, with the chosen weights of the classes. */
  readonly read: AllExamples;
  /** Options of the run that gives the model. */
  readonly run: RunOptions;
  readonly search: RuleSearch;
}

interface Judged extends Contender {
  readonly setting: Setting;
}

/**
 * Tries every combination of lists of values by cross-validation, which is repeated for few examples until the choice
 * stays the same. The simplest that is level with the best is chosen (simplest.ts): that with the fewest features, then
 * of the rule that is listed first, then the most regularised, then that of fewer passes, then the one that is listed
 * first.
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
  const repeats = rows < fewExamples ? mostRepeats : 1;
  const rules = [...new Set(runs.map(({ candidate }) => candidate.rule))];
  const shared = rowsOf(first);
  const settings = reads.map((read, k) => {
    checkSameRows(shared, rowsOf(read));
    for (const { candidate } of runs) checkTrends(read.context.encoding(), candidate.rule, read.context.classes);
    return runs.map((each) => settingsOf(each, k));
  });
  let [done, of] = [0, 0];
  /** Judges all settings once more; fewer if the time is over. */
  const judgeOnce = async (repeat: number): Promise<(readonly Scored[])[]> => {
    of += reads.length * runs.length * folds;
    const found: (readonly Scored[])[] = [];
    const judging = { folds, repetitions: [repeat], seed, metric, goal, isOver, onFold: () => onRun(++done, of) };
    for (const [k, read] of reads.entries()) {
      if ((k > 0 || repeat > 0) && isOver?.() === true) break;
      for (const scores of await judgeRuns(read, runs, judging)) found.push(...scores);
    }
    return found;
  };
  const listed = settings.flat(2);
  const judged = (await judgeOnce(0)).map((scores, k): Judged => {
    const setting = listed[k]!;
    const features = dimensionOf(reads[setting.source]!.context.encoding());
    return { setting, scores, complexity: complexityOf(setting, features, rules) };
  });
  const untried = listed.slice(judged.length);
  let taken = simplest(judged);
  for (let repeat = 1; repeat < repeats && untried.length === 0; repeat++) {
    const more = await judgeOnce(repeat);
    // A repetition that the time cut short does not count.
    if (more.length < judged.length) break;
    judged.forEach((each, k) => {
      judged[k] = { ...each, scores: [...each.scores, ...more[k]!] };
    });
    const before = taken;
    taken = simplest(judged);
    if (taken === before) break;
  }
  const chosen = judged[taken]!;
  const order = [...judged].sort((a, b) => meanLoss(a.scores) - meanLoss(b.scores));
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
      tried: order.map(({ setting, scores }) => ({
        ...setting,
        ...summaryOf(scores, metric.name, rows),
        shape: 'straight',
      })),
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
