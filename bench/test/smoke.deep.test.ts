import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generators } from '../src/data/generators.mjs';
import { fourDigits } from '../src/data/ragged.mjs';
import { straightLine } from '../src/run/line.mjs';

// Timings are never asserted: this shows that the harness runs, measures something and writes down what it says it
// does.

const main = fileURLToPath(new URL('../src/main.mjs', import.meta.url));
const benchFolder = fileURLToPath(new URL('..', import.meta.url));
const estimate = join(benchFolder, 'src/loop/native-estimate.mjs');
const folder = mkdtempSync(join(tmpdir(), 'halfspace-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

const bench = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });

const positive = expect.toSatisfy((value: number) => value > 0, 'above 0');
const spread = { min: positive, median: positive, max: positive };

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

  it.each(['loop', 'denseLoop'])('measures the %s inside its process', (group) => {
    const { contenders } = results.groups[group]!;
    for (const contender of contenders) {
      expect(contender).not.toHaveProperty('failure');
      expect(contender.figure).toEqual(spread);
    }
    expect(contenders.map(({ name }) => name)).toEqual(['halfspace averaged', 'halfspace perceptron']);
    expect(contenders[0]!.accuracy).toBeGreaterThan(0.7);
    // The last weights of a perceptron swing with the last mistakes; on few examples by this much.
    expect(contenders[1]!.accuracy).toBeGreaterThan(0.5);
  });

  it('measures answers one by one, and whole processes that do next to nothing', () => {
    const { contenders, comparisons } = results.groups.answers!;
    for (const contender of contenders) expect(contender).not.toHaveProperty('failure');
    expect(contenders.map(({ figure }) => figure)).toEqual([...Array(6).fill(spread), null, null]);
    expect(contenders.slice(0, 4)).toMatchObject(
      [15, positive, positive, 30].map((fields) => ({ details: { fields } })),
    );
    expect(contenders.slice(6)).toMatchObject([{ seconds: spread }, { seconds: spread }]);
    expect(comparisons).toHaveLength(2);
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

  it.skipIf(spawnSync('cc', ['--version']).status !== 0)('learns the same bits in C as in WebAssembly', () => {
    const prefix = join(benchFolder, results.data.loop!.folder, 'train');
    const { stdout, stderr } = spawnSync(process.execPath, [estimate, prefix], { encoding: 'utf8' });
    expect(stdout.match(/\| the same \|/g), stderr).toHaveLength(4);
  });

  it('measures how time grows, and fits lines', () => {
    const { curves, leftOut } = results.growth;
    const keys = ['examples', 'nonzeros', 'features', 'threads'];
    expect(curves.map(({ key }) => key)).toEqual(leftOut.length === 0 ? keys : keys.slice(0, 3));
    for (const { key, points, line } of curves) {
      expect(points).toHaveLength(2);
      for (const point of points) expect(point).toMatchObject({ x: positive, nonzeros: positive, seconds: spread });
      if (key !== 'threads') expect(line).toMatchObject({ slope: expect.any(Number), r2: expect.any(Number) });
      if (key === 'features') expect(points[0]).toMatchObject({ loopNanoseconds: positive });
    }
  });

  it('prints the tables as Markdown', () => {
    const headings = ['documents', 'dense rows', 'data in memory', 'Answers', 'How time grows'];
    for (const heading of headings) expect(run.stdout).toContain(heading);
    expect(run.stdout).toContain('| halfspace averaged ×1 svm | halfspace perceptron ×1 svm |');
    expect(run.stdout).toContain('The times mean nothing');
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

describe('four digits', () => {
  it.each([
    [0.5, '0.5'],
    [3, '3'],
    [0.123456, '0.1235'],
    [1234.56, '1235'],
    [12346, '1.235e+04'],
    [9999.9, '1e+04'],
    [0.0001, '0.0001'],
    [0.00001234, '1.234e-05'],
    [2e-10, '2e-10'],
  ])('of %d are what C prints: %s', (value, text) => expect(fourDigits(value)).toBe(text));
});

describe('a straight line', () => {
  it('through points on it has their start and slope and no deviation', () => {
    const line = straightLine([1, 2, 5, 100].map((x) => ({ x, y: 3 + 0.25 * x })));
    expect(line.start).toBeCloseTo(3, 9);
    expect(line.slope).toBeCloseTo(0.25, 9);
    expect(line.r2).toBeCloseTo(1, 9);
    expect(line.largestDeviation).toBeCloseTo(0, 9);
  });

  it('tells the point that is farthest off', () => {
    const line = straightLine([1, 2, 3, 4].map((x) => ({ x, y: x === 3 ? 6 : x })));
    expect(line.at).toBe(3);
    expect(line.largestDeviation).toBeGreaterThan(0.2);
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
