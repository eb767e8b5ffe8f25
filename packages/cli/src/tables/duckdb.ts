import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import { HalfspaceError } from 'halfspace';
import { temporaryFolder } from 'halfspace/node';

/**
 * A DuckDB in memory. It is started when its first table is opened, so other formats do not wait for it.
 *
 * It has one thread: then every query plan returns rows in the order of the file. In measurements a second thread
 * gained almost nothing, because the consumer of a streamed result is slower.
 */
export class Database {
  /** The files that it may open, as paths and patterns; null: any file. Nothing else of the machine is open to it. */
  readonly files: readonly string[] | null;
  /** Its memory limit in MB. */
  memory = leastMemory;
  #instance: Promise<DuckDBInstance> | null = null;

  constructor(files: readonly string[] | null) {
    this.files = files;
  }

  async connect(): Promise<DuckDBConnection> {
    this.#instance ??= start(this.files);
    return (await this.#instance).connect();
  }
}

type DuckDb = typeof import('./duckdb-api.ts');
let loaded: Promise<DuckDb | HalfspaceError> | null = null;

/** Number of rows of a chunk: DuckDB's vector size; for estimates. */
const chunkRows = 2048;
/** Memory of DuckDB in MB: enough for ordinary tables, and more for each column of a wide one. */
const leastMemory = 100;
const memoryPerColumn = 0.4;
/** Size of a chunk in bytes from which memory matters more than time. */
const largeChunk = 8e6;

/** Reads files of tables; what it runs is written here. */
export const ownDatabase = new Database(null);

/** Loads DuckDB, which is an optional dependency. Returns an error if it is not installed. */
function load(): Promise<DuckDb | HalfspaceError> {
  loaded ??= import('./duckdb-api.ts').catch((error: Error) => {
    const [reason] = error.message.split('\n');
    return new HalfspaceError(
      'source-unreadable',
      `expected DuckDB, which reads Parquet and runs SQL; got an installation without it (${reason}): install halfspace-cli again, without --omit=optional`,
    );
  });
  return loaded;
}

async function start(files: readonly string[] | null): Promise<DuckDBInstance> {
  const api = await load();
  if (api instanceof HalfspaceError) throw api;
  const { DuckDBInstance } = api;
  // Large sorts and joins of --sql go to disk instead of memory.
  const folder = join(temporaryFolder().path, 'duckdb');
  const started = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: `${leastMemory}MB`,
    preserve_insertion_order: 'true',
    temp_directory: folder,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await started.connect();
  await connection.run(`SET GLOBAL TimeZone = 'UTC'`);
  if (files !== null) {
    // The order matters: without external access, no path can be allowed any more.
    await connection.run(`SET GLOBAL allowed_paths = [${files.map(sqlText).join(', ')}]`);
    await connection.run('SET GLOBAL enable_external_access = false');
  }
  connection.closeSync();
  return started;
}

/** Runs statements in order, and returns the rows of the last one; for small results. */
export function query(...statements: readonly string[]): Promise<unknown[][]> {
  return queryIn(ownDatabase, ...statements);
}

/** The same in another database. */
export async function queryIn(database: Database, ...statements: readonly string[]): Promise<unknown[][]> {
  const connection = await database.connect();
  try {
    let rows: unknown[][] = [];
    for (const sql of statements) rows = (await connection.runAndReadAll(sql)).getRowsJS();
    return rows;
  } finally {
    connection.closeSync();
  }
}

/** Raises DuckDB's memory limit to what chunks of this number of columns need. */
export function allowColumns(columns: number, database?: Database): Promise<void> {
  return allowMemory(Math.ceil(leastMemory / 2 + columns * memoryPerColumn), database);
}

/** Raises DuckDB's memory limit, if it is lower. */
export async function allowMemory(megabytes: number, database = ownDatabase): Promise<void> {
  if (megabytes <= database.memory) return;
  database.memory = megabytes;
  await queryIn(database, `SET GLOBAL memory_limit = '${megabytes}MB'`);
}

/**
 * Streams the chunks of a query's result in order, each valid until the next one is requested. The next chunk is
 * computed while the caller works on this one, unless chunks are large.
 *
 * @param columns number of columns of the query.
 */
export async function* stream(sql: string, columns: number, database = ownDatabase): AsyncGenerator<DuckDBDataChunk> {
  const connection = await database.connect();
  const chunkBytes = columns * chunkRows * 16;
  const ahead = chunkBytes < largeChunk;
  const collector = new ChunkCollector(chunkBytes);
  let next: Promise<DuckDBDataChunk | null> | null = null;
  try {
    // A stream that fails ends like a complete one. So an additional last row marks the end.
    const nulls = 'NULL, '.repeat(columns);
    const result = await connection.stream(`SELECT *, false FROM (${sql}) UNION ALL SELECT ${nulls}true`);
    next = result.fetchChunk();
    for (;;) {
      const chunk: DuckDBDataChunk | null = await next;
      next = null;
      const rows = chunk?.rowCount ?? 0;
      if (chunk === null || rows === 0) break;
      const isLast = chunk.getColumnVector(columns).getItem(rows - 1) === true;
      if (ahead && !isLast) next = result.fetchChunk();
      if (isLast) chunk.rowCount = rows - 1;
      if (!isLast || rows > 1) yield chunk;
      if (isLast) return;
      next ??= result.fetchChunk();
      collector.used();
    }
  } finally {
    // After an early stop a fetch is pending, which must end before its connection does.
    connection.interrupt();
    await next?.catch(() => null);
    connection.closeSync();
  }
  // The same query without streaming throws the error.
  await queryIn(database, `SELECT count(COLUMNS(*)) FROM (${sql})`);
  throw new Error('the result of a query ended early');
}

/**
 * Collects the memory of used chunks. V8 does not count it, so used chunks would pile up before a collection. A small
 * collection every few megabytes costs about a millisecond and saves a hundred megabytes.
 */
class ChunkCollector {
  readonly #bytes: number;
  #pending = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  used(): void {
    this.#pending += this.#bytes;
    if (this.#pending < largeChunk) return;
    this.#pending = 0;
    collect ??= exposedCollector();
    collect(this.#bytes < largeChunk ? { type: 'minor' } : undefined);
  }
}

type Collect = (options?: { type: 'minor' }) => void;
let collect: Collect | null = null;

function exposedCollector(): Collect {
  setFlagsFromString('--expose-gc');
  return (runInNewContext('globalThis.gc') as Collect | undefined) ?? (() => {});
}

/** Returns text as a literal of SQL. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns a name as an identifier of SQL. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns a path as a literal of SQL for this one file: wildcards in its name are escaped. */
export function sqlPath(path: string): string {
  return sqlText(path.replace(/[*?[]/g, '[$&]'));
}
