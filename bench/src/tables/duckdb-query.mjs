// Runs one query in DuckDB as it comes, with all its threads, and prints the seconds of the query alone.
import { DuckDBInstance } from '@duckdb/node-api';

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const started = performance.now();
await connection.run(process.argv[2]);
console.log(JSON.stringify({ seconds: (performance.now() - started) / 1000 }));
