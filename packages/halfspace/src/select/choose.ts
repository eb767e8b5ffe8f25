import type { ExampleStore } from '../data/store.ts';
import type { Candidate, FoldContext } from '../evaluate/candidate.ts';
import type { Metric } from '../evaluate/metric.ts';
import type { Strategy } from '../model/multiclass/model.ts';
import { FoldPool } from '../pool/fold-pool.ts';
import { completeRuleOptions, type RuleOptions } from '../rules/registry.ts';
import type { Goal } from '../train/goal.ts';
import { trendedColumn } from '../train/trends.ts';
import type { BentExamples, Shape } from './bent-folds.ts';
import {
  atPenalty,
  candidatesFor,
  candidatesForLetters,
  fewestMany,
  type GridEntry,
  judgedPasses,
  minimum,
} from './grid.ts';
import { type Raced, type RaceOptions, type Runner, race } from './race.ts';
import { type Contender, isLevel, meanLoss, type Summary, simplest, summaryOf } from './simplest.ts';

/** A candidate with its result. */
export interface Tried extends Candidate, Summary {
  /** The best number of passes; of the chosen candidate the fewest that are level with the best. */
  readonly passes: number;
  /** Shape of the numbers of a table. */
  readonly shape: Shape;
}

/** The candidates, best first, each with the result of its last round. */
interface Choice {
  readonly tried: readonly Tried[];
  /** Position of the chosen one: the simplest that is level with the best (simplest.ts). */
  readonly taken: number;
  /** Position of the averaged perceptron if it is level with the best, or makes at most one error more; else −1. */
  readonly averaged: number;
  /** Options of the chosen one, for the number of all examples. */
  readonly options: RuleOptions;
}

/** Stored examples in one shape. */
interface JudgedExamples {
  readonly store: ExampleStore;
  readonly context: FoldContext;
}

