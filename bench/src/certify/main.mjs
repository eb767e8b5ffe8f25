// Measures `halfspace certify` and `halfspace check` as whole processes, on noisy rows of several shapes and on digits.
//
//   node bench/src/certify/main.mjs [--sets dense-1000,mnist-4] [--data DIR] [--seconds 60]
//
// DIR has the ten thousand MNIST test digits as IDX files (mnist10k-*-ubyte.gz); without it they are left out. Markdown goes to standard output, with what is proved about each set.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from '../machine.mjs';
import { benchFolder, measure } from '../run/process.mjs';
import { sets } from './sets.mjs';

const { values: options } = parseArgs({
  options: { sets: { type: 'string' }, data: { type: 'string' }, seconds: { type: 'string', default: '60' } },
});
const all = sets(options.data);
const names = options.sets?.split(',') ?? all.map(({ name }) => name);
const chosen = names.map((name) => {
  const found = all.find((set) => set.name === name);
  if (found === undefined) throw new Error(`expected one of ${all.map((set) => set.name).join(', ')}; got ${name}`);
  return found;
});

const command = [process.execPath, join(benchFolder, '../packages/cli/bin/halfspace.cjs')];
const folder = mkdtempSync(join(tmpdir(), 'halfspace-bench-'));
try {
  const { cpu, cores, node, commit } = describeMachine();
  console.log(`${cores} cores of ${cpu}, Node ${node}, commit ${commit}.\n`);
  console.log('| set | rows × features | verdict | certify, s | MB | check, s | MB | certificate, kB |');
  console.log('|---|---|---|--:|--:|--:|--:|--:|');
  for (const set of chosen) console.log(row(set));
} finally {
  rmSync(folder, { recursive: true });
}

function row({ name, about, write }) {
  const data = join(folder, `${name}.svm`);
  const certificate = join(folder, `${name}.certificate.json`);
  write(data);
  const flags = ['--positive', '1', '--seconds', options.seconds, '--certificate', certificate, '--json'];
  const made = measure([...command, 'certify', data, ...flags], { anyStatus: true });
  const checked = measure([...command, 'check', certificate, data, '--json'], { anyStatus: true });
  if (JSON.parse(checked.stdout).holds !== true) throw new Error(`expected ${name} to hold; got ${checked.stdout}`);
  const kilobytes = Math.round(statSync(certificate).size / 1000);
  const times = [made, checked].flatMap(({ seconds, peakMegabytes }) => [
    seconds.toFixed(1),
    peakMegabytes?.toFixed(0),
  ]);
  const cells = [name, about, proved(JSON.parse(readFileSync(certificate, 'utf8'))), ...times, kilobytes];
  rmSync(data);
  return `| ${cells.join(' | ')} |`;
}

/** What a certificate proves, in a few words. */
function proved({ verdict, contradictions, interior }) {
  if (verdict !== 'not-separable') return verdict;
  if (interior !== null) return 'not separable, by all rows';
  return `not separable, by ${Math.min(...contradictions.map(({ rows }) => rows.length))} rows`;
}
