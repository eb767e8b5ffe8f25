import {
  type Batch,
  cellText,
  classNames,
  type ExampleSource,
  HalfspaceError,
  labelNumber,
  matchClass,
  refusedCell,
  TableEncoder,
  type TableEncoding,
  unknownClass,
  type WordCells,
} from 'halfspace';
import { labelColumn } from './columns.ts';
import type { StoredRows } from './raw-store.ts';
import type { RejectedRow, ScannedChunk, Wanted } from './scan.ts';
import { sliceCells } from './select.ts';
import type { SourceColumn } from './source-column.ts';
import type { Table } from './table.ts';
import type { WordList } from './words.ts';

export interface TableSourceParts {
  readonly name: string;
  readonly tables: readonly Table[];
  readonly encoding: TableEncoding;
  /** Name of the label column; null: labels are not read. */
  readonly label: string | null;
  /** Words that are expected in each column of the encoding, and in the label column. */
  readonly lists: readonly WordList[];
  readonly labelList: WordList;
  /** The rows, when they were read before and have no fault. */
  readonly stored: StoredRows | null;
  readonly notes: readonly string[];
  readonly reject: ((rejected: RejectedRow) => void) | undefined;
}

/** Examples from tables whose encoding is known. */
export class TableSource implements ExampleSource {
  readonly name: string;
  readonly classes: readonly string[];
  /** Rows set aside in the first reading. */
  rejected = 0;
  /** Cells of the last reading that named a category which training had not seen. */
  unseen = 0;
  readonly #parts: TableSourceParts;
  readonly #notes = new Set<string>();
  #readings = 0;

  constructor(parts: TableSourceParts) {
    this.name = parts.name;
    this.classes = classNames(parts.encoding.label);
    this.#parts = parts;
    for (const note of parts.notes) this.#notes.add(note);
  }

