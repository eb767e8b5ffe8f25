import type { ExampleSource } from '../data/source.ts';
import { HalfspaceError } from '../errors.ts';
import type { Candidate } from '../evaluate/candidate.ts';
import type { Metric, MetricName } from '../evaluate/metric.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import { WordsOnly } from '../features/text/words-only.ts';
import { learnClasses } from '../pool/learn-classes.ts';
import { hasPasses } from '../rules/registry.ts';
import { ruleOf } from '../rules/rule-with-options.ts';
import { validated } from '../train/finish.ts';
import { planTraining, type RunOptions } from '../train/options.ts';
import type { ClassWeights } from '../train/plan.ts';
import type { TrainingResult } from '../train/report.ts';
import { autoPasses } from '../train/stop-rule.ts';
import { type PassesElsewhere, trainFrom } from '../train/train-once.ts';
import { checkTrends, trendedColumn } from '../train/trends.ts';
import { bendAll, bentExamples, finalShape, type Reshaping, reshaped, usualEdges } from './bent.ts';
import { choose, type Tried } from './choose.ts';
import { fewestMany } from './grid.ts';
import type { Setting } from './listed.ts';
import type { AllExamples } from './read-all.ts';
import type { TrainSettings } from './train-options.ts';

/** The search that chose a rule. */
export interface RuleSearch {
  /** The evaluated candidates, best first. */
  readonly tried: readonly TriedRule[];
  /** Position of the chosen candidate; −1 if none was evaluated. */
  readonly taken: number;
  /**
   * Reason of the choice. `best`: the best value of the metric. `simplest`: the simplest that is at most one standard
   * error of the difference worse. `pairs`: it has the named pairs. `separates`: the averaged perceptron, at most one
   * error or standard error worse, separates the examples; only for the metric accuracy. `large`: too many examples
   * for a search; the averaged perceptron learns with early stopping.
   */
  readonly why: 'best' | 'simplest' | 'pairs' | 'separates' | 'large';
  /** Candidates of lists of values that `seconds` left out, in the order in which they would have been tried. */
  readonly untried: readonly Setting[];
  /** The metric that the choice follows. */
  readonly metric: MetricName;
}

/** A candidate of the search with its result; {@link Tried} with the rule in the form that `train` takes. */
export interface TriedRule extends Setting, Omit<Tried, keyof Candidate> {}

/** Largest number of stored values for a search. */
const mostSearched = 5e7;
/** Patience of early stopping if there is no search. */
const patience = 3;

export interface Searching extends Pick<TrainSettings, 'bend' | 'pairs'> {
  /** The metric of `options.goal`. Default: accuracy, without a goal. */
  readonly metric?: Metric;
  /** Called after every run of the search. */
  readonly onRun?: (done: number, of: number) => void;
}

/** The result of a search: runs to try. The first that does what is expected of it gives the model. */
export interface Found {
  /** The examples; those of the source, or bent. */
  readonly all: AllExamples;
  /** The source, with the encoding of the examples. */
  readonly source: ExampleSource;
  readonly runs: readonly FoundRun[];
}

interface FoundRun {
  readonly options: RunOptions;
  /** True if the run counts only if it separates the examples. */
  readonly mustSeparate: boolean;
  /** Null: the rule was named. */
  readonly search: RuleSearch | null;
}

/** A result of a run and the search for its rule. */
interface SearchedResult extends TrainingResult {
  readonly search: RuleSearch | null;
}

/**
 * Finds a rule, options and a number of passes by cross-validation over the published `grid`, and whether the numbers
 * of a table are bent; if so, the examples are bent now. Large data are for the averaged perceptron with early
 * stopping. Equal data, options and seed give equal choices.
 *
 * @param options determine neither rule nor order.
 * @param all not shuffled.
 * @throws HalfspaceError as `train` does.
 */
