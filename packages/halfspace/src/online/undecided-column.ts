import { HalfspaceError } from '../errors.ts';
import { wordReader } from '../features/cell-forms.ts';
import { plainValue } from '../features/plain-value.ts';
import { setText } from '../features/set/list.ts';
import { membersOf } from '../features/set/members.ts';
import { cellText, valueText } from '../features/table-cell.ts';
import type { CellForm, NumberNotation, SetForm, TableColumn } from '../features/table-encoding.ts';
import { TextTokens } from '../features/text/tokens.ts';
import { LoadedRow } from '../kernels/plain-row.ts';
import { formatNote, undecidedNote } from '../table/date-cells.ts';
import {
  codeNote,
  isSameReading,
  mixedNote,
  mixtureNote,
  notationNote,
  type ReadAs,
  setNote,
  singlesNote,
} from '../table/kinds.ts';
import { columnFlag } from '../table/listed.ts';
import { readingOf, valueTally } from '../table/value-kinds.ts';
import type { ColumnSnapshot, ColumnState, FirstValue, JoinedCell, OnlineColumn } from './column.ts';
import { Positions } from './positions.ts';
import { type Growth, valueBytes } from './size.ts';

/** Number of values of a field that decide its kind; also the number of first rows that may be learned again. */
export const mostFirst = 50;

/** Returns a value of a row as it is kept; objects could change later. */
export function keptValue(value: unknown): unknown {
  const plain = plainValue(value);
  if (Array.isArray(plain)) return [...plain];
  return plain instanceof Date ? new Date(plain) : plain;
}

const tokens = new TextTokens();
const scratch = new LoadedRow();

/** Tests if a plain value tells nothing about the kind of its field: missing, text without a token, a list of such. */
export function isSilent(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.every(isSilent);
  if (typeof value !== 'string') return false;
  const text = cellText(value);
  if (text === null) return true;
  tokens.cut(text);
  return tokens.count === 0;
}

/** The reading of a field while the first rows are learned again, and its values in them. */
export interface HeldReading {
  readonly reading: ReadAs;
  readonly values: readonly FirstValue[];
}

/**
 * A field whose kind is not decided: so far it is read as its first values are in a table. A value that shows another
 * kind makes another column of it, which learns the values so far. Its weights start again from 0, unless the
 * classifier learns the rows so far again. Values that do not fit, such as a word among many numbers, count as missing.
 */
export class UndecidedColumn implements OnlineColumn {
  readonly name: string;
  readonly #make: (reading: ReadAs) => OnlineColumn;
  #reading: ReadAs;
  #column: OnlineColumn;
  #values: readonly FirstValue[];
  #valueBytes = 0;
  /** True while rows are learned again whose values are known. */
  #isHeld = false;
  /** The reading that the value which was read brings; null: the present one. */
  #next: ReadAs | null = null;
  /** The size of the column of that reading. */
  #nextSize: Growth = { features: 0, bytes: 0 };
  /** The value that was read; null: it is missing, or the row is only asked about. */
  #read: FirstValue | null = null;

  /** @param make makes the column of a kind. @param values values so far. */
  constructor(
    name: string,
    make: (reading: ReadAs) => OnlineColumn,
    reading: ReadAs,
    values: readonly FirstValue[] = [],
  ) {
    this.name = name;
    this.#make = make;
    this.#reading = reading;
    this.#column = make(reading);
    this.#values = values;
    for (const { value } of values) this.#valueBytes += valueBytes(value);
  }

  static held(
    name: string,
    make: (reading: ReadAs) => OnlineColumn,
    { reading, values }: HeldReading,
  ): UndecidedColumn {
    const column = new UndecidedColumn(name, make, reading, values);
    column.#isHeld = true;
    return column;
  }

  release(): void {
    this.#isHeld = false;
  }

  get kind(): TableColumn['kind'] {
    return this.#column.kind;
  }

  get joined(): JoinedCell {
    return this.#column.joined;
  }

  get number(): number {
    return this.#column.number;
  }

