import type { StoredBatch } from '../batch.ts';
import type { ExampleStore } from '../data/store.ts';
import { exponential } from '../kernels/exponential.ts';
import { naturalLog } from '../kernels/natural-log.ts';
import type { Score } from '../model/metrics.ts';
import type { Candidate, FoldContext, Folds } from './candidate.ts';
import { type FoldJudgement, runFold } from './fold-runs.ts';
import { FoldedExamples, type FoldedOptions } from './folded-examples.ts';

/** A share over the folds. */
export interface Spread {
  readonly mean: number;
  /** Its standard deviation over the folds. */
  readonly deviation: number;
}

/** Accuracy of runs, as shares right in [0, 1]. */
export interface RunPoint {
  /** On what they learned from. */
  readonly learned: Spread;
  /** On the fold that they did not learn from. */
  readonly heldOut: Spread;
}

/** Accuracy of runs that learn from more and more examples. */
export interface LearningCurve {
  readonly folds: number;
  /** Examples dealt out to folds. */
  readonly examples: number;
  /** Passes of every run. */
  readonly passes: number;
  /** Rising in the number of examples learned from, a mean over the folds. */
  readonly points: readonly (RunPoint & { readonly examples: number })[];
}

/** Accuracy of runs after more and more passes. Low on both shares: underfitting; far apart: overfitting. */
export interface ValidationCurve {
  readonly folds: number;
  /** Examples dealt out to folds. */
  readonly examples: number;
  /** Rising in the number of passes. */
  readonly points: readonly (RunPoint & { readonly passes: number })[];
}

/** Called after every run; may throw to end the curve. */
type OnRun = (() => void | Promise<void>) | undefined;

/** Returns at most 10 numbers of examples, spaced geometrically: from about ten of each class to all. */
export function learningSizes(examples: number, classes: number): number[] {
  const least = Math.min(examples, Math.max(10 * classes, Math.ceil(examples / 512)));
  const sizes = Array.from({ length: 10 }, (_, i) =>
    Math.round(least * exponential((naturalLog(examples / least) * i) / 9)),
  );
  return [...new Set(sizes)];
}

/** Largest number of rows in a batch of folded examples for the numbers of {@link learningSizes} to be met. */
export function learningBatch(examples: number, classes: number, folds: number): number {
  return Math.min(1024, Math.max(1, Math.floor(learningSizes(examples, classes)[0]! / (2 * (folds - 1)))));
}

/** Deals examples out once, for curves over runs. */
export function dealForCurves(
  store: ExampleStore,
  { kernels, classes }: FoldContext,
  dealing: Omit<FoldedOptions, 'repeat' | 'batch'> & { readonly examples: number },
): FoldedExamples {
  const { folds, examples } = dealing;
  const batch = learningBatch(Math.floor((examples * (folds - 1)) / folds), classes, folds);
  return new FoldedExamples(kernels, store, { ...dealing, repeat: 0, batch });
}

/**
 * Draws the learning curve: judges on each fold what learned from the first few of the other folds' examples, then from
 * more and more, in their random order, so that smaller sets are parts of larger ones.
 *
 * @param dealt by {@link dealForCurves}.
 */
export async function learningCurveOf(
  candidate: Candidate,
  context: FoldContext,
  dealt: FoldedExamples,
  { passes, onRun }: { readonly passes: number; readonly onRun?: OnRun },
): Promise<LearningCurve> {
  const { folds, examples } = dealt;
  const points: LearningCurve['points'][number][] = [];
  for (const size of learningSizes(Math.floor((examples * (folds - 1)) / folds), context.classes)) {
    const some: Folds = {
      learnedFrom: (fold) => firstOf(dealt.learnedFrom(fold), size),
      judgedOn: (fold) => dealt.judgedOn(fold),
    };
    const runs = await runFolds(candidate, context, some, { folds, passes: [passes], onRun });
    const taken = runs.reduce((sum, [run]) => sum + run!.learned!.examples, 0) / folds;
    points.push({ examples: taken, ...pointOf(runs, 0) });
  }
  return { folds, examples, passes, points };
}

/**
 * Returns the passes after which a validation curve is judged: 1, 2, 3, 5, 8, 12, 20 …, up to the larger of 20 and
 * `passes`.
 */
export function validationPasses(passes: number): number[] {
  const steps = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1200];
  const most = Math.max(20, Math.min(passes, 1200));
  return [...new Set([...steps.filter((step) => step < most), passes, most])]
    .filter((p) => p <= most)
    .sort((a, b) => a - b);
}

/** Draws the validation curve: judges on each fold, after more and more passes, what learned from the others. */
export async function validationCurveOf(
  candidate: Candidate,
  context: FoldContext,
  dealt: FoldedExamples,
  { passes, onRun }: { readonly passes: readonly number[]; readonly onRun?: OnRun },
): Promise<ValidationCurve> {
  const { folds, examples } = dealt;
  const runs = await runFolds(candidate, context, dealt, { folds, passes, onRun });
  return { folds, examples, points: passes.map((p, i) => ({ passes: p, ...pointOf(runs, i) })) };
}

/** Runs a candidate on every fold. Returns the judgements of each fold, one for each of `passes`. */
async function runFolds(
  candidate: Candidate,
  context: FoldContext,
  examples: Folds,
  { folds, passes, onRun }: { readonly folds: number; readonly passes: readonly number[]; readonly onRun: OnRun },
): Promise<FoldJudgement[][]> {
  const runs: FoldJudgement[][] = [];
  for (let fold = 0; fold < folds; fold++) {
    runs.push(await runFold(candidate, context, examples, fold, { passes, judgesLearned: true }));
    await onRun?.();
  }
  return runs;
}

function pointOf(runs: readonly FoldJudgement[][], i: number): RunPoint {
  return {
    learned: spreadOf(runs.map((run) => run[i]!.learned!)),
    heldOut: spreadOf(runs.map((run) => run[i]!.heldOut)),
  };
}

/** Yields batches until there are this many examples; the last batch may bring a few more. */
function* firstOf(batches: Iterable<StoredBatch>, examples: number): Generator<StoredBatch> {
  let taken = 0;
  for (const batch of batches) {
    taken += batch.rows;
    yield batch;
    if (taken >= examples) return;
  }
}

/**
 * Returns mean and deviation over folds. Folds count alike, whatever their size; a fold without examples does not
 * count.
 */
export function spreadOf(folds: readonly Score[]): Spread {
  const scores = folds.filter(({ examples }) => examples > 0);
  const mean = scores.reduce((sum, { accuracy }) => sum + accuracy, 0) / scores.length;
  const squares = scores.reduce((sum, { accuracy }) => sum + (accuracy - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / Math.max(1, scores.length - 1)) };
}
