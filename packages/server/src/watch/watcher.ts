import type { LearnedAnswer } from 'halfspace';
import { check, checkDistinct, list, members, whole } from 'halfspace/checks';
import type { LearnedRow } from 'halfspace/online';
import { type Alarm, checkAlarm, type DetectorName, detectorNames } from './alarm.ts';
import { type CalibrationReport, CalibrationWatch, type CalibrationWatchState } from './calibration-watch.ts';
import { ClassBalance, type ClassBalanceState, type ClassCount } from './class-balance.ts';
import { type ColumnReport, ColumnWatch, type ColumnWatchState } from './column-watch.ts';
import { ErrorWatch, type ErrorWatchState } from './error-watch.ts';
import { InputWatch, mostDoublings } from './input-watch.ts';

type PlainRow = NonNullable<LearnedRow['numbers']>;

export interface WatcherOptions {
  /** Number of the latest examples that are described by themselves, in [1, 100,000]. Default 1000. */
  readonly window?: number | undefined;
  /** Largest number of columns that are watched, the first that come, in [0, 2²⁰]. Default 256. */
  readonly columns?: number | undefined;
  /** Largest number of those whose means are watched, numbers and truths, in [0, 2²⁰]. Default 64. */
  readonly inputs?: number | undefined;
}

/** Figures of a stream of examples; plain data. */
export interface WatchReport {
  /** Number of examples that were watched. */
  readonly examples: number;
  /** Largest number of the latest examples that `latest` counts. */
  readonly window: number;
  /** In the order in which they came. */
  readonly classes: readonly ClassCount[];
  /** In the order in which they came. */
  readonly columns: readonly ColumnReport[];
  /** Of the latest examples; null if their answers had no probabilities. */
  readonly calibration: CalibrationReport | null;
  /** Number of alarms on the errors of answers, by detector. */
  readonly errorAlarms: Readonly<Record<DetectorName, number>>;
  /** The latest alarms, the oldest first, at most 32. */
  readonly alarms: readonly Alarm[];
}

/** Everything that a {@link Watcher} needs to go on with the same bits; plain data. */
export interface WatcherState {
  readonly window: number;
  readonly mostColumns: number;
  readonly mostInputs: number;
  readonly examples: number;
  readonly errors: ErrorWatchState;
  readonly errorAlarms: readonly number[];
  readonly classes: ClassBalanceState;
  readonly columns: readonly ColumnWatchState[];
  readonly calibration: CalibrationWatchState;
  readonly alarms: readonly Alarm[];
}

type Answered = Pick<LearnedAnswer, 'right' | 'drift'>;

const longestWindow = 100_000;
const mostAlarms = 32;
const none: readonly Alarm[] = [];

/**
 * Watches a model that learns: drift of its errors and of its inputs, the balance of the classes, unseen levels,
 * missing values and calibration. A function of the examples in order; it has no clock and no random number. Its
 * memory is bounded by its options.
 */
export class Watcher {
  readonly #window: number;
  readonly #mostColumns: number;
  readonly #mostInputs: number;
  #examples = 0;
  #errors = new ErrorWatch();
  /** Number of alarms of each of {@link detectorNames} on the errors. */
  #errorAlarms = [0, 0];
  #classes: ClassBalance;
  #calibration: CalibrationWatch;
  readonly #columns: ColumnWatch[] = [];
  #inputs = 0;
  #alarms: Alarm[] = [];
  /** The first numbers of a row of numbers. */
  #numbers = new Float64Array(0);

  constructor({ window = 1000, columns = 256, inputs = 64 }: WatcherOptions = {}) {
    this.#window = whole(window, 'window', 1, longestWindow);
    this.#mostColumns = whole(columns, 'columns', 0, 2 ** mostDoublings);
    this.#mostInputs = whole(inputs, 'inputs', 0, 2 ** mostDoublings);
    this.#classes = new ClassBalance(window);
    this.#calibration = new CalibrationWatch(window);
  }

