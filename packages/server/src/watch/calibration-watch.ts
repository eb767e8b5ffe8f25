import { check, checkDoubles, members, number } from 'halfspace/checks';
import { reliabilityCurve } from 'halfspace/metrics';
import { Window } from './window.ts';

/** Probabilities of the answered classes beside the shares of answers that were right, of the latest examples. */
export interface CalibrationReport {
  /** Number of answers with a probability. */
  readonly examples: number;
  /** Mean over the answers of |mean probability − share of right answers| of their bin; in [0, 1]. */
  readonly expectedCalibrationError: number;
  /** At most 10 bins of about as many answers each, by rising probability. */
  readonly bins: readonly {
    readonly examples: number;
    readonly probability: number;
    readonly right: number;
  }[];
}

export interface CalibrationWatchState {
  /** Of each of the latest examples, the oldest first: the probability of its answer; −1: it had none. */
  readonly confidence: Float64Array;
  /** 1: the answer was right. */
  readonly right: Uint8Array;
}

const bins = 10;

/** Keeps the probabilities of the latest answers, and compares them with what came. */
export class CalibrationWatch {
  readonly #length: number;
  readonly #confidence: Window<Float64Array>;
  readonly #right: Window<Uint8Array>;

  /** @param length number of the latest examples that are kept. */
  constructor(length: number) {
    this.#length = length;
    this.#confidence = new Window(length, new Float64Array(0));
    this.#right = new Window(length, new Uint8Array(0));
  }

  /** @param at place of the example in the window. @param confidence probability of the answered class; null: none. */
  add(at: number, confidence: number | null, right: boolean): void {
    this.#confidence.set(at, confidence ?? -1);
    this.#right.set(at, right ? 1 : 0);
  }

  /** Returns null if no answer of the window had a probability. @param examples number of examples so far. */
  report(examples: number): CalibrationReport | null {
    const state = this.state(examples);
    const answered = Array.from(state.confidence.keys()).filter((e) => state.confidence[e]! >= 0);
    if (answered.length === 0) return null;
    const probabilities = Float64Array.from(answered, (e) => state.confidence[e]!);
    const labels = Float64Array.from(answered, (e) => (state.right[e] === 1 ? 1 : -1));
    const { meanProbabilities, positiveShares, weights, expectedCalibrationError } = reliabilityCurve(
      probabilities,
      labels,
      { bins },
    );
    return {
      examples: answered.length,
      expectedCalibrationError,
      bins: Array.from(weights, (weight, b) => ({
        examples: weight,
        probability: meanProbabilities[b]!,
        right: positiveShares[b]!,
      })),
    };
  }

  state(examples: number): CalibrationWatchState {
    const from = Math.max(0, examples - this.#length);
    return { confidence: this.#confidence.slice(from, examples), right: this.#right.slice(from, examples) };
  }

  /** @throws HalfspaceError `model-invalid` for anything else than a state of this class. */
  static from(state: unknown, length: number, examples: number): CalibrationWatch {
    const value = members(state, 'calibration', ['confidence', 'right']);
    const size = Math.min(examples, length);
    const confidence = checkDoubles(value.confidence, 'calibration.confidence', size);
    const { right } = value;
    check(right instanceof Uint8Array && right.length === size, 'calibration.right', `${size} numbers`, right);
    const watch = new CalibrationWatch(length);
    confidence.forEach((each, i) => {
      const p = each === -1 ? null : number(each, 'calibration.confidence', 0, 1);
      watch.add((examples - size + i) % length, p, (right as Uint8Array)[i] === 1);
    });
    return watch;
  }
}
