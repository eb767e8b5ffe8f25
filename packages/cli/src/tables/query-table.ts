import { HalfspaceError } from 'halfspace';
import type { Table } from 'halfspace/tables';
import { readableByQuery } from '../files/sql-files.ts';
import { allowMemory, Database, queryIn } from './duckdb.ts';
import { describe, describing, typedTable } from './duckdb-native.ts';
import { queryFault } from './faults.ts';

/** Memory in megabytes for queries, which read text with large buffers, sort and join. */
const queryMemory = 512;

/**
 * Opens the result of a query as a table. The query is tested before it runs, in a database that opens no other files
 * than those that the query names in quotes.
 *
 * @throws HalfspaceError `option-invalid`, `source-unreadable`.
 */
export async function openQueryTable(given: string): Promise<Table> {
  const name = 'sql';
  const sql = given.trim().replace(/;\s*$/, '');
  const database = new Database(await readableByQuery(sql));
  await allowMemory(queryMemory, database);
  // The line end ends a comment at the end of the query, which would otherwise hide the parenthesis.
  const from = `(${sql}\n)`;
  try {
    await checkStatement(database, sql, from);
    const columns = await describe(from, database);
    await checkPlan(database, from);
    return typedTable(name, from, columns, [], (error) => queryFault(error, name), database);
  } catch (error) {
    throw queryFault(error, name, { typed: given, before: `${describing}(` });
  }
}

/**
 * Only parses, because DuckDB makes the folder of an `EXPORT` already when it prepares the statement.
 *
 * @throws HalfspaceError `option-invalid` unless the text is one statement, a query.
 */
async function checkStatement(database: Database, sql: string, from: string): Promise<void> {
  const connection = await database.connect();
  try {
    const countOf = async (text: string) => (await connection.extractStatements(text).catch(() => null))?.count ?? null;
    const count = await countOf(sql);
    if (count === null) {
      // Throws the fault with its place, which is a fault of the parser.
      await connection.prepare(sql).catch((error: Error) => {
        if (!/No statement/.test(error.message)) throw error;
      });
      throw refused('none');
    }
    if (count !== 1) throw refused(`${count} statements`);
    // Only a query is also a query within parentheses.
    if ((await countOf(`SELECT * FROM ${from}`)) !== 1) throw refused('a statement of another kind');
  } finally {
    connection.closeSync();
  }
}

/** The functions that a plan may have as tables: they read files that the query names, or make rows. */
const functions =
  /^(READ_(CSV|CSV_AUTO|PARQUET|TEXT|BLOB|(ND)?JSON(_OBJECTS)?(_AUTO)?)|PARQUET_\w+|GLOB|SNIFF_CSV|RANGE|GENERATE_SERIES|REPEAT(_ROW)?|UNNEST|JSON_(EACH|TREE)|SUMMARY)$/;

/**
 * Tests the functions of a query's plan. Some functions of DuckDB change its settings, write logs, or run other text;
 * the plan shows them however the query hides their names.
 */
async function checkPlan(database: Database, from: string): Promise<void> {
  const [row] = await queryIn(database, `EXPLAIN (FORMAT json) SELECT * FROM ${from}`);
  const nodes = JSON.parse(String(row![1])) as PlanNode[];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const used = node.extra_info?.Function;
    if (used !== undefined && !functions.test(used)) throw refused(`one with the function ${used.toLowerCase()}`);
    nodes.push(...(node.children ?? []));
  }
}

interface PlanNode {
  readonly children?: readonly PlanNode[];
  readonly extra_info?: { readonly Function?: string };
}

function refused(got: string): HalfspaceError {
  return new HalfspaceError('option-invalid', `expected one query that only reads, such as "select …"; got ${got}`, {
    source: 'sql',
  });
}
