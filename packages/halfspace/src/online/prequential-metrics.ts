import { HalfspaceError, quote } from '../errors.ts';
import { checkOptionNames } from '../features/option-names.ts';
import { check, members, number, whole } from '../json.ts';
import { checkDoubles } from '../rules/learner-state.ts';
import { completeOptions, type GivenOptions, type OptionSpecs } from '../rules/rule-options.ts';
import { type Agreement, agreementOf, ClassSums } from './class-sums.ts';
import { LatestRows, type LatestRowsState } from './latest-rows.ts';
import { type LogLossState, LogLossSum } from './log-loss-sum.ts';

/*
 * Prequential evaluation: each row is predicted before it is learned, so every row is a test (Dawid, "Statistical
 * theory: the prequential approach", 1984; Gama, Sebastião & Rodrigues, "On evaluating stream learning algorithms",
 * 2013). Over all rows, and over a sliding window of the latest ones.
 *
 * Nothing is ever subtracted: the window's figures are computed from its rows whenever they are asked. Sums of
 * importance are exact while the importance is whole; else each has a relative error below rows · 2⁻⁵³.
 */

/** With more classes there is no confusion matrix; this many need 8 MB. */
const mostConfused = 1024;
/** Largest importance of a row, so that no sum overflows. */
const largestImportance = 1e200;

export const prequentialOptions = {
  window: {
    kind: 'number',
    whole: true,
    from: 1,
    to: 1_000_000,
    default: 1000,
    about: 'number of the latest rows that the window holds',
  },
} as const satisfies OptionSpecs;

/** `window`: number of rows from 1 to 1,000,000, default 1,000. */
type PrequentialOptions = GivenOptions<typeof prequentialOptions>;

/** Figures over some rows. All are weighted by importance: a row of importance 2 counts as two rows. */
export interface PrequentialSummary extends Agreement {
  /** Number of rows of importance above 0. */
  readonly rows: number;
  /** Mean of −ln p, where p is the probability that was given to the row's class; null if no row had one. */
  readonly logLoss: number | null;
  /** Accuracy of always predicting the class that was the most frequent one before the row; NaN without rows. */
  readonly majority: number;
}

export interface PrequentialResult extends PrequentialSummary {
  /** The same figures over the latest rows. */
  readonly window: PrequentialSummary;
  readonly classes: readonly string[];
  /** `confusion[i][j]`: importance of the rows of class i that were predicted as j. Null beyond 1,024 classes. */
  readonly confusion: readonly (readonly number[])[] | null;
}

/** The state of {@link PrequentialMetrics}. */
export interface PrequentialState {
  readonly window: number;
  readonly classes: number;
  readonly rows: number;
  /** Position of the class with the most importance; −1 without rows. */
  readonly majority: number;
  readonly majorityRight: number;
  readonly logLoss: LogLossState;
  readonly actual: Float64Array;
  readonly predicted: Float64Array;
  readonly right: Float64Array;
  /** Row by row; null beyond 1,024 classes. */
  readonly confusion: Float64Array | null;
  readonly latest: LatestRowsState;
}

/** Counts predictions that were made before their rows were learned; see the head of this file. */
export class PrequentialMetrics {
  readonly #window: number;
  #classes = 0;
  #capacity = 4;
  #rows = 0;
  #majority = -1;
  #majorityRight = 0;
  #logLoss = new LogLossSum();
  #sums = new ClassSums(this.#capacity);
  #confusion: Float64Array | null = new Float64Array(this.#capacity ** 2);
  #latest: LatestRows;

  /** @throws HalfspaceError `option-invalid`. */
  constructor(options: PrequentialOptions = {}) {
    checkOptionNames(options, Object.keys(prequentialOptions), 'the prequential metrics');
    this.#window = completeOptions(prequentialOptions, options).window as number;
    this.#latest = new LatestRows(this.#window);
  }

  /** Number of rows of importance above 0. */
  get rows(): number {
    return this.#rows;
  }

