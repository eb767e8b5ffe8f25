import type { StoredBatch } from '../batch.ts';
import type { LabelType } from '../data/label.ts';
import type { ExampleSource } from '../data/source.ts';
import type { UnknownClasses } from '../data/unknown-classes.ts';
import { HalfspaceError } from '../errors.ts';
import { WordMeanings } from '../features/column-features.ts';
import { TableEncoder } from '../features/encode-table.ts';
import { cellText, refusedCell } from '../features/table-cell.ts';
import type { WordCells } from '../features/table-chunk.ts';
import { cellForm, comesAsWords, type TableEncoding, type TableFormat } from '../features/table-encoding.ts';
import { classNames, labelNumber, matchClass, unknownClass } from '../features/table-label.ts';
import type { UnknownValues } from '../features/unknown.ts';
import type { Carry } from './carried.ts';
import { sliceCells } from './cells.ts';
import { cellsOfModel, wantedColumns, wantedLabel } from './columns.ts';
import type { FitResult, StoredRows } from './fit.ts';
import { missingLabel } from './reading.ts';
import type { RejectedRow, ScannedChunk, SourceColumn, Table } from './table.ts';
import { WordList } from './words.ts';

interface TableSourceParts extends FitResult {
  readonly name: string;
  readonly tables: readonly Table[];
  readonly format: TableFormat;
  /** True if the encoding is that of a model; else it knows all values but those of rows that are held out. */
  readonly isForModel: boolean;
  /** Name of the label column; null: labels are not read. */
  readonly label: string | null;
  /** Called for each bad row, which is then skipped. Default: the first bad row ends the scan with its error. */
  readonly reject: ((rejected: RejectedRow) => void) | undefined;
  /** Takes the classes that the encoding does not have. Default: their rows are bad. */
  readonly unknown?: UnknownClasses | undefined;
  /** The columns to deliver beside the examples, for each table. */
  readonly carried?: { readonly columns: readonly SourceColumn[][]; readonly take: Carry['take'] } | undefined;
}

/** A source of the examples in tables whose encoding is known. */
export class TableSource implements ExampleSource {
  readonly name: string;
  readonly classes: readonly string[];
  readonly labelType: LabelType | undefined;
  readonly unknownClasses: readonly string[] | undefined;
  /** Number of bad rows that the first scan skipped. */
  rejected = 0;
  readonly #parts: TableSourceParts;
  readonly #notes = new Set<string>();
  #readings = 0;
  /** The encoder of the last scan. */
  #latest: TableEncoder | null = null;

  constructor(parts: TableSourceParts) {
    this.name = parts.name;
    this.classes = classNames(parts.encoding.label);
    this.labelType = parts.labelType;
    this.unknownClasses = parts.unknown?.names;
    this.#parts = parts;
    for (const note of parts.notes) this.#notes.add(note);
  }

  /** Names of the columns that may be leaks; empty if an encoding was given. */
  get leaks(): readonly string[] {
    return this.#parts.leaks.map(({ name }) => name);
  }

  get lettersOnTrial(): readonly string[] {
    return this.#parts.onTrial;
  }

