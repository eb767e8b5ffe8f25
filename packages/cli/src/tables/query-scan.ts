import { HalfspaceError } from 'halfspace';
import {
  isReadable,
  keptWord,
  measuredMissing,
  numberCell,
  refusedWord,
  type Scan,
  type ScannedChunk,
  type ScanOptions,
  type SourceColumn,
  missingWords as usualWords,
  type Wanted,
  type WordCells,
} from 'halfspace/internal/tables';
import type { CellReader } from './cell-reader.ts';
import { type Database, ownDatabase, sqlText, stream } from './duckdb.ts';
import { asText, cellReader, DoubleReader, type QueryColumn } from './duckdb-cells.ts';
import { textOf } from './vectors.ts';
import { createEnum, dropEnum, type WordEnum } from './word-enum.ts';

/** A table that DuckDB reads. */
export interface QueryTable {
  readonly columns: readonly QueryColumn[];
  /** Default: the database that reads files. */
  readonly database?: Database | undefined;
  /** The SQL after FROM. */
  readonly from: string;
  /**
   * Returns the SQL after FROM that reads these columns as doubles, which is faster than as text. The query fails at a
   * cell that is neither a number nor missing, or one of the words `missing`. Absent: the table can only be read as
   * text.
   */
  fromDoubles?(columns: readonly QueryColumn[], missing: readonly string[]): string;
  /**
   * Returns another scan, without the first `from` rows, that finds the place of a fault. Absent: there is none.
   */
  otherwise?(from: number): Scan;
  /** Turns an error of DuckDB into a HalfspaceError. */
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
  const columns = all.map(withMissing);
  const skipped = new Set<number>();
  let other: Scan | null = null;
  return {
    skipWords(column) {
      skipped.add(column);
      other?.skipWords(column);
    },
    async *chunks() {
      const enums: (WordEnum | null)[] = [];
      let from = 0;
      try {
        for (const each of all)
          enums.push(
            each.column === null || !comesAsWords(each.column, each)
              ? null
              : await createEnum(each.list, table.database ?? ownDatabase),
          );
        let doubles =
          options.tolerant || options.exact === true || table.fromDoubles === undefined ? [] : doubleColumns(all);
        while (other === null) {
          const readers = all.map((cells, c) => {
            const column = columns[c]!;
            if (column === null) return null;
            const plain = cells.column as QueryColumn;
            if (cells.kind === 'number' && doubles.includes(plain)) return new DoubleReader(plain);
            return cellReader(column, cells, enums[c]!, () => skipped.has(c));
          });
          try {
            for await (const chunk of readChunks(
              table,
              nullWords(all),
              readers,
              label !== null,
              from,
              doubles,
              options,
            )) {
              from += chunk.rows;
              yield chunk;
            }
            return;
          } catch (error) {
            // Some cell is no double, or there is another error: reading the rest as text finds out.
            if (doubles.length > 0) doubles = [];
            else if (table.otherwise === undefined || error instanceof HalfspaceError) throw table.fault(error);
            else other = table.otherwise(from);
          }
        }
      } finally {
        for (const words of enums) if (words !== null) await dropEnum(words);
      }
      for (const column of skipped) other.skipWords(column);
      yield* other.chunks();
    },
  };
}

function comesAsWords({ type }: SourceColumn, { kind, read }: Wanted): boolean {
  if (kind === 'text' || kind === 'set' || read !== undefined) return false;
  return kind === 'category' || !(kind === type || (kind === 'date' && type === 'time') || kind === 'number');
}

/** Returns the columns that the table may be able to read as doubles. */
function doubleColumns(wanted: readonly Wanted[]): QueryColumn[] {
  // A number such as -999 may stand between blanks, which DuckDB accepts around numbers but not around missing words.
  if (missingWords(wanted).some((word) => numberCell(word) !== refusedWord)) return [];
  const numbers = wanted.filter(({ column, kind, read }) => column !== null && kind === 'number' && read === undefined);
  // All columns have the same words for NULL.
  if (numbers.some(({ keeps }) => keeps) && wanted.some(({ keeps }) => keeps !== true)) return [];
  return numbers.map(({ column }) => column as QueryColumn);
}

function missingWords(wanted: readonly Wanted[]): readonly string[] {
  return wanted.find(({ missing }) => missing !== undefined)?.missing ?? [];
}

/** Returns the words that are NULL in columns of numbers. */
function nullWords(wanted: readonly Wanted[]): readonly string[] {
  const keep = wanted.some(({ keeps }) => keeps === true);
  return [...(keep ? [''] : usualWords), ...missingWords(wanted)];
}

/** Returns the column in which missing words are NULL, and words such as `NA` that are values are marked. */
function withMissing({ column: given, missing = [], keeps = false }: Wanted): QueryColumn | null {
  const column = given as QueryColumn | null;
  if (column === null || !isReadable(column)) return column;
  const marks = keeps && (column.type === 'cell' || column.type === 'text');
  if (missing.length === 0 && !marks) return column;
  const text = `trim(${asText(column)}, ${blanks})`;
  const cases = [
    ...(missing.length === 0 ? [] : [`WHEN ${text} IN (${missing.map(sqlText).join(', ')}) THEN NULL`]),
    ...(marks
      ? [
          ...usualWords.slice(1).map((word) => `WHEN ${text} = ${sqlText(word)} THEN ${sqlText(keptWord(word))}`),
          `WHEN regexp_matches(${text}, ${sqlText(measuredMissing.source)}, 'i') THEN concat(${sqlText(keptWord('-').slice(0, 1))}, ${text})`,
        ]
      : []),
  ];
  return { ...column, sql: `CASE ${cases.join(' ')} ELSE ${column.sql} END` };
}

/** The blanks that are no part of a cell. */
const blanks = "concat(' ', chr(9), chr(10), chr(11), chr(12), chr(13))";

async function* readChunks(
  table: QueryTable,
  missing: readonly string[],
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
  // Strings are decoded on request, so selecting whole rows costs little.
  const rawFrom = selected.length;
  const raw = table.columns.filter(isReadable);
  if (tolerant) for (const column of raw) selected.push(asText(column));
  if (selected.length === 0) selected.push('NULL');

  const window = `${limit === undefined ? '' : ` LIMIT ${limit - from}`}${from === 0 ? '' : ` OFFSET ${from}`}`;
  const sql = `SELECT ${selected.join(', ')} FROM ${doubles.length > 0 ? table.fromDoubles!(doubles, missing) : table.from}${window}`;
  let first = from;
  for await (const chunk of stream(sql, selected.length, doubles.length === 0, table.database)) {
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

/** Formats a row as a JSON object. */
function formatObject(columns: readonly SourceColumn[], cell: (column: number) => string | null): string {
  return `{${columns.map(({ name }, c) => `${JSON.stringify(name)}:${JSON.stringify(cell(c))}`).join(',')}}`;
}
