import { type Fields, fieldsOf, inheritsNames, noKnownField } from '../features/record.ts';
import {
  type ColumnKind,
  isDense,
  type TableColumn,
  type TableEncoding,
  type TableLabel,
} from '../features/table-encoding.ts';
import { LoadedRow, type PlainRow } from '../kernels/plain-row.ts';
import { CategoryColumn, type CategoryState } from './category-column.ts';
import type { ColumnState, OnlineColumn } from './column.ts';
import { kindOfValue } from './infer-kind.ts';
import { MeasuredColumn, type MeasuredState } from './measured-column.ts';
import { Positions } from './positions.ts';
import type { OnlineRows, RowsSnapshot, RowsState } from './rows.ts';
import { TextColumn, type TextState } from './text-column.ts';

export interface RecordRowsOptions {
  /** Name of the label's field, which is no feature. */
  readonly label: string;
  /** Kinds of fields by name; others have the kind of their first value. */
  readonly kinds: ReadonlyMap<string, ColumnKind>;
  readonly scale: TableEncoding['scale'];
  /** Largest number of levels or words of a field. */
  readonly maxFeatures: number;
  /** Largest number of fields. */
  readonly maxFields: number;
}

export interface RecordRowsState extends RowsState {
  readonly form: 'records';
  readonly dimension: number;
  /** In the order in which the fields came. */
  readonly columns: readonly ColumnState[];
}

/** Rows as objects of fields by name. Fields join in the order in which their first value comes. */
export class RecordRows implements OnlineRows {
  readonly #options: RecordRowsOptions;
  readonly #columns: OnlineColumn[] = [];
  readonly #names = new Map<string, number>();
  readonly #positions: Positions;
  /** True while rows are dense: every field is a number, a truth or a date; see `TableEncoder`. */
  #dense = true;
  readonly #asked = new LoadedRow();
  readonly #learned = new LoadedRow();
  /** Columns of fields that are new in the row that was asked about. */
  readonly #arrivals: OnlineColumn[] = [];

  constructor(options: RecordRowsOptions, state?: RecordRowsState) {
    this.#options = options;
    this.#positions = new Positions(state?.dimension);
    for (const column of state?.columns ?? []) this.#add(this.#columnOf(column.name, column.kind, column));
  }

  get cells(): readonly OnlineColumn[] {
    return this.#columns;
  }

  get dimension(): number {
    return this.#positions.count;
  }

  get columns(): { readonly name: string; readonly kind: ColumnKind }[] {
    return this.#columns.map(({ name, kind }) => ({ name, kind }));
  }

  ask(row: unknown, importance: number): PlainRow {
    const fields = fieldsOf(row);
    const columns = this.#columns;
    for (let c = 0; c < columns.length; c++) columns[c]!.clear();
    if (this.#arrivals.length > 0) this.#arrivals.length = 0;
    const known = this.#readFields(fields, importance);
    if (known === 0 && (columns.length > 0 || importance > 0) && this.#arrivals.length === 0)
      throw noKnownField(fields, [...this.#names.keys()]);
    const asked = this.#asked;
    asked.count = 0;
    for (let c = 0; c < columns.length; c++) columns[c]!.ask(asked, this.#dense);
    return asked;
  }

  join(): PlainRow {
    if (this.#arrivals.length > 0) for (const column of this.#arrivals) this.#add(column);
    const columns = this.#columns;
    const learned = this.#learned;
    learned.count = 0;
    for (let c = 0; c < columns.length; c++) columns[c]!.join(learned, this.#dense, this.#positions);
    return learned;
  }

  /** Reads all fields of a row. Returns the number of fields that are known. */
  #readFields(fields: Fields, importance: number): number {
    // for…in is the fastest way to read fields, but it also visits inherited names.
    if (inheritsNames(fields)) return this.#readNames(fields, Object.keys(fields), importance);
    const columns = this.#columns;
    let known = 0;
    // Rows mostly have their fields in one order: then each field is the one after the last.
    let next = 0;
    for (const name in fields) {
      const value = fields[name];
      let c = next;
      if (c >= columns.length || columns[c]!.name !== name) c = this.#columnAt(name, value, importance);
      if (c < 0) continue;
      next = c + 1;
      known++;
      // A field that is undefined is absent, but known.
      if (value !== undefined) columns[c]!.read(value, importance);
    }
    return known;
  }

  #readNames(fields: Fields, names: readonly string[], importance: number): number {
    let known = 0;
    for (const name of names) {
      const c = this.#columnAt(name, fields[name], importance);
      if (c < 0) continue;
      known++;
      if (fields[name] !== undefined) this.#columns[c]!.read(fields[name], importance);
    }
    return known;
  }

  /** Returns the position of a field's column. For a new field returns −1, and makes its column if it may join. */
  #columnAt(name: string, value: unknown, importance: number): number {
    const found = this.#names.get(name);
    if (found !== undefined) return found;
    if (importance > 0 && name !== this.#options.label) this.#readNew(name, value, importance);
    return -1;
  }

  #readNew(name: string, value: unknown, importance: number): void {
    if (this.#columns.length + this.#arrivals.length >= this.#options.maxFields) return;
    const first = kindOfValue(value);
    if (first === null) return;
    const column = this.#columnOf(name, this.#options.kinds.get(name) ?? first);
    column.read(value, importance);
    // A text without a word makes no column.
    if (column instanceof TextColumn && !column.hasTerms) return;
    this.#arrivals.push(column);
  }

  #columnOf(name: string, kind: ColumnKind, state?: ColumnState): OnlineColumn {
    const { scale, maxFeatures } = this.#options;
    if (kind === 'category') return new CategoryColumn(name, maxFeatures, state as CategoryState | undefined);
    if (kind === 'text') return new TextColumn(name, maxFeatures, state as TextState | undefined);
    return new MeasuredColumn(name, kind, scale === 'standard', state as MeasuredState | undefined);
  }

  #add(column: OnlineColumn): void {
    this.#names.set(column.name, this.#columns.length);
    this.#columns.push(column);
    if (column.kind === 'category' || column.kind === 'text') this.#dense = false;
  }

  snapshot(rows: number, label: TableLabel): RowsSnapshot {
    const snapshots = this.#columns.map((column) => column.snapshot(rows));
    const columns: TableColumn[] = snapshots.map(({ column }) => column);
    const { scale } = this.#options;
    const features: TableEncoding = { kind: 'table', format: 'rows', header: null, scale, label, columns, leftOut: [] };
    if (isDense(features) !== this.#dense) throw new TypeError('the encoding and its rows differ in being dense');
    return { features, positions: snapshots.flatMap(({ positions }) => positions) };
  }

  state(): RecordRowsState {
    return {
      form: 'records',
      dimension: this.#positions.count,
      columns: this.#columns.map((column) => column.state()),
    };
  }
}
