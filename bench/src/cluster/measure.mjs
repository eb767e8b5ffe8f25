// Measures those costs of the simulation that need no engine, with this machine's Node, and prints them as JSON for
// `main.mjs --costs FILE`. `halfspace-distributed` must be built. About a minute.
//
//   node bench/src/cluster/measure.mjs [--features 1048576] [--repeats 5]
import { parseArgs } from 'node:util';
import { decodeMixState, mix, mixPart, parseJob, work } from 'halfspace-distributed';
import { Random } from '../data/random.mjs';
import { sparseEncoder } from '../shards/data.mjs';

const { values: options } = parseArgs({
  options: { features: { type: 'string', default: '1048576' }, repeats: { type: 'string', default: '5' } },
});
const features = Number(options.features);
const repeats = Number(options.repeats);
const shards = 8;
const text = { vector: 'x', rule: { name: 'averaged' }, shards, passes: 2 };
const job = parseJob(JSON.stringify({ format: 'halfspace-job', version: 1, label: 'y', ...text }));

// Rows for learning: narrow, so that the weights take no time.
const nonzeros = 125;
const narrow = 1024;
const many = rowsOf(40_000, narrow, nonzeros, 1);
const some = rowsOf(10_000, narrow, nonzeros, 1);
const small = await stateOf([some]);
const spent = { many: [], some: [] };
for (let k = 0; k < 2 * repeats; k++)
  for (const [name, rows] of Object.entries({ many, some }))
    spent[name].push(await seconds(() => work(job, small, 0, pieces(rows))));
const learn = (median(spent.many) - median(spent.some)) / (30_000 * nonzeros);

// Rows for the weights: a few of each shard that have all features, so that every shard changes every weight.
const wide = Array.from({ length: shards }, (_, k) => rowsOf(16, features, features >> 4, k));
const begun = await stateOf(wide);
const results = await Promise.all(wide.map((rows, k) => result(begun, k, rows)));
const dense = await mix(job, begun, results);
const few = rowsOf(1, features, 1, 0);
const take = await typical(() => work(job, decodeMixState(dense, 'state'), 0, pieces(few)));

const partOf = (given) => mixPart(job, begun, given);
const partAt = async (k) => ({ name: `part ${k}`, bytes: await partOf(results.slice(k, k + 2)) });
const parts = await Promise.all([0, 2, 4, 6].map(partAt));
const adding = async (given) => (await typical(() => partOf(given))) - (await typical(() => partOf(given.slice(0, 2))));
const numbers = 2 * features; // weights and their sums
const costs = {
  learn,
  take: take / features,
  add: (await adding(results.slice(0, 6))) / (4 * numbers),
  addPart: (await adding(parts)) / (2 * numbers),
  weight: results[0].bytes.length / features,
  part: parts[0].bytes.length / results[0].bytes.length,
  spread: deviation(spent.many.map(Math.log)),
};
console.log(JSON.stringify(costs, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(2)) : value), 2));

function rowsOf(count, width, each, stream) {
  const random = new Random(1, stream);
  const encode = sparseEncoder(width);
  const step = width / each;
  return encode(
    Array.from({ length: count }, (_, i) => ({
      label: i % 2 === 0 ? 'a' : 'b',
      indices: Array.from({ length: each }, (_, j) => (Math.floor(j * step) + i) % width).sort((a, b) => a - b),
      values: Array.from({ length: each }, () => random.normal()),
    })),
  );
}

async function* pieces(bytes) {
  for (let from = 0; from < bytes.length; from += 1 << 20) yield bytes.subarray(from, from + (1 << 20));
}

async function result(state, shard, rows) {
  return { name: `${shard}`, bytes: await work(job, state, shard, pieces(rows)) };
}

/** Returns the state before the first round, of these rows as the first shards. */
async function stateOf(given) {
  const all = [...given, ...Array(shards - given.length).fill(given[0])];
  const fits = [];
  for (const [k, rows] of all.entries()) fits.push(await result(null, k, rows));
  return decodeMixState(await mix(job, null, fits), 'state');
}

/** Returns the seconds of processor time that a call takes: others may use the machine. */
async function seconds(run) {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

async function typical(run) {
  const times = [];
  for (let k = 0; k < repeats; k++) times.push(await seconds(run));
  return median(times);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function deviation(values) {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
