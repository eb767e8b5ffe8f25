import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { TableEncoder } from '../../src/features/encode-table.ts';
import { dimension, type TableColumn, type TableEncoding } from '../../src/features/table-encoding.ts';
import { featureNames } from '../../src/features/table-feature-names.ts';
import { type Steps, splitFunction } from '../../src/model/linear/curves.ts';
import { nonzero, strongest } from '../../src/model/linear/described.ts';
import { plainSha256 as sha256 } from '../../src/model/sha256.ts';
import { Random } from '../../src/random.ts';
import { fitted } from '../support/tables.ts';

const cells = [
  ['1', '2', '', '5', '8', '9', '12', '3'],
  ['a', 'b', 'a', 'b', 'a', '', 'b', 'a'],
  ['2024-01-01', '2024-02-01', '2024-03-01', '2024-02-29', '', '2024-05-05', '2024-06-01', '2024-07-01'],
  ['2024-01-01', '2024-02-02', '2024-03-03', '2024-02-28', '2024-03-02', '2024-05-05', '2024-06-01', '2024-07-05'],
];
const plain = fitted(
  [
    { name: 'n', kind: 'number', options: { bins: 6 } },
    { name: 'c', kind: 'category' },
    { name: 'on', kind: 'date', options: { bins: 3 } },
    { name: 'at', kind: 'date', options: { parts: ['weekday'] } },
  ],
  cells,
);
const encoding: TableEncoding = {
  ...plain,
  columns: plain.columns.map((column) => (column.name === 'at' ? { ...column, wraps: true } : column) as TableColumn),
  crosses: [
    { columns: ['n', 'c'], bits: 8 },
    { columns: ['n', 'on'], bits: 8, groups: [[2, 4, 6], null] },
    // Hashed: there are more pairs than features.
    { columns: ['c', 'on'], bits: 2 },
  ],
};
const width = dimension(encoding);
const encoder = new TableEncoder(encoding);

/** The group that a cell is in, by what the steps say. */
const groupOf = ({ edges, names, format }: Steps, cell: string): number => {
  const intervals = edges === null ? 0 : edges.length + 1;
  if (cell === '') return intervals + names.indexOf('missing');
  if (edges === null) return names.indexOf(cell);
  const x = format === undefined ? Number(cell) : Date.parse(cell) / 86_400_000;
  return edges.filter((edge) => edge <= x).length;
};

const weights = fc.array(fc.integer({ min: -64, max: 64 }), { minLength: width, maxLength: width });
const row = fc.tuple(
  fc.constantFrom('', '-3', '1', '2.5', '5', '8', '9', '99'),
  fc.constantFrom('', 'a', 'b'),
  fc.constantFrom('', '2023-01-01', '2024-02-29', '2024-03-01', '2025-01-01'),
  fc.integer({ min: 1, max: 28 }).map((day) => `2024-01-${String(day).padStart(2, '0')}`),
);
/** Cells by the names of their curves: a weekday is 1 for a Monday, as 2024-01-01 was. */
const cellsByCurve = ([n, c, on, at]: readonly string[]): Record<string, string> => {
  return { n: n!, c: c!, on: on!, 'at weekday': String(((Number(at!.slice(8)) - 1) % 7) + 1) };
};