  /** What should be said about how the tables were read; complete after a reading. */
  get notes(): readonly string[] {
    const { unseen } = this;
    const late = this.#parts.tables.flatMap((table) => table.lateNotes?.() ?? []);
    if (unseen === 0) return [...this.#notes, ...late];
    return [
      ...this.#notes,
      ...late,
      `${unseen} ${unseen === 1 ? 'value is a category' : 'values are categories'} that training had not seen`,
    ];
  }

  encoding(): TableEncoding {
    return this.#parts.encoding;
  }

  /** Gives back what is kept between readings; there can be none after it. */
  close(): void {
    this.#parts.stored?.close();
  }

  async *batches(): AsyncGenerator<Batch> {
    const reading = new Reading(this.#parts, this.#readings++ === 0, (note) => this.#notes.add(note));
    const { stored, tables } = this.#parts;
    if (stored !== null) yield* reading.stored(stored);
    else
      for (const table of tables)
        for await (const batch of reading.table(table)) {
          yield batch;
          this.unseen = reading.unseen;
        }
    this.rejected ||= reading.rejected;
  }
}

/** One reading of all rows. */
class Reading {
  rejected = 0;
  readonly #parts: TableSourceParts;
  /** Rows are handed to `reject` in the first reading only. */
  readonly #isFirst: boolean;
  readonly #encoder: TableEncoder;
  readonly #signs: LabelSigns;

  constructor(parts: TableSourceParts, isFirst: boolean, note: (text: string) => void) {
    this.#parts = parts;
    this.#isFirst = isFirst;
    this.#encoder = new TableEncoder(parts.encoding);
    this.#signs = new LabelSigns(parts.encoding, note);
  }

  get unseen(): number {
    return this.#encoder.unseen;
  }

  *stored(rows: StoredRows): Generator<Batch> {
    for (const { rows: count, columns, label } of rows.chunks())
      yield this.#encoder.encodeColumns({ rows: count, columns, labels: this.#signs.of(label, count) });
  }

  async *table(table: Table): AsyncGenerator<Batch> {
    const { encoding, label, lists, labelList, reject } = this.#parts;
    const tolerant = reject !== undefined;
    const named = new Map(table.columns.map((column) => [column.name, column]));
    const wanted: Wanted[] = encoding.columns.map(({ name, kind }, c) => ({
      column: usable(named, name),
      kind,
      list: lists[c]!,
    }));
    const labels: Wanted | null =
      label === null ? null : { column: labelColumn(table, label), kind: 'category', list: labelList };
    for await (const chunk of table.scan(wanted, labels, { tolerant }).chunks()) {
      const signs = chunk.label === null ? null : this.#signs.of(chunk.label, chunk.rows);
      const bad = this.#badRows(chunk, signs);
      let from = 0;
      for (let i = 0; i <= chunk.rows; i++) {
        const isBad = i < chunk.rows && bad !== null && bad[i] !== 0;
        if (!isBad && i < chunk.rows) continue;
        // Rows up to here are delivered before this one is set aside.
        if (i > from) yield this.#encode(table, chunk, signs, from, i);
        if (isBad) this.#refuse(table, chunk, signs, i);
        from = i + 1;
      }
    }
  }

  /** Flags of rows at fault; null when there are none. */
  #badRows(chunk: ScannedChunk, signs: Float64Array | null): Uint8Array | null {
    let bad = chunk.damaged?.includes(1) ? Uint8Array.from(chunk.damaged) : null;
    for (const cells of [...chunk.columns, signs]) {
      if (!(cells instanceof Float64Array)) continue;
      const isLabel = cells === signs;
      for (let i = 0; i < chunk.rows; i++) {
        const isBad = Math.abs(cells[i]!) === Infinity || (isLabel && Number.isNaN(cells[i]!));
        if (!isBad) continue;
        bad ??= new Uint8Array(chunk.rows);
        bad[i] = 1;
      }
    }
    return bad;
  }

  #encode(table: Table, chunk: ScannedChunk, signs: Float64Array | null, from: number, to: number): Batch {
    return this.#encoder.encodeColumns({
      rows: to - from,
      columns: chunk.columns.map((cells) => sliceCells(cells, from, to)),
      labels: signs?.subarray(from, to) ?? null,
      source: table.name,
      firstRow: chunk.first + from,
    });
  }

  /** Throws the fault of row i, or sets the row aside. */
  #refuse(table: Table, chunk: ScannedChunk, signs: Float64Array | null, i: number): void {
    if (chunk.damaged?.[i] === 1) {
      this.#reject(chunk.rejected(i));
      return;
    }
    const error = this.#faultOf(table, chunk, signs, i);
    if (this.#parts.reject === undefined) throw error;
    this.#reject({ error, text: chunk.text(i) });
  }

  #reject({ error, text }: RejectedRow): void {
    this.rejected++;
    if (this.#isFirst) this.#parts.reject!({ error, text });
  }

  #faultOf(table: Table, chunk: ScannedChunk, signs: Float64Array | null, i: number): HalfspaceError {
    const { encoding, label } = this.#parts;
    const where = { source: table.name, row: chunk.first + i + 1 };
    for (let c = 0; c < encoding.columns.length; c++) {
      const cells = chunk.columns[c];
      const { kind, name } = encoding.columns[c]!;
      if (kind !== 'category' && kind !== 'text' && cells instanceof Float64Array && Math.abs(cells[i]!) === Infinity)
        return refusedCell(kind, cells[i]!, chunk.cell(c, i), { ...where, field: name });
    }
    if (Number.isNaN(signs![i]!))
      return new HalfspaceError('label-missing', 'expected a label; got none', { ...where, field: label! });
    const { codes, words } = chunk.label!;
    const expected = encoding.label.classes.map((name) => JSON.stringify(name)).join(' or ');
    return new HalfspaceError(
      'label-classes',
      `expected ${expected}; got ${JSON.stringify(cellText(words[codes[i]!]!))}`,
      { ...where, field: label! },
    );
  }
}

function usable(columns: ReadonlyMap<string, SourceColumn>, name: string): SourceColumn | null {
  const column = columns.get(name) ?? null;
  return column === null || column.type === 'nested' || column.type === 'unsupported' ? null : column;
}

/** The labels of rows as +1 and −1, each word looked at once. */
class LabelSigns {
  readonly #encoding: TableEncoding;
  readonly #note: (text: string) => void;
  #words: WordCells['words'] | null = null;
  #signs: number[] = [];
  #cells = new Float64Array(0);

  constructor(encoding: TableEncoding, note: (text: string) => void) {
    this.#encoding = encoding;
    this.#note = note;
  }

  of({ codes, words }: WordCells, rows: number): Float64Array {
    if (words !== this.#words) this.#signs = [];
    this.#words = words;
    for (let w = this.#signs.length; w < words.length; w++) this.#signs.push(this.#signOf(cellText(words[w]!)));
    if (this.#cells.length < rows) this.#cells = new Float64Array(rows);
    for (let i = 0; i < rows; i++) this.#cells[i] = this.#signs[codes[i]!]!;
    return this.#cells;
  }

  #signOf(text: string | null): number {
    const { label } = this.#encoding;
    const sign = labelNumber(label, text);
    if (sign === unknownClass || text === null) return sign;
    const name = matchClass(label, text);
    if (label.type === 'text' && name !== null && name !== text)
      this.#note(`labels such as ${text} are taken for ${name}: the dot behind them is overlooked`);
    return sign;
  }
}
