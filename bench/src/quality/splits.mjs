import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { findPython } from '../peers/python.mjs';
import { furtherSets } from './further.mjs';
import { linesOf, textOf } from './parts.mjs';

const help = `Usage: node bench/src/quality/splits.mjs [options]

The accuracy of the choice of train without options on the further tables, as means over random stratified splits: one split hides less than
the noise of choosing. Seed s holds out the same quarter of the rows for every build, so two builds can be compared split by split.

  --splits N        number of splits, by the seeds 1 to N (10)
  --only A,B        these tables only, by name
  --library FILE    index.js of the build to measure (this repository's)
  --python PATH     the Python to look for scikit-learn in, which brings some of the tables (python3)
  --help            this text
`;

const text = /** @type {const} */ ({ type: 'string' });
const { values } = parseArgs({
  options: { splits: text, only: text, library: text, python: text, help: { type: 'boolean' } },
});
if (values.help) process.stdout.write(help);
else await main();

async function main() {
  const library = values.library === undefined ? 'halfspace' : pathToFileURL(resolve(values.library)).href;
  const { csv, train } = await import(library);
  const only = values.only?.split(',');
  const folder = mkdtempSync(join(tmpdir(), 'halfspace-splits-'));
  process.stdout.write('| table | accuracy | ± standard error | seconds | passes chosen |\n|---|---|---|---|---|\n');
  try {
    const means = [];
    for (const { name, write } of furtherSets(findPython(values.python ?? 'python3')).here) {
      if (only !== undefined && !only.includes(name)) continue;
      const { train: first, heldout: rest, label } = write(folder);
      const [header, ...rows] = linesOf(textOf(first));
      const table = `${[header, ...rows, ...linesOf(textOf(rest)).slice(1)].join('\n')}\n`;
      const runs = [];
      const started = performance.now();
      for (let seed = 1; seed <= Number(values.splits ?? 10); seed++)
        runs.push((await train(csv(table, { label, name }), { holdout: 0.25, seed })).report);
      const seconds = (performance.now() - started) / 1000 / runs.length;
      const { mean, error } = meanOf(runs.map(({ holdout }) => holdout.accuracy));
      means.push(mean);
      const passes = runs.map((report) => report.passes).join(' ');
      process.stdout.write(
        `| ${name} | ${mean.toFixed(4)} | ${error.toFixed(4)} | ${seconds.toFixed(1)} | ${passes} |\n`,
      );
    }
    process.stdout.write(`| mean of ${means.length} | ${meanOf(means).mean.toFixed(4)} | | | |\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {number[]} numbers */
function meanOf(numbers) {
  const mean = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  const squares = numbers.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / Math.max(1, numbers.length - 1) / numbers.length) };
}
