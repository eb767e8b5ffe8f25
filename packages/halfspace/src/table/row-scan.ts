import { dateCell, numberCell, unlessMissing, wordCell } from '../features/table-cell.ts';
import type { ColumnCells, WordCells } from '../features/table-chunk.ts';
import type { ColumnKind, MeasuredKind } from '../features/table-encoding.ts';
import { numberIn, PlainLine } from './plain-line.ts';
import type { RejectedRow, Scan, ScannedChunk, ScanOptions, Table, Wanted } from './table.ts';
import type { WordList } from './words.ts';

/** A row of text cells. */
export interface Row {
  /** Cells in the order of the table's columns; null or '': no value. */
  readonly cells: readonly (string | null)[];
  /** Makes the error of a bad row; a function, because errors are slow to make. Null: the row is good. */
  readonly rejected: (() => RejectedRow) | null;
  /** The unparsed row; null unless texts are kept. */
  readonly text: string | null;
}

/** Rows as they arrive. A piece has all rows that are complete when it is requested. */
export type RowPieces = AsyncIterable<readonly Row[]>;

/** A table of text, whose rows can also be read whole. */
export interface RowTable extends Table {
  /** Begins a reading of the rows. @param keepsText true: rows keep their text, as tolerant scans need it. */
  rows(keepsText: boolean): RowPieces;
  /** Tests if a cell is a number by its type, as in JSON. Absent: all cells are text. */
  readonly isNumber?: IsNumber | undefined;
}

type IsNumber = (row: Row, position: number) => boolean;

/** Maximum numbers of rows and of cells in a chunk. With many columns a chunk has fewer rows, to save memory. */
const chunkRows = 2048;
const chunkCells = 1 << 20;

/**
 * Scans rows of text cells.
 *
 * @param open starts a scan of the rows, whose cells at some positions are read as numbers.
 * @param isNumber see {@link RowTable}.
 */
export function scanRows(
  open: (numbers: readonly number[]) => RowPieces,
  wanted: readonly Wanted[],
  label: Wanted | null,
  { tolerant, limit = Number.POSITIVE_INFINITY, prompt = false }: ScanOptions,
  isNumber?: IsNumber,
): Scan {
  const all = label === null ? wanted : [...wanted, label];
  const positions = all.map(({ column }) => column?.position ?? -1);
  const numbers = all.filter(isPlainNumber).flatMap(({ column }) => (column === null ? [] : [column.position]));
  const skipped = new Set<number>();
  return {
    skipWords: (column) => skipped.add(column),
    async *chunks() {
      const readers = all.map((column, c) => new ColumnReader(column, () => skipped.has(c), isNumber));
      const most = Math.max(1, Math.min(chunkRows, Math.floor(chunkCells / Math.max(1, all.length))));
      let first = 0;
      for await (const piece of prompt ? open(numbers) : gathered(open(numbers), most)) {
        const end = Math.min(piece.length, limit - first);
        const refused = tolerant ? -1 : piece.findIndex(({ rejected }) => rejected !== null);
        const good = refused === -1 ? end : Math.min(end, refused);
        for (let at = 0; at < good; at += most)
          yield chunkOf(piece.slice(at, Math.min(good, at + most)), first + at, readers, positions, label !== null);
        if (good < end) throw piece[refused]!.rejected!().error;
        first += piece.length;
        if (first >= limit) return;
      }
    },
  };
}

/** Yields pieces of `most` rows or more; only the last may have fewer. */
async function* gathered(pieces: RowPieces, most: number): AsyncGenerator<readonly Row[]> {
  let waiting: Row[] = [];
  try {
    for await (const piece of pieces) {
      for (const row of piece) waiting.push(row);
      if (waiting.length < most) continue;
      yield waiting;
      waiting = [];
    }
  } catch (error) {
    // Rows before an error come first.
    if (waiting.length > 0) yield waiting;
    throw error;
  }
  if (waiting.length > 0) yield waiting;
}