  /**
   * Takes the next example, after the model learned from it.
   *
   * @param answer the model's answer to the example: `right` is null if it knew no class. `drift` is the verdict of its
   *   own detector; if it has one, this is the watcher's verdict, too, so that all who hear of drift hear the same.
   * @param sequence position of the example in the journal.
   * @returns the alarms, as a rule none. The list must not be changed.
   */
  update(row: LearnedRow, { right, drift }: Answered, sequence: number): readonly Alarm[] {
    const at = this.#examples++ % this.#window;
    const before = this.#alarms.length;
    this.#classes.add(at, row.class);
    this.#calibration.add(at, row.confidence, right === true);
    const own = row.detector === null ? undefined : drift ? (row.detector as DetectorName) : null;
    const detector = right === null ? null : this.#errors.update(right ? 0 : 1, own);
    if (detector !== null) {
      this.#errorAlarms[detectorNames.indexOf(detector)]!++;
      this.#alarm(detector, sequence, this.#errors, null);
    }
    if (row.cells === null) this.#updateNumbers(at, row.numbers!, row.dimension, sequence);
    else this.#updateColumns(at, row.cells, sequence);
    if (this.#alarms.length === before) return none;
    const raised = this.#alarms.slice(before);
    if (this.#alarms.length > mostAlarms) this.#alarms = this.#alarms.slice(-mostAlarms);
    return raised;
  }

  #updateColumns(at: number, columns: NonNullable<LearnedRow['cells']>, sequence: number): void {
    const count = Math.min(columns.length, this.#mostColumns);
    // The kind of a column may change while it is not decided.
    for (let c = 0; c < count; c++) {
      const { name, kind, joined } = columns[c]!;
      const watch = this.#columns[c] ?? this.#join(name);
      const hasMean = kind === 'number' || kind === 'boolean';
      if (hasMean !== (watch.input !== null)) this.#watchMean(watch, hasMean && joined !== 'missing');
    }
    for (let c = 0; c < count; c++) {
      const column = columns[c]!;
      const watch = this.#columns[c]!;
      const detector = watch.update(at, column.joined, column.number);
      if (detector !== null) this.#alarm(detector, sequence, watch.input!, watch.name);
    }
  }

  #updateNumbers(at: number, { indices, values, count }: PlainRow, dimension: number, sequence: number): void {
    const width = Math.min(dimension, this.#mostColumns, this.#mostInputs);
    for (let c = this.#columns.length; c < width; c++) this.#watchMean(this.#join(String(c)), true);
    if (this.#numbers.length < width) this.#numbers = new Float64Array(width);
    const numbers = this.#numbers.fill(0);
    for (let k = 0; k < count; k++) if (indices[k]! < width) numbers[indices[k]!] = values[k]!;
    for (let c = 0; c < width; c++) {
      const watch = this.#columns[c]!;
      const detector = watch.update(at, 'known', numbers[c]!);
      if (detector !== null) this.#alarm(detector, sequence, watch.input!, watch.name);
    }
  }

  #join(name: string): ColumnWatch {
    const watch = new ColumnWatch(name, this.#window, this.#examples - 1, null);
    this.#columns.push(watch);
    return watch;
  }

  /** Begins to watch the mean of a column unless there are too many, or ends it. */
  #watchMean(watch: ColumnWatch, isWatched: boolean): void {
    if (!isWatched) {
      if (watch.input !== null) this.#inputs--;
      watch.input = null;
    } else if (this.#inputs < this.#mostInputs) {
      const doublings = 32 - Math.clz32(this.#inputs++);
      for (const column of this.#columns) column.input?.correctFor(doublings);
      watch.input = new InputWatch(doublings);
    }
  }

  #alarm(
    detector: DetectorName,
    sequence: number,
    { before, after }: { readonly before: number; readonly after: number },
    input: string | null,
  ): void {
    const of = input === null ? 'error' : 'input';
    this.#alarms.push({ sequence, examples: this.#examples, of, input, detector, before, after });
  }

  /** Returns a watcher for another model on the same stream: it knows nothing but the latest alarms. */
  renewed(): Watcher {
    const watcher = new Watcher({ window: this.#window, columns: this.#mostColumns, inputs: this.#mostInputs });
    watcher.#alarms = [...this.#alarms];
    return watcher;
  }

  /** Returns the figures so far, in time that follows the window and the number of columns. */
  report(): WatchReport {
    const examples = this.#examples;
    const [adwin, pageHinkley] = this.#errorAlarms as [number, number];
    return {
      examples,
      window: this.#window,
      classes: this.#classes.counts(examples),
      columns: this.#columns.map((column) => column.report(examples)),
      calibration: this.#calibration.report(examples),
      errorAlarms: { adwin, 'page-hinkley': pageHinkley },
      alarms: [...this.#alarms],
    };
  }

  /** Returns a copy of everything, to go on from later with the same bits. */
  state(): WatcherState {
    const examples = this.#examples;
    return {
      window: this.#window,
      mostColumns: this.#mostColumns,
      mostInputs: this.#mostInputs,
      examples,
      errors: this.#errors.state(),
      errorAlarms: [...this.#errorAlarms],
      classes: this.#classes.state(examples),
      columns: this.#columns.map((column) => column.state(examples)),
      calibration: this.#calibration.state(examples),
      alarms: [...this.#alarms],
    };
  }

  /** @throws HalfspaceError `model-invalid` for anything else than a state of this class. */
  static from(state: unknown): Watcher {
    const value = members(state, 'watch', [
      ...['window', 'mostColumns', 'mostInputs', 'examples', 'errors', 'errorAlarms'],
      ...['classes', 'columns', 'calibration', 'alarms'],
    ]);
    const window = whole(value.window, 'watch.window', 1, longestWindow);
    const watcher = new Watcher({
      window,
      columns: whole(value.mostColumns, 'watch.mostColumns', 0, 2 ** mostDoublings),
      inputs: whole(value.mostInputs, 'watch.mostInputs', 0, 2 ** mostDoublings),
    });
    const examples = whole(value.examples, 'watch.examples');
    watcher.#examples = examples;
    watcher.#errors = ErrorWatch.from(value.errors);
    const counts = list(value.errorAlarms, 'watch.errorAlarms', 2);
    watcher.#errorAlarms = [whole(counts[0], 'watch.errorAlarms'), whole(counts[1], 'watch.errorAlarms')];
    watcher.#classes = ClassBalance.from(value.classes, window, examples);
    watcher.#calibration = CalibrationWatch.from(value.calibration, window, examples);
    for (const column of list(value.columns, 'watch.columns', watcher.#mostColumns))
      watcher.#columns.push(ColumnWatch.from(column, window, examples));
    const names = watcher.#columns.map(({ name }) => name);
    checkDistinct(names, 'watch.columns', 'each name once');
    watcher.#inputs = watcher.#columns.filter(({ input }) => input !== null).length;
    check(watcher.#inputs <= watcher.#mostInputs, 'watch.columns', `${watcher.#mostInputs} inputs`, watcher.#inputs);
    watcher.#alarms = list(value.alarms, 'watch.alarms', mostAlarms).map((alarm) => checkAlarm(alarm, 'watch.alarms'));
    return watcher;
  }
}
