// Measures the bounds of `halfspace certify --errors` on small tables: every line errs at least so often, the best one found at most so often.
//
//   node bench/src/certify/errors.mjs --data DIR [--seconds 60] [--sets 'versicolor;tae, 4 of 5'] [--holdout] [--mip]
//
// With --holdout every fifth row is held out, and counted if `--predict` proves its class. With --mip the bounds that HiGHS finds in the same time stand beside (mip.mjs).
//
// DIR has the tables as they are published: those of github.com/jbrownlee/Datasets (iris.csv, haberman.csv and others), cats.csv, kyphosis.csv, synth.tr.csv and vaso.csv of
// github.com/vincentarelbundock/Rdatasets, and tae.csv of UCI. A set whose table is missing is left out. Penguins come from vega-datasets. Markdown goes to standard output.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from '../machine.mjs';
import { benchFolder, measure } from '../run/process.mjs';
import { boundsOfHighs } from './mip.mjs';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    sets: { type: 'string' },
    holdout: { type: 'boolean', default: false },
    mip: { type: 'boolean', default: false },
  },
});
if (options.data === undefined) throw new Error('expected --data DIR, a folder of tables; got none');
const folder = mkdtempSync(join(tmpdir(), 'halfspace-bench-'));
const inData = (name) => join(options.data, name);
const missing = ['--missing', '?'];

/** Name, table, and flags that choose two classes; then, for a part of a table, the columns taken, from 1, with the label last. */
const sets = [
  ['chinstrap', penguins(), ['--positive', 'Chinstrap']],
  ['adelie', penguins(), ['--positive', 'Adelie']],
  ['banknote', inData('banknote_authentication.csv'), ['--positive', '1']],
  ['haberman', inData('haberman.csv'), ['--positive', '2']],
  ['versicolor', inData('iris.csv'), ['--positive', 'Iris-versicolor']],
  ['setosa', inData('iris.csv'), ['--positive', 'Iris-setosa']],
  ['virginica', inData('iris.csv'), ['--positive', 'Iris-virginica']],
  ['cats', inData('cats.csv'), ['--positive', 'M'], [3, 4, 2]],
  ['kyphosis', inData('kyphosis.csv'), ['--positive', 'present'], [3, 4, 5, 2]],
  ['synth', inData('synth.tr.csv'), ['--positive', '1'], [2, 3, 4]],
  ['vaso', inData('vaso.csv'), ['--positive', '1'], [2, 3, 4]],
  ['tae, 4 of 5', inData('tae.csv'), ['--positive', '3'], [2, 3, 4, 5, 6]],
  ['wine, 4 of 13', inData('wine.csv'), ['--positive', '2'], [1, 2, 3, 4, 14]],
  ['seeds, 4 of 7', inData('wheat-seeds.csv'), ['--positive', '1'], [1, 3, 4, 5, 8]],
  ['thyroid, 4 of 5', inData('new-thyroid.csv'), ['--positive', '1'], [2, 3, 4, 5, 6]],
  ['glass, 4 of 9', inData('glass.csv'), ['--positive', '1'], [1, 3, 4, 7, 10]],
  ['wisconsin, 4 of 10', inData('breast-cancer-wisconsin.csv'), ['--positive', '4', ...missing], [2, 3, 4, 7, 10]],
  ['pima, 3 of 8', inData('pima-indians-diabetes.csv'), ['--positive', '1'], [2, 6, 8, 9]],
  ['pima, 4 of 8', inData('pima-indians-diabetes.csv'), ['--positive', '1'], [2, 6, 7, 8, 9]],
  ['auto-mpg, 4 of 7', inData('auto-mpg.csv'), ['--positive', '>= 23', ...missing], [1, 2, 6, 7, 8]],
  ['sonar, 4 of 60', inData('sonar.csv'), ['--positive', 'R'], [11, 21, 36, 45, 61]],
  ['ionosphere, 4 of 34', inData('ionosphere.csv'), ['--positive', 'g'], [3, 5, 7, 8, 35]],
  ['tae', inData('tae.csv'), ['--positive', '3']],
  ['wine', inData('wine.csv'), ['--positive', '2']],
  ['wisconsin', inData('breast-cancer-wisconsin.csv'), ['--positive', '4', ...missing]],
  ['pima', inData('pima-indians-diabetes.csv'), ['--positive', '1']],
  ['ionosphere', inData('ionosphere.csv'), ['--positive', 'g']],
  ['auto-mpg', inData('auto-mpg.csv'), ['--positive', '>= 23', ...missing]],
  ['spambase', inData('spambase.csv'), ['--positive', '1']],
  ['sonar', inData('sonar.csv'), ['--positive', 'R']],
  ['agaricus', inData('agaricus.train.svm'), []],
].filter(([, table]) => existsSync(table));
const chosen = options.sets?.split(';') ?? sets.map(([name]) => name);

