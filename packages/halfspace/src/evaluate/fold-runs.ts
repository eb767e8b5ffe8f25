import type { StoredBatch } from '../batch.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { type Judgement, ScoreTally } from '../model/metrics.ts';
import type { Strategy } from '../model/model.ts';
import type { Scorer } from '../model/scorer.ts';
import type { Learner } from '../rules/learner.ts';
import { createLearner, createMulticlassLearner, type RuleName, type RuleOptions } from '../rules/registry.ts';
import type { ClassWeighing } from '../train/class-weights.ts';
import type { FoldedExamples } from './folded-examples.ts';
import { treeOfFold } from './tree-fold.ts';

/** What learns: a rule with its options complete. */
export interface Contestant {
  readonly rule: RuleName;
  readonly options: RuleOptions;
  /** How several classes are learned. */
  readonly multiclass: Strategy;
}

/** What all contestants of a comparison share. */
export interface Arena {
  readonly kernels: Kernels;
  /** How many there are. */
  readonly classes: number;
  readonly weighing: ClassWeighing | null;
  /** How the examples are encoded; for rules that ask for columns. */
  readonly encoding: () => FeatureEncoding;
}

/** The learner of a contestant. @param examples what it will learn from, for rules that look at all of it. */
export function learnerOf(
  { rule, options, multiclass }: Contestant,
  { kernels, classes, weighing }: Arena,
  examples: () => Iterable<StoredBatch>,
): Learner {
  const weighed = weighing === null ? examples : () => weighing.weighEach(examples());
  const all = { ...options, tie: -1, biasConstant: 1, examples: weighed, classes } as never;
  return classes > 2 ? createMulticlassLearner(kernels, rule, multiclass, all) : createLearner(kernels, rule, all);
}

/** Told of scores and labels after the last pass. */
export type OnScores = (scores: Float64Array, labels: Float64Array) => void;

/**
 * Learns from all folds but one, and judges on that one.
 *
 * @param passes after which passes to judge, rising; the last ends the run.
 * @returns a judgement for each of them.
 */
export function runFold(
  contestant: Contestant,
  arena: Arena,
  examples: FoldedExamples,
  fold: number,
  passes: readonly number[],
  onScores?: OnScores,
): Judgement[] {
  if (contestant.rule === 'tree') {
    // A tree has no passes.
    const judgement = judge(
      treeOfFold(contestant, arena, examples, fold),
      arena.classes,
      examples.judgedOn(fold),
      onScores,
    );
    return passes.map(() => judgement);
  }
  const learner = learnerOf(contestant, arena, () => examples.learnedFrom(fold));
  const judgements: Judgement[] = [];
  let clean = false;
  try {
    for (let pass = 1; pass <= passes.at(-1)!; pass++) {
      // A pass without an update stands for all that would follow.
      if (!clean) {
        const before = learner.progress.updates;
        for (const batch of examples.learnedFrom(fold)) learner.learn(arena.weighing?.weigh(batch) ?? batch);
        clean = learner.progress.updates === before;
        if (clean) outlast(learner, arena.classes, examples, fold);
      }
      if (!passes.includes(pass)) continue;
      const last = clean ? judgements.at(-1) : undefined;
      judgements.push(last ?? judge(learner, arena.classes, examples.judgedOn(fold)));
    }
    if (onScores !== undefined) judge(learner, arena.classes, examples.judgedOn(fold), onScores);
    return judgements;
  } finally {
    learner.free();
  }
}

/** What a training run does after a clean pass, see `outlast` in train/train.ts: a mean over the past alone may not separate yet. */
function outlast(learner: Learner, classes: number, examples: FoldedExamples, fold: number): void {
  if (learner.survive === undefined) return;
  const { clock } = learner.progress;
  for (let doubling = 0; doubling < 30; doubling++) {
    if (judge(learner, classes, examples.learnedFrom(fold)).errors === 0) return;
    learner.survive(clock * 2 ** doubling);
  }
}

function judge(
  learner: Pick<Scorer, 'outputs' | 'scoreInto'>,
  classes: number,
  batches: Iterable<StoredBatch>,
  onScores?: OnScores,
): Judgement {
  const { outputs } = learner;
  const tally = new ScoreTally(outputs, -1, classes);
  let scores = new Float64Array(0);
  for (const batch of batches) {
    const length = batch.rows * outputs;
    if (scores.length < length) scores = new Float64Array(length);
    learner.scoreInto(batch, scores);
    tally.add(batch, scores);
    onScores?.(scores.subarray(0, length), batch.labels.subarray(0, batch.rows));
  }
  return tally.judgement;
}
