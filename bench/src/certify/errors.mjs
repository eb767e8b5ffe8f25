// Measures the bounds of `halfspace certify --errors` on small tables: every line errs at least so often, the best one found at most so often.
//
//   node bench/src/certify/errors.mjs --data DIR [--seconds 60] [--sets versicolor,wisconsin] [--holdout]
//
// With --holdout every fifth row is held out, and counted if `--predict` proves its class.
//
// DIR has the tables as they are published (iris.csv, ionosphere.csv and others). Penguins come from vega-datasets. Markdown goes to standard output.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from '../machine.mjs';
import { benchFolder, measure } from '../run/process.mjs';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    sets: { type: 'string' },
    holdout: { type: 'boolean', default: false },
  },
});
if (options.data === undefined) throw new Error('expected --data DIR, a folder of tables; got none');
const folder = mkdtempSync(join(tmpdir(), 'halfspace-bench-'));
const inData = (name) => join(options.data, name);
const missing = ['--missing', '?'];

/** Name, table, and flags that choose two classes. */
const sets = [
  ['chinstrap', penguins(), ['--positive', 'Chinstrap']],
  ['adelie', penguins(), ['--positive', 'Adelie']],
  ['banknote', inData('banknote_authentication.csv'), ['--positive', '1']],
  ['haberman', inData('haberman.csv'), ['--positive', '2']],
  ['wisconsin', inData('breast-cancer-wisconsin.csv'), ['--positive', '4', ...missing]],
  ['versicolor', inData('iris.csv'), ['--positive', 'Iris-versicolor']],
  ['setosa', inData('iris.csv'), ['--positive', 'Iris-setosa']],
  ['virginica', inData('iris.csv'), ['--positive', 'Iris-virginica']],
  ['ionosphere', inData('ionosphere.csv'), ['--positive', 'g']],
  ['auto-mpg', inData('auto-mpg.csv'), ['--positive', '>= 23', ...missing]],
  ['spambase', inData('spambase.csv'), ['--positive', '1']],
  ['sonar', inData('sonar.csv'), ['--positive', 'R']],
  ['agaricus', inData('agaricus.train.svm'), []],
];
const chosen = options.sets?.split(',') ?? sets.map(([name]) => name);

try {
  const { cpu, cores, node, commit } = describeMachine();
  console.log(`${cores} cores of ${cpu}, Node ${node}, commit ${commit}; --seconds ${options.seconds}.\n`);
  const more = options.holdout ? ['held-out rows', 'class proved'] : [];
  console.log(`| ${['set', 'rows × features', 'every line errs on', 'best line found', ...more, 's'].join(' | ')} |`);
  console.log(`|---|---|${'--:|'.repeat(3 + more.length)}`);
  for (const set of sets) if (chosen.includes(set[0])) console.log(row(set));
} finally {
  rmSync(folder, { recursive: true });
}

function row([name, table, flags]) {
  const [data, held] = options.holdout ? split(table, flags.includes('--positive') && hasHeader(table)) : [table];
  const command = [process.execPath, join(benchFolder, '../packages/cli/bin/halfspace.cjs')];
  const certificate = join(folder, `${name}.certificate.json`);
  const asked = held === undefined ? [] : ['--predict', held];
  const more = ['--errors', '--seconds', options.seconds, '--certificate', certificate, '--json', ...asked];
  const made = measure([...command, 'certify', data, ...flags, ...more], { anyStatus: true });
  const checked = measure([...command, 'check', certificate, data, '--json'], { anyStatus: true });
  if (JSON.parse(checked.stdout).holds !== true) throw new Error(`expected ${name} to hold; got ${checked.stdout}`);
  const { examples, features, errors, separable, predictions } = JSON.parse(made.stdout);
  const [least, most] = separable ? [0, 0] : [errors?.atLeast, errors?.atMost];
  const cells = [name, `${examples} × ${features}`, least, most];
  if (held !== undefined) cells.push(predictions.length, predictions.filter((each) => each.class !== null).length);
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
