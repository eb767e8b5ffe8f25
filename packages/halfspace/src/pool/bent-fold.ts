import type { StoredBatch } from '../batch.ts';
import type { FoldContext } from '../evaluate/candidate.ts';
import type { FoldParts } from '../evaluate/fold-parts.ts';
import { Crossing } from '../features/cross/crossing.ts';
import { PairGains, type Pairs } from '../features/cross/pair-gains.ts';
import { chainsOf } from '../features/number/bend.ts';
import { dimension, type TableCross, type TableEncoding } from '../features/table-encoding.ts';
import { exponential } from '../kernels/exponential.ts';
import { logOnePlus, naturalLog } from '../kernels/natural-log.ts';
import { scorerOf } from '../model/function-scorer.ts';
import { judgeBatches } from '../model/judge-batches.ts';
import type { LinearParameters } from '../rules/learner.ts';
import { gatherExamples } from '../rules/logistic/examples.ts';
import { Minimiser } from '../rules/logistic/minimise.ts';
import type { Goal } from '../train/goal.ts';
import type { Scored } from './fold-task.ts';

export { checkPairs } from '../features/cross/pair-gains.ts';

/*
 * The rule `logistic` on the bent numbers of a fold, with and without crosses. A path of penalties is walked from the
 * strongest to the weakest, each from the minimum of the last; crosses are those that the rows of the other folds ask
 * for, at the best penalty without them.
 */

/** A fold to judge: plain data, for any thread. */
export interface BentTask {
  /** Encoding of the examples. */
  readonly encoding: TableEncoding;
  readonly fold: number;
  /** C of the penalties α = 1 / (C·n) for n examples, rising. */
  readonly plain: readonly number[];
  /** Empty: nothing is crossed. */
  readonly crossed: readonly number[];
  readonly pairs: Pairs;
}

/** Scores by C, from the strongest penalty to the first that is worse than the one before. */
export interface BentScores {
  readonly plain: readonly PenaltyScore[];
  /** Empty if no pair of columns can be crossed. */
  readonly crossed: readonly PenaltyScore[];
}

export interface PenaltyScore extends Scored {
  readonly C: number;
  /** Mean log loss of the probabilities. */
  readonly logLoss: number;
}

/** Precision of minima that are only compared. */
const tolerance = 1e-3;

/** Judges a fold. Only reads the examples. */
export async function runBentTask(
  { encoding, fold, plain, crossed, pairs }: BentTask,
  context: FoldContext,
  folds: FoldParts,
  goal: Goal | null,
): Promise<BentScores> {
  const learned = () => folds.learnedFrom(fold);
  const rows = folds.examples - folds.rows(fold);
  const path = await pathOf(learned, encoding, context, {
    rows,
    penalties: plain,
    judge: (functions) => scoreOf(functions, folds.judgedOn(fold), context, goal),
  });
  const best = bestOf(path);
  const crosses = crossed.length === 0 ? [] : crossesFor(learned, encoding, context, best.functions, pairs);
  if (crosses.length === 0) return { plain: path.map(({ score }) => score), crossed: [] };
  const crossing = new Crossing(encoding, crosses);
  const learnedRows = Array.from(learned(), (batch) => crossing.batch(batch));
  const heldRows = Array.from(folds.judgedOn(fold), (batch) => crossing.batch(batch));
  // Crosses explain more, so a stronger penalty may be better. All folds have the last but one.
  const stronger = crossed.filter((C) => C < best.score.C).length - 1;
  const from = Math.max(0, Math.min(stronger, crossed.length - 2));
  const longer = await pathOf(() => learnedRows, crossing.encoding, context, {
    rows,
    penalties: crossed.slice(from),
    start: best.functions,
    judge: (functions) => scoreOf(functions, heldRows, context, goal),
  });
  return { plain: path.map(({ score }) => score), crossed: longer.map(({ score }) => score) };
}

/** The minimum at a penalty. */
interface Minimum {
  readonly functions: readonly LinearParameters[];
  readonly score: PenaltyScore;
}

/** Returns the minimum with the least log loss; the first of equal ones. */
function bestOf(path: readonly Minimum[]): Minimum {
  return path.reduce((best, each) => (each.score.logLoss < best.score.logLoss ? each : best));
}

interface Walk {
  /** Number of examples that α counts. */
  readonly rows: number;
  /** C, rising. */
  readonly penalties: readonly number[];
  /** Functions to start from, of the first features of the encoding. Default zero. */
  readonly start?: readonly LinearParameters[];
  readonly judge: (functions: readonly LinearParameters[]) => Omit<PenaltyScore, 'C'>;
}

/** Walks the penalties until the log loss of the held-out rows rises, because weaker ones fit worse and take longer. */
async function pathOf(
  batches: () => Iterable<StoredBatch>,
  encoding: TableEncoding,
  context: FoldContext,
  { rows, penalties, start, judge }: Walk,
): Promise<Minimum[]> {
  const minimiser = minimiserOf(batches, encoding, context);
  const path: Minimum[] = [];
  try {
    for (const C of penalties) {
      const before = path.at(-1);
      const given = { alpha: 1 / (C * rows), start: before?.functions ?? start, tolerance };
      const { functions } = await minimiser.minimise({ ...given, breathe: context.breathe });
      const score = { ...judge(functions), C };
      path.push({ functions, score });
      if (before !== undefined && score.logLoss > before.score.logLoss) break;
    }
  } finally {
    minimiser.free();
  }
  return path;
}

function minimiserOf(
  batches: () => Iterable<StoredBatch>,
  encoding: TableEncoding,
  { kernels, classes, weighing }: FoldContext,
): Minimiser {
  const chains = chainsOf(encoding, dimension(encoding));
  const weighed = () => weighing.weighEach(batches());
  return new Minimiser(kernels, gatherExamples(kernels, weighed, { classes, dimension: dimension(encoding), chains }), {
    chains,
  });
}

/** Returns the crosses that explain most of what the minimum on examples leaves. */
export async function crossesOf(
  batches: () => Iterable<StoredBatch>,
  encoding: TableEncoding,
  context: FoldContext,
  { alpha, pairs }: { readonly alpha: number | undefined; readonly pairs: Pairs },
): Promise<TableCross[]> {
  const { breathe } = context;
  const minimiser = minimiserOf(batches, encoding, context);
  try {
    const { functions } = await minimiser.minimise({ alpha, breathe, tolerance: 1e-4 });
    return crossesFor(batches, encoding, context, functions, pairs);
  } finally {
    minimiser.free();
  }
}

function crossesFor(
  batches: () => Iterable<StoredBatch>,
  encoding: TableEncoding,
  { kernels, classes, weighing }: Pick<FoldContext, 'kernels' | 'classes' | 'weighing'>,
  functions: readonly LinearParameters[],
  pairs: Pairs,
): TableCross[] {
  const outputs = classes > 2 ? classes : 1;
  const gains = new PairGains(encoding, batches(), functions, pairs);
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
    return gains.best();
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
): Omit<PenaltyScore, 'C'> {
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
    const { examples, errors, accuracy, confusion } = tally.judgement;
    const loss = goal === null ? 0 - accuracy : goal.loss(confusion, kept?.scored ?? null);
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
