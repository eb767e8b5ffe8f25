import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namesakes } from '../src/quality/halfspace.mjs';
import { linesOf, writeParts } from '../src/quality/parts.mjs';
import { cutPublished, published } from '../src/quality/sets.mjs';

// Accuracies of real data are never asserted: this shows that the harness runs, divides data as it says and writes down
// what it found.

const main = fileURLToPath(new URL('../src/quality/main.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'halfspace-quality-'));
afterAll(() => rmSync(folder, { recursive: true }));

const quality = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });

/** Sixty rows in the form of a published set of four numbers and two classes, far apart. */
const rows = Array.from({ length: 60 }, (_, i) => [i, i % 7, i % 3, i % 2 === 0 ? 5 : -5, i % 2].join(','));
writeFileSync(join(folder, 'banknote_authentication.csv'), rows.join('\r\n'));

describe('a run on one small set', () => {
  const file = join(folder, 'quality.json');
  let run: ReturnType<typeof quality>;
  let results: { sets: Record<string, unknown>[]; absent: string[]; peer: unknown };
  beforeAll(() => {
    run = quality('--data', folder, '--peers', 'none', '--rounds', '1', '--output', file);
    expect(run.status, run.stderr).toBe(0);
    results = JSON.parse(readFileSync(file, 'utf8'));
  });

  it('judges the choice and a rule for each of the classifiers to compare with, on every fifth row', () => {
    const judged = { accuracy: 1, seconds: expect.any(Number) };
    expect(results.sets).toEqual([
      {
        name: 'banknote',
        examples: 48,
        judged: 12,
        peers: null,
        choice: expect.objectContaining(judged),
        namesakes: Object.fromEntries(Object.keys(namesakes).map((name) => [name, expect.objectContaining(judged)])),
        times: { chosen: expect.anything(), averaged: expect.anything(), ratio: expect.anything() },
      },
    ]);
  });
});

describe('dividing', () => {
  it('holds out row i, from 0, where i % 5 = 4, and gives both files the header', () => {
    const shape = { name: 'some', format: 'csv' as const, header: 'a,b', label: 'b', texts: [], dates: [] };
    const lines = Array.from({ length: 11 }, (_, i) => `${i},x`);
    const set = writeParts(folder, shape, lines);
    expect(set).toMatchObject({ examples: 9, judged: 2, header: true });
    expect(readFileSync(set.heldout, 'utf8')).toBe('a,b\n4,x\n9,x\n');
    expect(linesOf(readFileSync(set.train, 'utf8'))).toEqual([
      'a,b',
      ...lines.filter((line) => !['4,x', '9,x'].includes(line)),
    ]);
  });

  it('leaves a published division as it is', () => {
    const adult = published.find(({ name }) => name === 'adult')!;
    writeFileSync(join(folder, 'adult-train.csv'), '39, <=50K\n50, >50K\n');
    writeFileSync(join(folder, 'adult-test.csv'), '25, >50K.\n\n');
    const set = cutPublished(adult, { from: folder, to: folder });
    expect(set).toMatchObject({ examples: 2, judged: 1 });
    expect(readFileSync(set.heldout, 'utf8')).toBe('25, >50K\n');
  });
});

describe('the command line of quality', () => {
  it('refuses what it does not know, and says what it takes', () => {
    const run = quality('--sets', 'secret');
    expect(run.status).toBe(2);
    expect(run.stderr).toContain('--sets must name published, further; got "secret"');
    expect(run.stderr).toContain('Usage: npm run quality');
  });
});
