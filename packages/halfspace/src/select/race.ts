import type { ExampleStore } from '../data/store.ts';
import type { Candidate, FoldContext } from '../evaluate/candidate.ts';
import { FoldedExamples } from '../evaluate/folded-examples.ts';
import { FoldPool } from '../pool/fold-pool.ts';
import type { FoldTask, Scored } from '../pool/fold-task.ts';
import type { Goal } from '../train/goal.ts';
import { errorsBehind, meanLoss } from './simplest.ts';

/** A candidate and the numbers of passes at which it is judged. */
export interface Runner {
  /** Returns the candidate for a number of training examples. */
  readonly candidate: (examples: number) => Candidate;
  readonly passes: readonly number[];
}

/** The result of a runner: for each number of passes it was judged at to the end, a score for each fold. */
export interface Raced {
  readonly passes: readonly number[];
  readonly scores: readonly (readonly Scored[])[];
}

export interface RaceOptions {
  /** k of the cross-validation. */
  readonly folds: number;
  /** Number of folds that are judged, the first ones. */
  readonly judged: number;
  /** Largest number of repetitions. */
  readonly repeats: number;
  /** Number of examples to sample by the seed. */
  readonly examples: number;
  readonly seed: number;
  /** Null for accuracy. */
  readonly goal: Goal | null;
  /** Runs the tasks, by the same goal. Default: this thread. */
  readonly pool?: FoldPool | undefined;
  /** Asked after every repetition but the last; true ends the race. Default: never. */
  readonly isSettled?: ((raced: readonly Raced[]) => boolean) | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/** Smallest number of predictions by which a run is ended early. */
const fewestToEnd = 2000;

/** Number of folds from which their differences tell what is clearly worse. */
const fewestFolds = 3;
/** Number of standard errors by which that is worse than the best: of the differences by fold, and of errors. */
const clear = 3;
const clearErrors = 2;

/**
 * Judges candidates fold by fold. After each fold, those are left out of the next ones whose loss is higher than that
 * of the best, and clearly so: by more than three standard errors of the differences by fold, or by more than two of
 * the difference between two independent numbers of errors. Errors on equal rows differ less than that. The same holds
 * for numbers of passes. If the folds are large and accuracy decides, a run of the first fold ends when another
 * judgement finds no fewer errors.
 *
 * @param store only read.
 * @returns the results in the order of the runners.
 */
export async function race(
  store: ExampleStore,
  context: FoldContext,
  runners: readonly Runner[],
  {
    folds,
    judged,
    repeats,
    examples,
    seed,
    goal,
    pool = new FoldPool(context, { goal }),
    isSettled,
    onProgress,
  }: RaceOptions,
): Promise<Raced[]> {
  // At least two repetitions tell if the choice stays the same.
  let blocks = judged * Math.min(repeats, 2);
  let done = 0;
  const lanes = runners.map((runner) => new Lane(runner));
  for (let repeat = 0; repeat < repeats; repeat++) {
    const dealt = new FoldedExamples(context.kernels, store, { folds, repeat, seed, examples, renumber: true });
    try {
      for (let fold = 0; fold < judged; fold++) {
        const live = lanes.filter(({ isOut }) => !isOut);
        const isFirst = repeat === 0 && fold === 0;
        const endsEarly = isFirst && goal === null && dealt.rows(fold) >= fewestToEnd;
        blocks--;
        const learned = dealt.examples - dealt.rows(fold);
        const tasks = live.map((lane): FoldTask => ({ ...lane.entry(learned), fold, endsEarly, isTrial: true }));
        await pool.run(dealt, tasks, live.length * blocks, (scores, k) => {
          live[k]!.add(scores);
          onProgress?.(++done, done + live.length - k - 1 + live.length * blocks);
        });
        leaveOut(live);
      }
      if (repeat + 1 === repeats || isSettled?.(lanes) === true) break;
      if (repeat > 0) blocks += judged;
    } finally {
      dealt.free();
    }
  }
  return lanes;
}

/** Leaves out what is clearly worse than the best. */
function leaveOut(lanes: readonly Lane[]): void {
  const all = lanes.flatMap(({ scores }) => scores);
  const losses = all.map(meanLoss);
  const least = Math.min(...losses);
  const best = all[losses.indexOf(least)]!;
  const fewest = errorsOf(best);
  for (const lane of lanes)
    lane.keep((scores) => {
      if (meanLoss(scores) === least) return true;
      const errors = errorsOf(scores);
      if (errors - fewest > clearErrors * Math.sqrt(errors + fewest)) return false;
      return scores.length < fewestFolds || errorsBehind(scores, best) <= clear;
    });
}

function errorsOf(scores: readonly Scored[]): number {
  return scores.reduce((sum, { errors }) => sum + errors, 0);
}

/** A runner in a race. */
class Lane implements Raced {
  readonly #candidate: Runner['candidate'];
  passes: readonly number[];
  scores: Scored[][];
  /** True if no further fold is needed. */
  isOut = false;

  constructor({ candidate, passes }: Runner) {
    this.#candidate = candidate;
    this.passes = passes;
    this.scores = passes.map(() => []);
  }

  /** Returns the candidate for a number of training examples, and the passes at which it is still judged. */
  entry(examples: number): Pick<FoldTask, 'candidate' | 'passes'> {
    return { candidate: this.#candidate(examples), passes: this.passes };
  }

  /** Adds the scores of a fold. */
  add(found: readonly Scored[]): void {
    found.forEach((score, p) => {
      this.scores[p]!.push(score);
    });
    this.passes = this.passes.slice(0, found.length);
    this.scores.length = found.length;
  }

  /** Keeps the numbers of passes whose scores are good enough; all of them, and is out, if none are. */
  keep(isGood: (scores: readonly Scored[]) => boolean): void {
    const good = this.scores.map(isGood);
    this.isOut = !good.includes(true);
    if (this.isOut) return;
    this.passes = this.passes.filter((_, p) => good[p]);
    this.scores = this.scores.filter((_, p) => good[p]);
  }
}
