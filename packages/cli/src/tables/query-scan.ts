import { type ColumnKind, HalfspaceError, type WordCells } from 'halfspace';
import type { CellReader } from './cell-reader.ts';
import { asText, cellReader, DoubleReader, type QueryColumn } from './cells.ts';
import { stream } from './duckdb.ts';
import type { Scan, ScannedChunk, ScanOptions, Wanted } from './scan.ts';
import type { SourceColumn } from './source-column.ts';
import { textOf } from './vectors.ts';
import { createEnum, dropEnum, type WordEnum } from './words.ts';

/** A table that DuckDB reads. */
export interface QueryTable {
  readonly columns: readonly QueryColumn[];
  /** What follows FROM. */
  readonly from: string;
  /**
   * What follows FROM so that these columns are read as doubles at once, which is quicker than as text first. Reading fails where a
   * cell is neither a number nor missing. Absent: there is no such way.
   */
  fromDoubles?(columns: readonly QueryColumn[]): string;
  /** After a fault: another way to read the rows behind the first `from`, which tells the fault with its place. Absent: there is none. */
  otherwise?(from: number): Scan;
  /** What DuckDB said, as an error. */
  fault(error: unknown): HalfspaceError;
}

/** Scans a table that DuckDB reads. */
export function scanQuery(
  table: QueryTable,
  wanted: readonly Wanted[],
  label: Wanted | null,
  options: ScanOptions,
): Scan {
  const all = label === null ? wanted : [...wanted, label];
  const columns = all.map(({ column }) => column as QueryColumn | null);
  const resting = new Set<number>();
  let other: Scan | null = null;
  return {
    rest(column) {
      resting.add(column);
      other?.rest(column);
    },
    async *chunks() {
      const enums: (WordEnum | null)[] = [];
      let from = 0;
      try {
        for (const { column, kind, list } of all)
          enums.push(column === null || !comesAsWords(column, kind) ? null : await createEnum(list));
        let doubles = options.tolerant || table.fromDoubles === undefined ? [] : doubleColumns(wanted);
        while (other === null) {
          const readers = all.map(({ kind, list }, c) => {
            const column = columns[c]!;
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
            else if (table.otherwise === undefined || error instanceof HalfspaceError) throw table.fault(error);
            else other = table.otherwise(from);
          }
        }
      } finally {
        for (const words of enums) if (words !== null) await dropEnum(words);
      }
      for (const column of resting) other.rest(column);
      yield* other.chunks();
    },
  };
}

function comesAsWords({ type }: SourceColumn, kind: ColumnKind): boolean {
  if (kind === 'text') return false;
  return kind === 'category' || !(kind === type || (kind === 'date' && type === 'time') || kind === 'number');
}

/** The columns that the table may be able to read as doubles. */
function doubleColumns(wanted: readonly Wanted[]): QueryColumn[] {
  return wanted.flatMap(({ column, kind }) => (column !== null && kind === 'number' ? [column as QueryColumn] : []));
}

async function* readChunks(
  table: QueryTable,
  readers: readonly (CellReader | null)[],
  labelled: boolean,
  from: number,
  doubles: readonly QueryColumn[],
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
  if (tolerant) for (const column of raw) selected.push(asText(column));
  if (selected.length === 0) selected.push('NULL');

  const window = `${limit === undefined ? '' : ` LIMIT ${limit - from}`}${from === 0 ? '' : ` OFFSET ${from}`}`;
  const sql = `SELECT ${selected.join(', ')} FROM ${doubles.length > 0 ? table.fromDoubles!(doubles) : table.from}${window}`;
  let first = from;
  for await (const chunk of stream(sql, selected.length, doubles.length === 0)) {
    const read = readers.map((reader, c) => reader?.read(chunk, positions[c]!) ?? null);
    const label = labelled ? (read.pop() as WordCells | null) : null;
    yield {
      rows: chunk.rowCount,
      first,
      columns: read,
      label,
      damaged: null,
      rejected: (row) => {
        throw new RangeError(`row ${row} was read`);
      },
      cell: (column, row) => textOf(chunk, positions[column]! + readers[column]!.select.length - 1, row),
      text: (row) => formatObject(raw, (c) => textOf(chunk, rawFrom + c, row)),
    };
    first += chunk.rowCount;
  }
}

/** A row as an object of JSON. */
function formatObject(columns: readonly SourceColumn[], cell: (column: number) => string | null): string {
  return `{${columns.map(({ name }, c) => `${JSON.stringify(name)}:${JSON.stringify(cell(c))}`).join(',')}}`;
}
