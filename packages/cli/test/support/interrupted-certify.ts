import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from 'halfspace/runs';
import { expect, onTestFinished } from 'vitest';
import { command } from '../run.ts';

/**
 * Interrupts a search by Ctrl-C before its end: on new rows `hard.svm`, later and later until something is found. Returns
 * what `certify --json` printed.
 *
 * With random labels and more than twice as many rows as features there is a contradiction, but of all rows, and the
 * proof takes a minute.
 *
 * @param between called before each run that follows one that found nothing.
 */
export async function interruptedCertify(folder: string, between: () => void = () => {}) {
  const chance = new Random(1);
  const lines = Array.from({ length: 30_000 }, () => {
    const words = new Set(Array.from({ length: 20 }, () => 1 + chance.below(12_000)));
    const features = [...words].sort((a, b) => a - b).map((j) => `${j}:1`);
    return `${chance.below(2) === 0 ? -1 : 1} ${features.join(' ')}\n`;
  });
  writeFileSync(join(folder, 'hard.svm'), lines.join(''));
  // On a busy machine reading alone can take that long; then nothing is found yet.
  let run = await interruptedAfter(folder, 2500);
  const hasFound = () => run.status === 0 && JSON.parse(run.out).ceiling !== null;
  for (let ms = 5000; !hasFound() && ms < 100_000; ms *= 2) {
    between();
    run = await interruptedAfter(folder, ms);
  }
  expect(run.status).toBe(0);
  return JSON.parse(run.out);
}

async function interruptedAfter(folder: string, ms: number) {
  const child = spawn(process.execPath, [command, 'certify', 'hard.svm', '--json', '--seconds', '300'], {
    cwd: folder,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  const closed = new Promise((resolved) => child.once('close', resolved));
  await new Promise((resolved) => setTimeout(resolved, ms));
  child.kill('SIGINT');
  return { status: await closed, out };
}
