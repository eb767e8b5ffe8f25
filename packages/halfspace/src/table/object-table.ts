import { LabelTypes, labelText } from '../data/label.ts';
import { HalfspaceError } from '../errors.ts';
import { isNested, plainValue } from '../features/plain-value.ts';
import { eachField, fieldAt, fieldsOf, structuresIn, valueBeside } from '../features/record.ts';
import { listItems, setText } from '../features/set/list.ts';
import {
  cellText,
  keepsWords,
  keptWord,
  type MissingCells,
  unlessMissing,
  valueCell,
  valueText,
} from '../features/table-cell.ts';
import type { ColumnCells, WordCells } from '../features/table-chunk.ts';
import { comesAsWords, type MeasuredKind } from '../features/table-encoding.ts';
import { unreadable } from '../readable.ts';
import type { RowPiece } from './kept-rows.ts';
import { columnFlag } from './listed.ts';
import {
  isListed,
  type Scan,
  type ScannedChunk,
  type ScanOptions,
  type SourceColumn,
  type SourceType,
  type Table,
  typeOfBoth,
  typeOfItems,
  type Wanted,
} from './table.ts';

/** Named fields: numbers, booleans, dates, text; null and undefined are missing values. */
export type Row = Readonly<Record<string, unknown>>;

/** The names of the fields of rows, and the types of their values. */
export class FieldTypes {
  readonly #types = new Map<string, SourceType | null>();
  readonly #inexact = new Map<string, bigint>();
  readonly #missing: MissingCells;
  readonly #weight: string | undefined;
  readonly #source: string;
  /** Number of rows so far. */
  rows = 0;
  /** Types of the labels of the rows that were scanned. */
  readonly labels = new LabelTypes();

  /**
   * @param missing what is missing besides the usual words. Default: nothing.
   * @param weight field with the weight of a row; those of weight 0 do not decide about types. Default: none.
   */
  constructor(source: string, missing: MissingCells = {}, weight?: string) {
    this.#source = source;
    this.#missing = missing;
    this.#weight = weight;
  }

