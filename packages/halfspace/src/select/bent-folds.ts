import type { StoredBatch } from '../batch.ts';
import type { ExampleStore } from '../data/store.ts';
import type { FoldContext } from '../evaluate/candidate.ts';
import { FoldedExamples } from '../evaluate/folded-examples.ts';
import { Crossing } from '../features/cross/crossing.ts';
import { PairGains } from '../features/cross/pair-gains.ts';
import { type Bend, chainsOf } from '../features/number/bend.ts';
import { dimension, type TableCross, type TableEncoding } from '../features/table-encoding.ts';
import { exponential } from '../kernels/exponential.ts';
import { logOnePlus, naturalLog } from '../kernels/natural-log.ts';
import { scorerOf } from '../model/function-scorer.ts';
import { judgeBatches } from '../model/judge-batches.ts';
import type { Scored } from '../pool/fold-task.ts';
import type { LinearParameters } from '../rules/learner.ts';
import { gatherExamples } from '../rules/logistic/examples.ts';
import { Minimiser, minimise } from '../rules/logistic/minimise.ts';
import type { Goal } from '../train/goal.ts';

/*
 * Cross-validation of the rule `logistic` on bent numbers, with and without crosses. In each fold a path of penalties
 * is walked from the strongest to the weakest, each from the minimum of the last; crosses are those that the rows of
 * the other folds ask for.
 */

/**
 * The shape of the score along the numbers of a table: `straight`; `bent`: cut into intervals, with a weight for each;
 * `crossed`: bent, and pairs of columns have weights too.
 */
export type Shape = 'straight' | 'bent' | 'crossed';

/** Examples with bent numbers beside the straight ones. */
export interface BentExamples {
  readonly bend: Bend;
  readonly store: ExampleStore;
  readonly context: FoldContext;
}

/** C of the penalties α = 1 / (C·n) for n examples, rising. */
export const strengths: readonly number[] = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
/** Precision of minima that are only compared. */
const tolerance = 1e-4;
/** Number of examples from which fewer penalties are tried. */
const manyExamples = 5000;
/** Largest number of crosses. */
const mostCrosses = 10;

/** The result of a form at its best penalty. */
export interface BentScores {
  readonly crosses: boolean;
  /** Position in {@link strengths}. */
  readonly strength: number;
  /** One for each fold. */
  readonly folds: readonly FoldScore[];
}

export interface FoldScore extends Scored {
  /** Mean log loss of the probabilities. */
  readonly logLoss: number;
}

export interface BentFoldsOptions {
  readonly folds: number;
  readonly judged: number;
  readonly repeats: number;
  readonly examples: number;
  readonly seed: number;
  readonly goal: Goal | null;
  /** Scores by fold of the best straight candidate. After a repetition with no fewer errors the others are left out. */
  readonly straight: readonly Scored[];
}

/** Judges bent numbers, and those with crosses, at penalties around the best. Only reads the examples. */
export async function judgeBent(
  { store, context, bend: { encoding } }: BentExamples,
  { folds, judged, repeats, examples, seed, goal, straight }: BentFoldsOptions,
): Promise<BentScores[]> {
  const forms = [false, true].map((crosses) => new Form(crosses, examples >= manyExamples));
  const [plain, crossed] = forms as [Form, Form];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const dealt = new FoldedExamples(context.kernels, store, { folds, repeat, seed, examples });
    try {
      for (let fold = 0; fold < judged; fold++) {
        const learned = () => dealt.learnedFrom(fold);
        const rows = dealt.examples - dealt.rows(fold);
        const judge = (functions: readonly LinearParameters[], batches: Iterable<StoredBatch>) =>
          scoreOf(functions, batches, context, goal);
        const path = await pathOf(learned, encoding, context, {
          rows,
          strengths: plain.live,
          judge: (functions) => judge(functions, dealt.judgedOn(fold)),
        });
        plain.add(path);
        const best = path.find(({ strength }) => strength === plain.best)!;
        const crosses = crossesFor(learned, encoding, context, best.functions);
        if (crosses.length === 0) crossed.addNearest(path);
        else {
          const crossing = new Crossing(encoding, crosses);
          const learnedRows = Array.from(learned(), (batch) => crossing.batch(batch));
          const heldRows = Array.from(dealt.judgedOn(fold), (batch) => crossing.batch(batch));
          const longer = await pathOf(() => learnedRows, crossing.encoding, context, {
            rows,
            strengths: crossed.live,
            judge: (functions) => judge(functions, heldRows),
          });
          crossed.add(longer);
        }
      }
    } finally {
      dealt.free();
    }
    const { length } = plain.folds;
    const isBehind = forms.every((form) => errorsOf(form.folds) >= errorsOf(straight.slice(0, length)));
    if (goal === null && isBehind) break;
  }
  return forms.map((form) => ({ crosses: form.crosses, strength: form.best, folds: form.folds }));
}

