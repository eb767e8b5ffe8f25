import { check, members } from '../json.ts';

/** The state of {@link LatestRows}: one entry for each row, the oldest first. */
export interface LatestRowsState {
  readonly actual: Int32Array;
  readonly predicted: Int32Array;
  readonly majority: Int32Array;
  readonly importance: Float64Array;
  readonly probability: Float64Array;
}

/** The outcomes of the latest rows, in a ring that grows up to the length of the window. */
export class LatestRows {
  readonly #window: number;
  /** Number of rows so far. Row r is at r % window. */
  #rows: number;
  #actual = new Int32Array(16);
  #predicted = new Int32Array(16);
  #majority = new Int32Array(16);
  #importance = new Float64Array(16);
  #probability = new Float64Array(16);

  constructor(window: number) {
    this.#window = window;
    this.#rows = 0;
  }

  /** Number of rows in the window. */
  get size(): number {
    return Math.min(this.#rows, this.#window);
  }

  /** Appends a row. @param predicted −1 for none. @param probability −1 for none. */
  push(predicted: number, actual: number, majority: number, importance: number, probability: number): void {
    const at = this.#rows++ % this.#window;
    if (at === this.#actual.length) this.#reserve(Math.min(2 * at, this.#window));
    this.#actual[at] = actual;
    this.#predicted[at] = predicted;
    this.#majority[at] = majority;
    this.#importance[at] = importance;
    this.#probability[at] = probability;
  }

  /** Calls `visit` for each row of the window, the oldest first. */
  forEach(
    visit: (predicted: number, actual: number, majority: number, importance: number, probability: number) => void,
  ): void {
    for (let r = this.#rows - this.size; r < this.#rows; r++) {
      const at = r % this.#window;
      visit(
        this.#predicted[at]!,
        this.#actual[at]!,
        this.#majority[at]!,
        this.#importance[at]!,
        this.#probability[at]!,
      );
    }
  }

  state(): LatestRowsState {
    const size = this.size;
    const state = {
      actual: new Int32Array(size),
      predicted: new Int32Array(size),
      majority: new Int32Array(size),
      importance: new Float64Array(size),
      probability: new Float64Array(size),
    };
    let row = 0;
    this.forEach((predicted, actual, majority, importance, probability) => {
      state.actual[row] = actual;
      state.predicted[row] = predicted;
      state.majority[row] = majority;
      state.importance[row] = importance;
      state.probability[row++] = probability;
    });
    return state;
  }

  /**
   * @param rows number of rows so far. @param classes number of classes so far.
   * @throws HalfspaceError `model-invalid` for anything else than a state of this class.
   */
  static from(state: unknown, window: number, rows: number, classes: number, largestImportance: number): LatestRows {
    const value = members(state, 'metrics.latest', ['actual', 'predicted', 'majority', 'importance', 'probability']);
    const size = Math.min(rows, window);
    const latest = new LatestRows(window);
    latest.#rows = rows - size;
    const read = <A extends Int32Array | Float64Array>(
      name: string,
      Kind: new (length: number) => A,
      least: number,
      most: number,
    ): A => {
      const given = value[name];
      check(given instanceof Kind && given.length === size, `metrics.latest.${name}`, `${size} numbers`, given);
      const numbers = given as A;
      for (const each of numbers)
        check(each >= least && each <= most, `metrics.latest.${name}`, `in [${least}, ${most}]`, each);
      return numbers;
    };
    const actual = read('actual', Int32Array, 0, classes - 1);
    const predicted = read('predicted', Int32Array, -1, classes - 1);
    const majority = read('majority', Int32Array, -1, classes - 1);
    const importance = read('importance', Float64Array, Number.MIN_VALUE, largestImportance);
    const probability = read('probability', Float64Array, -1, 1);
    if (size > latest.#actual.length) latest.#reserve(size);
    for (let k = 0; k < size; k++)
      latest.push(predicted[k]!, actual[k]!, majority[k]!, importance[k]!, probability[k]!);
    return latest;
  }

  #reserve(length: number): void {
    const extend = <A extends Int32Array | Float64Array>(longer: A, numbers: A): A => {
      longer.set(numbers);
      return longer;
    };
    this.#actual = extend(new Int32Array(length), this.#actual);
    this.#predicted = extend(new Int32Array(length), this.#predicted);
    this.#majority = extend(new Int32Array(length), this.#majority);
    this.#importance = extend(new Float64Array(length), this.#importance);
    this.#probability = extend(new Float64Array(length), this.#probability);
  }
}
