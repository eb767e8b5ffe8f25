/** Relative to the bench folder, where every command runs. */
const flights = '../node_modules/vega-datasets/data/flights-3m.parquet';
const columns = 'delay > 15 AS late, distance, hour(date) AS hour, dayofweek(date) AS weekday, origin, destination';

/** Six columns of three million flights, from Parquet. */
export const flightsQuery = `SELECT ${columns} FROM '${flights}'`;

/** Sums and maxima, which need every value of the flights. */
export const flightsSum = `SELECT count(late), sum(distance), sum(hour), sum(weekday), max(origin), max(destination) FROM (${flightsQuery})`;

/** The options of halfspace to learn which flights are late. */
export const lateness = ['--sql', flightsQuery, '--label', 'late', '--holdout', '0.2'];

/** The sum of each column of a CSV. */
export const csvSum = (csv) => `SELECT sum(COLUMNS(*)) FROM read_csv('${csv}')`;

/** The command that runs a query in DuckDB. */
export const duckdb = (sql) => ['node', 'src/tables/duckdb-query.mjs', sql];
