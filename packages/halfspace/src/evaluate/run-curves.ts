import type { StoredBatch } from '../batch.ts';
import { exponential } from '../kernels/exponential.ts';
import { naturalLog } from '../kernels/natural-log.ts';
import type { Score } from '../model/metrics.ts';
import type { Candidate, FoldContext, Folds } from './candidate.ts';
import { runFold } from './fold-runs.ts';
import type { FoldedExamples } from './folded-examples.ts';

/** A share over the folds. */
export interface Spread {
  readonly mean: number;
  /** Its standard deviation over the folds. */
  readonly deviation: number;
}

/** How well runs did, as shares right in [0, 1]. */
export interface RunPoint {
  /** On what they learned from. */
  readonly learned: Spread;
  /** On the fold that they did not learn from. */
  readonly heldOut: Spread;
}

/** How well runs do that learn from ever more examples. */
export interface LearningCurve {
  readonly folds: number;
  /** Examples dealt out to folds. */
  readonly examples: number;
  /** Passes of every run. */
  readonly passes: number;
  /** Rising in the number of examples that were learned from, a mean over the folds. */
  readonly points: readonly (RunPoint & { readonly examples: number })[];
}

/** How well runs do after ever more passes: underfitting where both shares are low, overfitting where they part. */
export interface ValidationCurve {
  readonly folds: number;
  /** Examples dealt out to folds. */
  readonly examples: number;
  /** Rising in the number of passes. */
  readonly points: readonly (RunPoint & { readonly passes: number })[];
}

/** Called after every run; may throw to end the curve. */
type OnRun = (() => void | Promise<void>) | undefined;

/** Numbers of examples, spaced geometrically: from about ten of each class to all, 10 at most. */
export function learningSizes(examples: number, classes: number): number[] {
  const least = Math.min(examples, Math.max(10 * classes, Math.ceil(examples / 512)));
  const sizes = Array.from({ length: 10 }, (_, i) =>
    Math.round(least * exponential((naturalLog(examples / least) * i) / 9)),
  );
  return [...new Set(sizes)];
}

/** How many rows a batch of folded examples has at most for the numbers of {@link learningSizes} to be met. */
export function learningBatch(examples: number, classes: number, folds: number): number {
  return Math.min(1024, Math.max(1, Math.floor(learningSizes(examples, classes)[0]! / (2 * (folds - 1)))));
}

/**
 * The learning curve: on each fold is judged what learned from the first few of the others' examples, then from more and more. They are
 * taken in the order of chance that they were dealt in, so the smaller sets are parts of the larger ones.
 *
 * @param dealt in batches of {@link learningBatch}.
 */
export async function learningCurveOf(
  candidate: Candidate,
  context: FoldContext,
  dealt: FoldedExamples,
  { passes, onRun }: { readonly passes: number; readonly onRun?: OnRun },
): Promise<LearningCurve> {
  const { folds } = dealt;
  const examples = Array.from({ length: folds }, (_, fold) => dealt.rows(fold)).reduce((sum, each) => sum + each, 0);
  const points: LearningCurve['points'][number][] = [];
  for (const size of learningSizes(Math.floor((examples * (folds - 1)) / folds), context.classes)) {
    const learned: Score[] = [];
    const heldOut: Score[] = [];
    for (let fold = 0; fold < folds; fold++) {
      const some: Folds = {
        learnedFrom: (fold) => firstOf(dealt.learnedFrom(fold), size),
        judgedOn: (fold) => dealt.judgedOn(fold),
      };
      const onLearned = (score: Score) => learned.push(score);
      heldOut.push((await runFold(candidate, context, some, fold, [passes], { onLearned }))[0]!);
      await onRun?.();
    }
    const taken = learned.reduce((sum, each) => sum + each.examples, 0) / folds;
    points.push({ examples: taken, learned: spreadOf(learned), heldOut: spreadOf(heldOut) });
  }
  return { folds, examples, passes, points };
}

/** After which passes a validation curve is judged: 1, 2, 3, 5, 8, 12, 20 …, to the first that is neither below 20 nor below `passes`. */
export function validationPasses(passes: number): number[] {
  const steps = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1200];
  const most = Math.max(20, Math.min(passes, 1200));
  return [...new Set([...steps.filter((step) => step < most), passes, most])]
    .filter((p) => p <= most)
    .sort((a, b) => a - b);
}

/** The validation curve over passes: on each fold is judged, after ever more passes, what learned from the others. */
export async function validationCurveOf(
  candidate: Candidate,
  context: FoldContext,
  dealt: FoldedExamples,
  { passes, onRun }: { readonly passes: readonly number[]; readonly onRun?: OnRun },
): Promise<ValidationCurve> {
  const { folds } = dealt;
  const examples = Array.from({ length: folds }, (_, fold) => dealt.rows(fold)).reduce((sum, each) => sum + each, 0);
  const learned: Score[][] = [];
  const heldOut: Score[][] = [];
  for (let fold = 0; fold < folds; fold++) {
    const own: Score[] = [];
    heldOut.push(await runFold(candidate, context, dealt, fold, passes, { onLearned: (score) => own.push(score) }));
    learned.push(own);
    await onRun?.();
  }
  return {
    folds,
    examples,
    points: passes.map((p, i) => ({
      passes: p,
      learned: spreadOf(learned.map((scores) => scores[i]!)),
      heldOut: spreadOf(heldOut.map((scores) => scores[i]!)),
    })),
  };
}

/** Batches until there are so many examples; the last may bring a few more. */
function* firstOf(batches: Iterable<StoredBatch>, examples: number): Generator<StoredBatch> {
  let taken = 0;
  for (const batch of batches) {
    taken += batch.rows;
    yield batch;
    if (taken >= examples) return;
  }
}

/** Folds count alike, however many examples they have; one without any, as few examples leave it, says nothing. */
export function spreadOf(folds: readonly Score[]): Spread {
  const scores = folds.filter(({ examples }) => examples > 0);
  const mean = scores.reduce((sum, { accuracy }) => sum + accuracy, 0) / scores.length;
  const squares = scores.reduce((sum, { accuracy }) => sum + (accuracy - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / Math.max(1, scores.length - 1)) };
}