  /** Takes the next row. @throws HalfspaceError `row-malformed` for what is no object of fields. */
  add(given: unknown): Row {
    this.rows++;
    try {
      const row = fieldsOf(given);
      this.#addFields(row);
      return row;
    } catch (error) {
      throw unreadable(error).at({ source: this.#source, row: this.rows });
    }
  }

  #addFields(row: Row): void {
    const types = this.#types;
    const isAbsent = this.#weight !== undefined && valueCell('number', fieldAt(row, this.#weight)) === 0;
    eachField(row, (name, value) => {
      const before = types.get(name);
      if (before === undefined) types.set(name, null);
      if (before === 'nested' || isAbsent) return;
      const type = this.#typeOf(name, value);
      if (typeof value === 'bigint' && BigInt(Number(value)) !== value) this.#inexact.set(name, value);
      if (type !== null && type !== before) types.set(name, typeOfBoth(before, type));
    });
  }

  /** Names of all fields. */
  get names(): ReadonlySet<string> {
    return new Set(this.#types.keys());
  }

  /** Columns in the order in which the fields came. @param derived a further column of text; null: none. */
  columns(derived: string | null): SourceColumn[] {
    const types = new Map(this.#types);
    if (derived !== null) {
      types.delete(derived);
      types.set(derived, 'cell');
    }
    // A structure that is missing in some rows is no column beside its fields.
    for (const name of structuresIn(types.keys())) if (types.get(name) === null) types.delete(name);
    return Array.from(types, ([name, type], position) => ({ name, type: type ?? 'cell', position }));
  }

  /** Notes on whole numbers that no double holds. */
  get notes(): string[] {
    return Array.from(
      this.#inexact,
      ([name, value]) =>
        `column ${name} has whole numbers such as ${value} that are rounded when they are read as numbers (${columnFlag(name, 'category')} keeps their digits)`,
    );
  }

  /** Returns the type of a value; null: it is missing. A number may be a code or a date, as text may. */
  #typeOf(name: string, given: unknown): SourceType | null {
    if (given === null || given === undefined) return null;
    if (isNested(given)) return typeOfItems(listItems(given));
    const value = unlessMissing(given, this.#missing.missing, keepsWords(this.#missing, name));
    if (value === null) return null;
    if (typeof value === 'string') return cellText(value) === null ? null : 'cell';
    if (typeof value === 'boolean') return 'boolean';
    return value instanceof Date ? 'date' : 'cell';
  }
}

/** Parts of a table of plain objects. */
interface RowsTableParts {
  readonly name: string;
  readonly types: FieldTypes;
  /** Name of the column of derived labels; null: there is none. */
  readonly derived: string | null;
  /** Names of columns beside which others have the fields of structures. */
  readonly structures: ReadonlySet<string>;
  /** Begins a reading of the rows. */
  pieces(): Iterable<RowPiece>;
}

/** Returns plain objects as a table. */
export function rowsTable(parts: RowsTableParts): Table {
  return {
    name: parts.name,
    columns: parts.types.columns(parts.derived),
    header: null,
    notes: parts.types.notes,
    valueTypes: () => parts.types.labels.seen,
    scan: (wanted, label, options) => new RowsScan(parts, wanted, label, options),
  };
}

/** Maximum numbers of rows and of cells in a chunk. */
const chunkRows = 2048;
const chunkCells = 1 << 20;

class RowsScan implements Scan {
  readonly #parts: RowsTableParts;
  readonly #wanted: readonly Wanted[];
  readonly #label: Wanted | null;
  readonly #options: ScanOptions;
  readonly #skipped = new Set<Wanted>();

  constructor(parts: RowsTableParts, wanted: readonly Wanted[], label: Wanted | null, options: ScanOptions) {
    this.#parts = parts;
    this.#wanted = wanted;
    this.#label = label;
    this.#options = options;
  }

  skipWords(column: number): void {
    this.#skipped.add(this.#wanted[column]!);
  }

  async *chunks(): AsyncGenerator<ScannedChunk> {
    const { tolerant, limit = Number.POSITIVE_INFINITY } = this.#options;
    const most = Math.max(1, Math.min(chunkRows, Math.floor(chunkCells / (this.#wanted.length + 1))));
    let first = 0;
    for (const piece of this.#parts.pieces()) {
      const end = Math.min(piece.rows.length, limit - first);
      for (let at = 0; at < end; at += most) {
        const part = pieceOf(piece, at, Math.min(end, at + most));
        const { chunk, errors } = this.#chunkOf(first + at, part);
        const refused = tolerant || errors.size === 0 ? -1 : Math.min(...errors.keys());
        if (refused === -1) {
          yield chunk;
          continue;
        }
        if (refused > 0) yield this.#chunkOf(first + at, pieceOf(part, 0, refused)).chunk;
        throw errors.get(refused);
      }
      first += piece.rows.length;
      if (first >= limit) return;
    }
  }

  /** @returns also the errors of rows that cannot be read. */
  #chunkOf(first: number, piece: RowPiece): { chunk: ScannedChunk; errors: Map<number, HalfspaceError> } {
    const { rows } = piece;
    const errors = new Map<number, HalfspaceError>();
    const read = (wanted: Wanted) => this.#cellsOf(wanted, first, piece, errors);
    const columns = this.#wanted.map(read);
    const label = this.#label === null ? null : (read(this.#label) as WordCells);
    const text = (row: number) =>
      JSON.stringify(rows[row], (_, value) => (typeof value === 'bigint' ? `${value}` : value));
    const chunk: ScannedChunk = {
      rows: rows.length,
      first,
      columns,
      label,
      damaged: errors.size === 0 ? null : Uint8Array.from(rows, (_, i) => (errors.has(i) ? 1 : 0)),
      rejected: (row) => ({ error: errors.get(row)!, text: text(row) }),
      cell: (column, row) => plainValue(this.#fieldOf(piece, row, this.#wanted[column]!.column!.name)),
      text,
    };
    return { chunk, errors };
  }

  #fieldOf({ rows, labels }: RowPiece, i: number, name: string): unknown {
    if (labels !== null && name === this.#parts.derived) return labels[i];
    const value = fieldAt(rows[i]!, name);
    return this.#parts.structures.has(name) || isEmpty(value) ? valueBeside(value) : value;
  }

  /** Returns the text of a label with its blanks, as text tables have it. */
  #labelOf(given: unknown, field: string, row: number): string | null {
    const value = plainValue(given);
    const where = { source: this.#parts.name, row };
    const isText = typeof value === 'string';
    const text = isText ? cellText(value) : valueText(value, field, where);
    if (text === null) return null;
    this.#parts.types.labels.add(typeof value);
    if (typeof value !== 'number') return isText ? value : text;
    try {
      return labelText(value);
    } catch (error) {
      throw error instanceof HalfspaceError ? error.at({ ...where, field }) : error;
    }
  }

  #cellsOf(wanted: Wanted, first: number, piece: RowPiece, errors: Map<number, HalfspaceError>): ColumnCells | null {
    const { column, kind, read, list, missing, keeps = false } = wanted;
    if (column === null) return null;
    const { name } = column;
    const { length } = piece.rows;
    const cellOf = (i: number) => {
      try {
        return unlessMissing(this.#fieldOf(piece, i, name), missing, keeps);
      } catch (error) {
        throw unreadable(error).at({ source: this.#parts.name, row: first + i + 1, field: name });
      }
    };
    if (!comesAsWords(kind)) {
      const numbers = new Float64Array(length);
      for (let i = 0; i < length; i++) numbers[i] = valueCell(kind satisfies MeasuredKind, cellOf(i), read);
      return numbers;
    }
    if (this.#skipped.has(wanted)) return { codes: new Uint8Array(length), words: list.words };
    const textOf = (i: number): string | null => {
      try {
        if (wanted === this.#label) return this.#labelOf(cellOf(i), name, first + i + 1);
        const textOfCell = kind === 'set' || isListed(column) ? setText : valueText;
        const text = textOfCell(cellOf(i), name, { source: this.#parts.name, row: first + i + 1 });
        return text !== null && keeps ? keptWord(text) : text;
      } catch (error) {
        if (!(error instanceof HalfspaceError)) throw error;
        if (!errors.has(i)) errors.set(i, error);
        return null;
      }
    };
    // Texts and sets hardly repeat, so they need no list.
    const codes = Uint32Array.from({ length }, (_, i) => i);
    if (kind !== 'category') return { codes, words: Array.from(codes, textOf) };
    if (list.full) list.truncate(1);
    return { codes: codes.map((i) => list.code(textOf(i))), words: list.words };
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function pieceOf({ rows, labels }: RowPiece, from: number, to: number): RowPiece {
  if (from === 0 && to === rows.length) return { rows, labels };
  return { rows: rows.slice(from, to), labels: labels?.slice(from, to) ?? null };
}
