import { HalfspaceError } from '../errors.ts';
import { wordReader } from '../features/cell-forms.ts';
import { FormatTally, numericFormat } from '../features/date/evidence.ts';
import type { DateFormat } from '../features/date/format-names.ts';
import { fieldsOf } from '../features/record.ts';
import { booleanCell, cellText, dateCell, unlessMissing, valueCell, valueText } from '../features/table-cell.ts';
import type { ColumnCells, WordCells } from '../features/table-chunk.ts';
import type { ColumnKind, MeasuredKind, NumberNotation } from '../features/table-encoding.ts';
import { looksLikeText } from '../features/text/likeness.ts';
import { countWords } from '../features/text/tokens.ts';
import { type ColumnHints, chooseKind, type ReadAs, type ShownKind, tallyWords } from './kinds.ts';
import { NotationTally } from './notations.ts';
import type { Scan, ScannedChunk, ScanOptions, SourceColumn, Table, Wanted } from './table.ts';

/** Named fields: numbers, booleans, dates, text; null and undefined are missing values. */
export type Row = Readonly<Record<string, unknown>>;

/** A table of plain objects. */
export interface RowsTable extends Table {
  /**
   * Returns how a column that can be read is read, determined from all rows.
   * @param given the kind that was asked for; null: none.
   */
  readAs(given: ColumnKind | null, hints: ColumnHints): ReadAs;
  scan(wanted: readonly Wanted[], label: Wanted | null, options: ScanOptions): RowsScan;
}

/**
 * Returns plain objects as a table.
 *
 * @param name for messages.
 * @param missing further words for a missing value. Default: none.
 * @param weight field with the weight of a row; those of weight 0 do not decide about kinds. Default: none.
 * @throws HalfspaceError `row-malformed` for what is no object of fields.
 */
export function rowsTable(rows: readonly Row[], name: string, missing?: readonly string[], weight?: string): RowsTable {
  rows.forEach((row, i) => {
    checkRow(row, i, name);
  });
  const kinds = new Map<string, ColumnKind>();
  const notations = new Map<string, NotationTally>();
  const formats = new Map<string, DateFormat | null>();
  const present = weight === undefined ? rows : rows.filter((row) => valueCell('number', own(row, weight)) !== 0);
  const columns = Array.from(new Set(rows.flatMap((row) => Object.keys(row))), (field, position): SourceColumn => {
    const values = present.map((row) => unlessMissing(own(row, field), missing));
    const tally = tallyStrings(values);
    const format = formatOf(field, values);
    const kind = kindOf(values, tally.choose()?.notation, format);
    if (format !== undefined) formats.set(field, format);
    if (kind !== 'nested') kinds.set(field, kind);
    if (tally.notated > 0 || kind === 'number') notations.set(field, tally);
    return { name: field, type: kind === 'category' ? 'text' : kind, position };
  });
  return {
    name,
    columns,
    readAs(given, { name, decimal, format: asked }) {
      const format = asked ?? formats.get(name);
      const kind = given ?? kinds.get(name)!;
      // The order of these dates is not known.
      if (kind === 'date' && format === null) return { kind: 'category' };
      if (kind === 'date' && format != null && format !== 'iso') return { kind, form: format };
      if (kind !== 'number') return { kind };
      const form = notations.get(name)?.choose(decimal)?.notation ?? (decimal === ',' ? { decimal } : undefined);
      return form === undefined ? { kind } : { kind, form };
    },
    header: null,
    notes: [],
    scan: (wanted, label, options) => new RowsScan({ rows, name }, wanted, label, options),
  };
}

/** Rows of a chunk. */
const chunkRows = 2048;

class RowsScan implements Scan {
  readonly #rows: readonly Row[];
  readonly #name: string;
  readonly #wanted: readonly Wanted[];
  readonly #label: Wanted | null;
  readonly #options: ScanOptions;
  readonly #skipped = new Set<Wanted>();

  constructor(
    { rows, name }: { readonly rows: readonly Row[]; readonly name: string },
    wanted: readonly Wanted[],
    label: Wanted | null,
    options: ScanOptions,
  ) {
    this.#rows = rows.slice(0, options.limit);
    this.#name = name;
    this.#wanted = wanted;
    this.#label = label;
    this.#options = options;
  }

  skipWords(column: number): void {
    this.#skipped.add(this.#wanted[column]!);
  }

  async *chunks(): AsyncGenerator<ScannedChunk> {
    yield* this.read();
  }

  /** Reads at once, without waiting. */
  *read(): Generator<ScannedChunk> {
    const { tolerant, from = 0 } = this.#options;
    for (let at = from; at < this.#rows.length; at += chunkRows) {
      const { chunk, errors } = this.#chunkOf(at, this.#rows.slice(at, at + chunkRows));
      const [first] = [...errors.keys()].sort((a, b) => a - b);
      if (first === undefined || tolerant) {
        yield chunk;
        continue;
      }
      if (first > 0) yield this.#chunkOf(at, this.#rows.slice(at, at + first)).chunk;
      throw errors.get(first);
    }
  }

