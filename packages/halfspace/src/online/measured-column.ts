import { HalfspaceError, quote } from '../errors.ts';
import { wordReader } from '../features/cell-forms.ts';
import { expectedCell, levelOf, type ReadWord, refusedNumber, refusedWord, valueCell } from '../features/table-cell.ts';
import type { CellForm, MeasuredKind, TableColumn } from '../features/table-encoding.ts';
import type { LoadedRow } from '../kernels/plain-row.ts';
import { columnFlag } from '../table/listed.ts';
import type { ColumnSnapshot, ColumnState, JoinedCell, OnlineColumn } from './column.ts';
import { largestValue, tooLarge } from './largest-value.ts';
import type { Positions } from './positions.ts';
import type { Growth } from './size.ts';

export interface MeasuredState extends ColumnState {
  readonly kind: MeasuredKind;
  /** The form in which the cells are written; null: plainly. */
  readonly form: CellForm | null;
  readonly position: number;
  /** Importance, mean and sum of squared distances from the mean, of the values so far. */
  readonly weight: number;
  readonly mean: number;
  readonly squares: number;
}

/**
 * A field of numbers, booleans or dates: one feature, (x − mean) / deviation, one for each word in place of a number,
 * and one that marks missing values.
 *
 * The moments follow Welford, weighted by importance: one update per row, in the order of rows, so batches do not
 * matter. A row is asked about by the moments of the rows before it. It is learned by moments that include its own
 * value. So the first value of a field is 0, and no learned value is beyond √(n − 1), however far out it lies.
 *
 * @see Welford (1962), Note on a method for calculating corrected sums of squares and products; Samuelson (1968), How
 *   deviant can you be? (Journal of the American Statistical Association 63).
 */
export class MeasuredColumn implements OnlineColumn {
  readonly name: string;
  readonly kind: MeasuredKind;
  readonly bytes = 0;
  /** True if values are standardised; never for booleans. */
  readonly #scaled: boolean;
  #position = -1;
  #indicator = -1;
  #present = 0;
  #weight = 0;
  #mean = 0;
  #squares = 0;
  /** The standard deviation; 1 if it is 0. */
  #deviation = 1;
  /** The cell that was read, and the moments with it. Of a word in place of a number NaN, and its position. */
  #cell = Number.NaN;
  #level = -1;
  #nextWeight = 0;
  #nextMean = 0;
  #nextSquares = 0;

  readonly #form: CellForm | undefined;
  readonly #readWord: ReadWord;
  /** Number of words in place of numbers. Their features are behind that of the number. */
  readonly #levels: number;

  constructor(
    name: string,
    { kind, form }: { readonly kind: MeasuredKind; readonly form?: CellForm | undefined },
    standardize: boolean,
    state?: MeasuredState,
  ) {
    this.name = name;
    this.kind = kind;
    this.#form = form;
    this.#readWord = wordReader(kind, form);
    this.#levels = levelsOf(form);
    this.#scaled = standardize && kind !== 'boolean';
    if (state === undefined) return;
    this.#position = state.position;
    this.#indicator = state.indicator;
    this.#present = state.present;
    this.#weight = state.weight;
    this.#mean = state.mean;
    this.#squares = state.squares;
    this.#deviation = deviationOf(state.squares, state.weight);
  }

  get joined(): JoinedCell {
    return this.#isMissing ? 'missing' : 'known';
  }

  get #isMissing(): boolean {
    return Number.isNaN(this.#cell) && this.#level < 0;
  }

  get number(): number {
    return this.#cell;
  }

  clear(): void {
    this.#cell = Number.NaN;
    this.#level = -1;
  }

