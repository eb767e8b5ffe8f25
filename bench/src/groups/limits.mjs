import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { columns } from '../data/dense-rows.mjs';
import { benchFolder, measure, output } from '../run/process.mjs';

const compiling = ['cc', '-O3', '-march=native', '-ffast-math', 'limits/limits.c', '-o'];

/**
 * Measures the machine's limits: with a C program if there is a compiler, otherwise with a JavaScript estimate.
 *
 * @param {{ arrays: string | null, dense: string | null, texts: string[] }} inputs prefixes of arrays; files of text
 */
export function measureLimits({ arrays, dense, texts }) {
  const binary = `.data/limits-${process.pid}`;
  const compiled = output([...compiling, binary]) !== null;
  const program = compiled ? [`./${binary}`] : ['node', 'src/loop/limits-run.mjs'];
  const result = (...args) => JSON.parse(measure([...program, ...args]).stdout);
  const limits = {
    by: compiled ? compiling.slice(0, -1).join(' ') : 'an estimate in JavaScript: no C compiler was found',
    compiled,
    arrays: arrays === null ? null : result('arrays', arrays),
    dense: dense === null ? null : result('dense', dense, String(columns)),
    texts: Object.fromEntries(texts.map((file) => [file, result('text', file)])),
  };
  rmSync(join(benchFolder, binary), { force: true });
  return limits;
}
