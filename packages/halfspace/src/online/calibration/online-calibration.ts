import { checkOptionNames } from '../../features/option-names.ts';
import { members, oneOf, whole } from '../../json.ts';
import type { Calibration } from '../../model/calibration.ts';
import { completeOptions, type GivenOptions, type OptionSpecs } from '../../rules/rule-options.ts';
import { OnlineSigmoid, type SigmoidState } from './online-sigmoid.ts';
import { OnlineSoftmax, type SoftmaxState } from './online-softmax.ts';

const onlineCalibrationOptions = {
  window: {
    kind: 'number',
    whole: true,
    from: 100,
    to: 100_000,
    default: 2000,
    about: 'number of the latest rows that probabilities are fitted to',
  },
} as const satisfies OptionSpecs;

/** `window`: number of rows from 100 to 100,000, default 2,000. */
export type OnlineCalibrationOptions = GivenOptions<typeof onlineCalibrationOptions>;

/** The state of {@link OnlineCalibration}. */
interface OnlineCalibrationState {
  readonly window: number;
  /** 0: no scores have come. */
  readonly outputs: 0 | 1 | 2;
  readonly fit: SigmoidState | SoftmaxState | null;
}

/**
 * Fits probabilities to the scores of rows that are learned from later: Platt's sigmoid for two classes, a softmax for
 * more. The fit follows the latest rows. The cost of a row is bounded, and so is the memory.
 */
export class OnlineCalibration {
  readonly #window: number;
  #fit: OnlineSigmoid | OnlineSoftmax | null = null;

  /** @throws HalfspaceError `option-invalid`. */
  constructor(options: OnlineCalibrationOptions = {}) {
    checkOptionNames(options, Object.keys(onlineCalibrationOptions), 'the online calibration');
    this.#window = completeOptions(onlineCalibrationOptions, options).window as number;
  }

  /**
   * The calibration of a model, as plain data. Null before 20 rows of each of two classes have come, or 50 rows if
   * there are more classes. It changes with some rows only.
   */
  get calibration(): Calibration | null {
    return this.#fit?.calibration ?? null;
  }

  /**
   * Learns from one row, which the scores must not know yet.
   *
   * @param scores finite: one for two classes, above 0 for the second; else one for each class, in a constant order,
   *   and classes that join come last. Other numbers of scores start a new fit.
   * @param actual position of the row's class. @param importance above 0.
   * @returns the probability of the row's class by {@link calibration} before this row; null: there was none.
   */
  learn(scores: ArrayLike<number>, actual: number, importance: number): number | null {
    if (scores.length === 1) {
      if (!(this.#fit instanceof OnlineSigmoid)) this.#fit = new OnlineSigmoid(this.#window);
      return this.#fit.learn(scores[0]!, actual, importance);
    }
    if (!(this.#fit instanceof OnlineSoftmax)) this.#fit = new OnlineSoftmax(this.#window, scores.length);
    return this.#fit.learn(scores, actual, importance);
  }

  /** Returns a copy of everything, to go on from later with the same bits. */
  state(): OnlineCalibrationState {
    const fit = this.#fit;
    return {
      window: this.#window,
      outputs: fit === null ? 0 : fit instanceof OnlineSigmoid ? 1 : 2,
      fit: fit?.state() ?? null,
    };
  }

  /**
   * Goes on from a state, which may come from an untrusted file.
   *
   * @throws HalfspaceError `model-invalid` for anything else than a state of this class.
   */
  static from(state: unknown): OnlineCalibration {
    const value = members(state, 'calibration', ['window', 'outputs', 'fit']);
    const { from, to } = onlineCalibrationOptions.window;
    const restored = new OnlineCalibration({ window: whole(value.window, 'calibration.window', from, to) });
    const outputs = oneOf(value.outputs, 'calibration.outputs', [0, 1, 2]);
    if (outputs === 0) oneOf(value.fit as null, 'calibration.fit', [null]);
    if (outputs === 1) restored.#fit = OnlineSigmoid.from(value.fit, restored.#window);
    if (outputs === 2) restored.#fit = OnlineSoftmax.from(value.fit, restored.#window);
    return restored;
  }
}
