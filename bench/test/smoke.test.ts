import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// Timings are never asserted: this shows that the harness runs, measures something and writes down what it says it does.

const main = fileURLToPath(new URL('../src/main.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'halfspace-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

const bench = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });

const positive = expect.toSatisfy((value: number) => value > 0, 'above 0');
const spread = { min: positive, median: positive, max: positive };

describe('a smoke run', () => {
  const file = join(folder, 'smoke.json');
  let run: ReturnType<typeof bench>;
  let results: {
    groups: Record<string, { contenders: Record<string, unknown>[]; comparisons: Record<string, unknown>[] }>;
    [key: string]: unknown;
  };
  beforeAll(() => {
    run = bench('--smoke', '--output', file);
    expect(run.status, run.stderr).toBe(0);
    results = JSON.parse(readFileSync(file, 'utf8'));
  });

  it('says what it ran on, with what, and whom it left out', () => {
    expect(results).toMatchObject({
      schema: 'halfspace-bench/1',
      machine: { cpu: expect.any(String), cores: positive, memoryGigabytes: positive, node: process.version },
      options: { smoke: true, rounds: 1, seed: 1 },
      contestants: [{ title: 'halfspace', installed: true, version: expect.any(String) }],
      notAsked: ['vw', 'liblinear', 'sklearn', 'wink', 'limdu'],
      limits: { arrays: { streamNanoseconds: positive, gatherDotNanoseconds: positive } },
    });
    expect(Object.keys(results.groups)).toEqual(['text', 'dense', 'loop', 'small']);
  });

  it('measures both rules from text, and both learn the task', () => {
    const { contenders, comparisons } = results.groups.text!;
    expect(contenders.map(({ name }) => name)).toEqual(['halfspace averaged ×1 svm', 'halfspace perceptron ×1 svm']);
    for (const contender of contenders) {
      expect(contender).not.toHaveProperty('failure');
      expect(contender).toMatchObject({
        command: expect.stringContaining('--passes 1'),
        seconds: spread,
        startupSeconds: positive,
        details: { examples: 3000 },
      });
      expect(contender.accuracy).toBeGreaterThan(0.7);
      expect(contender.accuracy).toBeLessThan(1);
    }
    expect(comparisons).toEqual([
      { ours: 'halfspace averaged ×1 svm', peer: 'halfspace perceptron ×1 svm', pairs: 1, ratio: spread },
    ]);
  });

  it('measures dense rows from libsvm text and from CSV', () => {
    const { contenders } = results.groups.dense!;
    expect(contenders.map(({ name }) => name)).toEqual(['halfspace averaged ×1 svm', 'halfspace averaged ×1 csv']);
    for (const contender of contenders) {
      expect(contender).not.toHaveProperty('failure');
      expect(contender.accuracy).toBeGreaterThan(0.7);
    }
  });

  it('measures the loop inside its process', () => {
    const { contenders } = results.groups.loop!;
    for (const contender of contenders) {
      expect(contender).not.toHaveProperty('failure');
      expect(contender.figure).toEqual(spread);
    }
    expect(contenders.map(({ name }) => name)).toEqual(['halfspace averaged', 'halfspace perceptron']);
    expect(contenders[0]!.accuracy).toBeGreaterThan(0.7);
    // The last weights of a perceptron swing with the last mistakes; on few examples by this much.
    expect(contenders[1]!.accuracy).toBeGreaterThan(0.5);
  });

  it('prints the tables as Markdown', () => {
    for (const heading of ['documents', 'dense rows', 'data in memory']) expect(run.stdout).toContain(heading);
    expect(run.stdout).toContain('| halfspace averaged ×1 svm | halfspace perceptron ×1 svm |');
    expect(run.stdout).toContain('The times mean nothing');
  });
});

describe('the command line', () => {
  it('refuses what it does not know, and says what it takes', () => {
    const run = bench('--only', 'words');
    expect(run.status).toBe(2);
    expect(run.stderr).toContain('--only must name text, dense, loop, small, data; got "words"');
    expect(run.stderr).toContain('Usage: npm run bench');
  });

  it('reports a halfspace that does not run, instead of failing halfway', () => {
    const run = bench('--smoke', '--only', 'small', '--halfspace', 'node no-such-file.js');
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('halfspace: not found; "node no-such-file.js --version" failed');
  });
});
