import { quote } from '../errors.ts';
import { parseNotation } from '../features/number/parse-notation.ts';
import { plainValue } from '../features/plain-value.ts';
import { type Fields, flatFields, inheritsNames, noKnownField } from '../features/record.ts';
import {
  type CellForm,
  comesAsWords,
  isDense,
  type SetForm,
  type TableColumn,
  type TableEncoding,
  type TableLabel,
} from '../features/table-encoding.ts';
import { LoadedRow, type PlainRow } from '../kernels/plain-row.ts';
import { unknownNames } from '../model/unknown-fields.ts';
import { areFew } from '../table/bag-evidence.ts';
import type { ReadAs } from '../table/kinds.ts';
import { readingOf } from '../table/value-kinds.ts';
import { CategoryColumn, type CategoryState } from './category-column.ts';
import type { ColumnState, OnlineColumn } from './column.ts';
import { MeasuredColumn, type MeasuredState } from './measured-column.ts';
import { Positions } from './positions.ts';
import type { OnlineField, OnlineRows, RowsSnapshot, RowsState } from './rows.ts';
import { SetColumn, type SetState, setForm } from './set-column.ts';
import { columnBytes, type Growth, nameBytes } from './size.ts';
import { TextColumn, type TextState } from './text-column.ts';
import { type HeldReading, isSilent, keptValue, UndecidedColumn } from './undecided-column.ts';

interface RecordRowsOptions {
  /** Name of the label's field, which is no feature. */
  readonly label: string;
  /** Readings of fields by name; the first values of others decide. */
  readonly kinds: ReadonlyMap<string, ReadAs>;
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
  /** Notes on fields whose kind is decided. */
  readonly notes: readonly string[];
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
  /** Number of fields whose kind is not decided. */
  #undecided = 0;
  readonly #notes: string[] = [];
  /** Name of a field of the row that was asked about, which is ignored as one too many; null: none is. */
  #beyond: string | null = null;
  /** Number of fields of the row that was asked about which are columns or become one. */
  #present = 0;
  /** Readings of fields while rows are learned again. */
  readonly #held: ReadonlyMap<string, HeldReading>;

  /** @param held how fields are read until {@link release}. Default: as their values so far show. */
  constructor(options: RecordRowsOptions, state?: RecordRowsState, held: ReadonlyMap<string, HeldReading> = new Map()) {
    this.#options = options;
    this.#positions = new Positions(state?.dimension);
    this.#held = held;
    for (const column of state?.columns ?? []) this.#add(this.#restored(column));
    if (state !== undefined) this.#notes.push(...state.notes);
  }

