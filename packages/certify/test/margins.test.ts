import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { certify } from '../src/certify.ts';
import { fraction, rootOf } from '../src/exact/whole.ts';
import { checkFor, examplesOf, type Labelled } from './support/examples.ts';

/**
 * Made by reference/margins.py: γ*² without rounding, and what scikit-learn's hard-margin machine has below and above
 * γ*.
 */
const { margins } = JSON.parse(readFileSync(join(import.meta.dirname, 'reference/margins.json'), 'utf8')) as {
  margins: Record<string, { squared: string; support: number; machine: [number, number] }>;
};

interface Shape {
  readonly seed: number;
  readonly rows: number;
  readonly dimension: number;
  readonly gap: number;
  readonly density: number;
  readonly steep: number;
}
const shapes = JSON.parse(
  readFileSync(join(import.meta.dirname, 'reference/margins-generated.json'), 'utf8'),
) as Record<string, Shape>;

/** As `generated` of margins.py: rows on both sides of a plane, those nearer to it than `gap` left out. */
function generated({ seed, rows: count, dimension, gap, density, steep }: Shape): Labelled {
  let state = seed;
  const draw = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 16) % below;
  };
  const normal = Array.from({ length: dimension }, () => draw(201) - 100);
  const rows: number[][] = [];
  const labels: number[] = [];
  while (rows.length < count) {
    const row = normal.map(() => {
      const kept = draw(2001) - 1000;
      return draw(100) < density ? kept : 0;
    });
    const score = row.reduce((sum, x, j) => sum + normal[j]! * x, 1000);
    if (Math.abs(score) <= gap) continue;
    rows.push(row.map((x, j) => (x / 64) * 2 ** (steep * j)));
    labels.push(score > 0 ? 1 : -1);
  }
  return { rows, labels };
}

const root = resolve(import.meta.dirname, '../../..');
const shared = resolve(root, '../shared/data');

function penguins(): Labelled {
  const path = resolve(root, 'node_modules/vega-datasets/data/penguins.json');
  const columns = ['Beak Length (mm)', 'Beak Depth (mm)', 'Flipper Length (mm)', 'Body Mass (g)'];
  const all = JSON.parse(readFileSync(path, 'utf8')) as Record<string, number | string | null>[];
  const kept = all.filter((row) => columns.every((column) => row[column] !== null));
  return {
    rows: kept.map((row) => columns.map((column) => row[column] as number)),
    labels: kept.map(({ Species }) => (Species === 'Gentoo' ? 1 : -1)),
  };
}

function table(name: string, positive: string): Labelled {
  const lines = readFileSync(join(shared, name), 'utf8').trim().split('\n');
  const cells = lines.map((line) => line.trim().split(','));
  return {
    rows: cells.map((row) => row.slice(0, -1).map(Number)),
    labels: cells.map((row) => (row.at(-1) === positive ? 1 : -1)),
  };
}

function agaricus(): Labelled {
  const lines = readFileSync(join(shared, 'agaricus.train.svm'), 'utf8').trim().split('\n');
  const cells = lines.map((line) => line.split(' '));
  return {
    rows: cells.map(([, ...features]) => {
      const row: number[] = new Array(127).fill(0);
      for (const feature of features) row[Number(feature.split(':')[0])] = Number(feature.split(':')[1]);
      return row;
    }),
    labels: cells.map(([label]) => (Number(label) > 0 ? 1 : -1)),
  };
}

const sets: Record<string, (() => Labelled) | null> = {
  'penguins Gentoo': penguins,
  ...Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, () => generated(shape)])),
  'sonar.csv M': existsSync(shared) ? () => table('sonar.csv', 'M') : null,
  'iris.csv Iris-setosa': existsSync(shared) ? () => table('iris.csv', 'Iris-setosa') : null,
  'agaricus.train.svm 1': existsSync(shared) ? agaricus : null,
};

/** A decimal number as a quotient. */
function quotientOf(decimal: string): [bigint, bigint] {
  const [whole, digits = ''] = decimal.split('.') as [string, string?];
  return [BigInt(whole + digits), 10n ** BigInt(digits.length)];
}

/** Whether a/b ≤ (1 + 10⁻²⁸) times the number, which was rounded at its 30th digit. */
function isAtMost(text: string, [top, under]: [bigint, bigint]): boolean {
  const [a, b = '1'] = text.split('/') as [string, string?];
  return BigInt(a) * under * 10n ** 28n <= top * BigInt(b) * (10n ** 28n + 1n);
}

test('the reference covers every set', () => {
  expect(Object.keys(margins).sort()).toEqual(Object.keys(sets).sort());
});

describe.each(Object.entries(sets))('the largest margin of %s', (name, make) => {
  const { squared, machine } = margins[name]!;
  const reference = quotientOf(squared);

  test.skipIf(make === null)(
    `lies in the certified bracket, whose ends are 10⁻⁶ apart or less${make === null ? ' (skipped: no shared data)' : ''}`,
    { timeout: 60_000 },
    async () => {
      const { rows, labels } = make!();
      const examples = await examplesOf(rows, labels);
      const certificate = await certify(examples, { classes: ['-1', '1'] });
      expect(await checkFor(certificate, examples)).toMatchObject({ holds: true });
      const [lower, upper] = [certificate.separator!.marginSquared, certificate.ceiling!.marginSquared];
      expect(isAtMost(lower, reference)).toBe(true);
      expect(isAtMost(fraction(reference[0], reference[1]), quotientOfFraction(upper))).toBe(true);
      expect((rootOf(upper) - rootOf(lower)) / rootOf(upper)).toBeLessThan(1e-6);
    },
  );

  test('is where a hard-margin machine has it, as near as that comes', () => {
    const margin = rootOf(fraction(...reference));
    expect(machine[0]).toBeLessThanOrEqual(margin * (1 + 1e-12));
    expect(machine[1]).toBeGreaterThanOrEqual(margin * (1 - 1e-12));
  });
});

function quotientOfFraction(text: string): [bigint, bigint] {
  const [a, b = '1'] = text.split('/') as [string, string?];
  return [BigInt(a), BigInt(b)];
}
