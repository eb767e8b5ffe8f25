import type { Model, TrainingReport } from 'halfspace';
import type { Examples } from './examples.ts';

/**
 * A whole run, so that any moment of it can be shown. A step is one example shown; step s of 0 … `steps` is the moment after s examples.
 * Snapshots hold weights where they changed: snapshot k is the state after the k-th change, snapshot 0 the start. Of rules in dual form and of
 * trees there are none.
 */
export interface Recording {
  /** Examples shown, in the order shown: their numbers in the data. */
  readonly rows: Uint32Array;
  readonly steps: number;
  /** The steps, counted from 1, that were updates: rising. */
  readonly updates: Uint32Array;
  /** The steps, counted from 1, after which the weights were kept: rising. Of large runs only every so many changes were kept. */
  readonly changes: Uint32Array;
  /** False: some changes were not kept, so weights between two snapshots are those of the earlier one. */
  readonly complete: boolean;
  /**
   * Examples shown, and updates made, after those that are kept: of a very long run. The last step then stands for all of them, as the end of the run;
   * it is of no example. Null or absent: none, every example shown is a step.
   */
  readonly skipped?: { readonly examples: number; readonly updates: number } | null;
  /** How many steps had gone by when each pass began: rising, the first 0. */
  readonly passes: Uint32Array;
  /** How many numbers a snapshot has: the bias, then the weights. */
  readonly width: number;
  /** The weights that updates change: (changes + 1) · width numbers, snapshot by snapshot. Empty where the rule has no such weights. */
  readonly present: Float64Array;
  /** The weights that would answer, where the rule answers with others (averaged, pocket); else null: the present ones. */
  readonly answer: Float64Array | null;
  /** x was divided by this before learning. */
  readonly divisor: number;
  /** What the bias is the weight of: 1; 0: the rule has no bias. */
  readonly biasConstant: number;
  /** Whether the bias is a component of w, so that norms and margins include it. */
  readonly absorbed: boolean;
  /** The class of a score of 0. */
  readonly tie: -1 | 1;
  /** What came out: the model that the command makes of the same data and options, to the bit. */
  readonly model: Model;
  /** The file's text of it. */
  readonly modelText: string;
  readonly report: TrainingReport;
  /**
   * The examples as this run took them, where that is otherwise than before: examples held out have no say in how columns are scaled, and a tree takes
   * numbers as they are. Absent: as they were.
   */
  readonly examples?: Examples | undefined;
}

/** Weights and their bias; score: weights·x/divisor + bias·biasConstant. */
export interface Line {
  readonly weights: Float64Array;
  readonly bias: number;
}

/** One moment of a run. */
export interface Moment {
  readonly step: number;
  /** The pass of the example just shown, from 1; 0 at the start. */
  readonly pass: number;
  /** The example just shown, by its number in the data; −1 at the start. */
  readonly row: number;
  /** Whether that was an update. */
  readonly updated: boolean;
  /** Updates so far. */
  readonly updates: number;
  /** Null where there are no snapshots. */
  readonly present: Line | null;
  /** As it was when the example was shown. */
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
 * The weights that would answer. A mean moves between updates too, towards the present weights: after s examples it is (k·mean + (s − k)·present) / s,
 * k being the step of the last change. At the end the model itself answers, in which the present weights may have been given further clean passes.
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

/** Whether a model's weights are the mean of those that the run had, each counted by the examples that it lasted. */
function isMeanOverTime({ rule, options }: Model): boolean {
  return rule === 'averaged' || (rule === 'arow' && options.average === true);
}

/** The weights of snapshot k; views, not copies. */
export function snapshot({ width }: Recording, of: Float64Array, k: number): Line {
  return { bias: of[k * width]!, weights: of.subarray(k * width + 1, (k + 1) * width) };
}

function lineAt(recording: Recording, of: Float64Array, step: number): Line | null {
  return of.length === 0 ? null : snapshot(recording, of, countUpTo(recording.changes, step));
}

/** How many of rising numbers are at most `limit`. */
export function countUpTo(rising: Uint32Array, limit: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** ‖x/divisor‖², the constant left out. */
export function squaredNorm(x: Float64Array, { divisor }: Pick<Recording, 'divisor'>): number {
  let sum = 0;
  for (const value of x) sum += (value / divisor) ** 2;
  return sum;
}

/** w·x/divisor + b·c. */
export function scoreOf({ weights, bias }: Line, x: ArrayLike<number>, { divisor, biasConstant }: Recording): number {
  let sum = bias * biasConstant;
  for (let j = 0; j < weights.length; j++) sum += (weights[j]! * x[j]!) / divisor;
  return sum;
}