try {
  const { cpu, cores, node, commit } = describeMachine();
  console.log(`${cores} cores of ${cpu}, Node ${node}, commit ${commit}; --seconds ${options.seconds}.\n`);
  const more = [...(options.holdout ? ['held-out rows', 'class proved'] : []), ...(options.mip ? ['by HiGHS'] : [])];
  console.log(`| ${['set', 'rows × features', 'every line errs on', 'best line found', ...more, 's'].join(' | ')} |`);
  console.log(`|---|---|${'--:|'.repeat(3 + more.length)}`);
  for (const set of sets) if (chosen.includes(set[0])) console.log(await row(set));
} finally {
  rmSync(folder, { recursive: true });
}

async function row([name, whole, flags, columns]) {
  const table = columns === undefined ? whole : part(whole, columns);
  const [data, held] = options.holdout ? split(table, flags.includes('--positive') && hasHeader(table)) : [table];
  const command = [process.execPath, join(benchFolder, '../packages/cli/bin/halfspace.cjs')];
  const certificate = join(folder, `${name}.certificate.json`);
  const asked = held === undefined ? [] : ['--predict', held];
  const canonical = join(folder, 'canonical.rows');
  const more = [
    '--canonical',
    canonical,
    '--errors',
    '--seconds',
    options.seconds,
    '--certificate',
    certificate,
    '--json',
    ...asked,
  ];
  const made = measure([...command, 'certify', data, ...flags, ...more], { anyStatus: true });
  const checked = measure([...command, 'check', certificate, data, '--json'], { anyStatus: true });
  if (JSON.parse(checked.stdout).holds !== true) throw new Error(`expected ${name} to hold; got ${checked.stdout}`);
  const { examples, features, errors, separable, predictions } = JSON.parse(made.stdout);
  const [least, most] = separable ? [0, 0] : [errors?.atLeast, errors?.atMost];
  const cells = [name, `${examples} × ${features}`, least, most];
  if (held !== undefined) cells.push(predictions.length, predictions.filter((each) => each.class !== null).length);
  if (options.mip) cells.push((await boundsOfHighs(canonical, Number(options.seconds))).join(' to '));
  return `| ${cells.join(' | ')} | ${made.seconds.toFixed(1)} |`;
}

/** Tests if the first line of a table has no number. */
function hasHeader(table) {
  return !/(^|[,\t])-?\d/.test(readFileSync(table, 'utf8').split('\n')[0]);
}

/** Writes a table without every fifth row, and these rows. */
function split(table, header) {
  const lines = readFileSync(table, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const first = header ? [lines.shift()] : [];
  const write = (prefix, kept) => {
    const path = join(folder, `${prefix}-${basename(table)}`);
    writeFileSync(path, `${[...first, ...kept].join('\n')}\n`);
    return path;
  };
  const [known, kept] = [[], []];
  for (const [k, line] of lines.entries()) (k % 5 === 4 ? kept : known).push(line);
  return [write('known', known), write('held', kept)];
}

/** Writes some columns of a table and returns the path. */
function part(table, columns) {
  const lines = readFileSync(table, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '');
  const path = join(folder, `part-${basename(table)}`);
  writeFileSync(path, lines.map((line) => `${columns.map((c) => line.split(',')[c - 1]).join(',')}\n`).join(''));
  return path;
}

/** Writes the measures of the penguins to a table and returns its path. */
function penguins() {
  const columns = ['Beak Length (mm)', 'Beak Depth (mm)', 'Flipper Length (mm)', 'Body Mass (g)', 'Species'];
  const file = join(benchFolder, '../node_modules/vega-datasets/data/penguins.json');
  const rows = JSON.parse(readFileSync(file, 'utf8')).filter((each) => columns.every((name) => each[name] !== null));
  const path = join(folder, 'penguins.csv');
  const lines = [columns, ...rows.map((each) => columns.map((name) => each[name]))];
  writeFileSync(path, `${lines.map((cells) => cells.join(',')).join('\n')}\n`);
  return path;
}
