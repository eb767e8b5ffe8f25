import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from 'halfspace/runs';
import { expect, onTestFinished, test } from 'vitest';
import { command, halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

/** A search ends within 2 seconds on a quiet machine. Work beside it may stretch that by this factor. */
const busy = 4;

/** Rows of numbers in thousandths, with labels by chance. */
function writeRows(name: string, count: number, features: number): string[] {
  const random = new Random(1);
  const lines = Array.from({ length: count }, () => {
    const cells = Array.from({ length: features }, (_, j) => `${j + 1}:${(1 + random.below(1000)) / 1000}`);
    return `${random.below(2) === 0 ? -1 : 1} ${cells.join(' ')}`;
  });
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  return lines;
}

test('more time is offered only where the search ran out of it', () => {
  // Two rows that differ by so little that doubles cannot separate them, too many features for an exact simplex, and too
  // many rows for exact equations.
  const lines = writeRows('near.svm', 400, 500);
  const [label, first, ...others] = lines[0]!.split(' ') as [string, string, ...string[]];
  const twin = [String(-Number(label)), `1:0.${first.split('.')[1]!.padEnd(12, '0')}1`, ...others].join(' ');
  writeFileSync(join(folder, 'near.svm'), `${[...lines, twin].join('\n')}\n`);
  expect(halfspace(folder, ['certify', 'near.svm']).out).toContain('more time would not help');
  writeRows('many.svm', 8000, 600);
  const { out } = halfspace(folder, ['certify', 'many.svm', '--seconds', '2']);
  // On a busy machine the limit may come before all rows are read.
  expect(out).toMatch(/unknown: .+; --seconds allows more time/);
});

async function endsSoonAfter(ms: number, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [command, 'certify', ...args, '--seconds', '300'], { cwd: folder });
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = new Promise<number>((resolved) => child.once('close', () => resolved(performance.now())));
  await new Promise((resolve) => setTimeout(resolve, ms));
  const sent = performance.now();
  child.kill('SIGINT');
  expect((await closed) - sent).toBeLessThan(2000 * busy);
}

test.each([3000, 5000, 9000])('Ctrl-C after %i ms ends a linear programme soon', async (ms) => {
  writeRows('many.svm', 8000, 600);
  await endsSoonAfter(ms, ['many.svm']);
});

test.each([4000, 6000, 10_000, 16_000])('Ctrl-C after %i ms ends a search for the widest margin soon', async (ms) => {
  // Fewer rows than features: a line separates them.
  writeRows('wide.svm', 1200, 1400);
  await endsSoonAfter(ms, ['wide.svm']);
});

test.each([3000, 6000, 10_000])('Ctrl-C after %i ms ends a search for the fewest errors soon', async (ms) => {
  writeRows('noise.svm', 2000, 12);
  await endsSoonAfter(ms, ['noise.svm', '--errors']);
});
