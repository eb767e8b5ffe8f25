import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { toJavaScript } from '../../src/export/index.ts';
import { TableEncoder } from '../../src/features/encode-table.ts';
import type { FitColumn } from '../../src/features/fit-table.ts';
import { Quantiles } from '../../src/features/number/quantiles.ts';
import {
  columnsByName,
  columnWidth,
  crossPairs,
  dimension,
  type TableCross,
} from '../../src/features/table-encoding.ts';
import { featureNames } from '../../src/features/table-feature-names.ts';
import type { Model } from '../../src/model/model.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { models } from '../support/models.ts';
import { encodedColumns, encodedObject, fitted, parseTableEncoding } from '../support/tables.ts';

const cell = fc.constantFrom('u', 'v', 'w', 'x', '?', '__proto__');
const number = fc.oneof(fc.integer({ min: -9, max: 9 }).map(String), fc.constantFrom('', '1e3', '-0.5'));
const table = fc.array(fc.tuple(cell, number, cell), { minLength: 4, maxLength: 80 });
const columns: FitColumn[] = [
  { name: 'c', kind: 'category', options: { rare: 4 } },
  { name: 'n', kind: 'number', options: { bins: 4 } },
  { name: 'd', kind: 'category' },
];

describe('rare levels', () => {
  const rare = (cells: string[], least?: number) =>
    fitted([{ name: 'c', kind: 'category', options: least === undefined ? {} : { rare: least } }], [cells]);

  it('share one feature, with levels that training did not see', () => {
    const encoding = rare(['a', 'a', 'a', 'b', 'c', 'c'], 3);
    expect(encoding.columns[0]).toMatchObject({ levels: ['a'], rare: { least: 3, levels: 2 } });
    expect(featureNames(encoding)).toEqual(['c=a', 'c=(rare)']);
    const encoder = new TableEncoder(encoding);
    for (const [value, feature] of [
      ['a', 0],
      ['b', 1],
      ['c', 1],
      ['new', 1],
    ] as const)
      expect(encoder.encodeRow({ c: value })).toEqual({ indices: Uint32Array.of(feature), values: Float64Array.of(1) });
    expect(encoder.encodeRow({ c: null })).toEqual({ indices: new Uint32Array(0), values: new Float64Array(0) });
    expect(encoder.unknown.unknown).toBe(0);
  });

  it('are those of one row from fifty rows on, and do not exist before', () => {
    const cells = Array.from({ length: 50 }, (_, i) => (i < 46 ? 'ab'[i % 2]! : `once ${i}`));
    expect(rare(cells).columns[0]).toMatchObject({ levels: ['a', 'b'], rare: { least: 2, levels: 4 } });
    expect(rare(cells.slice(1)).columns[0]).not.toHaveProperty('rare');
    expect(rare(cells, 1).columns[0]).not.toHaveProperty('rare');
  });

  it('are not grouped if one feature would stand for one level, or for all', () => {
    for (const cells of [
      ['a', 'a', 'b'],
      ['a', 'b', 'c'],
    ])
      expect(rare(cells, 2).columns[0]).not.toHaveProperty('rare');
  });
});

describe('intervals', () => {
  it('hold about equally many values, and every value is in one', () => {
    forAll(
      fc.uniqueArray(
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0),
        { minLength: 2, maxLength: 200 },
      ),
      fc.integer({ min: 2, max: 12 }),
      (values, bins) => {
        const quantiles = new Quantiles();
        for (const value of values) quantiles.add(value);
        const edges = quantiles.edges(bins);
        expect(edges).toHaveLength(Math.min(bins, values.length) - 1);
        const counts = new Array(edges.length + 1).fill(0);
        for (const value of values) counts[edges.filter((edge) => edge <= value).length]++;
        for (const count of counts) {
          expect(count).toBeGreaterThanOrEqual(Math.floor(values.length / bins));
          expect(count).toBeLessThanOrEqual(Math.ceil(values.length / bins));
        }
      },
    );
  });

  it('are as many as there are different values if values repeat', () => {
    const quantiles = new Quantiles();
    for (const value of [0, 0, 0, 0, 0, 0, 0, 1, 5, 5]) quantiles.add(value);
    expect(quantiles.edges(4)).toEqual([1]);
    expect(new Quantiles().edges(4)).toEqual([]);
  });

  it('are near the quantiles of all values if only a sample is kept', () => {
    const quantiles = new Quantiles();
    for (let i = 0; i < 200_000; i++) quantiles.add(i);
    quantiles.edges(4).forEach((edge, k) => {
      expect(Math.abs(edge - (k + 1) * 50_000)).toBeLessThan(1500);
    });
  });

  it('have names that show their ends', () => {
    const encoding = fitted(
      [{ name: 'age', kind: 'number', options: { bins: 3 } }],
      [['1', '2', '3', '4', '5', '6', '?']],
    );
    expect(featureNames(encoding)).toEqual(['age < 3', '3 ≤ age < 5', 'age ≥ 5', 'age missing']);
    const [row] = encodedColumns(encoding, [{ name: 'age', kind: 'number' }], [['3']]);
    expect(row).toEqual([[1, 1]]);
    expect(() => new TableEncoder(encoding).encodeRow({ age: 'old' })).toThrow(
      'column "age": expected a number; got "old"',
    );
  });
});