  /** Share of the importance that was predicted right; NaN without rows. */
  get accuracy(): number {
    return agreementOf(this.#sums).accuracy;
  }

  /** Makes room for so many classes; fewer than before change nothing. */
  grow(classes: number): void {
    if (classes <= this.#classes) return;
    this.#classes = classes;
    if (classes <= this.#capacity) return;
    const before = this.#capacity;
    this.#capacity = Math.max(classes, 2 * before);
    this.#sums.reserve(this.#capacity);
    if (classes > mostConfused) this.#confusion = null;
    if (this.#confusion === null) return;
    this.#capacity = Math.min(this.#capacity, mostConfused);
    const wider = new Float64Array(this.#capacity ** 2);
    for (let k = 0; k < before; k++)
      wider.set(this.#confusion.subarray(k * before, (k + 1) * before), k * this.#capacity);
    this.#confusion = wider;
  }

  /**
   * Counts one row.
   *
   * @param predicted position of the predicted class; −1 for no prediction, which counts as an error.
   * @param actual position of the row's class, below the number given to {@link grow}.
   * @param importance in [0, 10²⁰⁰]; a row of importance 0 is ignored.
   * @param probability that was given to the row's class, in [0, 1]; null: none.
   * @throws HalfspaceError `number-invalid`; nothing is counted then.
   */
  add(predicted: number, actual: number, importance: number, probability: number | null): void {
    if (!(importance >= 0 && importance <= largestImportance))
      throw unusable('importance', 'in [0, 1e200]', importance);
    if (probability !== null && !(probability >= 0 && probability <= 1))
      throw unusable('probability', 'in [0, 1]', probability);
    if (!(actual >= 0 && actual < this.#classes)) throw unusable('class', `below ${this.#classes}`, actual);
    if (!(predicted >= -1 && predicted < this.#classes)) throw unusable('class', `below ${this.#classes}`, predicted);
    if (importance === 0) return;
    this.#rows++;
    this.#latest.push(predicted, actual, this.#majority, importance, probability ?? -1);
    if (this.#majority === actual) this.#majorityRight += importance;
    if (probability !== null) this.#logLoss.add(probability, importance);
    this.#sums.add(predicted, actual, importance);
    if (this.#confusion !== null && predicted >= 0) this.#confusion[actual * this.#capacity + predicted]! += importance;
    const sums = this.#sums.actual;
    if (this.#majority === -1 || sums[actual]! > sums[this.#majority]!) this.#majority = actual;
  }

  /**
   * Returns the figures of all rows so far, in time proportional to the window and to the confusion matrix.
   *
   * @param names of all classes, by position. @param order positions of the classes in the result; default: rising.
   */
  result(names: readonly string[], order: readonly number[] = names.map((_, k) => k)): PrequentialResult {
    const [capacity, confusion] = [this.#capacity, this.#confusion];
    return {
      ...summaryOf(this.#sums, this.#rows, this.#majorityRight, this.#logLoss),
      window: this.#windowSummary(),
      classes: order.map((k) => names[k]!),
      confusion: confusion && order.map((i) => order.map((j) => confusion[i * capacity + j]!)),
    };
  }

  #windowSummary(): PrequentialSummary {
    const sums = new ClassSums(this.#classes);
    const logLoss = new LogLossSum();
    let majorityRight = 0;
    this.#latest.forEach((predicted, actual, majority, importance, probability) => {
      sums.add(predicted, actual, importance);
      if (majority === actual) majorityRight += importance;
      if (probability >= 0) logLoss.add(probability, importance);
    });
    return summaryOf(sums, this.#latest.size, majorityRight, logLoss);
  }

  /** Returns a copy of everything, to go on from later with the same bits. */
  state(): PrequentialState {
    const [classes, capacity, confusion] = [this.#classes, this.#capacity, this.#confusion];
    let square: Float64Array | null = null;
    if (confusion !== null) {
      square = new Float64Array(classes ** 2);
      for (let k = 0; k < classes; k++)
        square.set(confusion.subarray(k * capacity, k * capacity + classes), k * classes);
    }
    return {
      window: this.#window,
      classes,
      rows: this.#rows,
      majority: this.#majority,
      majorityRight: this.#majorityRight,
      logLoss: this.#logLoss.state(),
      actual: this.#sums.actual.slice(0, classes),
      predicted: this.#sums.predicted.slice(0, classes),
      right: this.#sums.right.slice(0, classes),
      confusion: square,
      latest: this.#latest.state(),
    };
  }

  /**
   * Goes on from a state, which may come from an untrusted file.
   *
   * @throws HalfspaceError `model-invalid` for anything else than a state of this class.
   */
  static from(state: unknown): PrequentialMetrics {
    const value = members(state, 'metrics', stateMembers);
    const window = whole(value.window, 'metrics.window', 1, prequentialOptions.window.to);
    const metrics = new PrequentialMetrics({ window });
    const sums = {
      actual: checkDoubles(value.actual, 'metrics.actual'),
      predicted: checkDoubles(value.predicted, 'metrics.predicted'),
      right: checkDoubles(value.right, 'metrics.right'),
    };
    const classes = whole(value.classes, 'metrics.classes', sums.actual.length, sums.actual.length);
    metrics.grow(classes);
    metrics.#rows = whole(value.rows, 'metrics.rows');
    const bounds = metrics.#rows === 0 ? ([-1, -1] as const) : ([0, classes - 1] as const);
    metrics.#majority = whole(value.majority, 'metrics.majority', ...bounds);
    metrics.#majorityRight = number(value.majorityRight, 'metrics.majorityRight', 0);
    metrics.#logLoss = LogLossSum.from(value.logLoss, 'metrics.logLoss');
    for (const name of ['actual', 'predicted', 'right'] as const) {
      check(sums[name].length === classes, `metrics.${name}`, `${classes} numbers`, sums[name].length);
      check(sums[name].every(isSum), `metrics.${name}`, 'numbers from 0', 'others');
      metrics.#sums[name].set(sums[name]);
    }
    metrics.#restoreConfusion(value.confusion);
    metrics.#latest = LatestRows.from(value.latest, window, metrics.#rows, classes, largestImportance);
    return metrics;
  }

  #restoreConfusion(value: unknown): void {
    const [classes, capacity, confusion] = [this.#classes, this.#capacity, this.#confusion];
    check((value === null) === (confusion === null), 'metrics.confusion', `that of ${classes} classes`, value);
    if (confusion === null) return;
    const square = checkDoubles(value, 'metrics.confusion', classes ** 2);
    check(square.every(isSum), 'metrics.confusion', 'numbers from 0', 'others');
    for (let k = 0; k < classes; k++) confusion.set(square.subarray(k * classes, (k + 1) * classes), k * capacity);
  }
}

const stateMembers = [
  ...['window', 'classes', 'rows', 'majority', 'majorityRight', 'logLoss'],
  ...['actual', 'predicted', 'right', 'confusion', 'latest'],
];

function summaryOf(sums: ClassSums, rows: number, majorityRight: number, logLoss: LogLossSum): PrequentialSummary {
  const agreement = agreementOf(sums);
  return { rows, ...agreement, logLoss: logLoss.mean, majority: majorityRight / agreement.weight };
}

const isSum = (value: number): boolean => value >= 0;

function unusable(what: string, expected: string, got: unknown): HalfspaceError {
  return new HalfspaceError(
    'number-invalid',
    `expected ${what === 'importance' ? 'an' : 'a'} ${what} ${expected}; got ${quote(got)}`,
  );
}
