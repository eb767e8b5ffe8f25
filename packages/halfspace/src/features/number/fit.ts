import { HalfspaceError } from '../../errors.ts';
import { wordReader } from '../cell-forms.ts';
import type { ColumnFit } from '../column-fit.ts';
import type { DateFormat } from '../date/format-names.ts';
import { PartsSeen } from '../date/parts.ts';
import type { ColumnOptions } from '../feature-options.ts';
import { levelOf, refusedCell } from '../table-cell.ts';
import type { ColumnCells, TableChunk, WordCells } from '../table-chunk.ts';
import type { CellForm, LeftOutReason, MeasuredKind, NumberNotation, TableColumn } from '../table-encoding.ts';
import { Quantiles } from './quantiles.ts';

/** Computes the count, mean and sum of squared deviations of a number, boolean or date column (Welford's method). */
export class NumericFit implements ColumnFit {
  readonly name: string;
  readonly #kind: MeasuredKind;
  readonly #form: CellForm | undefined;
  // What was counted is public, because shards add it up: part.ts.
  count = 0;
  missing = 0;
  mean = 0;
  squares = 0;
  least = Infinity;
  most = -Infinity;
  readonly #options: Pick<ColumnOptions, 'bins' | 'parts' | 'trend'>;
  /** Of a column with `bins`. */
  quantiles: Quantiles | null;
  /** Of dates whose parts are chosen from the data. */
  readonly partsSeen: PartsSeen | null;

  /** @param form how the cells are written, if not plainly. */
  constructor(
    name: string,
    kind: MeasuredKind,
    options: Pick<ColumnOptions, 'bins' | 'parts' | 'trend'> = {},
    form: CellForm | undefined = undefined,
  ) {
    const { bins, parts } = options;
    this.name = name;
    this.#kind = kind;
    this.#form = form;
    this.#options = options;
    this.quantiles = bins === undefined || kind === 'boolean' ? null : new Quantiles();
    this.partsSeen = kind === 'date' && parts === undefined && bins === undefined ? new PartsSeen() : null;
  }

  observe(cells: ColumnCells | null, chunk: TableChunk): void {
    const { rows, numbers } = chunk;
    if (cells === null) {
      this.missing += rows;
      return;
    }
    const values = this.#withoutLevels(cells instanceof Float64Array ? cells : this.#valuesOf(cells), chunk);
    let count = this.count;
    let mean = this.mean;
    let squares = this.squares;
    let least = this.least;
    let most = this.most;
    for (let k = 0; k < rows; k++) {
      const i = numbers === undefined ? k : numbers[k]!;
      const x = values[i]!;
      if (x - x !== 0) {
        if (Number.isNaN(x)) continue;
        this.#refuse(x, cells, i, chunk);
      }
      count++;
      const distance = x - mean;
      mean += distance / count;
      squares += distance * (x - mean);
      if (x < least) least = x;
      if (x > most) most = x;
    }
    for (const other of [this.quantiles, this.partsSeen]) if (other !== null) addAll(values, other, chunk);
    this.missing += rows - (count - this.count);
    this.count = count;
    this.mean = mean;
    this.squares = squares;
    this.least = least;
    this.most = most;
  }

  /** Sets aside words in place of numbers, which are in no count. @returns the cells, with NaN for them. */
  #withoutLevels(values: Float64Array, { rows, numbers }: TableChunk): Float64Array {
    const levels = this.#levels.length;
    if (levels === 0) return values;
    const kept = values.slice();
    for (let k = 0; k < rows; k++) {
      const i = numbers === undefined ? k : numbers[k]!;
      if (levelOf(kept[i]!, levels) < 0) continue;
      kept[i] = Number.NaN;
      this.missing--;
    }
    return kept;
  }

  get #levels(): readonly string[] {
    return (typeof this.#form === 'object' ? this.#form.levels : undefined) ?? [];
  }

  #valuesOf({ codes, words }: WordCells): Float64Array {
    const read = wordReader(this.#kind, this.#form);
    const meaning = words.map((word) => read(word));
    return Float64Array.from(codes, (code) => meaning[code]!);
  }

  #refuse(cell: number, cells: ColumnCells, i: number, { source, firstRow = 0 }: TableChunk): never {
    throw refusedCell(this.#kind, cell, cells instanceof Float64Array ? cell : cells.words[cells.codes[i]!], {
      ...(source === undefined ? {} : { source }),
      row: firstRow + i + 1,
      field: this.name,
    });
  }

  fitted(): TableColumn | LeftOutReason {
    if (this.count === 0) return 'empty';
    const indicator = this.missing > 0;
    const varies = this.least !== this.most;
    if (!varies && !indicator && this.#levels.length === 0) return 'constant';
    const mean = varies ? this.mean + 0 : this.least + 0;
    const deviation = Math.sqrt(this.squares / this.count) || 1;
    if (!Number.isFinite(mean) || !Number.isFinite(deviation))
      throw new HalfspaceError(
        'number-invalid',
        `expected numbers whose squares can be added up; got some from ${this.least} to ${this.most}`,
        { field: this.name },
      );
    const missing = { count: this.missing, fill: mean, indicator };
    if (this.#kind === 'boolean') return { kind: 'boolean', name: this.name, mean, missing };
    const edges = this.quantiles?.edges(this.#options.bins!) ?? [];
    if (this.#kind === 'date' && edges.length === 0) {
      const parts = this.#options.parts ?? this.partsSeen?.chosen(this.count, this.most - this.least) ?? [];
      const date = { kind: this.#kind, name: this.name, mean, deviation: varies ? deviation : 1 };
      return { ...date, ...formMember(this.#form), ...(parts.length > 0 ? { parts } : {}), missing };
    }
    return {
      kind: this.#kind,
      name: this.name,
      mean,
      deviation: varies ? deviation : 1,
      // No edges: nearly all values equal the smallest one, so intervals would not separate them.
      ...(edges.length > 0 ? { edges } : {}),
      ...(this.#options.trend === undefined ? {} : { trend: this.#options.trend }),
      ...formMember(this.#form),
      missing,
    };
  }
}

/** Returns the member of a column that says how its cells are written. */
function formMember(form: CellForm | undefined): { notation?: NumberNotation; format?: DateFormat } {
  if (form === undefined) return {};
  return typeof form === 'string' ? { format: form } : { notation: form };
}

function addAll(values: Float64Array, to: { add(value: number): void }, { rows, numbers }: TableChunk): void {
  for (let k = 0; k < rows; k++) {
    const x = values[numbers === undefined ? k : numbers[k]!]!;
    if (!Number.isNaN(x)) to.add(x);
  }
}