function chunkOf(
  rows: readonly Row[],
  first: number,
  readers: readonly ColumnReader[],
  positions: readonly number[],
  labelled: boolean,
): ScannedChunk {
  const read = readers.map((reader, c) => (positions[c] === -1 ? null : reader.read(rows, positions[c]!)));
  const label = labelled ? (read.pop() as WordCells) : null;
  return {
    rows: rows.length,
    first,
    columns: read,
    label,
    damaged: rows.some(({ rejected }) => rejected !== null)
      ? Uint8Array.from(rows, ({ rejected }) => (rejected === null ? 0 : 1))
      : null,
    rejected: (row) => rows[row]!.rejected!(),
    cell: (column, row) => cellOf(rows[row]!, positions[column]!),
    text: (row) => rows[row]!.text ?? '',
  };
}

/** Reads the cells of one column into reused arrays. */
class ColumnReader {
  readonly #kind: ColumnKind;
  readonly #read: Wanted['read'];
  readonly #list: WordList;
  readonly #missing: readonly string[] | undefined;
  readonly #keeps: boolean;
  readonly #isSkipped: () => boolean;
  readonly #isNumber: IsNumber | undefined;
  #numbers = new Float64Array(0);
  #codes = new Uint32Array(0);

  constructor(
    { kind, read, list, missing, keeps = false }: Wanted,
    isSkipped: () => boolean,
    isNumber: IsNumber | undefined,
  ) {
    this.#kind = kind;
    this.#isNumber = isNumber;
    this.#read = read;
    this.#list = list;
    this.#missing = missing;
    this.#keeps = keeps;
    this.#isSkipped = isSkipped;
  }

  read(rows: readonly Row[], position: number): ColumnCells {
    if (this.#kind === 'category') return this.#words(rows, position);
    if (this.#kind === 'text' || this.#kind === 'set') {
      const words = rows.map((row) => this.#cell(row, position));
      return { codes: Uint32Array.from(words, (_, i) => i), words };
    }
    const kind = this.#kind;
    const own = this.#read;
    const count = rows.length;
    if (this.#numbers.length < count) this.#numbers = new Float64Array(count);
    const numbers = this.#numbers;
    if (own !== undefined) {
      const isNumber = kind === 'number' ? this.#isNumber : undefined;
      for (let i = 0; i < count; i++) {
        const cell = this.#cell(rows[i]!, position);
        // The point of a number is no mark between groups of digits.
        const isPlain = cell?.includes('.') === true && isNumber?.(rows[i]!, position) === true;
        numbers[i] = isPlain ? measured('number', cell) : own(cell);
      }
      return numbers;
    }
    const isPlain = isPlainNumber({ kind, missing: this.#missing, keeps: this.#keeps });
    for (let i = 0; i < count; i++) {
      const row = rows[i]!;
      if (isPlain && row instanceof PlainLine) numbers[i] = row.number(position);
      else numbers[i] = measured(kind, this.#cell(row, position));
    }
    return numbers;
  }

  #words(rows: readonly Row[], position: number): WordCells {
    const count = rows.length;
    if (this.#codes.length < count) this.#codes = new Uint32Array(count);
    const codes = this.#codes;
    const list = this.#list;
    if (this.#isSkipped()) return { codes: codes.fill(0), words: list.words };
    if (list.full) list.truncate(1);
    for (let i = 0; i < count; i++) codes[i] = list.code(this.#cell(rows[i]!, position) || null);
    return { codes, words: list.words };
  }

  #cell(row: Row, position: number): string | null {
    const cell = cellOf(row, position);
    return this.#missing === undefined && !this.#keeps ? cell : unlessMissing(cell, this.#missing, this.#keeps);
  }
}

/** Tests if the cells of a column are read as plain numbers. */
function isPlainNumber({ kind, read, missing, keeps = false }: Pick<Wanted, 'kind' | 'read' | 'missing' | 'keeps'>) {
  return kind === 'number' && read === undefined && missing === undefined && !keeps;
}

function cellOf(row: Row, position: number): string | null {
  return row instanceof PlainLine && position >= 0 ? row.cell(position) : (row.cells[position] ?? null);
}

function measured(kind: MeasuredKind, cell: string | null): number {
  if (kind === 'number') return cell === null ? numberCell(cell) : numberIn(cell, 0, cell.length);
  return kind === 'date' ? dateCell(cell) : wordCell(kind, cell);
}
