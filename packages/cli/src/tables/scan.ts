import type { DuckDBDataChunk } from '@duckdb/node-api';
import { type ColumnCells, type ColumnKind, HalfspaceError, type WordCells } from 'halfspace';
import type { CellReader } from './cell-reader.ts';
import { asText, cellReader, DoubleReader } from './cells.ts';
import { stream } from './duckdb.ts';
import type { SourceColumn, Table } from './table.ts';
import { textOf } from './vectors.ts';
import { createEnum, dropEnum, type WordEnum, type WordList } from './words.ts';

/** A column that is wanted from a table. */
export interface Wanted {
  /** Null: the table lacks it. */
  readonly column: SourceColumn | null;
  readonly kind: ColumnKind;
  /** The words of the column met so far; new ones are added. */
  readonly list: WordList;
}

/** Some rows of a table as they were read. Arrays are valid until the next chunk is asked for. */
export interface ScannedChunk {
  readonly rows: number;
  /** How many rows of the table came before. */
  readonly first: number;
  /** As wanted. */
  readonly columns: readonly (ColumnCells | null)[];
  readonly label: WordCells | null;
  /** Rows that could not be read at all; null: none. */
  readonly damaged: Uint8Array | null;
  /** A cell of a wanted column as it stood. */
  cell(column: number, row: number): string | null;
  /** A whole row as it stood, for scans that are tolerant. */
  text(row: number): string;
}

export interface ScanOptions {
  readonly tolerant: boolean;
  /** Only so many rows. */
  readonly limit?: number;
}

/** A scan, which can be told that the words of a column are not needed any more. */
export interface Scan {
  chunks(): AsyncGenerator<ScannedChunk>;
  rest(column: number): void;
}

/**
 * Reads a table from its beginning, rows in order.
 * @throws HalfspaceError for the first row that does not follow the table's format, after those before it were delivered.
 */
export function scanTable(table: Table, wanted: readonly Wanted[], label: Wanted | null, options: ScanOptions): Scan {
  const all = label === null ? wanted : [...wanted, label];
  const resting = new Set<number>();
  return {
    rest: (column) => resting.add(column),
    async *chunks() {
      const enums: (WordEnum | null)[] = [];
      try {
        for (const { column, kind, list } of all)
          enums.push(column === null || !comesAsWords(column, kind) ? null : await createEnum(list));
        let doubles = options.tolerant ? [] : doubleColumns(table, wanted);
        for (let from = 0; ; ) {
          const readers = all.map(({ column, kind, list }, c) => {
            if (column === null) return null;
            if (kind === 'number' && doubles.includes(column)) return new DoubleReader(column);
            return cellReader(column, kind, list, enums[c]!, () => resting.has(c));
          });
          try {
            for await (const chunk of readChunks(table, readers, label !== null, from, doubles, options)) {
              from += chunk.rows;
              yield chunk;
            }
            return;
          } catch (error) {
            // A cell that is no double, or anything else: what it is shows when the rest is read as text.
            if (doubles.length > 0) doubles = [];
            else if (!(await isMended(table, error))) throw await explain(table, error);
          }
        }
      } finally {
        for (const words of enums) if (words !== null) await dropEnum(words);
      }
    },
  };
}

function comesAsWords({ type }: SourceColumn, kind: ColumnKind): boolean {
  if (kind === 'text') return false;
  return kind === 'category' || !(kind === type || (kind === 'date' && type === 'time') || kind === 'number');
}

/** The columns that the table may be able to read as doubles. */
function doubleColumns(table: Table, wanted: readonly Wanted[]): SourceColumn[] {
  if (table.fromDoubles === undefined) return [];
  return wanted.flatMap(({ column, kind }) => (column !== null && kind === 'number' ? [column] : []));
}

async function* readChunks(
  table: Table,
  readers: readonly (CellReader | null)[],
  labelled: boolean,
  from: number,
  doubles: readonly SourceColumn[],
  { tolerant, limit }: ScanOptions,
): AsyncGenerator<ScannedChunk> {
  const selected: string[] = [];
  const positions = readers.map((reader) => {
    const position = selected.length;
    if (reader !== null) selected.push(...reader.select);
    return position;
  });
  // Strings are decoded when they are asked for, so that whole rows at hand cost little.
  const rawFrom = selected.length;
  const raw = table.columns.filter(({ type }) => type !== 'nested' && type !== 'unsupported');
  if (tolerant) selected.push(...raw.map(asText));
  const flagAt = selected.length;
  if (tolerant && table.damaged !== null) selected.push(`CAST(${table.damaged.flag} AS UTINYINT)`);
  if (selected.length === 0) selected.push('NULL');

  const window = `${limit === undefined ? '' : ` LIMIT ${limit - from}`}${from === 0 ? '' : ` OFFSET ${from}`}`;
  const sql = `SELECT ${selected.join(', ')} FROM ${doubles.length > 0 ? table.fromDoubles!(doubles) : table.from(tolerant)}${window}`;
  let first = from;
  for await (const chunk of stream(sql, selected.length, doubles.length === 0)) {
    const rows = chunk.rowCount;
    const read = readers.map((reader, c) => reader?.read(chunk, positions[c]!) ?? null);
    const label = labelled ? (read.pop() as WordCells | null) : null;
    yield {
      rows,
      first,
      columns: read,
      label,
      damaged: tolerant && table.damaged !== null ? flags(chunk, flagAt) : null,
      cell: (column, row) => textOf(chunk, positions[column]! + readers[column]!.select.length - 1, row),
      text: (row) => table.format(cellsOf(table, raw, chunk, rawFrom, row)),
    };
    first += rows;
  }
}

function cellsOf(
  { columns }: Table,
  raw: readonly SourceColumn[],
  chunk: DuckDBDataChunk,
  rawFrom: number,
  row: number,
): (string | null)[] {
  return columns.map((column) => {
    const at = raw.indexOf(column);
    return at === -1 ? null : textOf(chunk, rawFrom + at, row);
  });
}

function flags(chunk: DuckDBDataChunk, at: number): Uint8Array {
  return (chunk.getColumnVector(at) as unknown as { items: Uint8Array }).items;
}

async function isMended(table: Table, error: unknown): Promise<boolean> {
  return !(error instanceof HalfspaceError) && (await table.mend().catch(() => false));
}

/** A cut archive explains every fault that its cut end has. */
async function explain(table: Table, error: unknown): Promise<HalfspaceError> {
  try {
    await table.check();
  } catch (fault) {
    return fault as HalfspaceError;
  }
  return table.fault(error);
}