describe('crosses', () => {
  const crosses = [
    ['c', 'n'],
    ['c', 'd'],
  ] as const;

  it('have the feature of every pair that occurs, and no other', () => {
    forAll(table, table, (seen, fresh) => {
      const cells = (rows: typeof seen) => [0, 1, 2].map((c) => rows.map((row) => row[c]!));
      let encoding: ReturnType<typeof fitted>;
      try {
        encoding = fitted(columns, cells(seen), { crosses });
      } catch {
        return; // a column is left out, or has one interval
      }
      const names = featureNames(encoding);
      expect(new Set(names).size).toBe(names.length);
      encodedColumns(encoding, columns, cells(fresh)).forEach((row, i) => {
        expect(row).toEqual(encodedObject(encoding, columns, cells(fresh), i));
        const own = row.map(([j]) => names[j]!);
        const of = (name: string) =>
          own.find((each) => !each.includes('×') && new RegExp(`(^| )${name}([ =]|$)`).test(each));
        const expected = crosses.flatMap(([a, b]) => (of(a) && of(b) ? [`${of(a)} × ${of(b)}`] : []));
        expect(own.filter((each) => each.includes('×'))).toEqual(expected);
      });
    });
  });

  it('of groups have the feature of the groups, also in an exported program', () => {
    forAll(
      table,
      fc.array(fc.integer({ min: 1, max: 9 })),
      fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 })),
      (seen, starts, w) => {
        const rows = [['u', '1', 'v'], ['v', '2', 'w'], ...seen, ...seen] as typeof seen;
        const cells = [0, 1, 2].map((c) => rows.map((row) => row[c]!));
        const plain = fitted(columns, cells, { crosses });
        const all = columnsByName(plain.columns);
        const grouped = plain.crosses!.map((cross, k): TableCross => {
          const ofColumn = (name: string) =>
            [...new Set(starts.filter((start) => start < columnWidth(all.get(name)!)))].sort((a, b) => a - b);
          const groups = [ofColumn(cross.columns[0]), k === 0 ? null : ofColumn(cross.columns[1])] as const;
          const own = { columns: cross.columns, groups };
          return { columns: cross.columns, bits: Math.ceil(Math.log2(crossPairs(own, all))), groups };
        });
        const encoding = parseTableEncoding(JSON.parse(JSON.stringify({ ...plain, crosses: grouped })));
        const names = featureNames(encoding);
        expect(names).toHaveLength(dimension(encoding));
        const weights = Float64Array.from(names, (_, j) => w[j % Math.max(1, w.length)] ?? j);
        const model = { ...Object.values(models)[0]!, features: encoding, weights } as Model;
        const predictor = new Predictor(model);
        const program = new Function(`${toJavaScript(model, { form: 'function' })} return model;`)();
        encodedColumns(encoding, columns, cells).forEach((row, i) => {
          expect(row).toEqual(encodedObject(encoding, columns, cells, i));
          const fields = Object.fromEntries(columns.map(({ name }, c) => [name, cells[c]![i]!]));
          expect(program.score(fields)).toBe(predictor.score(fields));
        });
      },
    );
  });

  it('are hashed if there are more pairs than features', () => {
    const many = Array.from({ length: 1200 }, (_, i) => `v${i % 600}`);
    const pair: FitColumn[] = [
      { name: 'a', kind: 'category' },
      { name: 'b', kind: 'category' },
    ];
    const encoding = fitted(pair, [many, many.map((_, i) => `w${(i * 7) % 600}`)], { crosses: [['a', 'b']] });
    expect(encoding.crosses).toEqual([{ columns: ['a', 'b'], bits: 18 }]);
    expect(new TableEncoder(encoding).dimension).toBe(1200 + 2 ** 18);
    const slots = encodedColumns(encoding, pair, [many, many.map((v) => v.replace('v', 'w'))]).map(
      (row) => row.at(-1)![0],
    );
    expect(Math.min(...slots)).toBeGreaterThanOrEqual(1200);
    expect(new Set(slots).size).toBeGreaterThan(590);
  });
});

describe('in a model', () => {
  const encoding = fitted(columns, [[...'uuuuvw'], [...'123456'], [...'ababab']], {
    crosses: [
      ['c', 'n'],
      ['c', 'd'],
    ],
  });
  const copy = () => JSON.parse(JSON.stringify(encoding));

  it('survive JSON, byte for byte', () => {
    expect(JSON.stringify(parseTableEncoding(copy()))).toBe(JSON.stringify(encoding));
  });

  // biome-ignore lint/suspicious/noExplicitAny: members are set to what they cannot be.
  it.each<[string, (value: any) => void]>([
    ['edges that fall', (value) => value.columns[1].edges.reverse()],
    ['no edges', (value) => value.columns[1].edges.splice(0)],
    ['edges that are no numbers', (value) => value.columns[1].edges.push('9')],
    ['a level that is rare alone', (value) => Object.assign(value.columns[0].rare, { levels: 1 })],
    ['levels that are rare in one row', (value) => Object.assign(value.columns[0].rare, { least: 1 })],
    ['a cross with itself', (value) => Object.assign(value.crosses[0], { columns: ['c', 'c'] })],
    ['a cross of a strange column', (value) => Object.assign(value.crosses[0], { columns: ['c', 'e'] })],
    ['a cross of numbers', (value) => delete value.columns[1].edges],
    ['a cross of three', (value) => value.crosses[0].columns.push('d')],
    ['groups that fall', (value) => Object.assign(value.crosses[0], { groups: [[1, 1], null] })],
    ['groups beyond a column', (value) => Object.assign(value.crosses[0], { groups: [[99], null] })],
    ['groups of one column', (value) => Object.assign(value.crosses[0], { groups: [[1]] })],
    ['too many bits', (value) => Object.assign(value.crosses[0], { bits: 9 })],
    ['no cross', (value) => value.crosses.splice(0)],
  ])('are refused with %s', (_, change) => {
    const changed = copy();
    change(changed);
    expect(() => parseTableEncoding(changed)).toThrow(expect.objectContaining({ code: 'model-invalid' }));
  });
});
