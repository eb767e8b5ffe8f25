// Measures how the time of `halfspace train` grows with the number of rows, by threads. Draws it if --output is given.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ByteFile } from './data/byte-file.mjs';
import { Random } from './data/random.mjs';
import { describeMachine } from './machine.mjs';
import { parsed } from './options.mjs';
import { findHalfspace } from './peers.mjs';
import { benchFolder, measure } from './run/process.mjs';

const {
  largest = '10000000',
  threads = '1,2',
  rounds = '3',
  output,
} = parsed(process.argv.slice(2), ['largest', 'threads', 'rounds', 'output'], []);
const sizes = [];
for (let rows = 1000; rows <= Number(largest); rows *= 10) sizes.push(rows);
const curves = threads.split(',').map(Number);
const { words } = findHalfspace();
const folder = mkdtempSync(join(tmpdir(), 'halfspace-growth-'));
/** Seconds by number of threads and by size: the fastest round, because other work only slows a run down. */
const seconds = curves.map(() => sizes.map(() => Infinity));
try {
  const inBench = (name) => relative(benchFolder, join(folder, name));
  for (const [s, rows] of sizes.entries()) {
    writeRows(join(folder, 'rows.svm'), rows);
    const run = (count) =>
      measure([
        ...[...words, 'train', inBench('rows.svm'), '--rule', 'averaged', '--passes', '1', '--order', 'cyclic'],
        ...['--threads', String(count), '--model', inBench('model.json')],
      ]).seconds;
    const digests = new Set();
    for (let round = 0; round < Number(rounds); round++)
      for (const [t, count] of curves.entries()) {
        seconds[t][s] = Math.min(seconds[t][s], run(count));
        digests.add(readFileSync(join(folder, 'model.json'), 'utf8'));
      }
    if (digests.size !== 1) throw new Error(`expected equal models of ${rows} rows for all numbers of threads`);
    process.stderr.write(`${rows} rows: ${seconds.map((each) => each[s].toFixed(3)).join(', ')} s\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(JSON.stringify({ machine: describeMachine(), sizes, threads: curves, seconds }, null, 1));
if (output !== undefined) writeFileSync(output, picture());

/** Writes rows of ten numbers with two decimals among 1,000 features, as libsvm text: 77 bytes each. */
function writeRows(path, rows) {
  const random = new Random(1, 1);
  const file = new ByteFile(path);
  for (let i = 0; i < rows; i++) {
    let [line, sum] = ['', 0];
    for (let j = 0; j < 10; j++) {
      const index = 100 * j + 1 + random.below(100);
      const value = 1 + random.below(99);
      line += ` ${index}:0.${value < 10 ? '0' : ''}${value}`;
      sum += index % 2 === 0 ? value : -value;
    }
    file.text(`${sum + random.below(60) > 30 ? '+1' : '-1'}${line}\n`);
  }
  file.close();
}

/** Returns the curves on two logarithmic axes, in colours that suit light and dark pages. */
function picture() {
  const [width, height, left, bottom] = [640, 360, 70, 310];
  const x = (rows) => left + ((Math.log10(rows) - 3) / (Math.log10(sizes.at(-1)) - 3)) * (width - left - 90);
  const low = Math.floor(Math.log10(Math.min(...seconds.flat())));
  const high = Math.ceil(Math.log10(Math.max(...seconds.flat())));
  const y = (time) => bottom - ((Math.log10(time) - low) / (high - low)) * (bottom - 30);
  const at = (number) => number.toFixed(1);
  const parts = [];
  for (const rows of sizes)
    parts.push(
      `<path d="M${at(x(rows))} 30V${bottom}"/>`,
      `<text x="${at(x(rows))}" y="${bottom + 20}" text-anchor="middle">${rows.toLocaleString('en')}</text>`,
    );
  for (let power = low; power <= high; power++)
    parts.push(
      `<path d="M${left} ${at(y(10 ** power))}H${width - 90}"/>`,
      `<text x="${left - 8}" y="${at(y(10 ** power) + 4)}" text-anchor="end">${10 ** power} s</text>`,
    );
  for (const [t, times] of seconds.entries()) {
    const points = times.map((time, s) => `${at(x(sizes[s]))},${at(y(time))}`);
    const name = `${curves[t]} thread${curves[t] === 1 ? '' : 's'}`;
    const [endX, endY] = [x(sizes.at(-1)) + 8, y(times.at(-1)) + (t === 0 ? -2 : 12)];
    parts.push(
      `<polyline class="c${t % 3}" points="${points.join(' ')}"/>`,
      `<text class="t${t % 3}" x="${at(endX)}" y="${at(endY)}">${name}</text>`,
    );
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>Seconds of training by the number of rows, for ${curves.join(' and ')} threads</title>
<style>path{stroke:#8884}text{fill:#666}polyline{fill:none;stroke-width:2.5}
.c0{stroke:#2563eb}.t0{fill:#2563eb}.c1{stroke:#d97706}.t1{fill:#d97706}.c2{stroke:#059669}.t2{fill:#059669}
@media(prefers-color-scheme:dark){text{fill:#aaa}.c0{stroke:#60a5fa}.t0{fill:#60a5fa}.c1{stroke:#fbbf24}.t1{fill:#fbbf24}}</style>
${parts.join('\n')}
<text x="${(left + width - 90) / 2}" y="${height - 8}" text-anchor="middle">rows</text>
</svg>
`;
}
