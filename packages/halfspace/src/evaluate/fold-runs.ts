import type { StoredBatch } from '../batch.ts';
import { chainsOf } from '../features/number/bend.ts';
import { scorerOf } from '../model/function-scorer.ts';
import { judgeBatches, type OnBatch } from '../model/judge-batches.ts';
import type { Score, ScoreTally } from '../model/metrics.ts';
import type { Scorer } from '../model/scorer.ts';
import type { TreeOptions } from '../model/tree/options.ts';
import type { Learner, LinearParameters } from '../rules/learner.ts';
import { createLearner, createMulticlassLearner, hasHyperplanes, hasPasses } from '../rules/registry.ts';
import type { Goal } from '../train/goal.ts';
import type { RunObserver } from '../train/observer.ts';
import { overflow } from '../train/overflow.ts';
import { PassLoop } from '../train/pass-loop.ts';
import type { Candidate, FoldContext, Folds } from './candidate.ts';

interface FoldOptions {
  /** Numbers of passes after which to evaluate, rising; the last one ends the run. */
  readonly passes: readonly number[];
  /** True also evaluates on the training examples. Default false. */
  readonly judgesLearned?: boolean | undefined;
  /** Its loss is computed on the held-out fold. Default: none. */
  readonly goal?: Goal | null | undefined;
  /** Called after the last pass with the batches of the fold and their scores. */
  readonly onScores?: OnBatch | undefined;
  /** Called with all judgements after each of them but the last; true ends the run. Default: never. */
  readonly isEnough?: ((judgements: readonly FoldJudgement[]) => boolean) | undefined;
}

/** Evaluation of a run after one of its passes. */
export interface FoldJudgement {
  /** On the held-out fold. */
  readonly heldOut: Score;
  /** The loss of the goal on the held-out fold; NaN without a goal, or if the fold does not define it. */
  readonly loss: number;
  /** On the training examples; null if not requested. */
  readonly learned: Score | null;
}

/** Precision of minima that are only compared. */
const roughTolerance = 1e-3;

type Judged = Pick<Scorer, 'outputs' | 'scoreInto'>;

/**
 * Learns from all folds but one, and evaluates on that one.
 *
 * @returns a judgement for each of `passes`; fewer if `isEnough` ends the run.
 * @throws HalfspaceError `weights-overflow`.
 */
export async function runFold(
  candidate: Candidate,
  context: FoldContext,
  folds: Folds,
  fold: number,
  { passes, judgesLearned = false, goal = null, onScores, isEnough = () => false }: FoldOptions,
): Promise<FoldJudgement[]> {
  const tallyOf = (scorer: Judged, batches: Iterable<StoredBatch>, onBatch?: OnBatch): ScoreTally => {
    const tally = judgeBatches(batches, scorer, -1, { classes: context.classes, onBatch });
    if (!tally.finite) throw overflow('scores', 'larger ones');
    return tally;
  };
  const judge = (scorer: Judged, onBatch?: OnBatch): FoldJudgement => {
    const kept = goal?.keeper(context.classes) ?? null;
    const onEach: OnBatch = (batch, scores) => {
      kept?.add(batch, scores);
      onBatch?.(batch, scores);
    };
    const tally = tallyOf(scorer, folds.judgedOn(fold), onEach);
    return {
      heldOut: tally.score,
      loss: goal === null ? Number.NaN : goal.loss(tally.judgement.confusion, kept?.scored ?? null),
      learned: judgesLearned ? tallyOf(scorer, folds.learnedFrom(fold)).score : null,
    };
  };
  const judgements: FoldJudgement[] = [];
  const judgeLast = (scorer: Judged): FoldJudgement[] => {
    const last = judge(scorer, onScores);
    while (judgements.length < passes.length) judgements.push(last);
    return judgements;
  };
  if (!hasHyperplanes(candidate.rule)) return judgeLast(await treeOfFold(candidate, context, folds, fold));
  if (!hasPasses(candidate.rule)) {
    for await (const scorer of minimaOfFold(candidate, context, folds, { fold, strengths: passes })) {
      if (candidate.atPenalties !== true) return judgeLast(scorer);
      judgements.push(judge(scorer, judgements.length + 1 === passes.length ? onScores : undefined));
      if (isEnough(judgements)) break;
    }
    return judgements;
  }
  const last = passes.at(-1)!;
  let ended = false;
  const judging: RunObserver = {
    // A clean pass ends the run. It is evaluated after the mean is settled, and its result holds for all later passes.
    endPass({ pass, updates, learner }) {
      if (updates === 0 || pass === last || !passes.includes(pass)) return false;
      judgements.push(judge(learner));
      ended = isEnough(judgements);
      return ended;
    },
  };
  const learner = learnerOf(candidate, context, () => folds.learnedFrom(fold));
  const loop = new PassLoop(learner, [judging], context.breathe);
  const { biasConstant = 1 } = candidate;
  try {
    await loop.run(
      {
        rows: null,
        *pass() {
          for (const batch of folds.learnedFrom(fold)) yield { batch: context.weighing.weigh(batch), numbers: 0 };
        },
        settling: {
          importance: () => learner.progress.clock / (loop.pass - 1),
          leastMargin(functions) {
            const scorer = scorerOf(
              context.kernels,
              functions.map((each) => ({ ...each, biasConstant, divisor: 1 })),
            );
            try {
              return tallyOf(scorer, folds.learnedFrom(fold)).functionalMargin;
            } finally {
              scorer.free();
            }
          },
        },
      },
      { passes: last, cleanPass: true, cleanStreak: Infinity },
    );
    return ended ? judgements : judgeLast(learner);
  } finally {
    learner.free();
  }
}