  /** Notes for the user about how the tables were read; complete after a scan. */
  get notes(): readonly string[] {
    const late = this.#parts.tables.flatMap((table) => table.lateNotes?.() ?? []);
    return [...this.#notes, ...late, ...(this.#latest?.unknownNotes(this.#parts.isForModel) ?? [])];
  }

  /** Values of the last scan that the model does not know; null in training. */
  get unknown(): UnknownValues | null {
    return this.#parts.isForModel ? (this.#latest?.unknown ?? null) : null;
  }

  /** The columns that are delivered beside the examples. */
  get carried(): readonly SourceColumn[] {
    return this.#parts.carried?.columns[0] ?? [];
  }

  encoding(): TableEncoding {
    return this.#parts.encoding;
  }

  /** Frees the data that are kept between scans; no scan may follow. */
  close(): void {
    this.#parts.stored?.close();
  }

  async *batches(): AsyncGenerator<StoredBatch> {
    const reading = new Reading(this.#parts, this.#readings++ === 0, (note) => this.#notes.add(note));
    const { stored, tables } = this.#parts;
    this.#latest = reading.encoder;
    if (stored !== null) yield* reading.stored(stored.chunks());
    else for (const table of tables) yield* reading.table(table);
    this.rejected ||= reading.rejected;
  }
}

/** One scan of all rows. */
class Reading {
  rejected = 0;
  readonly #parts: TableSourceParts;
  /** Only the first scan passes rows to `reject`. */
  readonly #isFirst: boolean;
  readonly encoder: TableEncoder;
  readonly #signs: LabelSigns;

  constructor(parts: TableSourceParts, isFirst: boolean, note: (text: string) => void) {
    this.#parts = parts;
    this.#isFirst = isFirst;
    this.encoder = new TableEncoder(parts.encoding);
    this.#signs = new LabelSigns(parts, note);
  }

  *stored(chunks: Iterable<StoredRows>): Generator<StoredBatch> {
    for (const { rows, columns, label, weights = null } of chunks)
      yield this.encoder.encodeColumns({ rows, columns, labels: this.#signs.of(label, rows), weights });
  }

  async *table(table: Table): AsyncGenerator<StoredBatch> {
    const { encoding, label, lists, labelList, reject, carried } = this.#parts;
    const tolerant = reject !== undefined;
    const names = encoding.columns.map(({ name }) => name);
    const own = wantedColumns(table, names, (c) => cellsOfModel(encoding.columns[c]!), lists, encoding);
    const more = carried?.columns[this.#parts.tables.indexOf(table)] ?? [];
    const wanted = [...own, ...more.map((column) => ({ column, kind: 'text' as const, list: new WordList() }))];
    const labels = label === null ? null : wantedLabel(table, label, labelList, encoding);
    for await (const chunk of table.scan(wanted, labels, { tolerant }).chunks()) {
      const signs = chunk.label === null ? null : this.#signs.of(chunk.label, chunk.rows);
      const bad = this.#badRows(chunk, signs);
      let from = 0;
      for (let i = 0; i <= chunk.rows; i++) {
        const isBad = i < chunk.rows && bad !== null && bad[i] !== 0;
        if (!isBad && i < chunk.rows) continue;
        // The rows before a bad one are delivered before it is reported.
        if (i > from) {
          const batch = this.#encode(table, chunk, signs, from, i);
          const first = from;
          carried?.take({
            cell(column, row) {
              const { codes, words } = chunk.columns[own.length + column] as WordCells;
              return words[codes[first + row]!] ?? null;
            },
            text: (row) => chunk.text(first + row),
          });
          yield batch;
        }
        if (isBad) this.#refuse(table, chunk, signs, i);
        from = i + 1;
      }
    }
  }

  /** Returns flags of the bad rows; null: none. */
  #badRows(chunk: ScannedChunk, signs: Float64Array | null): Uint8Array | null {
    let bad = chunk.damaged?.includes(1) ? Uint8Array.from(chunk.damaged) : null;
    for (const cells of [...chunk.columns, signs]) {
      if (!(cells instanceof Float64Array)) continue;
      const isLabel = cells === signs;
      for (let i = 0; i < chunk.rows; i++) {
        const isBad = Math.abs(cells[i]!) === Infinity || (isLabel && Number.isNaN(cells[i]!));
        // A row of weight 0 counts as absent.
        if (!isBad || chunk.weights?.[i] === 0) continue;
        bad ??= new Uint8Array(chunk.rows);
        bad[i] = 1;
      }
    }
    return bad;
  }

  #encode(table: Table, chunk: ScannedChunk, signs: Float64Array | null, from: number, to: number): StoredBatch {
    return this.encoder.encodeColumns({
      rows: to - from,
      columns: this.#parts.encoding.columns.map((_, c) => sliceCells(chunk.columns[c]!, from, to)),
      labels: signs?.subarray(from, to) ?? null,
      weights: chunk.weights?.subarray(from, to) ?? null,
      source: table.name,
      firstRow: chunk.first + from,
    });
  }

  /** Throws the error of bad row i, or reports it to `reject`. */
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
    const { encoding, label, reject, format } = this.#parts;
    const where = { source: table.name, row: chunk.first + i + 1 };
    for (let c = 0; c < encoding.columns.length; c++) {
      const cells = chunk.columns[c];
      const column = encoding.columns[c]!;
      const { kind, name } = column;
      if (!comesAsWords(kind) && cells instanceof Float64Array && Math.abs(cells[i]!) === Infinity)
        return refusedCell(kind, cells[i]!, chunk.cell(c, i), { ...where, field: name }, cellForm(column));
    }
    if (Number.isNaN(signs![i]!))
      return missingLabel({ ...where, field: label! }, reject === undefined ? format : null);
    const { codes, words } = chunk.label!;
    const expected = encoding.label.classes.map((name) => JSON.stringify(name)).join(' or ');
    return new HalfspaceError(
      'label-classes',
      `expected ${expected}; got ${JSON.stringify(cellText(words[codes[i]!]!))}`,
      { ...where, field: label! },
    );
  }
}

/** Turns labels into numbers, each word once. */
class LabelSigns {
  readonly #encoding: TableEncoding;
  readonly #unknown: UnknownClasses | undefined;
  readonly #note: (text: string) => void;
  readonly #signs = new WordMeanings(Float64Array, (word) => this.#signOf(cellText(word)));
  #cells = new Float64Array(0);

  constructor({ encoding, unknown }: TableSourceParts, note: (text: string) => void) {
    this.#encoding = encoding;
    this.#unknown = unknown;
    this.#note = note;
  }

  of({ codes, words }: WordCells, rows: number): Float64Array {
    const signs = this.#signs.of(words);
    if (this.#cells.length < rows) this.#cells = new Float64Array(rows);
    for (let i = 0; i < rows; i++) this.#cells[i] = signs[codes[i]!]!;
    return this.#cells;
  }

  #signOf(text: string | null): number {
    const { label } = this.#encoding;
    const sign = labelNumber(label, text);
    if (text === null) return sign;
    if (sign === unknownClass) return this.#unknown?.labelOf(text) ?? sign;
    const name = matchClass(label, text);
    if (label.join !== true && label.threshold === undefined && name !== null && name !== text)
      this.#note(
        text === `${name}.`
          ? `labels such as ${text} are taken for ${name}: the dot behind them is overlooked`
          : `labels such as ${text} are taken for ${name}, the class of the same number`,
      );
    return sign;
  }
}
