// Compares the time of halfspace to read tables and learn from them with the time of DuckDB alone to scan the same
// columns. Both run in fresh, alternating processes. Prints the smallest and the median time of each.
//
//   node bench/src/tables/against-duckdb.mjs [--rounds 7] [--csv FILE] [--halfspace COMMAND]
//
// FILE is a CSV with a column `label`; `npm run bench -- --only data --rows 300000` makes one in bench/.data/dense-….
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchFolder, measure } from '../run/process.mjs';
import { csvSum, duckdb, flightsQuery, flightsSum, lateness } from './duckdb-work.mjs';

const root = join(benchFolder, '..');
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    csv: { type: 'string' },
    halfspace: { type: 'string', default: `${process.execPath} ${join(root, 'packages/cli/bin/halfspace.cjs')}` },
  },
});
const csv = options.csv ?? madeTable();

const folder = mkdtempSync(join(tmpdir(), 'halfspace-bench-'));
const learn = (...args) => [
  ...options.halfspace.split(' '),
  'train',
  ...args,
  '--rule',
  'averaged',
  '--json',
  '--model',
  join(folder, 'a.json'),
];

/** What DuckDB does, and what halfspace does with the same table. */
const groups = [
  {
    title: 'flights-3m.parquet, six columns of three million rows',
    duckdb: {
      // The hash of whole rows needs every value too, and cannot be answered from a dictionary.
      'sum, max': duckdb(flightsSum),
      hash: duckdb(`SELECT sum(hash(COLUMNS(*))) FROM (${flightsQuery})`),
      'into a table': duckdb(`CREATE TABLE t AS ${flightsQuery}`),
    },
    halfspace: { 'one pass': learn(...lateness, '--passes', '1'), 'ten passes': learn(...lateness) },
  },
  csv && {
    title: csv,
    duckdb: {
      sum: duckdb(csvSum(csv)),
      'into a table': duckdb(`CREATE TABLE t AS SELECT * FROM read_csv('${csv}')`),
    },
    halfspace: { 'one pass': learn(csv, '--passes', '1'), 'ten passes': learn(csv, '--passes', '10') },
  },
].filter(Boolean);

try {
  for (const group of groups) {
    const runs = Object.entries({ ...prefixed('DuckDB', group.duckdb), ...prefixed('halfspace', group.halfspace) });
    const measured = new Map(runs.map(([name]) => [name, []]));
    // The first round warms the disk's cache and is dropped.
    for (let round = 0; round <= Number(options.rounds); round++)
      for (const [name, command] of runs) {
        const run = measure(command);
        if (round > 0) measured.get(name).push(run);
      }
    print(group, measured);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Seconds without the start of the process: of the query, or of the command from its first line to its report. */
function insideSeconds({ seconds }) {
  return typeof seconds === 'number' ? seconds : seconds.total;
}

function prefixed(prefix, commands) {
  return Object.fromEntries(Object.entries(commands).map(([name, command]) => [`${prefix}, ${name}`, command]));
}

function print({ title }, measured) {
  const least = (name) => Math.min(...measured.get(name).map(({ seconds }) => seconds));
  const peers = [...measured.keys()].filter((name) => name.startsWith('DuckDB'));
  console.log(`\n${title}\n`);
  console.log(
    `| process | least s | median s | without start s | peak MB | ${peers.map((peer) => `× ${peer}`).join(' | ')} |`,
  );
  console.log(`|---|---|---|---|---|${peers.map(() => '---|').join('')}`);
  for (const [name, runs] of measured) {
    const times = runs.map(({ seconds }) => seconds).sort((a, b) => a - b);
    const inside = Math.min(...runs.map(({ stdout }) => insideSeconds(JSON.parse(stdout))));
    const megabytes = Math.max(...runs.map(({ peakMegabytes }) => peakMegabytes ?? Number.NaN));
    const ratios = peers.map((peer) => (least(name) / least(peer)).toFixed(2));
    const figures = [times[0], times[times.length >> 1], inside].map((seconds) => seconds.toFixed(3));
    console.log(`| ${[name, ...figures, megabytes.toFixed(0), ...ratios].join(' | ')} |`);
  }
}

/** A table that was made before; null: none. */
function madeTable() {
  const data = join(benchFolder, '.data');
  const made = existsSync(data) ? readdirSync(data).filter((name) => name.startsWith('dense-300000-')) : [];
  return made.length === 0 ? null : join(data, made[0], 'train.csv');
}
