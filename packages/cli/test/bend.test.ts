import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableEncoding } from 'halfspace';
import { rows as rowsOf } from 'halfspace';
import { createKernels } from 'halfspace/rules';
import { beforeAll, describe, expect, test } from 'vitest';
import { columnLines, columnsJson } from '../src/report/columns.ts';
import { halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

/** Plants that live between 10 and 25 degrees; shade does not matter. */
const plants = Array.from({ length: 300 }, (_, i) => {
  const degrees = ((i * 37) % 400) / 10;
  return `${degrees},${i % 7},${degrees > 10 && degrees < 25 ? 'alive' : 'dead'}`;
});

beforeAll(() => writeFileSync(join(folder, 'plants.csv'), `degrees,shade,state\n${plants.join('\n')}\n`));

describe('bent numbers', () => {
  test('are chosen, shown as a curve and explained by one term for each column', () => {
    const args = ['--label', 'state', '--positive', 'alive', '--report', 'plants.html'];
    const run = halfspace(folder, ['train', 'plants.csv', ...args]);
    expect(run.status).toBe(0);
    expect(run.out).toMatch(/→ logistic, alpha .*, bent /);
    // Low, then high, then low.
    expect(run.out).toMatch(/Strongest {2}degrees {2}[▁-▄]{3}[▁-█]*█[▁-█]*[▁-▄]{3} *-[\d.]+ to [\d.]+ for alive\n/);
    const page = readFileSync(join(folder, 'plants.html'), 'utf8');
    expect(page).toContain('Rules tried');
    // A chart for each bent column, and no interval among the features.
    expect(page).toMatch(/<h3>degrees<\/h3>[\s\S]*What degrees adds to the score[\s\S]*<h3>shade<\/h3>/);
    expect(page).toMatch(/For alive the least is -[\d.]+ (?:below|from) [\d.]+, the most [\d.]+ from 1\d/);
    expect(page).not.toContain('≤ degrees');
    // Means for the chart are not in the model.
    expect(readFileSync(join(folder, 'plants.model.json'), 'utf8')).not.toContain('"means"');
    // All rows were learned at once.
    expect(page).not.toContain('Updates in each pass');
    const inspected = halfspace(folder, ['inspect', 'plants.model.json']);
    expect(inspected.out).toMatch(/degrees {2}[▁-█]{24} {2}-/);
    const explained = halfspace(folder, ['predict', 'plants.model.json', 'plants.csv', '--explain', '3']);
    const [first] = explained.out.split('row 2:');
    expect(first!.match(/^ *[+-][\d.]+ {2}degrees = /gm)).toHaveLength(1);
  });

  test('are paired as asked', () => {
    const train = (pairs: string, ...more: string[]) =>
      halfspace(folder, ['train', 'plants.csv', '--label', 'state', '--bend', '9', '--pairs', pairs, ...more]);
    const named = ['--rule', 'logistic', '--model', 'p.json'];
    expect(train('shade*degrees', ...named).status).toBe(0);
    expect(halfspace(folder, ['inspect', 'p.json']).out).toContain('crossed: degrees × shade');
    expect(train('none', ...named).status).toBe(0);
    expect(halfspace(folder, ['inspect', 'p.json']).out).not.toContain('crossed');
    expect(train('shade', ...named).err).toContain('expected --pairs to be auto, none, a whole number');
    expect(train('shade*state', ...named).err).toContain('expected pairs of numbers without a trend');
    expect(train('1', '--bend', 'none').status).toBe(2);
  });

  test('rise or fall where asked', () => {
    const given = [
      'train',
      'plants.csv',
      '--label',
      'state',
      '--column',
      'degrees=number:falling',
      '--model',
      'f.json',
    ];
    expect(halfspace(folder, given).status).toBe(0);
    expect(halfspace(folder, ['inspect', 'f.json']).out).toContain(', falling');
    expect(halfspace(folder, [...given, '--rule', 'averaged'])).toMatchObject({
      status: 2,
      err: expect.stringContaining('for a falling number; got averaged'),
    });
  });

  test('are left straight where that is asked for', () => {
    const run = halfspace(folder, ['train', 'plants.csv', '--label', 'state', '--bend', 'none', '--model', 's.json']);
    expect(run.out).not.toMatch(/bent|crossed/);
    expect(halfspace(folder, ['train', 'plants.csv', '--bend', '0'])).toMatchObject({
      status: 2,
      err: expect.stringContaining('expected --bend to be auto, none or a whole number from 1 to 999; got 0'),
    });
    expect(halfspace(folder, ['train', 'plants.csv', '--rule', 'averaged', '--bend', '9'])).toMatchObject({
      status: 2,
      err: expect.stringContaining('bend is for the rules auto and logistic; got another'),
    });
  });
});

async function encodingOf(rows: readonly Readonly<Record<string, unknown>>[]): Promise<TableEncoding> {
  const source = await rowsOf(rows, { label: 'y' }).open({ kernels: createKernels() });
  return source.encoding() as TableEncoding;
}

test('columns are shown with their kinds, values and what is missing; then those left out', async () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    id: i,
    price: i === 3 ? null : `1.${100 + i},50 €`,
    day: new Date(Date.UTC(2024, 0, 1 + (i % 7))),
    fast: i % 4 === 0,
    'colour of the car as it was': ['red', 'blue'][i % 2],
    same: 1,
    y: i % 3 === 0 ? 'a' : 'b',
  }));
  const encoding = await encodingOf(rows);
  expect(columnLines(encoding)).toEqual([
    'price                   number 1.234,5 €  1 missing; 1130 ± 17.11',
    'day                     date              2024-01-03 ± 2 days',
    'fast                    boolean           25.0 % true',
    'colour of the car as …  category          2 levels: blue, red',
    'left out: id (running number), same (constant)',
  ]);
  expect(columnsJson(encoding)).toMatchObject({
    columns: [
      { name: 'price', read: 'number 1.234,5 €', missing: 1 },
      { name: 'day' },
      { name: 'fast' },
      { name: 'colour of the car as it was', values: '2 levels: blue, red' },
    ],
    leftOut: [
      { name: 'id', reason: 'running-number' },
      { name: 'same', reason: 'constant' },
    ],
  });
});

test('a wide table is shortened to lines that fit into 80 columns with their indentation', async () => {
  const names = Array.from({ length: 40 }, (_, c) => `a long name of column number ${c}`);
  const rows = Array.from({ length: 60 }, (_, i) => ({
    ...Object.fromEntries(
      names.map((name, c) => [name, c < 30 ? (i * (c + 3)) % 41 : `a level ${(i * ((c % 6) + 1)) % 7} of many`]),
    ),
    y: i % 2,
  }));
  const lines = columnLines(await encodingOf(rows));
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe('and 30 more: 20 × number, 10 × category');
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(69);
});