  /** @returns also the errors of rows that cannot be read. */
  #chunkOf(first: number, rows: readonly Row[]): { chunk: ScannedChunk; errors: Map<number, HalfspaceError> } {
    const errors = new Map<number, HalfspaceError>();
    const read = (wanted: Wanted) => this.#cellsOf(wanted, first, rows, errors);
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
      cell: (column, row) => own(rows[row]!, this.#wanted[column]!.column!.name),
      text,
    };
    return { chunk, errors };
  }

  #cellsOf(
    wanted: Wanted,
    first: number,
    rows: readonly Row[],
    errors: Map<number, HalfspaceError>,
  ): ColumnCells | null {
    const { column, kind, read, list } = wanted;
    if (column === null) return null;
    const { name: field } = column;
    const cellOf = (row: Row) => unlessMissing(own(row, field), wanted.missing);
    if (kind !== 'category' && kind !== 'text')
      return Float64Array.from(rows, (row) => valueCell(kind satisfies MeasuredKind, cellOf(row), read));
    if (this.#skipped.has(wanted)) return { codes: new Uint8Array(rows.length), words: list.words };
    if (list.full) list.truncate(1);
    const codes = Uint32Array.from(rows, (row, i) => {
      try {
        return list.code(valueText(cellOf(row), field, { source: this.#name, row: first + i + 1 }));
      } catch (error) {
        if (!(error instanceof HalfspaceError)) throw error;
        if (!errors.has(i)) errors.set(i, error);
        return 0;
      }
    });
    return { codes, words: list.words };
  }
}

/** @throws HalfspaceError `row-malformed` for what is no object of fields. */
function checkRow(row: unknown, i: number, source: string): void {
  try {
    fieldsOf(row);
  } catch (error) {
    if (error instanceof HalfspaceError) throw new HalfspaceError(error.code, error.message, { source, row: i + 1 });
    throw error;
  }
}

/** An inherited member, such as `constructor`, is no field. */
function own(row: Row, field: string): unknown {
  return Object.hasOwn(row, field) ? row[field] : undefined;
}

function tallyStrings(values: readonly unknown[]): NotationTally {
  const tally = new NotationTally();
  for (const value of values) {
    const text = typeof value === 'string' ? cellText(value) : null;
    if (text !== null) tally.add(text);
  }
  return tally;
}

/** Returns the format in which all dates of a column are written; null: not decided; undefined: they are no dates. */
function formatOf(name: string, values: readonly unknown[]): DateFormat | null | undefined {
  const there = present(values);
  if (there.some((value) => typeof value === 'object' || typeof value === 'boolean')) return undefined;
  const words = new Set(there.map((value) => (typeof value === 'string' ? cellText(value)! : String(value))));
  const number = numericFormat(name, words);
  if (number !== null) return number;
  const tally = new FormatTally();
  for (const word of words) tally.add(word, 1);
  return tally.choice((cells) => cells === words.size)?.format;
}

function present(values: readonly unknown[]): unknown[] {
  return values.filter((value) => value != null && !(typeof value === 'string' && cellText(value) === null));
}

/**
 * Returns the kind of a column, determined from all its values.
 *
 * @param form how its numbers are written.
 * @param format how its dates are written, if all of them have the same format.
 */
function kindOf(
  values: readonly unknown[],
  form: NumberNotation | undefined,
  format: DateFormat | null | undefined,
): ShownKind | 'nested' {
  const there = present(values);
  const every = (holds: (value: unknown) => boolean) => there.every(holds);
  const text = (read: (word: string) => number) => (value: unknown) =>
    typeof value === 'string' && Number.isFinite(read(value));
  if (there.some((value) => typeof value === 'object' && !(value instanceof Date))) return 'nested';
  if (there.length === 0) return 'category';
  if (format != null) return 'date';
  const numeric = text(wordReader('number', form));
  if (every((value) => typeof value === 'number' || typeof value === 'bigint' || numeric(value))) {
    const isPadded = there.some((value) => typeof value === 'string' && /^\s*0\d/.test(value));
    return isPadded
      ? chooseKind(tallyWords(there.map(String), new Uint8Array(there.length).fill(1), { name: '' }))
      : 'number';
  }
  const truth = text(booleanCell);
  if (every((value) => typeof value === 'boolean' || truth(value))) return 'boolean';
  const day = text(dateCell);
  if (every((value) => value instanceof Date || day(value))) return 'date';
  const texts = there.filter((value): value is string => typeof value === 'string');
  const tally = {
    cells: there.length,
    different: new Set(there).size,
    words: texts.reduce((sum, each) => sum + countWords(each), there.length - texts.length),
  };
  return looksLikeText(tally) ? 'text' : 'category';
}