  /** The reading of the field once the row that was asked about joins, and its values then. */
  get after(): HeldReading {
    return { reading: this.#next ?? this.#reading, values: this.#valuesThen() };
  }

  /** True if the row that was asked about changes how the field is read. */
  get isRevised(): boolean {
    return this.#next !== null;
  }

  /** The column of a field whose kind is decided by now; null: it is not. */
  get decided(): OnlineColumn | null {
    return this.#isHeld || this.#values.length < mostFirst ? null : this.#column;
  }

  /** Notes on values so far that are unusual. */
  get notes(): string[] {
    return kindNotes(
      this.name,
      this.#reading,
      this.#values.map(({ value }) => value),
    );
  }

  clear(): void {
    this.#column.clear();
    this.#next = null;
    this.#read = null;
  }

  reads(value: unknown): boolean {
    return this.#column.reads(value);
  }

  read(given: unknown, importance: number): void {
    const value = keptValue(given);
    if (isSilent(value)) return;
    this.#read = importance === 0 ? null : { value, importance };
    const after = importance === 0 || this.#isHeld ? this.#reading : this.#readingThen();
    const isSame = after === null || isSameReading(after, this.#reading);
    this.#next = isSame ? null : after;
    // A value is refused if no kind reads it beside the others.
    if (after === null || this.#column.reads(value)) this.#column.read(value, isSame ? importance : 0);
    else valueText(value, this.name);
  }

  /** Returns how the values are read with the one that was read; null if that is refused. */
  #readingThen(): ReadAs | null {
    const values = this.#valuesThen();
    const reading = readingOf(
      this.name,
      values.map(({ value }) => value),
    );
    if (reading === null || isSameReading(reading, this.#reading)) return reading;
    try {
      const positions = new Positions();
      const { bytes } = this.#learned(reading, values, positions);
      this.#nextSize = { features: positions.count, bytes };
      return reading;
    } catch (error) {
      if (error instanceof HalfspaceError) return null;
      throw error;
    }
  }

  #valuesThen(): readonly FirstValue[] {
    return this.#read === null ? this.#values : [...this.#values, this.#read];
  }

  /** Returns a column that has learned values. */
  #learned(reading: ReadAs, values: readonly FirstValue[], positions: Positions): OnlineColumn {
    const column = this.#make(reading);
    for (const { value, importance } of values) {
      if (!column.reads(value)) continue;
      column.clear();
      column.read(value, importance);
      scratch.count = 0;
      column.join(scratch, true, positions);
    }
    column.clear();
    return column;
  }

  /** Makes the column that the row which was asked about brings; call it before the columns of the row join. */
  revise(positions: Positions): void {
    if (this.#next === null) return;
    const { value, importance } = this.#read!;
    this.#reading = this.#next;
    this.#next = null;
    this.#column = this.#learned(this.#reading, this.#values, positions);
    if (this.#column.reads(value)) this.#column.read(value, importance);
  }

  ask(row: LoadedRow, dense: boolean): void {
    this.#column.ask(row, dense);
  }

  join(row: LoadedRow, dense: boolean, positions: Positions): void {
    this.#column.join(row, dense, positions);
    if (this.#isHeld) return;
    this.#values = this.#valuesThen();
    if (this.#read !== null) this.#valueBytes += valueBytes(this.#read.value);
  }

  get bytes(): number {
    return this.#column.bytes + this.#valueBytes;
  }

  growInto(growth: Growth): void {
    if (this.#read !== null) growth.bytes += valueBytes(this.#read.value);
    if (this.#next === null) this.#column.growInto(growth);
    else {
      growth.features += this.#nextSize.features;
      growth.bytes += this.#nextSize.bytes;
    }
  }

  snapshot(rows: number): ColumnSnapshot {
    return this.#column.snapshot(rows);
  }

  state(): ColumnState {
    return { ...this.#column.state(), first: this.#values };
  }
}

/** Returns notes on how a field is read whose first values are unusual, as a table of them would have. */
function kindNotes(name: string, { kind, form }: ReadAs, values: readonly unknown[]): string[] {
  if (kind === 'boolean') return [];
  if (kind === 'set') {
    const example = values
      .map((value) => setText(value, name)!)
      .find((text) => membersOf(text, (form as SetForm).separator).size > 1);
    return [setNote(name, example, form as SetForm)];
  }
  const tally = valueTally(name, values);
  const mixture = mixtureNote(name, tally, kind);
  if (mixture !== null || kind === 'text') return said(mixture);
  const { numbers, dates, stray, formats } = tally;
  const cells = tally.cells - (kind === 'category' ? 0 : tally.unwritten);
  if (kind !== 'category') {
    const read = kind === 'number' ? numbers : dates;
    const others = `column ${name} is read as ${kind}s: ${cells - read} of its first ${cells} values count as missing, as they are none${stray === null || kind === 'date' ? '' : `, such as ${JSON.stringify(stray)}`} (${columnFlag(name, 'category')} keeps the words)`;
    const isDate = wordReader('date', form as CellForm | undefined);
    const written =
      typeof form === 'string'
        ? formatNote(name, form, values.map(String).find((value) => Number.isFinite(isDate(value)))!)
        : form === undefined
          ? formats?.format === null
            ? undecidedNote(name, formats, `${kind}s`)
            : null
          : notationNote(name, { ...tally, form: form as NumberNotation });
    return [...said(written), ...said(read === cells ? null : others)];
  }
  if (formats?.format === null) return said(undecidedNote(name, formats));
  // Online learning takes no words for missing values, so none is offered.
  const written = codeNote(name, tally) ?? mixedNote(name, { ...tally, measured: false });
  return [...said(written), ...said(singlesNote(name, tally))];
}

function said(note: string | null): string[] {
  return note === null ? [] : [note];
}
