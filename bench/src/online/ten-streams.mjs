// Accuracy of one row at a time, answered before it is learned, on ten streams: the default of `OnlineClassifier`, single rules of it, and
// single learners of river and Vowpal Wabbit. The last lines compare the default with the best of the others, known only with hindsight.
//
//   node bench/src/online/ten-streams.mjs --data ../shared/data --more DIR [--python python3] [--rows 20000] [--only sea,sms] [--rules]
//
// DIR has elec.csv (github.com/scikit-multiflow/streaming-datasets) and a8a (LIBSVM data); what is missing is left out. The Python needs
// `pip install river vowpalwabbit`.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OnlineClassifier } from 'halfspace';
import { Random } from '../data/random.mjs';
import { findPython } from '../peers.mjs';
import { benchFolder, measure } from '../run/process.mjs';
import { tableStream, tables } from './streams.mjs';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: resolve(benchFolder, '../../shared/data') },
    more: { type: 'string', default: '.' },
    python: { type: 'string', default: 'python3' },
    rows: { type: 'string', default: '20000' },
    only: { type: 'string' },
    rules: { type: 'boolean', default: false },
  },
});
const rowCount = Number(options.rows);
const singleRules = {
  arow: 'arow',
  'sgd, mean': { name: 'sgd', answer: 'mean' },
  'sgd, last': { name: 'sgd', answer: 'last' },
  'passive-aggressive': { name: 'passive-aggressive', aggressiveness: 0.1 },
};

/**
 * The streams by name: lists of [label, row]. A row is a record, or {"text": …}, or a bag of features by name.
 *
 * @type {Record<string, (random: Random) => [number, object][] | null>}
 */
const streams = {
  electricity: () => csvRows(join(options.more, 'elec.csv')),
  sea,
  hyperplane,
  jumping,
  a8a: () => sparseRows(join(options.more, 'a8a')),
  adult: () => published('adult'),
  rcv1: () => wabbitRows(['rcv1_small.train.vw', 'rcv1_small.test.vw'].map((name) => join(options.data, name))),
  sms: () => messages(join(options.data, 'sms.tsv')),
  recurring,
  gradual,
};

const folder = mkdtempSync(join(tmpdir(), 'halfspace-bench-'));
try {
  const results = [];
  for (const [k, [name, make]] of Object.entries(streams).entries()) {
    if (options.only !== undefined && !options.only.split(',').includes(name)) continue;
    const rows = make(new Random(100 + k));
    if (rows === null) {
      process.stderr.write(`${name}: left out, its file is missing\n`);
      continue;
    }
    results.push([name, rows.length, judge(name, rows)]);
    process.stderr.write(`${name}: ${JSON.stringify(results.at(-1)[2])}\n`);
  }
  print(results);
} finally {
  rmSync(folder, { recursive: true });
}

/** Returns the accuracies of all learners on a stream, by name. */
function judge(name, rows) {
  const accuracies = { 'halfspace, default': own(rows, {}) };
  if (options.rules)
    for (const [rule, given] of Object.entries(singleRules))
      accuracies[`halfspace, ${rule}`] = own(rows, { rule: given });
  const python = findPython(options.python);
  if (python === null) return accuracies;
  const file = join(folder, `${name}.ndjson`);
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const { stdout } = measure([python, join(benchFolder, 'src/online/ten_streams.py'), file]);
  return { ...accuracies, ...JSON.parse(stdout) };
}

function own(rows, given) {
  const isBag = Object.keys(rows[0][1]).every((field) => /^\d+$/.test(field));
  const online = new OnlineClassifier({ ...given, ...(isBag ? { columns: 'bag' } : { columns: { text: 'text' } }) });
  let right = 0;
  for (const [label, row] of rows) if (online.learn(row, label).right === true) right++;
  return right / rows.length;
}

function print(results) {
  const names = [...new Set(results.flatMap(([, , found]) => Object.keys(found)))];
  const line = (cells) => console.log(`| ${cells.join(' | ')} |`);
  const shown = (value) => (value === undefined ? '' : value.toFixed(3));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  console.log(`Node ${process.version}, ${availableParallelism()} cores.\n`);
  line(['accuracy', ...results.map(([name]) => name), 'mean']);
  line(['---', ...results.map(() => '--:'), '--:']);
  line(['rows', ...results.map(([, rows]) => rows), '']);
  for (const name of names) {
    const found = results.map(([, , all]) => all[name]);
    line([name, ...found.map(shown), found.includes(undefined) ? '' : mean(found).toFixed(4)]);
  }
  const best = results.map(([, , { 'halfspace, default': _, ...all }]) =>
    Math.max(...Object.entries(all).flatMap(([name, value]) => (name.startsWith('halfspace') ? [] : [value]))),
  );
  line(['best of river and VW', ...best.map(shown), mean(best).toFixed(4)]);
  const gains = results.map(([, , all], k) => all['halfspace, default'] - best[k]);
  line(['default, less that', ...gains.map((gain) => gain.toFixed(4)), mean(gains).toFixed(4)]);
}

