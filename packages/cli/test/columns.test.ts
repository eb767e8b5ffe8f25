import { rows as rowsOf } from 'halfspace';
import type { TableEncoding } from 'halfspace/internal/tables';
import { createKernels } from 'halfspace/rules';
import { expect, test } from 'vitest';
import { columnLines, columnsJson } from '../src/report/columns.ts';

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