  release(): void {
    for (const column of this.#columns) if (column instanceof UndecidedColumn) column.release();
    this.#decide();
  }

  get revised(): ReadonlyMap<string, HeldReading> | null {
    if (this.#undecided === 0) return null;
    const open = [...this.#columns, ...this.#arrivals].filter((column) => column instanceof UndecidedColumn);
    return open.some(({ isRevised }) => isRevised) ? new Map(open.map(({ name, after }) => [name, after])) : null;
  }

  get notes(): readonly string[] {
    return this.#notes;
  }

  copyOf(row: unknown): [name: string, value: unknown][] {
    const known = Object.entries(flatFields(row)).filter(([name]) => this.#names.has(name));
    return known.map(([name, value]) => [name, keptValue(value) ?? null]);
  }

  get cells(): readonly OnlineColumn[] {
    return this.#columns;
  }

  get dimension(): number {
    return this.#positions.count;
  }

  get columns(): OnlineField[] {
    return this.#columns.map((column) => ({
      name: column.name,
      kind: column.kind,
      decided: !(column instanceof UndecidedColumn),
    }));
  }

  ask(row: unknown, importance: number): PlainRow {
    const fields = flatFields(row);
    const columns = this.#columns;
    for (let c = 0; c < columns.length; c++) columns[c]!.clear();
    if (this.#arrivals.length > 0) this.#arrivals.length = 0;
    this.#beyond = null;
    const known = this.#readFields(fields, importance);
    this.#present = known + this.#arrivals.length;
    if (importance > 0 && this.#present === 0 && !this.#hasHeld(fields)) throw noKnownField(fields);
    const asked = this.#asked;
    asked.count = 0;
    for (let c = 0; c < columns.length; c++) columns[c]!.ask(asked, this.#dense);
    return asked;
  }

  /** Tests if a row that is learned again has a field that joins in a later row. */
  #hasHeld(fields: Fields): boolean {
    return Object.keys(fields).some((name) => this.#held.has(name));
  }

  get bytes(): number {
    let bytes = 0;
    for (const column of this.#columns) bytes += columnBytes + nameBytes(column.name) + column.bytes;
    return bytes;
  }

  growInto(growth: Growth): void {
    for (const column of this.#columns) column.growInto(growth);
    for (const column of this.#arrivals) {
      growth.bytes += columnBytes + nameBytes(column.name);
      column.growInto(growth);
    }
  }

  unknown(row: unknown): string[] {
    return unknownNames(flatFields(row), (name) => this.#names.has(name) || name === this.#options.label);
  }

  join(): PlainRow {
    if (this.#arrivals.length > 0) {
      for (const column of this.#arrivals) this.#add(column);
      if (areFew(this.#present, this.#columns.length))
        this.#tell(
          'rows have few of many fields, and an absent one is a missing value: ',
          'columns: "bag" reads absent ones as 0, in much less time (--column bag of the command)',
        );
    }
    if (this.#beyond !== null) {
      const most = this.#options.maxFields.toLocaleString('en');
      const rest = `${quote(this.#beyond)}: the option maxFields allows more`;
      this.#tell(`fields beyond the first ${most} are ignored, the first of them `, rest);
    }
    if (this.#undecided > 0) this.#revise();
    const columns = this.#columns;
    const learned = this.#learned;
    learned.count = 0;
    for (let c = 0; c < columns.length; c++) columns[c]!.join(learned, this.#dense, this.#positions);
    if (this.#undecided > 0) this.#decide();
    return learned;
  }

  #revise(): void {
    for (const column of this.#columns) if (column instanceof UndecidedColumn) column.revise(this.#positions);
    this.#dense = this.#columns.every(({ kind }) => !comesAsWords(kind));
  }

  #decide(): void {
    this.#columns.forEach((column, c) => {
      const decided = column instanceof UndecidedColumn ? column.decided : null;
      if (decided === null) return;
      this.#notes.push(...(column as UndecidedColumn).notes);
      this.#columns[c] = decided;
      this.#undecided--;
    });
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

  /** Adds a note, unless there is one with the same beginning. */
  #tell(start: string, rest: string): void {
    if (!this.#notes.some((each) => each.startsWith(start))) this.#notes.push(start + rest);
  }

  #readNew(name: string, value: unknown, importance: number): void {
    if (this.#columns.length + this.#arrivals.length >= this.#options.maxFields) {
      if (value !== undefined && value !== null) this.#beyond ??= name;
      return;
    }
    const plain = plainValue(value);
    if (isSilent(plain)) return;
    const column = this.#joining(name, plain);
    // Another value made the kind of the field, in rows that are learned again.
    if (this.#held.has(name) && !column.reads(plain)) return;
    column.read(value, importance);
    // A text without a word makes no column, nor does a word that counts as missing.
    if (comesAsWords(column.kind) ? column instanceof TextColumn && !column.hasTerms : column.joined === 'missing')
      return;
    this.#arrivals.push(column);
  }

  /** Returns a column for the first value of a field. */
  #joining(name: string, value: unknown): OnlineColumn {
    const kind = this.#options.kinds.get(name);
    if (kind !== undefined) return this.#columnOf(name, kind);
    // A category refuses what no kind reads.
    const held = this.#held.get(name);
    const make = (reading: ReadAs) => this.#columnOf(name, reading);
    if (held !== undefined) return UndecidedColumn.held(name, make, held);
    return new UndecidedColumn(name, make, readingOf(name, [value]) ?? { kind: 'category' });
  }

  #restored(state: ColumnState): OnlineColumn {
    const { name, kind, first = null } = state;
    const form = 'form' in state ? (state as MeasuredState).form : null;
    // A database may have changed the order of members.
    const ordered = typeof form === 'object' && form !== null ? parseNotation(form, 'form') : form;
    const reading: ReadAs =
      kind === 'set'
        ? { kind, form: setForm((state as SetState).separator) }
        : ordered === null
          ? { kind }
          : { kind, form: ordered };
    if (first === null) return this.#columnOf(name, reading, state);
    let own: ColumnState | undefined = state;
    const make = (each: ReadAs) => {
      const column = this.#columnOf(name, each, own);
      own = undefined;
      return column;
    };
    const values = first.map(({ value, importance }) => ({ value, importance }));
    return new UndecidedColumn(name, make, reading, values);
  }

  #columnOf(name: string, { kind, form }: ReadAs, state?: ColumnState): OnlineColumn {
    const { scale, maxFeatures } = this.#options;
    if (kind === 'category') return new CategoryColumn(name, maxFeatures, state as CategoryState | undefined);
    if (kind === 'set') return new SetColumn(name, (form ?? {}) as SetForm, maxFeatures, state as SetState | undefined);
    if (kind === 'text') return new TextColumn(name, maxFeatures, state as TextState | undefined);
    return new MeasuredColumn(
      name,
      { kind, form: form as CellForm | undefined },
      scale === 'standard',
      state as MeasuredState | undefined,
    );
  }

  #add(column: OnlineColumn): void {
    this.#names.set(column.name, this.#columns.length);
    this.#columns.push(column);
    if (column instanceof UndecidedColumn) this.#undecided++;
    if (comesAsWords(column.kind)) this.#dense = false;
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
      columns: this.#columns.map((column) => ({ first: null, ...column.state() })),
      notes: [...this.#notes],
    };
  }
}
