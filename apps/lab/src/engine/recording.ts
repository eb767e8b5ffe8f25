import type { Model, TrainingReport } from 'halfspace';
import type { Examples } from './examples.ts';

/**
 * A whole run, so that any moment of it can be shown. A step is one example shown; step s of 0 … `steps` is the
 * moment after s examples. Snapshots hold the weights where they changed: snapshot k is the state after the k-th
 * change, snapshot 0 the start. Rules in dual form and trees have no snapshots.
 */
export interface Recording {
  /** The example of every step, by its number in the data. */
  readonly rows: Uint32Array;
  readonly steps: number;
  /** The steps that were updates, counted from 1, rising. */
  readonly updates: Uint32Array;
  /** The steps after which there is a snapshot, counted from 1, rising. Long runs keep only every k-th change. */
  readonly changes: Uint32Array;
  /**
   * True if there is a snapshot of every change. If not, weights between two snapshots are those of the earlier one.
   */
  readonly complete: boolean;
  /**
   * Number of examples and updates after the recorded ones, in a very long run. The last step then
   * represents all of them: it is the end of the run, and has no example. Null or absent: everything is recorded.
   */
  readonly skipped?: { readonly examples: number; readonly updates: number } | null;
  /** Number of steps before each pass, rising from 0. */
  readonly passes: Uint32Array;
  /** Number of values in a snapshot: the bias, then the weights. */
  readonly width: number;
  /**
   * The weights that updates change: (changes + 1) · width numbers, snapshot by snapshot. Empty if the rule has no
   * weights.
   */
  readonly present: Float64Array;
  /** The weights that the rule predicts with, if these differ (averaged, pocket); null: the present weights. */
  readonly answer: Float64Array | null;
  /** The run divided x by this number before learning. */
  readonly divisor: number;
  /** The constant that the bias is multiplied by: usually 1; 0: the rule has no bias. */
  readonly biasConstant: number;
  /** True if the bias is a component of w, so that norms and margins include it. */
  readonly absorbed: boolean;
  /** The class of a score of 0. */
  readonly tie: -1 | 1;
  /** The model, equal bit for bit to the one that the command makes of the same data and options. */
  readonly model: Model;
  /** The text of the model file. */
  readonly modelText: string;
  readonly report: TrainingReport;
  /**
   * The examples in the encoding of this run, if that has changed: the scale of columns is not fitted
   * to held-out examples, and a tree does not scale. Absent: the same encoding.
   */
  readonly examples?: Examples | undefined;
}

/** Accuracies at a step. */
export interface LearningPoint {
  readonly step: number;
  readonly train: number;
  /** Null: no examples are held out. */
  readonly holdout: number | null;
}

/** Weights and bias; the score is weights·x/divisor + bias·biasConstant. */
export interface Line {
  readonly weights: Float64Array;
  readonly bias: number;
}

/** Returns the line at a share of the way between two others. */
export function lineBetween(from: Line, to: Line, share: number): Line {
  const between = (a: number, b: number) => a + share * (b - a);
  return { bias: between(from.bias, to.bias), weights: to.weights.map((w, j) => between(from.weights[j]!, w)) };
}

/** A moment of a run. */
export interface Moment {
  readonly step: number;
  /** Pass of the example just shown, from 1; 0: the start. */
  readonly pass: number;
  /** The example just shown, by its number in the data; −1: the start. */
  readonly row: number;
  /** True if the step was an update. */
  readonly updated: boolean;
  /** Number of updates so far. */
  readonly updates: number;
  /** The weights after the step; null: there are no snapshots. */
  readonly present: Line | null;
  /** The weights before the step. */
  readonly before: Line | null;
  readonly answer: Line | null;
}

export function momentAt(recording: Recording, step: number): Moment {
  const { steps, skipped = null } = recording;
  const at = Math.max(0, Math.min(step, steps));
  const isRest = skipped !== null && at === steps;
  const updates = countUpTo(recording.updates, at);
  const previous = at === 0 ? 0 : countUpTo(recording.updates, at - 1);
  const present = lineAt(recording, recording.present, at);
  return {
    step: at,
    pass: at === 0 ? 0 : isRest ? recording.report.passes : countUpTo(recording.passes, at - 1),
    row: at === 0 || isRest ? -1 : recording.rows[at - 1]!,
    updated: updates > previous,
    updates: isRest ? updates + skipped.updates : updates,
    present,
    before: at === 0 ? present : lineAt(recording, recording.present, at - 1),
    answer: recording.answer === null ? present : answerAt(recording, recording.answer, at),
  };
}

/**
 * Returns the weights that the rule predicts with. A mean also moves between updates, towards the present weights:
 * after s examples it is (k·mean + (s − k)·present) / s, where k is the step of the last change. At the end it is
 * that of the model, which may count further clean passes of the present weights.
 */
function answerAt(recording: Recording, answer: Float64Array, step: number): Line {
  const { model, changes, complete, steps } = recording;
  if (step === steps && model.kind === 'linear' && isMeanOverTime(model)) return model;
  const k = countUpTo(changes, step);
  const kept = snapshot(recording, answer, k);
  const time = k === 0 ? 0 : changes[k - 1]!;
  if (!complete || time === step || !isMeanOverTime(model)) return kept;
  const present = snapshot(recording, recording.present, k);
  const mean = (a: number, b: number) => (time * a + (step - time) * b) / step;
  return {
    bias: mean(kept.bias, present.bias),
    weights: kept.weights.map((weight, j) => mean(weight, present.weights[j]!)),
  };
}

/** Tests if a model's weights are the mean, over all steps, of the weights of the run. */
function isMeanOverTime({ rule, options }: Model): boolean {
  return rule === 'averaged' || options.average === true;
}

/** Returns the weights of snapshot k, as views. */
export function snapshot({ width }: Recording, of: Float64Array, k: number): Line {
  return { bias: of[k * width]!, weights: of.subarray(k * width + 1, (k + 1) * width) };
}

function lineAt(recording: Recording, of: Float64Array, step: number): Line | null {
  return of.length === 0 ? null : snapshot(recording, of, countUpTo(recording.changes, step));
}

/** Counts the numbers that are at most `limit`, in a rising list. */
export function countUpTo(rising: Uint32Array, limit: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns ‖x/divisor‖², without the constant. */
export function squaredNorm(x: Float64Array, { divisor }: Pick<Recording, 'divisor'>): number {
  let sum = 0;
  for (const value of x) sum += (value / divisor) ** 2;
  return sum;
}

/** Returns the score w·x/divisor + b·c. */
export function scoreOf({ weights, bias }: Line, x: ArrayLike<number>, { divisor, biasConstant }: Recording): number {
  let sum = bias * biasConstant;
  for (let j = 0; j < weights.length; j++) sum += (weights[j]! * x[j]!) / divisor;
  return sum;
}

/** Returns the class of a score; `tie` for score 0. */
export function classOf(score: number, tie: number): number {
  return score > 0 ? 1 : score < 0 ? -1 : tie;
}