/** Penalties of one form and their scores. After the first fold only the best and its neighbours go on. */
class Form {
  readonly crosses: boolean;
  readonly #folds: Map<number, FoldScore[]>;

  constructor(crosses: boolean, hasMany: boolean) {
    this.crosses = crosses;
    // Crosses and many examples take much longer, and every second penalty is enough for them.
    const all = strengths.map((_, strength) => strength).filter((k) => (!crosses && !hasMany) || k % 2 === 1);
    this.#folds = new Map(all.map((strength) => [strength, []]));
  }

  /** The penalties that were judged on all folds so far, rising. */
  get live(): readonly number[] {
    return [...this.#folds.keys()];
  }

  /** The penalty with the least mean log loss; the first of equal ones. */
  get best(): number {
    const loss = (strength: number) => mean(this.#folds.get(strength)!.map(({ logLoss }) => logLoss));
    return this.live.reduce((best, strength) => (loss(strength) < loss(best) ? strength : best));
  }

  /** The scores of the best penalty. */
  get folds(): readonly FoldScore[] {
    return this.#folds.get(this.best)!;
  }

  /** Adds the scores of a fold without crosses: of the plain form, at the nearest penalty that is not stronger. */
  addNearest(path: readonly Minimum[]): void {
    const nearest = (strength: number) => path.find((each) => each.strength >= strength) ?? path.at(-1)!;
    this.add(this.live.map((strength) => ({ ...nearest(strength), strength })));
  }

  /** Adds the scores of a fold. Penalties that it lacks are left out. */
  add(path: readonly Minimum[]): void {
    for (const strength of this.live) {
      const found = path.find((each) => each.strength === strength);
      if (found === undefined) this.#folds.delete(strength);
      else this.#folds.get(strength)!.push(found.score);
    }
    const { live } = this;
    const place = live.indexOf(this.best);
    live.forEach((strength, k) => {
      if (Math.abs(k - place) > 1) this.#folds.delete(strength);
    });
  }
}

function errorsOf(folds: readonly Scored[]): number {
  return folds.reduce((sum, { errors }) => sum + errors, 0);
}

/** The minimum at a penalty. */
interface Minimum {
  readonly strength: number;
  readonly functions: readonly LinearParameters[];
  readonly score: FoldScore;
}

interface Walk {
  /** Number of examples that α counts. */
  readonly rows: number;
  /** Positions of penalties, from strong to weak. */
  readonly strengths: readonly number[];
  readonly judge: (functions: readonly LinearParameters[]) => FoldScore;
}

/** Walks the penalties until the log loss of the held-out rows rises, because weaker ones fit worse and take longer. */
async function pathOf(
  batches: () => Iterable<StoredBatch>,
  encoding: TableEncoding,
  { classes, weighing, breathe }: FoldContext,
  { rows, strengths: live, judge }: Walk,
): Promise<Minimum[]> {
  const chains = chainsOf(encoding, dimension(encoding));
  const weighed = () => weighing.weighEach(batches());
  const examples = gatherExamples(weighed, { classes, dimension: dimension(encoding), chains });
  const minimiser = new Minimiser(examples, { chains });
  const path: Minimum[] = [];
  for (const strength of live) {
    const alpha = 1 / (strengths[strength]! * rows);
    const before = path.at(-1);
    const { functions } = await minimiser.minimise({ alpha, start: before?.functions, breathe, tolerance });
    const score = judge(functions);
    path.push({ strength, functions, score });
    if (before !== undefined && score.logLoss > before.score.logLoss) break;
  }
  return path;
}

/** Returns the crosses that explain most of what the minimum on all examples leaves. */
export async function crossesOfAll(
  store: ExampleStore,
  encoding: TableEncoding,
  context: FoldContext,
  alpha: number,
): Promise<TableCross[]> {
  const chains = chainsOf(encoding, dimension(encoding));
  const weighed = () => context.weighing.weighEach(store.batches());
  const examples = gatherExamples(weighed, { classes: context.classes, dimension: dimension(encoding), chains });
  const { functions } = await minimise(examples, { alpha, chains, breathe: context.breathe, tolerance });
  return crossesFor(() => store.batches(), encoding, context, functions);
}

function crossesFor(
  batches: () => Iterable<StoredBatch>,
  encoding: TableEncoding,
  { kernels, classes, weighing }: Pick<FoldContext, 'kernels' | 'classes' | 'weighing'>,
  functions: readonly LinearParameters[],
): TableCross[] {
  const outputs = classes > 2 ? classes : 1;
  const gains = new PairGains(encoding, batches(), functions);
  const scorer = scorerOf(
    kernels,
    functions.map((each) => ({ ...each, biasConstant: 1, divisor: 1 })),
  );
  try {
    for (const batch of batches()) {
      const scores = new Float64Array(batch.rows * outputs);
      scorer.scoreInto(batch, scores);
      const weighed = weighing.weigh(batch);
      for (let i = 0; i < batch.rows; i++) leave(scores.subarray(i * outputs, (i + 1) * outputs), batch.labels[i]!);
      gains.add(weighed, scores);
    }
    return gains.best(mostCrosses);
  } finally {
    scorer.free();
  }
}

/** Replaces the scores of a row by what their probabilities leave: 1 or 0 for the class, less the probability. */
function leave(scores: Float64Array, label: number): void {
  if (scores.length === 1) {
    const e = exponential(-Math.abs(scores[0]!));
    const positive = scores[0]! < 0 ? e / (1 + e) : 1 / (1 + e);
    scores[0] = (label > 0 ? 1 : 0) - positive;
    return;
  }
  const highest = Math.max(...scores);
  let sum = 0;
  for (let k = 0; k < scores.length; k++) sum += scores[k] = exponential(scores[k]! - highest);
  for (let k = 0; k < scores.length; k++) scores[k] = (k === label ? 1 : 0) - scores[k]! / sum;
}

function scoreOf(
  functions: readonly LinearParameters[],
  batches: Iterable<StoredBatch>,
  { kernels, classes }: FoldContext,
  goal: Goal | null,
): FoldScore {
  const scorer = scorerOf(
    kernels,
    functions.map((each) => ({ ...each, biasConstant: 1, divisor: 1 })),
  );
  const kept = goal?.keeper(classes) ?? null;
  let [logLoss, rows] = [0, 0];
  try {
    const tally = judgeBatches(batches, scorer, -1, {
      classes,
      onBatch(batch, scores) {
        kept?.add(batch, scores);
        rows += batch.rows;
        for (let i = 0; i < batch.rows; i++) logLoss += logLossOf(scores, i, scorer.outputs, batch.labels[i]!);
      },
    });
    const { judgement } = tally;
    const loss = goal === null ? Number.NaN : goal.loss(judgement.confusion, kept?.scored ?? null);
    const { examples, errors, accuracy } = judgement;
    return { examples, errors, accuracy, loss, logLoss: logLoss / rows };
  } finally {
    scorer.free();
  }
}

function logLossOf(scores: Float64Array, i: number, outputs: number, label: number): number {
  if (outputs === 1) {
    const margin = label > 0 ? scores[i]! : -scores[i]!;
    return Math.max(0, -margin) + logOnePlus(exponential(-Math.abs(margin)));
  }
  const row = scores.subarray(i * outputs, (i + 1) * outputs);
  const highest = Math.max(...row);
  return highest - row[label]! + naturalLog(row.reduce((sum, score) => sum + exponential(score - highest), 0));
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
