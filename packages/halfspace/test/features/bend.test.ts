import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import type { SparseBatch } from '../../src/batch.ts';
import { TableEncoder } from '../../src/features/encode-table.ts';
import type { FitColumn } from '../../src/features/fit-table.ts';
import { Bend, chainsOf } from '../../src/features/number/bend.ts';
import { columnWidth, dimension, type NumberColumn } from '../../src/features/table-encoding.ts';
import { forEachNonzero } from '../../src/kernels/batch-view.ts';
import { encodedColumns, fitted, words } from '../support/tables.ts';

const clock = (minute: number) => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`;
const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }).map(String),
  fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map(String),
  fc.constantFrom('0', '1e-300', '1e15', '1000000000000001'),
);
const row = fc.tuple(
  number,
  fc.constantFrom('a', 'b', '?'),
  fc.oneof({ weight: 3, arbitrary: number }, { weight: 1, arbitrary: fc.constant('') }),
  fc.constantFrom('true', 'false'),
  fc.integer({ min: 0, max: 900 }).map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10)),
  fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 1439 }).map(clock) },
    { weight: 1, arbitrary: fc.constant('') },
  ),
);
const columns: FitColumn[] = [
  { name: 'x', kind: 'number' },
  { name: 'c', kind: 'category' },
  { name: 'z', kind: 'number' },
  { name: 't', kind: 'boolean' },
  { name: 'd', kind: 'date', options: { parts: [] } },
  { name: 'h', kind: 'date', form: 'time', options: { parts: ['hour'] } },
  { name: 'when', kind: 'date', options: { parts: ['month', 'weekday'] } },
];

/** Bends the table of some rows, after two rows in which every column differs. */
function bentTable(given: readonly (readonly string[])[], edges: number, scale: 'none' | 'standard') {
  const rows = [
    ['0', 'a', '0', 'true', '2020-01-01', '5:00'],
    ['1', 'b', '1', 'false', '2020-01-02', '23:50'],
    ...given,
  ];
  const all: FitColumn[] = [...columns, { name: 'c2', kind: 'category' }];
  const cells = all.map(({ name }, c) => rows.map((each) => each[name === 'c2' ? 1 : name === 'when' ? 4 : c]!));
  const straight = { ...fitted(all, cells, { crosses: [['c', 'c2']] }), scale };
  const batch = new TableEncoder(straight).encodeColumns({ rows: rows.length, columns: cells.map(words) });
  const bend = Bend.of(straight, [batch], rows.length, { edges, evenNone: false })!;
  return { all, cells, bend, batch: bend.batch(batch) };
}

function featuresOf(batch: SparseBatch, i: number): [number, number][] {
  const features: [number, number][] = [];
  forEachNonzero(batch, i, (j, value) => features.push([j, value]));
  return features;
}

describe('a bent table', () => {
  it('has the rows that its encoding gives for the cells', () => {
    forAll(
      fc.array(row, { minLength: 2, maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('none' as const, 'standard' as const),
      (rows, edges, scale) => {
        const bent = bentTable(rows, edges, scale);
        const expected = encodedColumns(bent.bend.encoding, bent.all, bent.cells);
        expect(expected.map((_, i) => featuresOf(bent.batch, i))).toEqual(expected);
      },
    );
  });

  it('has at most the edges asked for, rising, and one between any two values if there are few', () => {
    const x = Array.from({ length: 100 }, (_, i) => String(i % 5));
    const z = Array.from({ length: 100 }, (_, i) => String(i ** 2));
    const rows = x.map((cell, i) => [cell, 'a', z[i]!, 'true', '2020-01-01', clock(14 * i)]);
    const encoding = bentTable(rows, 7, 'standard').bend.encoding;
    const edges = encoding.columns.map((column) => (column as NumberColumn).edges);
    expect(edges[0]).toEqual([0.5, 1.5, 2.5, 3.5]);
    expect(edges[2]!.length).toBeLessThanOrEqual(7);
    expect([...edges[2]!].sort((a, b) => a - b)).toEqual(edges[2]);
    const first = columnWidth(encoding.columns[0]!) + columnWidth(encoding.columns[1]!);
    const chains = chainsOf(encoding, dimension(encoding));
    expect(chains.slice(0, 2)).toEqual([
      { first: 0, length: 5 },
      { first, length: edges[2]!.length + 1 },
    ]);
    expect(chains.slice(-3).map(({ length, isRing }) => [length, isRing])).toEqual([
      [edges[5]!.length + 1, true],
      [12, true],
      [7, true],
    ]);
  });

  it('has edges for a value that most rows do not have', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => [
      String(i < 920 ? 0 : i),
      'a',
      '1',
      'true',
      '2020-01-01',
      '8:00',
    ]);
    const [column] = bentTable(rows, 48, 'standard').bend.encoding.columns;
    expect((column as NumberColumn).edges!.length).toBeGreaterThan(20);
  });
});
