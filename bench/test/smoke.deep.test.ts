import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generators } from '../src/data/generators.mjs';

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
    groups: Record<
      string,
      {
        contenders: Record<string, unknown>[];
        comparisons: Record<string, unknown>[];
        rows?: Record<string, unknown>[];
      }
    >;
    data: Record<string, { folder: string }>;
    growth: {
      curves: { key: string; points: Record<string, unknown>[]; line: unknown }[];
      leftOut: string[];
    };
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
      limits: {
        arrays: { stream4Nanoseconds: positive, streamNanoseconds: positive, gatherDotNanoseconds: positive },
        dense: { stream4Nanoseconds: positive, streamNanoseconds: positive, dotNanoseconds: positive },
      },
    });
    expect(Object.keys(results.groups)).toEqual(['text', 'dense', 'loop', 'denseLoop', 'small', 'answers', 'speed']);
  });

  it('measures every figure that has a goal, on both generators', () => {
    const { contenders, rows } = results.groups.speed!;
    for (const contender of contenders) expect(contender).not.toHaveProperty('failure');
    for (const row of rows!) {
      expect(row).toMatchObject({ what: expect.any(String), ours: expect.any(String), unit: expect.any(String) });
      if (!/Vowpal Wabbit/.test(String(row.what))) expect(row.figure, String(row.what)).toEqual(expect.any(Number));
    }
    const of = (generator: string) => rows!.filter(({ data }) => String(data).startsWith(generator));
    expect(of('zipf').map(({ what, goal }) => ({ what, goal }))).toEqual(
      of('ragged').map(({ what, goal }) => ({ what, goal })),
    );
    expect(rows!.length).toBeGreaterThan(30);
    expect(run.stdout).toContain('| 5 passes in the default order, against --order cyclic |');
  });
});

describe.each(Object.entries(generators))('the generator %s', (_, create) => {
  const some = (seed: number) => {
    const next = create({ features: 5000, seed }).documents('train');
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
    expect(run.stderr).toContain(
      '--only must name text, dense, loop, small, answers, growth, speed, data; got "words"',
    );
    expect(run.stderr).toContain('Usage: npm run bench');
  });

  it('reports a halfspace that does not run, instead of failing halfway', () => {
    const run = bench('--smoke', '--only', 'small', '--halfspace', 'node no-such-file.js');
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('halfspace: not found; "node no-such-file.js --version" failed');
  });
});
