// Compares time and accuracy of a decision tree with scikit-learn's trees on the same numbers: its exact tree, and a
// histogram tree (one round of boosting), which puts numbers into bins like ours. Each runs in its own process, in
// turns. Times do not include reading the numbers.
//
//   node bench/src/trees/against-scikit-learn.mjs [--rows 1000000] [--columns 20] [--depth 8] [--rounds 3] [--python
//   python3]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../data/random.mjs';
import { benchFolder, measure, output } from '../run/process.mjs';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    columns: { type: 'string', default: '20' },
    depth: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    python: { type: 'string', default: 'python3' },
  },
});
const rows = Number(options.rows);
const columns = Number(options.columns);
const folder = mkdtempSync(join(tmpdir(), 'halfspace-bench-'));
const file = join(folder, 'table.bin');

try {
  writeFileSync(file, makeTable());
  const shape = [file, options.rows, options.columns, options.depth];
  const here = join(benchFolder, 'src/trees');
  const peers = new Map([['halfspace', [process.execPath, join(here, 'halfspace-tree.mjs'), ...shape]]]);
  if (output([options.python, '-c', 'import sklearn']) !== null)
    for (const kind of ['exact', 'histogram'])
      peers.set(`scikit-learn, ${kind}`, [options.python, join(here, 'scikit_learn_tree.py'), ...shape, kind]);
  const measured = new Map([...peers.keys()].map((name) => [name, []]));
  for (let round = 0; round < Number(options.rounds); round++)
    for (const [name, command] of peers) measured.get(name).push(JSON.parse(measure(command).stdout));
  console.log(`\n${rows} × ${columns} numbers, depth ${options.depth}, one thread, a tenth held out\n`);
  console.log('| tree | least s | median s | leaves | held-out accuracy |');
  console.log('|---|---|---|---|---|');
  for (const [name, runs] of measured) {
    const times = runs.map(({ seconds }) => seconds).sort((a, b) => a - b);
    const { leaves, accuracy } = runs[0];
    console.log(
      `| ${name} | ${times[0].toFixed(2)} | ${times[times.length >> 1].toFixed(2)} | ${leaves} | ${accuracy.toFixed(4)} |`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Columns of doubles one behind the other, the class as the last: products and squares of four columns, and noise. */
function makeTable() {
  const random = new Random(1);
  const uniform = () => (random.bits() >>> 0) / 2 ** 32;
  const table = new Float64Array(rows * (columns + 1));
  for (let k = 0; k < rows * columns; k++) table[k] = uniform() + uniform() - 1;
  const at = (c, i) => table[c * rows + i];
  for (let i = 0; i < rows; i++) {
    const score = at(0, i) * at(1, i) + 0.3 * at(2, i) + 0.2 * at(3, i) ** 2 + 0.2 * (uniform() - 0.5);
    table[columns * rows + i] = score > 0.05 ? 1 : 0;
  }
  return new Uint8Array(table.buffer);
}
