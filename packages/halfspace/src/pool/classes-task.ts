import { relabelled } from '../data/relabelled.ts';
import type { FoldContext } from '../evaluate/candidate.ts';
import type { FoldParts } from '../evaluate/fold-parts.ts';
import { clockAfter } from '../rules/counts.ts';
import type { LearnerState } from '../rules/learner.ts';
import { createLearner, type LearnerOptions, type RuleName } from '../rules/registry.ts';

/** All passes of some learners of one-vs-rest over the examples, the only part: plain data, for any thread. */
export interface ClassesTask {
  readonly rule: RuleName;
  readonly options: LearnerOptions<RuleName>;
  /** The learners: those of the classes from `first` to before `end`. */
  readonly first: number;
  readonly end: number;
  readonly passes: number;
}

/** Learners of some classes after their last pass. */
export interface LearnedClasses {
  readonly states: readonly LearnerState[];
  /** Number of updates in each pass, of all these learners. */
  readonly updatesPerPass: readonly number[];
  /** The importance of all examples shown. */
  readonly clock: number;
}

/** Runs a task. Only reads the examples. */
export async function runClassesTask(
  { rule, options, first, end, passes }: ClassesTask,
  { kernels, weighing, breathe }: FoldContext,
  parts: FoldParts,
): Promise<LearnedClasses> {
  const learners = Array.from({ length: end - first }, () => createLearner(kernels, rule, options));
  let labels = new Float64Array(0);
  const updatesPerPass: number[] = [];
  let clock = 0;
  let before = 0;
  try {
    for (let pass = 0; pass < passes; pass++) {
      for (const batch of weighing.weighEach(parts.judgedOn(0))) {
        const { rows } = batch;
        if (labels.length < rows) labels = new Float64Array(rows);
        const own = relabelled(batch, labels);
        for (const [k, learner] of learners.entries()) {
          const classes = batch.labels;
          for (let i = 0; i < rows; i++) labels[i] = classes[i] === first + k ? 1 : -1;
          learner.learn(own);
        }
        clock = clockAfter(clock, batch, 0, rows);
        await breathe();
      }
      const updates = learners.reduce((sum, { progress }) => sum + progress.updates, 0);
      updatesPerPass.push(updates - before);
      before = updates;
    }
    return { states: learners.map((learner) => learner.state()), updatesPerPass, clock };
  } finally {
    for (const learner of learners) learner.free();
  }
}