  reads(value: unknown): boolean {
    return typeof value !== 'string'
      ? this.#cellOf(value) !== refusedWord
      : Math.abs(this.#readWord(value)) !== Infinity;
  }

  #cellOf(value: unknown): number {
    if (typeof value === 'number' && this.kind === 'number') return value - value === 0 ? value : refusedNumber;
    return valueCell(this.kind, value, this.#form === undefined ? undefined : this.#readWord);
  }

  read(value: unknown, importance: number): void {
    const x = this.#cellOf(value);
    this.#level = levelOf(x, this.#levels);
    if (this.#level >= 0) return;
    if (x - x !== 0) {
      if (Number.isNaN(x)) return;
      throw this.#refused(x, value);
    }
    if (this.#scaled && Math.abs((x - this.#mean) / this.#deviation) === Infinity) throw this.#unscalable(x);
    if (importance > 0) {
      if (!(Math.abs(x) <= largestValue)) throw tooLarge(x, this.name);
      const distance = x - this.#mean;
      const weight = this.#weight + importance;
      const mean = this.#weight === 0 ? x + 0 : this.#mean + (importance * distance) / weight;
      const squares = this.#squares + importance * distance * (x - mean);
      if (this.#weight === 0) this.#nextSquares = 0;
      else if (squares < Infinity) this.#nextSquares = squares;
      else throw this.#unscalable(x);
      this.#nextWeight = weight;
      this.#nextMean = mean;
    }
    this.#cell = x;
  }

  ask(row: LoadedRow, dense: boolean): void {
    this.#emit(row, dense);
  }

  join(row: LoadedRow, dense: boolean, positions: Positions): void {
    if (this.#isMissing) {
      if (this.#indicator < 0) this.#indicator = positions.allot();
    } else {
      if (this.#position < 0) this.#position = positions.allot(1 + this.#levels);
      this.#present++;
    }
    if (!Number.isNaN(this.#cell)) {
      this.#weight = this.#nextWeight;
      this.#mean = this.#nextMean;
      this.#squares = this.#nextSquares;
      if (this.#scaled) this.#deviation = deviationOf(this.#squares, this.#weight);
    }
    this.#emit(row, dense);
  }

  growInto(growth: Growth): void {
    if ((this.#isMissing ? this.#indicator : this.#position) < 0)
      growth.features += this.#isMissing ? 1 : 1 + this.#levels;
  }

  #emit(row: LoadedRow, dense: boolean): void {
    const isMissing = this.#isMissing;
    const x = Number.isNaN(this.#cell) ? this.#mean : this.#cell;
    const feature = this.#scaled ? (x - this.#mean) / this.#deviation : x;
    if (dense || feature !== 0) row.add(this.#position, feature);
    for (let k = 0; k < this.#levels; k++)
      if (dense || k === this.#level) row.add(this.#position + 1 + k, k === this.#level ? 1 : 0);
    if (this.#indicator >= 0 && (dense || isMissing)) row.add(this.#indicator, isMissing ? 1 : 0);
  }

  snapshot(rows: number): ColumnSnapshot {
    const { name, kind } = this;
    const mean = this.#mean;
    const indicator = this.#indicator >= 0;
    const missing = { count: rows - this.#present, fill: mean, indicator };
    const deviation = deviationOf(this.#squares, this.#weight);
    const positions = Array.from({ length: 1 + this.#levels }, (_, k) => this.#position + k);
    if (indicator) positions.push(this.#indicator);
    if (kind === 'boolean') return { column: { kind, name, mean, missing }, positions };
    const form = this.#form;
    const written = form === undefined ? {} : typeof form === 'string' ? { format: form } : { notation: form };
    return { column: { kind, name, ...written, mean, deviation, missing } as TableColumn, positions };
  }

  state(): MeasuredState {
    return {
      kind: this.kind,
      name: this.name,
      form: this.#form ?? null,
      position: this.#position,
      indicator: this.#indicator,
      present: this.#present,
      weight: this.#weight,
      mean: this.#mean,
      squares: this.#squares,
    };
  }

  #refused(x: number, value: unknown): HalfspaceError {
    const { name, kind } = this;
    const message = `expected ${expectedCell(kind, x, this.#form)}; got ${quote(value)}`;
    // Only a word can be of another kind.
    const remedy = `: the field is read as ${kind}; columns: { ${quote(name)}: "category" } of a new classifier reads words (${columnFlag(name, 'category')} of the command)`;
    return new HalfspaceError('number-invalid', x === refusedWord ? `${message}${remedy}` : message, { field: name });
  }

  #unscalable(x: number): HalfspaceError {
    return new HalfspaceError('number-invalid', `expected a number that can be scaled; got ${x}`, { field: this.name });
  }
}

/** Returns the number of words in place of numbers that have features. */
export function levelsOf(form: CellForm | null | undefined): number {
  return typeof form === 'object' ? (form?.levels?.length ?? 0) : 0;
}

function deviationOf(squares: number, weight: number): number {
  return Math.sqrt(squares / weight) || 1;
}
