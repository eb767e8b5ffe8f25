import type { DuckDBConnection } from '@duckdb/node-api';
import { HalfspaceError } from 'halfspace';

/** One database in memory for the process, opened when the first table is. */
let opened: Promise<DuckDBConnection> | null = null;

function connection(): Promise<DuckDBConnection> {
  opened ??= (async () => {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    // Scans are streamed, so the limit is far above what is used; it stops a query that would hold its result.
    const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '1GB' });
    return instance.connect();
  })();
  return opened;
}

/** All rows of a small result. Texts and numbers only. */
export async function query(sql: string): Promise<Record<string, unknown>[]> {
  const reader = await (await connection()).runAndReadAll(sql);
  return reader.getRowObjects();
}

/** Some rows of a streamed result. */
export interface ResultChunk {
  readonly rows: number;
  /** A DOUBLE column. */
  doubles(column: number): Float64Array;
  /** A VARCHAR column. */
  words(column: number): readonly (string | null)[];
}

/** The rows of a result in order, without holding it. */
export async function* stream(sql: string): AsyncGenerator<ResultChunk> {
  const result = await (await connection()).stream(sql);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    yield {
      rows: chunk.rowCount,
      doubles: (column) => (chunk.getColumnVector(column) as unknown as { items: Float64Array }).items,
      words: (column) => chunk.getColumnValues(column) as (string | null)[],
    };
  }
}

/** A text as an SQL literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name as an SQL identifier. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** What DuckDB said about some data, in one line with its place. */
export function tableFault(error: unknown, source: string): HalfspaceError {
  if (error instanceof HalfspaceError) return error;
  const message = String((error as Error).message ?? error);
  if (/INTERNAL Error|FATAL Error|has been invalidated/.test(message)) {
    // The database does not go on after a fault of its own; the next query opens another.
    opened = null;
    return new HalfspaceError('source-corrupt', 'expected a table that DuckDB can read; got one that it fails on', {
      source,
    });
  }
  if (/^Out of Memory/i.test(message))
    return new HalfspaceError('memory-exhausted', `expected memory to read a table; ${message.split('\n')[0]}`, {
      source,
    });
  const [head] = message.split('\n') as [string];
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1];
  const where = { source, ...(line === undefined ? {} : { line: Number(line) }) };
  const columns = /Expected Number of Columns: (\d+) Found: (\d+)/i.exec(message);
  if (columns !== null)
    return new HalfspaceError('row-malformed', `expected ${columns[1]} columns; got ${columns[2]}`, where);
  if (/unterminated quote|Value with unterminated/i.test(message))
    return new HalfspaceError('row-malformed', 'expected a closing quote; got none', where);
  if (/not utf-?8|invalid unicode|utf-8 encoded/i.test(message))
    return new HalfspaceError('source-corrupt', 'expected UTF-8 text; got other bytes', where);
  if (/gzip|zlib|zstd|decompress/i.test(head))
    return new HalfspaceError('source-corrupt', 'expected a whole compressed file; got a damaged or cut one', where);
  if (/parquet|magic bytes/i.test(head))
    return new HalfspaceError('source-corrupt', 'expected a Parquet file; got other or damaged data', where);
  if (/JSON|Malformed/i.test(head)) {
    const place = /byte (\d+)/.exec(message)?.[1];
    return new HalfspaceError(
      'row-malformed',
      'expected JSON: a list of objects, or one object a line; got other text',
      {
        ...where,
        ...(place === undefined ? {} : { byte: Number(place) }),
      },
    );
  }
  return new HalfspaceError('row-malformed', `expected a table; got ${head.slice(0, 200)}`, where);
}