/** Creates the learner of a candidate. @param examples for learning, for rules that look at all of them. */
function learnerOf(
  { rule, options, multiclass, biasConstant = 1 }: Candidate,
  { kernels, classes, weighing }: FoldContext,
  examples: () => Iterable<StoredBatch>,
): Learner {
  const all = { ...options, tie: -1 as const, biasConstant, examples: () => weighing.weighEach(examples()) };
  return classes > 2
    ? createMulticlassLearner(kernels, rule, multiclass, { ...all, classes })
    : createLearner(kernels, rule, all);
}

/**
 * Finds the minimum of the rule `logistic` on all folds but one; or those of several penalties, each from the one
 * before. A scorer is valid until the next one is requested.
 *
 * @param strengths C of the penalties, for a candidate that is judged at several.
 */
async function* minimaOfFold(
  { options, biasConstant = 1, atPenalties = false }: Candidate,
  { kernels, classes, weighing, encoding, breathe }: FoldContext,
  folds: Folds,
  { fold, strengths }: { readonly fold: number; readonly strengths: readonly number[] },
): AsyncGenerator<Scorer> {
  // Loaded on demand, as trees are.
  const [{ gatherExamples }, { Minimiser }] = await Promise.all([
    import('../rules/logistic/examples.ts'),
    import('../rules/logistic/minimise.ts'),
  ]);
  let dimension = 0;
  for (const batch of folds.learnedFrom(fold)) dimension = Math.max(dimension, batch.dimension);
  const batches = () => weighing.weighEach(folds.learnedFrom(fold));
  const chains = chainsOf(encoding(), dimension);
  const examples = gatherExamples(kernels, batches, { classes, dimension, chains });
  const given = [options.alpha as number | undefined];
  const alphas = atPenalties ? strengths.map((C) => 1 / (C * examples.rows)) : given;
  const tolerance = atPenalties ? roughTolerance : undefined;
  const minimiser = new Minimiser(kernels, examples, { chains, biasConstant });
  let start: readonly LinearParameters[] | undefined;
  try {
    for (const alpha of alphas) {
      const { functions } = await minimiser.minimise({ alpha, start, tolerance, breathe });
      start = functions;
      const scorer = scorerOf(
        kernels,
        functions.map((each) => ({ ...each, biasConstant, divisor: 1 })),
      );
      try {
        yield scorer;
      } finally {
        scorer.free();
      }
    }
  } finally {
    minimiser.free();
  }
}

/** Grows a tree from all folds but one. @throws HalfspaceError as `trainTree` does. */
async function treeOfFold(
  { options }: Candidate,
  { classes: count, weighing, encoding, breathe }: FoldContext,
  folds: Folds,
  fold: number,
): Promise<Scorer> {
  // Loaded on demand: a page that grows no tree does not need the code.
  const [{ growFrom }, { TreeScorer }] = await Promise.all([
    import('../model/tree/grow-from-batches.ts'),
    import('../model/tree/scorer.ts'),
  ]);
  let rows = 0;
  for (const batch of folds.learnedFrom(fold)) rows += batch.rows;
  const classes = Array.from({ length: count }, (_, k) => String(k));
  const features = encoding();
  const weigh = (batch: StoredBatch) => weighing.weigh(batch);
  const tree = await growFrom(
    { batches: () => folds.learnedFrom(fold), rows },
    { features, classes, weigh, options: options as TreeOptions, breathe },
  );
  return new TreeScorer({ tree, features, classes });
}
