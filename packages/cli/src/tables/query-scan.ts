import type { HalfspaceError } from 'halfspace';
import {
  isReadable,
  keptWord,
  measuredMissing,
  type SourceColumn,
  type Table,
  missingWords as usualWords,
  type Wanted,
  type WordCells,
} from 'halfspace/tables';
import type { CellReader } from './cell-reader.ts';
import { type Database, ownDatabase, sqlText, stream } from './duckdb.ts';
import { asText, cellReader, type QueryColumn } from './duckdb-cells.ts';
import { textOf } from './vectors.ts';
import { createEnum, dropEnum, type WordEnum } from './word-enum.ts';

type Scan = ReturnType<Table['scan']>;
type ScanOptions = Parameters<Table['scan']>[2];

/** A table that DuckDB reads. */
interface QueryTable {
  readonly columns: readonly QueryColumn[];
  /** Default: the database that reads files. */
  readonly database?: Database | undefined;
  /** The SQL after FROM. */
  readonly from: string;
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
  return {
    skipWords: (column) => skipped.add(column),
    async *chunks() {
      const enums: (WordEnum | null)[] = [];
      try {
        for (const each of all)
          enums.push(
            each.column === null || !comesAsWords(each.column, each)
              ? null
              : await createEnum(each.list, table.database ?? ownDatabase),
          );
        const readers = all.map((cells, c) => {
          const column = columns[c]!;
          return column === null ? null : cellReader(column, cells, enums[c]!, () => skipped.has(c));
        });
        yield* readChunks(table, readers, label !== null, options);
      } catch (error) {
        throw table.fault(error);
      } finally {
        for (const words of enums) if (words !== null) await dropEnum(words);
      }
    },
  };
}

function comesAsWords({ type }: SourceColumn, { kind, read }: Wanted): boolean {
  if (kind === 'text' || kind === 'set' || read !== undefined) return false;
  return kind === 'category' || !(kind === type || (kind === 'date' && type === 'time') || kind === 'number');
}

/** Returns the column in which missing words are NULL, and words such as `NA` that are values are marked. */
function withMissing({ column: given, missing = [], keeps = false }: Wanted): QueryColumn | null {
  const column = given as QueryColumn | null;
  if (column === null || !isReadable(column)) return column;
  const marks = keeps && column.type === 'text';
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
  readers: readonly (CellReader | null)[],
  labelled: boolean,
  { tolerant, limit }: ScanOptions,
): ReturnType<Scan['chunks']> {
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

  const sql = `SELECT ${selected.join(', ')} FROM ${table.from}${limit === undefined ? '' : ` LIMIT ${limit}`}`;
  let first = 0;
  for await (const chunk of stream(sql, selected.length, table.database)) {
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