it('curves, grids and the other weights add up to the score, less a constant where means are known', () => {
  forAll(weights, fc.array(row, { minLength: 2, maxLength: 12 }), fc.boolean(), (given, rows, hasMeans) => {
    // The straight part of the date would round the sums.
    const own = featureNames(encoding).indexOf('at');
    const linear = { weights: Float64Array.from(given).fill(0, own, own + 1), bias: 1, biasConstant: 1, divisor: 2 };
    const encoded = rows.map(([n, c, on, at]) => {
      const found: [feature: number, value: number][] = [];
      encoder.eachFeature({ n, c, on, at }, (j, value) => found.push([j, value]));
      return found;
    });
    const means = new Float64Array(width);
    for (const [j, value] of encoded.flat()) means[j]! += value / rows.length;
    const { curves, grids, others } = splitFunction(encoding, linear, hasMeans ? means : undefined);
    expect(curves.map(({ column }) => column).sort()).toEqual(['at weekday', 'n', 'on']);
    expect(grids.map(({ sides }) => sides.map(({ column }) => column).join()).sort()).toEqual(['n,c', 'n,on']);
    const offsets = rows.map((cellsOf, i) => {
      const cellOf = (name: string) => cellsByCurve(cellsOf)[name]!;
      let [score, sum] = [0, 0];
      for (const [j, value] of encoded[i]!) {
        score += (linear.weights[j]! * value) / 2;
        sum += (others.weights[j]! * value) / 2;
      }
      for (const curve of curves) sum += curve.values[groupOf(curve, cellOf(curve.column))]!;
      for (const { sides, values: cell } of grids) {
        const [one, other] = sides.map((side) => groupOf(side, cellOf(side.column))) as [number, number];
        const groups = sides[1].names.length + (sides[1].edges === null ? 0 : sides[1].edges.length + 1);
        sum += cell[one * groups + other]!;
      }
      return score - sum;
    });
    if (!hasMeans) expect(offsets.every((offset) => offset === 0)).toBe(true);
    for (const offset of offsets) expect(offset).toBeCloseTo(offsets[0]!, 9);
    if (!hasMeans) return;
    const mean = (of: (cellsOf: (typeof rows)[number]) => number) => rows.reduce((s, r) => s + of(r), 0) / rows.length;
    for (const curve of curves)
      expect(mean((r) => curve.values[groupOf(curve, cellsByCurve(r)[curve.column]!)]!)).toBeCloseTo(0, 9);
  });
});

it('a function without intervals and pairs stays as it is', () => {
  const linear = { weights: Float64Array.of(1, 2), bias: 0, biasConstant: 1, divisor: 1 };
  const straight = fitted([{ name: 'c', kind: 'category' }], [['a', 'b', 'a']]);
  expect(splitFunction(straight, linear)).toEqual({ curves: [], grids: [], others: linear });
});

const weightLists = fc.array(fc.oneof(fc.constantFrom(0, -0, 1, -1, 2), fc.double({ noNaN: true })), { maxLength: 60 });

test('the strongest weights are the first of all, sorted by size and then by position', () => {
  forAll(weightLists, fc.nat(70), fc.boolean(), (list, top, isSparse) => {
    const weights = Float64Array.from(list);
    const placed = list.map((weight, j) => ({ weight, feature: `f${j}` })).filter(({ weight }) => weight !== 0);
    const sparse = {
      length: list.length,
      positions: Uint32Array.from(placed, ({ feature }) => Number(feature.slice(1))),
      values: Float64Array.from(placed, ({ weight }) => weight),
    };
    const linear = isSparse ? { weights, sparse } : { weights };
    const names = list.map((_, j) => `f${j}`);
    const naive = [...placed].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, top);
    expect(strongest({ kind: 'named', names }, linear, top)).toEqual(naive);
    expect(nonzero(linear)).toBe(placed.length);
  });
});

const random = new Random(256);

function randomBytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

describe('sha256', () => {
  it('equals that of node:crypto for every length around its blocks, and for large ones', () => {
    for (const length of [...Array(201).keys(), 1000, 4095, 4096, 65_537, 1_000_003]) {
      const bytes = randomBytes(length);
      expect(sha256(bytes), `${length} bytes`).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });

  it('reads a view at its offset', () => {
    const bytes = randomBytes(100);
    expect(sha256(bytes.subarray(17, 90))).toBe(sha256(bytes.slice(17, 90)));
  });

  it('does not change its input', () => {
    const bytes = randomBytes(64);
    const before = bytes.slice();
    sha256(bytes);
    expect(bytes).toEqual(before);
  });
});
