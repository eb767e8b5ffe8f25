import type { StoredBatch } from '../batch.ts';
import type { ExampleStore } from '../data/store.ts';
import { exponential } from '../kernels/exponential.ts';
import { naturalLog } from '../kernels/natural-log.ts';
import type { Score } from '../model/metrics.ts';
import type { Candidate, FoldContext, Folds } from './candidate.ts';
import { type FoldJudgement, runFold } from './fold-runs.ts';
import { FoldedExamples, type FoldedOptions } from './folded-examples.ts';

/** Mean and standard deviation of the accuracy over the folds. */
export interface Spread {
  readonly mean: number;
  readonly deviation: number;
}

/** Accuracy of runs, in [0, 1]. */
export interface RunPoint {
  /** On the training examples. */
  readonly learned: Spread;
  /** On the held-out fold. */
  readonly heldOut: Spread;
}

/** Accuracy of runs by the number of training examples. */
export interface LearningCurve {
  readonly folds: number;
  /** Number of examples in all folds. */
  readonly examples: number;
  /** Number of passes of every run. */
  readonly passes: number;
  /** By rising number of training examples, a mean over the folds. */
  readonly points: readonly (RunPoint & { readonly examples: number })[];
}

/** Accuracy of runs by the number of passes. Both values low: underfitting; far apart: overfitting. */
export interface ValidationCurve {
  readonly folds: number;
  /** Number of examples in all folds. */
  readonly examples: number;
  /** By rising number of passes. */
  readonly points: readonly (RunPoint & { readonly passes: number })[];
}

/** Called after every run; may throw to end the curve. */
type OnRun = (() => void | Promise<void>) | undefined;

/** Returns at most 10 sizes, spaced geometrically from about ten examples of each class to all. */
export function learningSizes(examples: number, classes: number): number[] {
  const least = Math.min(examples, Math.max(10 * classes, Math.ceil(examples / 512)));
  const sizes = Array.from({ length: 10 }, (_, i) =>
    Math.round(least * exponential((naturalLog(examples / least) * i) / 9)),
  );
  return [...new Set(sizes)];
}

/** Returns the largest batch size of folded examples by which runs can meet {@link learningSizes}. */
export function learningBatch(examples: number, classes: number, folds: number): number {
  return Math.min(1024, Math.max(1, Math.floor(learningSizes(examples, classes)[0]! / (2 * (folds - 1)))));
}

/** Deals examples to folds for curves. */
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
 * Computes the learning curve: evaluates on each fold runs on the first few examples of the other folds, then on more
 * and more. Each training set contains the smaller ones.
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

/** Returns the passes at which a validation curve has points: 1, 2, 3, 5, 8, 12, 20 …, up to max(20, `passes`). */
export function validationPasses(passes: number): number[] {
  const steps = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1200];
  const most = Math.max(20, Math.min(passes, 1200));
  return [...new Set([...steps.filter((step) => step < most), passes, most])]
    .filter((p) => p <= most)
    .sort((a, b) => a - b);
}

/** Computes the validation curve: evaluates on each fold, after more and more passes, a run on the other folds. */
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

/** Yields batches until they have at least this many examples. */
function* firstOf(batches: Iterable<StoredBatch>, examples: number): Generator<StoredBatch> {
  let taken = 0;
  for (const batch of batches) {
    taken += batch.rows;
    yield batch;
    if (taken >= examples) return;
  }
}

/** Returns mean and deviation over folds. All folds count equally, but folds without examples do not count. */
export function spreadOf(folds: readonly Score[]): Spread {
  const scores = folds.filter(({ examples }) => examples > 0);
  const mean = scores.reduce((sum, { accuracy }) => sum + accuracy, 0) / scores.length;
  const squares = scores.reduce((sum, { accuracy }) => sum + (accuracy - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / Math.max(1, scores.length - 1)) };
}
