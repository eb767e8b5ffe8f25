/**
 * Compares the learning loop in WebAssembly with the same loop in C, which learns the same bits: an estimate of what a native
 * add-on would bring. The data are documents with six decimal places:
 *
 *   node bench/src/loop/native-estimate.mjs PREFIX      such as bench/.data/arrays-200000-40000-47152-1-zipf/train
 *
 * `npm run bench -- --only data` makes them. Needs a C compiler.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { splitReciprocal } from '../../../packages/halfspace/dist/kernels/decimal-places.js';
import { readArrays } from './arrays.mjs';
import { freeLearner, freshLearner, kernels, storedSparse } from './halfspace-parts.mjs';

const [prefix] = process.argv.slice(2);
const passes = 5;
const rounds = 6;

const folder = mkdtempSync(join(tmpdir(), 'halfspace-bench-'));
try {
  const { store, numbers, dimension } = storedSparse(readArrays(prefix));
  const { places } = store.load(0);
  const { high, low } = splitReciprocal(places);
  const words = [high, low, 10 ** places].map((number) => number.toPrecision(17));
  const source = fileURLToPath(new URL('../../limits/learn.c', import.meta.url));
  const loops = new Map([['WebAssembly', () => inWebAssembly(store, numbers, dimension)]]);
  for (const flags of [['-march=native'], ['-march=native', '-mno-avx512f'], []]) {
    const program = join(folder, `learn${flags.length}`);
    execFileSync('cc', ['-O3', ...flags, '-ffp-contract=off', source, '-o', program, '-lm']);
    const run = () => execFileSync(program, [prefix, String(passes), ...words], { encoding: 'utf8' });
    loops.set(`C, ${['-O3', ...flags].join(' ')}`, () => JSON.parse(run()));
  }
  // In turns, so that a machine that slows down affects all.
  const least = new Map([...loops.keys()].map((name) => [name, { nanoseconds: Infinity, digest: 0 }]));
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of loops) {
      const result = run();
      if (result.nanoseconds < least.get(name).nanoseconds) least.set(name, result);
    }
  const ours = least.get('WebAssembly');
  console.log('| loop | ns per nonzero and pass | × as fast | bits |\n| --- | --: | --: | --- |');
  for (const [name, { nanoseconds, digest }] of least) {
    const cells = [nanoseconds.toFixed(2), (ours.nanoseconds / nanoseconds).toFixed(2)];
    console.log(`| ${[name, ...cells, digest === ours.digest ? 'the same' : 'others'].join(' | ')} |`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

function inWebAssembly(store, numbers, dimension) {
  const learner = freshLearner('averaged', dimension);
  const began = performance.now();
  for (let pass = 0; pass < passes; pass++)
    for (let c = 0; c < store.chunks; c++) {
      const batch = store.load(c);
      kernels.learn(batch, 0, batch.rows, learner);
    }
  const nanoseconds = ((performance.now() - began) * 1e6) / (numbers * passes);
  const digest = digestOf(digestOf(2166136261, learner.weights.array), learner.sums.array);
  freeLearner(learner);
  return { nanoseconds, digest };
}

/** FNV-1a over the 32-bit words. */
function digestOf(hash, numbers) {
  for (const word of new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length))
    hash = Math.imul(hash ^ word, 16777619);
  return hash >>> 0;
}
