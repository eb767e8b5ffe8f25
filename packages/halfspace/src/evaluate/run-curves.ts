import type { ExampleStore } from '../data/store.ts';
import { exponential } from '../kernels/exponential.ts';
import { naturalLog } from '../kernels/natural-log.ts';
import type { Score } from '../model/metrics.ts';
import type { Candidate, FoldContext } from './candidate.ts';
import type { FoldJudgement } from './fold-runs.ts';
import { FoldedExamples, type FoldedOptions } from './folded-examples.ts';
import { type JudgeRunner, type JudgeTask, runnerHere } from './judge-fold.ts';

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

/** Options of a curve. */
interface DrawOptions<Passes> {
  /** Number of passes of every run, or those after which to evaluate. */
  readonly passes: Passes;
  /** Default: this thread. */
  readonly runner?: JudgeRunner | undefined;
  /** Called after every run; may throw to end the curve. */
  readonly onRun?: (() => void) | undefined;
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
  { passes, ...drawing }: DrawOptions<number>,
): Promise<LearningCurve> {
  const { folds, examples } = dealt;
  const sizes = learningSizes(Math.floor((examples * (folds - 1)) / folds), context.classes);
  const all = await runFolds(candidate, context, dealt, sizes, { passes: [passes], ...drawing });
  const points = all.map((runs) => {
    const taken = runs.reduce((sum, [run]) => sum + run!.learned!.examples, 0) / folds;
    return { examples: taken, ...pointOf(runs, 0) };
  });
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
  { passes, ...drawing }: DrawOptions<readonly number[]>,
): Promise<ValidationCurve> {
  const { folds, examples } = dealt;
  const [runs] = await runFolds(candidate, context, dealt, [examples], { passes, ...drawing });
  return { folds, examples, points: passes.map((p, i) => ({ passes: p, ...pointOf(runs!, i) })) };
}

/** Runs a candidate on every fold, for each size. Returns the judgements of each fold, one for each of `passes`. */
async function runFolds(
  judged: Candidate,
  context: FoldContext,
  dealt: FoldedExamples,
  sizes: readonly number[],
  { passes, runner = runnerHere(context), onRun }: DrawOptions<readonly number[]>,
): Promise<(readonly FoldJudgement[])[][]> {
  const runs: (readonly FoldJudgement[])[][] = sizes.map(() => []);
  const tasks = sizes.flatMap((size) =>
    Array.from({ length: dealt.folds }, (_, fold): JudgeTask => ({ judged, fold, passes, size })),
  );
  await runner.run(dealt, tasks, 0, ({ judgements }, task) => {
    runs[Math.floor(task / dealt.folds)]!.push(judgements);
    onRun?.();
  });
  return runs;
}

function pointOf(runs: readonly (readonly FoldJudgement[])[], i: number): RunPoint {
  return {
    learned: spreadOf(runs.map((run) => run[i]!.learned!)),
    heldOut: spreadOf(runs.map((run) => run[i]!.heldOut)),
  };
}

/** Returns mean and deviation over folds. All folds count equally, but folds without examples do not count. */
export function spreadOf(folds: readonly Score[]): Spread {
  const scores = folds.filter(({ examples }) => examples > 0);
  const mean = scores.reduce((sum, { accuracy }) => sum + accuracy, 0) / scores.length;
  const squares = scores.reduce((sum, { accuracy }) => sum + (accuracy - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / Math.max(1, scores.length - 1)) };
}
