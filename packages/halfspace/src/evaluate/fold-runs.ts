import type { StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import { type Judgement, ScoreTally } from '../model/metrics.ts';
import { type Scorer, scorerOf } from '../model/scorer.ts';
import type { LearnedFunction, Learner } from '../rules/learner.ts';
import { createLearner, createMulticlassLearner, hasPasses } from '../rules/registry.ts';
import { outlast } from '../train/outlast.ts';
import type { Candidate, FoldContext, Folds } from './candidate.ts';
import { treeOfFold } from './tree-fold.ts';

/** The learner of a candidate. @param examples what it will learn from, for rules that look at all of it. */
export function learnerOf(
  { rule, options, multiclass, biasConstant = 1 }: Candidate,
  { kernels, classes, weighing }: FoldContext,
  examples: () => Iterable<StoredBatch>,
): Learner {
  const weighed = weighing === null ? examples : () => weighing.weighEach(examples());
  const all = { ...options, tie: -1 as const, biasConstant, examples: weighed };
  return classes > 2
    ? createMulticlassLearner(kernels, rule, multiclass, { ...all, classes })
    : createLearner(kernels, rule, all);
}

type OnScores = (scores: Float64Array, labels: Float64Array) => void;

export interface FoldListener {
  /** Told of the scores and labels of what is judged on, batch by batch, after the last pass; they may be read until it returns. */
  readonly onScores?: OnScores | undefined;
  /** Told at every judged pass how well it does on what it learned from. */
  readonly onLearned?: ((judgement: Judgement) => void) | undefined;
}

/**
 * Learns from all folds but one, and judges on that one.
 *
 * @throws HalfspaceError `weights-overflow`.
 *
 * @param passes after which passes to judge, rising; the last ends the run.
 * @returns a judgement for each of them.
 */
export async function runFold(
  candidate: Candidate,
  context: FoldContext,
  examples: Folds,
  fold: number,
  passes: readonly number[],
  { onScores, onLearned }: FoldListener = {},
): Promise<Judgement[]> {
  if (!hasPasses(candidate.rule)) {
    const tree = await treeOfFold(candidate, context, examples, fold);
    const judgement = judge(tree, context.classes, examples.judgedOn(fold), onScores);
    if (onLearned !== undefined) {
      const learned = judge(tree, context.classes, examples.learnedFrom(fold));
      for (const _ of passes) onLearned(learned);
    }
    return passes.map(() => judgement);
  }
  const learner = learnerOf(candidate, context, () => examples.learnedFrom(fold));
  const judgements: Judgement[] = [];
  let learned: Judgement | undefined;
  let clean = false;
  /** Whether what a clean pass left has been judged. */
  let settled = false;
  const marginOn = (batches: () => Iterable<StoredBatch>) => (functions: readonly LearnedFunction[]) => {
    const { biasConstant = 1 } = candidate;
    const scorer = scorerOf(
      context.kernels,
      functions.map((each) => ({ ...each, biasConstant, divisor: 1 })),
    );
    try {
      return tallyOf(scorer, context.classes, batches()).functionalMargin;
    } finally {
      scorer.free();
    }
  };
  try {
    for (let pass = 1; pass <= passes.at(-1)!; pass++) {
      // A pass without an update stands for all that would follow.
      if (!clean) {
        const before = learner.progress.updates;
        for (const batch of examples.learnedFrom(fold)) {
          learner.learn(context.weighing?.weigh(batch) ?? batch);
          await context.breathe();
        }
        clean = learner.progress.updates === before;
        if (clean)
          outlast(
            learner,
            learner.progress.clock / pass,
            marginOn(() => examples.learnedFrom(fold)),
          );
      }
      if (!passes.includes(pass)) continue;
      judgements.push(settled ? judgements.at(-1)! : judge(learner, context.classes, examples.judgedOn(fold)));
      if (onLearned !== undefined) {
        if (!settled || learned === undefined) learned = judge(learner, context.classes, examples.learnedFrom(fold));
        onLearned(learned);
      }
      settled = clean;
    }
    if (onScores !== undefined) judge(learner, context.classes, examples.judgedOn(fold), onScores);
    return judgements;
  } finally {
    learner.free();
  }
}

function judge(
  learner: Pick<Scorer, 'outputs' | 'scoreInto'>,
  classes: number,
  batches: Iterable<StoredBatch>,
  onScores?: OnScores,
): Judgement {
  return tallyOf(learner, classes, batches, onScores).judgement;
}

function tallyOf(
  learner: Pick<Scorer, 'outputs' | 'scoreInto'>,
  classes: number,
  batches: Iterable<StoredBatch>,
  onScores?: OnScores,
): ScoreTally {
  const { outputs } = learner;
  const tally = new ScoreTally(outputs, -1, classes);
  let scores = new Float64Array(0);
  for (const batch of batches) {
    const length = batch.rows * outputs;
    if (scores.length < length) scores = new Float64Array(length);
    learner.scoreInto(batch, scores);
    tally.add(batch, scores);
    if (!tally.finite)
      throw new HalfspaceError(
        'weights-overflow',
        'expected scores within the range of doubles; got larger ones: scale the data',
      );
    onScores?.(scores.subarray(0, length), batch.labels.subarray(0, batch.rows));
  }
  return tally;
}