interface ChooseOptions {
  readonly seed: number;
  /** Restricts candidates for several classes to this strategy. Default: any. */
  readonly multiclass?: Strategy | undefined;
  /** Cost of training the averaged perceptron once on all examples: values visited, times the number of learners. */
  readonly oneTraining: number;
  /** True if rules without passes are refused. Default false. */
  readonly needsPasses?: boolean | undefined;
  readonly metric: Metric;
  /** The goal of the metric; null for accuracy. */
  readonly goal: Goal | null;
  /** The examples with bent numbers; null: they have none. Only read. */
  readonly bent: BentExamples | null;
  /** The examples with letters on trial; null: they have none. Only read. */
  readonly letters: JudgedExamples | null;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/** Largest cost of the search, and of the final run, as a multiple of that. */
const searchAllowance = 5;
const finalAllowance = 2;
/** Largest cost of judging bent numbers, as a multiple of that of the search. */
const bentAllowance = 2;
/** Approximate number of visits of a value of a fold while bent numbers are judged. */
const bentCost = 60;
/** Number of passes of candidates with letters. Fewer were worse on 77 and 150 intents. */
const lettersPasses: readonly number[] = [8];
/** Largest cost of judging letters, as a multiple of that of the search. */
const lettersAllowance = 8;
/** Number of values that the search, and the final run, may visit in any case. */
const leastSearch = 1e9;
const leastFinal = 6e7;
/** Values that take as long as what a row takes beside its own. It counts for few rows, whose runs are repeated. */
const rowCost = 12;
/** Number of folds in the first of two rounds, and in the only one. */
const roughFolds = 3;
const fineFolds = 5;
/** Largest number of passes in the first of two rounds. */
const roughPasses = 5;
/** Largest number of passes for many classes, and of examples for each of them. */
const manyPasses = 8;
const manyExamples = 40;
/** Number of candidates in the second of two rounds. */
const finalists = 4;
/** Number of examples below which the cross-validation is repeated until the choice stays the same. */
export const fewExamples = 1000;
export const mostRepeats = 5;
/** Smallest number of examples in a round, whatever it costs. */
const fewestExamples = 200;
/** Numbers of predictions that are enough to tell candidates apart, in the first and the second of two rounds. */
const enoughRough = 8192;
const enoughFine = 20_480;

/** A candidate and the numbers of passes at which it is evaluated. */
interface Entrant {
  readonly entry: GridEntry;
  readonly passes: readonly number[];
}

/** Examples of a round: how many, dealt to how many folds, of which how many are judged. */
type Dealing = Pick<RaceOptions, 'folds' | 'judged' | 'examples'>;

/**
 * Chooses a rule, its options and the number of passes by stratified cross-validation. The seed deals out the folds.
 *
 * If the allowance is enough, all candidates learn from all examples in one round. Otherwise a first round uses few
 * passes and the number of examples that half of the allowance pays for; the best few enter a second round. Of many
 * examples, samples and a single fold are enough. For many classes there is one round of few candidates with at most
 * eight passes, judged on one fold of three, of 40 examples for each class. The allowance is for a race that leaves
 * out nothing; most cost half of it. Costs depend on the data only, never on time, so equal data give equal choices.
 * Runs go to all cores where that pays off (pool/fold-pool.ts).
 *
 * Of few examples the folds are dealt again until the choice stays the same. Bent numbers and letters of short texts
 * are judged on the folds of the last round. Of all candidates of this round, numbers of passes and penalties, the
 * simplest is chosen that is level with the best (simplest.ts): first come straight ones, then the order of the grid.
 *
 * @param store only read.
 */
export async function choose(store: ExampleStore, context: FoldContext, options: ChooseOptions): Promise<Choice> {
  const { goal, metric } = options;
  const fieldOf = (examples: JudgedExamples): Field => ({
    ...examples,
    pool: new FoldPool(examples.context, { goal, metric: goal === null ? null : metric }),
  });
  const straight = fieldOf({ store, context });
  const letters = options.letters && fieldOf(options.letters);
  try {
    return await chooseWith(straight, letters, options);
  } finally {
    straight.pool.close();
    letters?.pool.close();
  }
}

/** Examples, and the threads that judge candidates on them. */
interface Field extends JudgedExamples {
  readonly pool: FoldPool;
}

async function chooseWith(field: Field, letters: Field | null, options: ChooseOptions): Promise<Choice> {
  const { store, context } = field;
  const { seed, oneTraining, metric, goal, bent, onProgress } = options;
  const { rows, stored } = store;
  /** Cost of a pass of the averaged perceptron over all examples. */
  const onePass = stored * (context.classes > 2 ? context.classes : 1);
  const budget = Math.max(leastSearch, searchAllowance * oneTraining);
  const mostFinal = Math.max(leastFinal, finalAllowance * oneTraining);
  const minimises = options.needsPasses !== true && minimum.cost * onePass <= budget;
  // No other candidate keeps a trend.
  const candidates = trendedColumn(context.encoding())
    ? [minimum]
    : candidatesFor(context.classes, options.multiclass, minimises);
  const entrants = candidates.map((entry): Entrant => {
    if (entry.penalties !== undefined) return { entry, passes: entry.penalties };
    const affordable = judgedPasses.filter((passes) => passes * entry.cost * onePass <= mostFinal);
    return { entry, passes: affordable.length < 3 ? judgedPasses.slice(0, 3) : affordable };
  });
  /** Cost of runs on all examples. */
  const price = (some: readonly Entrant[]) =>
    some.reduce((sum, { entry, passes }) => sum + entry.cost * (entry.penalties ? 1 : passes.at(-1)!), 0) * onePass;
  const upTo = (some: readonly Entrant[], most: number) =>
    some.map(
      ({ entry, passes }): Entrant => ({ entry, passes: passes.filter((pass) => entry.penalties || pass <= most) }),
    );

  /** Named pairs are learned in any case. */
  const isAsked = bent !== null && typeof bent.pairs !== 'number';
  const { tried, dealing, repeats } = await chooseStraight();
  const [first] = tried as [Ranked];
  // Little is clearly better than hardly an error.
  const isHardlyWrong = goal === null && !isAsked && first.errors < 2;
  const shaped = isHardlyWrong ? [] : [...(isAsked ? [] : await chooseLetters()), ...(await chooseBent())];
  // Values on other examples, of a first round, are not comparable.
  const isLast = ({ examples }: Ranked) => (examples === dealing.examples ? 1 : 0);
  const all = [...tried, ...shaped].sort((a, b) => isLast(b) - isLast(a) || byValue(a, b));
  const last = finished(all.filter(isLast));
  const chosen = isAsked ? shaped.find(({ shape }) => shape === 'crossed')! : last[simplest(last)]!;
  const shown = oneOfEach([chosen, ...all]).sort((a, b) => all.indexOf(a) - all.indexOf(b));
  const isNear = (each: Ranked) =>
    isLast(each) && (each.errors <= chosen.errors + 1 || isLevel(each.scores, last[0]!.scores));
  return {
    tried: shown,
    taken: shown.indexOf(chosen),
    averaged: shown.findIndex((each) => each.rule === 'averaged' && isNear(each)),
    options: completeOf(chosen.entry, rows),
  };

  /** Returns the number of values that are visited when each example of the last round is learned from once. */
  function visitsOf({ stored }: ExampleStore): number {
    const outputs = context.classes > 2 ? context.classes : 1;
    return stored * outputs * (dealing.examples / rows) * dealing.judged * repeats;
  }

  async function chooseLetters(): Promise<Ranked[]> {
    if (letters === null) return [];
    const some = candidatesForLetters(context.classes, options.multiclass, goal === null).map((entry) => ({
      entry,
      passes: lettersPasses,
    }));
    const cost = some.reduce((sum, { entry, passes }) => sum + entry.cost * passes.at(-1)!, 0);
    if (visitsOf(letters.store) * cost > lettersAllowance * budget) return [];
    return (await round(some, dealing, { repeats, on: letters, place: 1 })).map((each) => ({
      ...each,
      shape: 'letters',
    }));
  }

  async function chooseBent(): Promise<Ranked[]> {
    if (bent === null || options.needsPasses === true || (!isAsked && context.classes >= fewestMany)) return [];
    if (!isAsked && visitsOf(bent.store) * bentCost > bentAllowance * budget) return [];
    // Loaded on demand: few pages choose.
    const { judgeBent } = await import('./bent-folds.ts');
    const { pool } = field;
    const judging = { ...dealing, repeats, seed, countsErrors: goal === null, pool, straight: first.scores };
    return (await judgeBent(bent, judging)).map(({ crosses, C, folds }) => {
      const entry: GridEntry = {
        rule: 'logistic',
        options: (n) => ({ alpha: 1 / (C * n) }),
        multiclass: 'joint',
        cost: 0,
      };
      const each = rank({ from: entry, passes: 1, scores: folds, complexity: [crosses ? 3 : 2] }, dealing.examples);
      return { ...each, shape: crosses ? 'crossed' : 'bent' };
    });
  }

  async function chooseStraight(): Promise<Straight> {
    if (context.classes >= fewestMany) {
      // Few passes, a single fold and some examples of each class save time.
      const short = upTo(entrants, manyPasses);
      const affordable = Math.floor((rows * budget) / ((price(short) * (roughFolds - 1)) / roughFolds));
      const examples = Math.min(rows, Math.max(fewestExamples, Math.min(affordable, manyExamples * context.classes)));
      const dealing = { folds: roughFolds, judged: 1, examples };
      return { tried: await round(short, dealing), dealing, repeats: 1 };
    }
    const dealings = budget / (price(entrants) * (fineFolds - 1));
    if (dealings >= 1) {
      const affordable = Math.max(1, Math.floor((dealings * stored) / (stored + rowCost * rows)));
      const dealing = { folds: fineFolds, judged: fineFolds, examples: rows };
      const tried = await round(entrants, dealing, {
        repeats: rows < fewExamples ? Math.min(mostRepeats, affordable) : 1,
      });
      return { tried, dealing, repeats: tried[0]!.folds / fineFolds };
    }
    // Minima do not take few passes first.
    const seeded = entrants.filter(({ entry }) => entry.penalties !== undefined);
    const rough = upTo(
      entrants.filter((each) => !seeded.includes(each)),
      roughPasses,
    );
    const first = rough.length === 0 ? [] : await round(rough, dealingFor(rough, enoughRough));
    const order = oneOfEach(first);
    const places = finalists - seeded.length;
    const fit = order.slice(0, places).map(({ from }) => entrants.find(({ entry }) => entry === from)!);
    const best = [...fit, ...seeded];
    // If the allowance is not enough for both, more examples are better than more passes.
    const lengths = [...judgedPasses].reverse().filter((passes) => passes >= roughPasses);
    const most =
      lengths.find(
        (passes) => dealingFor(upTo(best, passes), enoughFine).examples >= Math.min(rows, roughFolds * enoughFine) / 2,
      ) ?? roughPasses;
    const fine = upTo(best, most);
    const dealing = dealingFor(fine, enoughFine);
    const last = await round(fine, dealing);
    return { tried: [...last, ...order.slice(places)], dealing, repeats: 1 };
  }

  /** Returns the examples of a round that half of the budget pays for. @param enough predictions to tell by. */
  function dealingFor(some: readonly Entrant[], enough: number): Dealing {
    const folds = roughFolds;
    const all = Math.min(rows, folds * enough);
    const judged = Math.max(1, Math.min(folds, Math.floor((folds * enough) / all)));
    const affordable = Math.floor((budget / 2 / price(some)) * (folds / (folds - 1)) * (rows / judged));
    return { folds, judged, examples: Math.min(all, Math.max(fewestExamples, affordable)) };
  }

  function rank(judged: Judged, examples: number): Ranked {
    const { from, passes, scores } = judged;
    const entry = from.penalties === undefined ? from : atPenalty(from, passes);
    return {
      ...judged,
      ...summaryOf(scores, metric.name, examples),
      entry,
      rule: entry.rule,
      options: completeOf(entry, examples),
      multiclass: entry.multiclass,
      passes: from.penalties === undefined ? passes : 1,
      shape: 'straight',
    };
  }

  /** Judges candidates at all of their numbers of passes. Returns the results best first. */
  async function round(
    some: readonly Entrant[],
    dealing: Dealing,
    { repeats = 1, on = field, place = 0 }: { repeats?: number; on?: Field; place?: number } = {},
  ): Promise<Ranked[]> {
    const runners = some.map(
      ({ entry, passes }): Runner => ({
        candidate: (learned) => ({
          ...entry,
          options: completeOf(entry, learned),
          atPenalties: entry.penalties !== undefined,
        }),
        passes,
      }),
    );
    const rankedOf = (each: Judged) => rank(each, dealing.examples);
    const judgedOf = (raced: readonly Raced[]): Judged[] =>
      raced.flatMap(({ passes, scores }, e) =>
        passes.map((each, p) => ({
          from: some[e]!.entry,
          passes: each,
          scores: scores[p]!,
          complexity: [place, e, each],
        })),
      );
    let before: Judged | undefined;
    const isSettled = (raced: readonly Raced[]) => {
      const judged = finished(judgedOf(raced));
      const now = judged[simplest(judged)]!;
      const isSame = before?.from === now.from && before.passes === now.passes;
      before = now;
      return isSame;
    };
    const raced = await race(on.store, on.context, runners, {
      ...dealing,
      repeats,
      seed,
      goal,
      pool: on.pool,
      // Letters are judged in the repetitions of the words.
      isSettled: on === field ? isSettled : undefined,
      onProgress,
    });
    // The sort is stable: equal candidates keep the order of the grid.
    return judgedOf(raced).map(rankedOf).sort(byValue);
  }
}

/** The result of the rounds of straight candidates: best first, and the examples of the last round. */
interface Straight {
  readonly tried: readonly Ranked[];
  readonly dealing: Dealing;
  readonly repeats: number;
}

/** A candidate of the grid at a number of passes or a penalty. */
interface Judged extends Contender {
  readonly from: GridEntry;
  readonly passes: number;
}

interface Ranked extends Tried, Contender {
  readonly from: GridEntry;
  /** At its penalty. */
  readonly entry: GridEntry;
}

/** Best first. Those that a race left out have fewer folds, and come last. */
function byValue(one: Ranked, other: Ranked): number {
  return other.folds - one.folds || meanLoss(one.scores) - meanLoss(other.scores);
}

/** Returns those that no race left out. */
function finished<T extends Contender>(all: readonly T[]): T[] {
  const most = Math.max(...all.map(({ scores }) => scores.length));
  return all.filter(({ scores }) => scores.length === most);
}

/** Returns the first result of each candidate. */
function oneOfEach(all: readonly Ranked[]): Ranked[] {
  return all.filter((each, k) => all.findIndex(({ from, shape }) => from === each.from && shape === each.shape) === k);
}

function completeOf({ rule, options }: GridEntry, examples: number): RuleOptions {
  return completeRuleOptions(rule, options(examples));
}
