/**
 * Measures one row at a time: `OnlineClassifier.learn`, its answer included, over records of 15 mixed fields and over
 * lists of 30 doubles, for every rule that learns row by row.
 *
 *     node bench/src/online/learn-one.mjs [--rows 400000] [--rule sgd] [--closed] [--cpu]
 *
 * Prints microseconds per row: the median of five runs of fresh classifiers over the same rows, after one for warm-up.
 * With --closed the classes are named beforehand; with --cpu the processor's time is measured, for a busy machine. The rows are made by a seed and exist before the clock starts.
 */
import { parseArgs } from 'node:util';
import { OnlineClassifier } from 'halfspace';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '400000' },
    rule: { type: 'string' },
    only: { type: 'string' },
    closed: { type: 'boolean', default: false },
    cpu: { type: 'boolean', default: false },
  },
});
const count = Number(values.rows);
const rules =
  values.rule === undefined
    ? ['follow-the-leader', 'averaged', 'perceptron', 'margin', 'passive-aggressive', 'arow', 'sgd']
    : [values.rule];

/** Returns a generator of numbers in [0, 1) by a seed (xorshift32). */
function uniform(seed) {
  let x = seed;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 2 ** 32;
  };
}

const cities = Array.from({ length: 40 }, (_, k) => `city-${k}`);
const colours = ['red', 'green', 'blue', 'black', 'white'];

/** Records of eight numbers, three truths and four categories, one of them missing now and then. */
function records(n) {
  const next = uniform(7);
  return Array.from({ length: n }, () => ({
    age: Math.floor(next() * 90),
    income: next() * 1e5,
    height: 150 + next() * 50,
    visits: Math.floor(next() * 20),
    member: next() < 0.5,
    city: cities[Math.floor(next() * cities.length)],
    colour: colours[Math.floor(next() * colours.length)],
    balance: next() * 2e4 - 1e4,
    ratio: next(),
    device: next() < 0.1 ? null : next() < 0.5 ? 'phone' : 'desk',
    open: next() < 0.3,
    hour: Math.floor(next() * 24),
    speed: next() * 200,
    plan: ['free', 'team', 'firm'][Math.floor(next() * 3)],
    trial: next() < 0.2,
  }));
}

function vectors(n) {
  const next = uniform(9);
  return Array.from({ length: n }, () => Float64Array.from({ length: 30 }, () => next() * 2 - 1));
}

/** Labels by a noisy linear rule, so that rules make mistakes now and then for ever. */
function labelsOf(rows, scoreOf) {
  const next = uniform(11);
  return rows.map((row) => (scoreOf(row) + (next() - 0.5) * 0.4 > 0 ? 'yes' : 'no'));
}

const microseconds = (rule, rows, labels) => {
  const online = new OnlineClassifier({ rule, ...(values.closed ? { classes: ['no', 'yes'] } : {}) });
  let sink = 0;
  const now = values.cpu ? () => process.cpuUsage().user + process.cpuUsage().system : () => performance.now() * 1000;
  const start = now();
  for (let i = 0; i < rows.length; i++) sink += online.learn(rows[i], labels[i]).scores.length;
  const spent = (now() - start) / rows.length;
  if (sink < 0) throw new Error('never');
  return spent;
};

const groups = {
  'record of 15 fields': () => {
    const rows = records(count);
    return [
      rows,
      labelsOf(rows, (row) => (row.age - 45) / 45 + (row.member ? 0.3 : -0.3) + (row.plan === 'free' ? -0.3 : 0.1)),
    ];
  },
  'Float64Array of 30': () => {
    const rows = vectors(count);
    return [rows, labelsOf(rows, (row) => row[0] + row[1] - row[2] + 0.5 * row[3])];
  },
};

for (const [name, make] of Object.entries(groups)) {
  if (values.only !== undefined && !name.startsWith(values.only)) continue;
  const [rows, labels] = make();
  for (const rule of rules) {
    microseconds(rule, rows, labels);
    const runs = Array.from({ length: 5 }, () => microseconds(rule, rows, labels)).sort((a, b) => a - b);
    console.log(`${name}\t${rule}\t${runs[2].toFixed(3)} µs\t(${runs[0].toFixed(3)} to ${runs[4].toFixed(3)})`);
  }
}
