import type { ClassRun } from '../../engine/class-recording.ts';
import { countUpTo } from '../../engine/recording.ts';
import { remember } from '../cache.ts';

/** Biases and weights of all classes after a step: a view of the run's snapshots. */
export type Weights = Float64Array;

/** A moment of a run on several classes. */
export interface ClassMoment {
  readonly step: number;
  readonly isOver: boolean;
  readonly updates: number;
  /** The example just shown, by its number in the data; −1: the start. */
  readonly row: number;
  readonly updated: boolean;
  readonly present: Weights;
  readonly before: Weights;
}

export function classMomentAt(run: ClassRun, step: number): ClassMoment {
  const at = Math.max(0, Math.min(step, run.steps));
  const updates = countUpTo(run.updates, at);
  const previous = at === 0 ? 0 : countUpTo(run.updates, at - 1);
  return {
    step: at,
    isOver: step >= run.steps,
    updates,
    row: at === 0 ? -1 : run.rows[at - 1]!,
    updated: updates > previous,
    present: weightsAt(run, at),
    before: at === 0 ? weightsAt(run, 0) : weightsAt(run, at - 1),
  };
}

function weightsAt(run: ClassRun, step: number): Weights {
  const width = run.classes.length * (run.dimension + 1);
  const k = countUpTo(run.changes, step);
  return run.present.subarray(k * width, (k + 1) * width);
}

/** Returns the score of each class for an example, as encoded. */
export function classScores(run: ClassRun, weights: Weights, x: ArrayLike<number>): number[] {
  const width = run.dimension + 1;
  return run.classes.map((_, k) => {
    let sum = weights[k * width]! * run.biasConstant;
    for (let j = 0; j < run.dimension; j++) sum += (weights[k * width + 1 + j]! * x[j]!) / run.divisor;
    return sum;
  });
}

/** Returns the class with the highest score, the first of equal ones. */
export function winner(scores: readonly number[]): number {
  let best = 0;
  for (let k = 1; k < scores.length; k++) if (scores[k]! > scores[best]!) best = k;
  return best;
}

/** Returns the highest of the classes besides one: the one that a mistake lowers. */
export function bestOther(scores: readonly number[], besides: number): number {
  let best = -1;
  scores.forEach((score, k) => {
    if (k !== besides && (best < 0 || score > scores[best]!)) best = k;
  });
  return best;
}

/** Positions of the drawn examples, by their numbers in the data. */
const placesOf = remember((run: ClassRun) => new Map(Array.from(run.shown, (row, k) => [row, k])));

/** Returns the features of a drawn example, as a view; null: it is not drawn. */
export function featuresOfRow(run: ClassRun, row: number): Float64Array | null {
  const k = placesOf(run).get(row);
  return k === undefined ? null : run.vectors.subarray(k * run.dimension, (k + 1) * run.dimension);
}

/** Returns the class that each drawn example gets. */
export function predictions(run: ClassRun, weights: Weights): Uint32Array {
  const { dimension, vectors } = run;
  return Uint32Array.from(run.shown, (_, k) =>
    winner(classScores(run, weights, vectors.subarray(k * dimension, (k + 1) * dimension))),
  );
}
