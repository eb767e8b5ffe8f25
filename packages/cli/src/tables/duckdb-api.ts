// The JavaScript part of DuckDB, in a file of its own in the bundle: small tables do without it.
export { DuckDBInstance } from '@duckdb/node-api';
