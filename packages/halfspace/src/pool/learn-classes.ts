import type { Breathe } from '../data/breathe.ts';
import { FoldParts } from '../evaluate/fold-parts.ts';
import type { OneVersusRestState } from '../rules/one-versus-rest.ts';
import { createMulticlassLearner } from '../rules/registry.ts';
import type { Passed } from '../train/pass-loop.ts';
import type { RunExamples } from '../train/run-examples.ts';
import type { StopRule } from '../train/stop-rule.ts';
import type { ClassesTask } from './classes-task.ts';
import { FoldPool, type Starting } from './fold-pool.ts';

/** Smallest number of values that all learners see in all passes: a quarter of a second of work, or so. */
const leastSeen = 1 << 26;
/** Largest number of weights of all learners: a copy of them has 256 MiB. */
const mostWeights = 1 << 23;
/** Largest number of tasks. */
const mostTasks = 64;

/**
 * Makes all passes of a run by one-vs-rest on several threads, because its learners do not see each other's scores. The
 * bits are those of one thread.
 *
 * @param onLearned called when more learners have made all passes, with their number and that of all.
 * @returns null if this does not pay, or if a pass without an update ends the run.
 */
export async function learnClasses(
  examples: RunExamples,
  { passes, cleanPass, cleanStreak }: StopRule,
  { threads, breathe, onLearned, least = leastSeen, starting }: Parallel,
): Promise<Passed | null> {
  const { plan, kernels, intake, classes, order, biasConstant } = examples;
  const { rule, tie } = plan.variant;
  const { store } = intake;
  // Other rules often end with a pass without updates, which no single learner knows.
  const isApart = rule === 'sgd' && plan.multiclass === 'one-vs-rest' && cleanStreak === Infinity;
  const isInOrder = (order === 'cyclic' || order === 'shuffled-once') && !store.large;
  const isWorth = passes * store.stored * classes.length >= least && classes.length * store.dimension <= mostWeights;
  if (threads === 1 || classes.length < 3 || !isApart || !isInOrder || !isWorth) return null;
  const options = { ...plan.ruleOptions, tie, biasConstant, seed: plan.seed };
  const each = Math.ceil(classes.length / mostTasks);
  const tasks: ClassesTask[] = [];
  for (let first = 0; first < classes.length; first += each)
    tasks.push({ rule, options, first, end: Math.min(first + each, classes.length), passes });
  const encoding = () => examples.source.encoding();
  const context = { kernels, classes: classes.length, weighing: examples.weighing, encoding, threads, breathe };
  const updatesPerPass = new Array<number>(passes).fill(0);
  const machines: OneVersusRestState['machines'][number][] = [];
  let clock = 0;
  const pool = new FoldPool(context, { goal: null, metric: null }, starting);
  try {
    await pool.run(new FoldParts(kernels, [store], false), tasks, 0, (learned) => {
      machines.push(...learned.states);
      for (const [pass, updates] of learned.updatesPerPass.entries()) updatesPerPass[pass]! += updates;
      ({ clock } = learned);
      onLearned(machines.length, classes.length);
    });
  } finally {
    pool.close();
  }
  if (cleanPass && updatesPerPass.includes(0)) return null;
  const state: OneVersusRestState = { rule, machines, known: classes.length, examples: passes * store.rows, clock };
  const learner = createMulticlassLearner(kernels, rule, 'one-vs-rest', { ...options, classes: classes.length }, state);
  return { learner, log: { updatesPerPass, progressive: null, ended: 'passes' } };
}

interface Parallel {
  readonly threads: number | undefined;
  readonly breathe: Breathe;
  readonly onLearned: (done: number, of: number) => void;
  /** For tests: smallest number of values that are seen, and the start of threads. */
  readonly least?: number;
  readonly starting?: Starting;
}
