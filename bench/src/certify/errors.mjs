// Measures the bounds of `halfspace certify --errors` on small tables: every line errs at least so often, the best one found at most so often.
//
//   node bench/src/certify/errors.mjs --data DIR [--seconds 60] [--sets versicolor,wisconsin]
//
// DIR has the tables as they are published (iris.csv, ionosphere.csv and others). Penguins come from vega-datasets. Markdown goes to standard output.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from '../machine.mjs';
import { benchFolder, measure } from '../run/process.mjs';

const { values: options } = parseArgs({
  options: { data: { type: 'string' }, seconds: { type: 'string', default: '60' }, sets: { type: 'string' } },
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
  ['virginica', inData('iris.csv'), ['--positive', 'Iris-virginica']],
  ['ionosphere', inData('ionosphere.csv'), ['--positive', 'g']],
  ['auto-mpg', inData('auto-mpg.csv'), ['--positive', '>= 23', ...missing]],
  ['spambase', inData('spambase.csv'), ['--positive', '1']],
];
const chosen = options.sets?.split(',') ?? sets.map(([name]) => name);

try {
  const { cpu, cores, node, commit } = describeMachine();
  console.log(`${cores} cores of ${cpu}, Node ${node}, commit ${commit}; --seconds ${options.seconds}.\n`);
  console.log('| set | rows × features | every line errs on | best line found | s |');
  console.log('|---|---|--:|--:|--:|');
  for (const set of sets) if (chosen.includes(set[0])) console.log(row(set));
} finally {
  rmSync(folder, { recursive: true });
}

function row([name, data, flags]) {
  const command = [process.execPath, join(benchFolder, '../packages/cli/bin/halfspace.cjs')];
  const certificate = join(folder, `${name}.certificate.json`);
  const more = ['--errors', '--seconds', options.seconds, '--certificate', certificate, '--json'];
  const made = measure([...command, 'certify', data, ...flags, ...more], { anyStatus: true });
  const checked = measure([...command, 'check', certificate, data, '--json'], { anyStatus: true });
  if (JSON.parse(checked.stdout).holds !== true) throw new Error(`expected ${name} to hold; got ${checked.stdout}`);
  const { examples, features, errors } = JSON.parse(made.stdout);
  return `| ${name} | ${examples} × ${features} | ${errors.atLeast} | ${errors.atMost} | ${made.seconds.toFixed(1)} |`;
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
