import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentModel } from '../src/data/documents.mjs';

// Timings are never asserted: this shows that the harness runs, measures something and writes down what it says it
// does.

const main = fileURLToPath(new URL('../src/main.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'halfspace-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

const bench = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });

const positive = expect.toSatisfy((value: number) => value > 0, 'above 0');

describe('a smoke run', () => {
  const file = join(folder, 'smoke.json');
  let run: ReturnType<typeof bench>;
  let results: {
    groups: Record<string, { contenders: Record<string, unknown>[] }>;
    data: Record<string, { folder: string }>;
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
      programs: [{ title: 'halfspace', installed: true, version: expect.any(String) }],
      notAsked: ['vw', 'liblinear', 'sklearn', 'wink', 'limdu'],
    });
    expect(Object.keys(results.groups)).toEqual(['text', 'dense', 'small', 'answers']);
    for (const { contenders } of Object.values(results.groups))
      for (const contender of contenders) expect(contender).not.toHaveProperty('failure');
    expect(run.stdout).toContain('| halfspace averaged ×5 default order svm |');
  });
});

describe('the generator of documents', () => {
  const some = (seed: number) => {
    const next = createDocumentModel({ features: 5000, seed }).documents('train');
    return Array.from({ length: 400 }, () => {
      const { length, indices, label, value, put } = next();
      const bytes = Buffer.alloc(64);
      const texts = Array.from({ length }, (_, k) => bytes.toString('latin1', 0, put(bytes, 0, k)));
      return { label, indices: [...indices.subarray(0, length)], texts, values: texts.map((_, k) => value(k)) };
    });
  };

  it('makes rising indices in range, and texts that stand for the values', () => {
    for (const { indices, texts, values } of some(1)) {
      expect(indices[0]).toBeGreaterThan(0);
      expect(indices.at(-1)).toBeLessThanOrEqual(5000);
      expect(indices.every((index, k) => k === 0 || index > indices[k - 1]!)).toBe(true);
      expect(texts.map(Number)).toEqual(values);
      expect(values.every((value) => value > 0)).toBe(true);
    }
  });

  it('makes the same from the same seed, both classes, and something else from another', () => {
    expect(some(1)).toEqual(some(1));
    expect(some(1)).not.toEqual(some(2));
    expect(new Set(some(1).map(({ label }) => label))).toEqual(new Set([-1, 1]));
  });
});

describe('the command line', () => {
  it('refuses what it does not know, and says what it takes', () => {
    const run = bench('--only', 'words');
    expect(run.status).toBe(2);
    expect(run.stderr).toContain('--only must name text, dense, small, answers; got "words"');
    expect(run.stderr).toContain('Usage: npm run bench');
  });

  it('reports a halfspace that does not run, instead of failing halfway', () => {
    const run = bench('--smoke', '--only', 'small', '--halfspace', 'node no-such-file.js');
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('halfspace: not found; "node no-such-file.js --version" failed');
  });
});

describe('growth curves', () => {
  it('have a time for each size and number of threads, and a picture', () => {
    const output = join(folder, 'growth.svg');
    const program = fileURLToPath(new URL('../src/growth.mjs', import.meta.url));
    const args = ['--largest', '10000', '--rounds', '1', '--output', output];
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    const times = [positive, positive];
    expect(JSON.parse(stdout)).toMatchObject({ sizes: [1000, 10_000], threads: [1, 2], seconds: [times, times] });
    expect(readFileSync(output, 'utf8').match(/<polyline [^>]*points="[\d., ]+"/g)).toHaveLength(2);
  });
});