export async function searchRule(
  source: ExampleSource,
  options: RunOptions,
  all: AllExamples,
  { metric = { name: 'accuracy', cost: null }, bend, pairs, onRun }: Searching,
): Promise<Found> {
  const { intake, context } = all;
  const { seed } = planTraining(options);
  const shared: RunOptions = { ...options, kernels: context.kernels };
  const words = wordsOnly(source);
  const full = { store: intake.store, context };
  const straight = words === null ? full : reshaped(intake.store, context, words);
  const ofWords = () => (words === null ? { all, source } : bendAll(source, all, words));
  const { stored, large, rows } = straight.store;
  const edges = bend === 'auto' ? usualEdges(rows) : bend;
  const isLarge = stored > mostSearched || large;
  const needsPasses = options.passes !== undefined || options.keepState === true;
  const bent =
    edges === 'none' || isLarge ? null : await bentExamples(straight.store, straight.context, { edges, pairs });
  try {
    checkTrends(source.encoding(), isLarge || needsPasses ? 'averaged' : 'logistic', context.classes);
    if (isLarge) {
      if (typeof pairs !== 'number') throw tooLarge();
      const search: RuleSearch = { tried: [], taken: -1, why: 'large', metric: metric.name, untried: [] };
      const run = { options: { ...shared, rule: 'averaged', patience } as const, mustSeparate: false, search };
      return { ...ofWords(), runs: [run] };
    }
    const classes = context.classes > 2 ? context.classes : 1;
    const choice = await choose(straight.store, straight.context, {
      seed,
      multiclass: options.multiclass,
      oneTraining: autoPasses(stored) * stored * classes,
      needsPasses,
      metric,
      goal: options.goal ?? null,
      bent,
      // No candidate with letters keeps a trend.
      letters: words === null || intake.store.large || trendedColumn(source.encoding()) ? null : full,
      onProgress: onRun,
    });
    const { tried } = choice;
    const published = tried.map((each) => publishedOf(each, options.classWeights ?? null));
    const chosen = tried[choice.taken]!;
    const { rule, multiclass, passes, shape } = chosen;
    const course: RunOptions = hasPasses(rule)
      ? { multiclass, passes: options.passes ?? passes, order: 'shuffled-once' }
      : { multiclass };
    const run: FoundRun = {
      options: { ...shared, rule, ...course, ...choice.options },
      mustSeparate: false,
      search: {
        tried: published,
        taken: choice.taken,
        why: typeof pairs !== 'number' ? 'pairs' : choice.taken === 0 ? 'best' : 'simplest',
        metric: metric.name,
        untried: [],
      },
    };
    if (shape === 'letters') return { all, source, runs: [run] };
    if (shape !== 'straight') {
      const bend = await finalShape(bent!, shape, choice.options);
      const batch: Reshaping['batch'] = words === null ? bend.batch : (each) => bend.batch(words.batch(each));
      return { ...bendAll(source, all, { ...bend, batch }), runs: [run] };
    }
    const taken = choice.averaged;
    // For many classes, separating all rows says little about others: a class has few rows for its many weights.
    const isFew = context.classes < fewestMany;
    if (!isFew || metric.name !== 'accuracy' || taken === -1) return { ...ofWords(), runs: [run] };
    const separating: FoundRun = {
      options: { ...shared, rule: 'averaged', multiclass: tried[taken]!.multiclass, order: 'shuffled-once' },
      mustSeparate: true,
      search: { tried: published, taken, why: 'separates', metric: metric.name, untried: [] },
    };
    return { ...ofWords(), runs: [separating, run] };
  } finally {
    bent?.store.free();
    if (words !== null) straight.store.free();
  }
}

function tooLarge(): HalfspaceError {
  return new HalfspaceError(
    'option-invalid',
    `expected at most ${mostSearched} values to choose a penalty for named pairs; got more (name the rule logistic)`,
  );
}

/** Returns the encoding without letters on trial; null if there are none. */
function wordsOnly(source: ExampleSource): Reshaping | null {
  const { lettersOnTrial = [] } = source;
  if (lettersOnTrial.length === 0) return null;
  const words = new WordsOnly(source.encoding() as TableEncoding, lettersOnTrial);
  return { encoding: words.encoding, batch: (batch) => words.batch(batch) };
}

interface Finishing {
  readonly validation?: RunOptions['validation'];
  /** Called when more classes of one-vs-rest are learned, each by all passes. */
  readonly onClasses?: (done: number, of: number) => void;
}

/** Trains what a search found. @throws HalfspaceError as `train` does. */
export async function trainFound(
  { all: { intake, context }, source, runs }: Found,
  { validation, onClasses = () => {} }: Finishing,
): Promise<SearchedResult> {
  const elsewhere: PassesElsewhere = (examples, stop, breathe) =>
    learnClasses(examples, stop, { threads: context.threads, breathe, onLearned: onClasses });
  for (const { options, mustSeparate, search } of runs) {
    const result = await trainFrom(source, options, { intake, elsewhere });
    if (mustSeparate && result.report.stop !== 'separated') continue;
    // Not an option of the runs: there may be two, and some sources can be read only once.
    const report = { ...result.report, validation: await validated(context.kernels, result.model, validation) };
    return { ...result, report, search };
  }
  throw new Error('expected a run that gives the model');
}

/** Returns a note on letters of short texts that were chosen; null if they were not. */
export function lettersNote(search: RuleSearch | null): string | null {
  const chosen = search?.tried[search.taken];
  if (chosen?.shape !== 'letters') return null;
  const words = search!.tried.find(({ shape, folds }) => shape === 'straight' && folds === chosen.folds)!;
  const [value, before] = [chosen, words].map((each) => each.value.toFixed(4));
  return `short texts are read by their letters too: ${search!.metric} ${value} in cross-validation, ${before} by words alone (characters: null leaves letters out, --column NAME=text:words of the command)`;
}

function publishedOf(
  { rule, options, multiclass, passes, accuracy, spread, value, valueSpread, errors, folds, examples, shape }: Tried,
  classWeights: ClassWeights | null,
): TriedRule {
  return {
    ...{ rule: ruleOf(rule, options), multiclass, passes, classWeights, source: 0, accuracy, spread },
    ...{ value, valueSpread, errors, folds, examples, shape },
  };
}