function csvRows(path) {
  if (!existsSync(path)) return null;
  const [head, ...lines] = readFileSync(path, 'utf8').trim().split(/\r?\n/);
  const names = head.split(',').slice(0, -1);
  return lines.map((line) => {
    const cells = line.split(',').map(Number);
    return [cells.at(-1), Object.fromEntries(names.map((name, j) => [name, cells[j]]))];
  });
}

function sparseRows(path) {
  if (!existsSync(path)) return null;
  return new Random(1).shuffled(
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const [label, ...pairs] = line.trim().split(/\s+/);
        return [
          Number(label) > 0 ? 1 : 0,
          Object.fromEntries(pairs.map((pair) => pair.split(':')).map(([j, x]) => [j, +x])),
        ];
      }),
  );
}

function wabbitRows(paths) {
  if (!paths.every(existsSync)) return null;
  return paths.flatMap((path) =>
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const [label, features] = line.split('|f ');
        const pairs = features
          .trim()
          .split(/\s+/)
          .map((pair) => pair.split(':'));
        return [Number(label) > 0 ? 1 : 0, Object.fromEntries(pairs.map(([j, x]) => [j, Number(x ?? 1)]))];
      }),
  );
}

function published(name) {
  const path = tableStream(
    tables.find((table) => table.name === name),
    { from: options.data, to: folder },
  );
  return path === null
    ? null
    : readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
}

function messages(path) {
  if (!existsSync(path)) return null;
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([label, text]) => [label === 'spam' ? 1 : 0, { text }]);
}

/** SEA (Street & Kim 2001): x₁ + x₂ ≤ θ of three numbers; θ changes three times; a tenth of the labels is wrong. */
function sea(random) {
  return list((i) => {
    const x = numbers(random, 3, 10);
    const threshold = [8, 9, 7, 9.5][Math.floor((4 * i) / rowCount)];
    return [noisy(random, x[0] + x[1] <= threshold, 0.1), recordOf(x)];
  });
}

/** A hyperplane of ten numbers whose weights move all the time (Hulten, Spencer & Domingos 2001); 5 % are wrong. */
function hyperplane(random) {
  const w = numbers(random, 10, 1);
  const steps = w.map((_, j) => (j < 5 ? 0.001 * (random.uniform() < 0.5 ? -1 : 1) : 0));
  return list(() => {
    const x = numbers(random, 10, 1);
    for (let j = 0; j < 5; j++) {
      w[j] += steps[j];
      if (random.uniform() < 0.1) steps[j] = -steps[j];
    }
    const sum = w.reduce((all, each) => all + each, 0);
    return [noisy(random, dot(w, x) > sum / 2, 0.05), recordOf(x)];
  });
}

/** A linear concept of ten numbers that is another one after each fifth of the stream; 5 % are wrong. */
function jumping(random) {
  let w = [];
  return list((i) => {
    if (i % (rowCount / 5) === 0) w = numbers(random, 10, 1).map((each) => 2 * each - 1);
    const x = numbers(random, 10, 1).map((each) => 2 * each - 1);
    return [noisy(random, dot(w, x) > 0, 0.05), recordOf(x)];
  });
}

/** Two concepts of numbers and categories that take turns, each for an eighth of the stream; 5 % are wrong. */
function recurring(random) {
  return list((i) => {
    const [row, first, second] = mixed(random);
    return [noisy(random, Math.floor((8 * i) / rowCount) % 2 === 0 ? first : second, 0.05), row];
  });
}

/** The same two concepts: from a quarter of the stream to three quarters the second one gets likelier; 5 % are wrong. */
function gradual(random) {
  return list((i) => {
    const [row, first, second] = mixed(random);
    const isSecond = random.uniform() < (2 * i) / rowCount - 0.5;
    return [noisy(random, isSecond ? second : first, 0.05), row];
  });
}

function mixed(random) {
  const [a, b, c] = numbers(random, 3, 1);
  const [shop, day] = [random.below(6), random.below(7)];
  const row = { a: 100 * a, b, c, shop: `shop ${shop}`, day: `day ${day}` };
  return [row, a + 0.1 * shop > 0.75, b - 0.1 * day + 0.4 * c > 0.4];
}

function list(row) {
  return Array.from({ length: rowCount }, (_, i) => row(i));
}

function numbers(random, count, most) {
  return Array.from({ length: count }, () => most * random.uniform());
}

function dot(w, x) {
  return w.reduce((sum, each, j) => sum + each * x[j], 0);
}

function recordOf(x) {
  return Object.fromEntries(x.map((value, j) => [`x${j}`, value]));
}

function noisy(random, isPositive, share) {
  return Number(isPositive !== random.uniform() < share);
}
