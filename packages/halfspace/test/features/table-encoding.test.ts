import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import type { Batch } from '../../src/batch.ts';
import type { HalfspaceError } from '../../src/errors.ts';
import { encodeRow, TableEncoder } from '../../src/features/encode-table.ts';
import { type FitColumn, TableFitter } from '../../src/features/fit-table.ts';
import {
  booleanCell,
  cellText,
  dateCell,
  keptWord,
  numberCell,
  refusedNumber,
  refusedWord,
  valueCell,
  wordCell,
} from '../../src/features/table-cell.ts';
import type { ColumnCells, TableChunk } from '../../src/features/table-chunk.ts';
import {
  compareCodePoints,
  dimension,
  type TableEncoding,
  type TableLabel,
} from '../../src/features/table-encoding.ts';
import { featureNames } from '../../src/features/table-feature-names.ts';
import { chooseClasses, classNames, labelNumber, matchClass, unknownClass } from '../../src/features/table-label.ts';
import { parseTableEncoding } from '../support/tables.ts';

const label: TableLabel = { column: 'y', type: 'text', classes: ['a', 'b'], positive: 'b', negative: 'a' };
const rest = { format: 'rows', header: null, scale: 'standard', label, leftOut: [] } as const;

/** Words in order of appearance, in a new list for every chunk. */
function words(...cells: (string | null)[]): ColumnCells {
  return { codes: Uint32Array.from(cells, (_, i) => i), words: cells };
}

function fit(columns: FitColumn[], cells: ColumnCells[], rows: number, scale: 'standard' | 'none' = 'standard') {
  const fitter = new TableFitter(columns);
  fitter.observe({ rows, columns: cells });
  return fitter.encoding({ ...rest, scale });
}

/** The example in row i of a batch, with its zeros. */
function rowOf(batch: Batch, i: number): number[] {
  if (batch.kind === 'dense') return [...batch.values.subarray(i * batch.dimension, (i + 1) * batch.dimension)];
  const row: number[] = new Array(batch.dimension).fill(0);
  for (let k = batch.offsets[i]!; k < batch.offsets[i + 1]!; k++) row[batch.indices[k]!] = batch.values[k]!;
  return row;
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as HalfspaceError).code;
  }
  return 'nothing was thrown';
}

describe('cells', () => {
  it('reads numbers, and nothing else, as numbers', () => {
    const numbers = { '1': 1, ' -2.5\t': -2.5, '+.5': 0.5, '1.': 1, '1e-3': 0.001, '1_000.5': 1000.5, '+-1': -1 };
    for (const [text, value] of Object.entries(numbers)) expect(numberCell(text), text).toBe(value);
    for (const text of ['abc', '1,5', '0x10', '1e', '..5', '--1', '1 2', '１', '1__0', '_1', 'true', '2020-01-01'])
      expect(numberCell(text), text).toBe(refusedWord);
    for (const text of ['inf', 'nan(1)', '-inf', 'Infinity', '1e999', '-1e999'])
      expect(numberCell(text), text).toBe(refusedNumber);
    for (const text of ['', '  ', '?', 'NA', 'N/A', 'null', 'NULL', null]) expect(numberCell(text)).toBeNaN();
    const words = 'NaN nan -nan 1.#IND -1.#QNAN #N/A #NA <NA> None none n/a \\N - -- . –'.split(' ');
    for (const text of words) {
      for (const kind of ['number', 'boolean', 'date'] as const) expect(wordCell(kind, ` ${text} `), text).toBeNaN();
      expect(Math.abs(numberCell(keptWord(text))), 'where such words are values').toBe(Infinity);
    }
  });

  it('accepts only the listed words for a missing value', () => {
    for (const text of ['na', 'none', 'Null', '-', 'nan', '0']) expect(cellText(text)).toBe(text);
  });

  it('reads ISO dates and times as days', () => {
    expect(dateCell('1970-01-01')).toBe(0);
    expect(dateCell('1969-12-31T12:00')).toBe(-0.5);
    expect(dateCell('2000-03-01')).toBe(11017);
    expect(dateCell('2000/03/01 12:00')).toBe(11017.5);
    expect(dateCell('2000-03-01T00:00:00+12:00')).toBe(11016.5);
    expect(dateCell('0001-01-01')).toBe(-719162);
    for (const text of '2001-02-29 2001-13-01 20010101 2001-1-1 2001/01-01 2001-01-01T24:00 1.5 yesterday'.split(' '))
      expect(dateCell(text), text).toBe(refusedWord);
    expect(dateCell('?')).toBeNaN();
  });

  it('gives a Date object the day of its text', () => {
    forAll(fc.date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date('9999-12-31') }), (date) => {
      expect(valueCell('date', date)).toBe(dateCell(date.toISOString()));
    });
  });

  it('reads booleans', () => {
    for (const text of ['true', 'T', 'Yes', '1']) expect(booleanCell(text)).toBe(1);
    for (const text of ['FALSE', 'f', 'no', '0']) expect(booleanCell(text)).toBe(0);
    expect(booleanCell('maybe')).toBe(refusedWord);
  });
});

describe('fitting', () => {
  it('has the mean and population deviation of the present values', () => {
    forAll(
      // Squares of numbers nearer to 0 than this underflow, and no deviation is left of them.
      fc.array(
        fc.option(
          fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((x) => (Math.abs(x) < 1e-100 ? 0 : x)),
          {
            nil: Number.NaN,
          },
        ),
        { minLength: 2 },
      ),
      (values) => {
        const there = values.filter((value) => !Number.isNaN(value));
        const encoding = fit([{ name: 'x', kind: 'number' }], [Float64Array.from(values)], values.length);
        const column = encoding.columns[0];
        if (column?.kind !== 'number') {
          expect(encoding.leftOut[0]!.reason).toBe(there.length === 0 ? 'empty' : 'constant');
          return;
        }
        const mean = there.reduce((sum, value) => sum + value, 0) / there.length;
        const variance = there.reduce((sum, value) => sum + (value - mean) ** 2, 0) / there.length;
        const scale = Math.max(...there.map(Math.abs));
        expect(Math.abs(column.mean - mean)).toBeLessThanOrEqual(1e-12 * scale);
        if (variance > 1e-12 * scale * scale)
          expect(Math.abs(column.deviation - Math.sqrt(variance))).toBeLessThanOrEqual(1e-9 * scale);
        expect(column.missing).toEqual({
          count: values.length - there.length,
          fill: column.mean,
          indicator: there.length < values.length,
        });
      },
    );
  });

  it('gives the same bits for rows cut into any chunks', () => {
    forAll(
      fc.array(fc.tuple(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), fc.constantFrom('u', 'v', '?')), {
        minLength: 1,
      }),
      fc.integer({ min: 1, max: 7 }),
      (rows, size) => {
        const columns: FitColumn[] = [
          { name: 'x', kind: 'number' },
          { name: 'c', kind: 'category' },
        ];
        const cut = new TableFitter(columns);
        for (let i = 0; i < rows.length; i += size) {
          const part = rows.slice(i, i + size);
          cut.observe({
            rows: part.length,
            columns: [Float64Array.from(part, ([x]) => x), words(...part.map(([, c]) => c))],
          });
        }
        const whole = fit(
          columns,
          [Float64Array.from(rows, ([x]) => x), words(...rows.map(([, c]) => c))],
          rows.length,
        );
        expect(cut.encoding(rest)).toEqual(whole);
      },
    );
  });

  it('reads only the requested rows', () => {
    forAll(
      fc.array(fc.tuple(fc.double({ noNaN: true, min: -9, max: 9 }), fc.constantFrom('u', 'v', '?'), fc.boolean()), {
        minLength: 3,
      }),
      (rows) => {
        const columns: FitColumn[] = [
          { name: 'x', kind: 'number' },
          { name: 'c', kind: 'category' },
        ];
        const cells = (some: typeof rows) => [Float64Array.from(some, ([x]) => x), words(...some.map(([, c]) => c))];
        const numbers = Uint32Array.from(rows.keys()).filter((i) => rows[i]![2]);
        const told = new TableFitter(columns);
        told.observe({ rows: numbers.length, numbers, columns: cells(rows) });
        const alone = rows.filter(([, , wanted]) => wanted);
        expect(told.encoding(rest)).toEqual(fit(columns, cells(alone), alone.length));
      },
    );
  });

  it('keeps the deviation if the mean is large', () => {
    const encoding = fit([{ name: 'x', kind: 'number' }], [Float64Array.of(1e9, 1e9 + 1, 1e9 + 2)], 3);
    expect(encoding.columns[0]).toMatchObject({ mean: 1e9 + 1, deviation: Math.sqrt(2 / 3) });
  });

  it('sorts levels by code points, and accepts names of inherited members', () => {
    const encoding = fit(
      [{ name: '__proto__', kind: 'category' }],
      [words('constructor', ' b', '\u{1f600}', '\uffee', '__proto__', 'b ', 'B')],
      7,
    );
    expect(encoding.columns[0]).toMatchObject({
      levels: ['B', '__proto__', 'b', 'constructor', '\uffee', '\u{1f600}'],
    });
    expect(['\uffee', '\u{1f600}'].sort()).not.toEqual(['\uffee', '\u{1f600}'].sort(compareCodePoints));
  });

  it('leaves out columns that cannot tell rows apart, with the reason', () => {
    const many = Array.from({ length: 60 }, (_, i) => `name ${i}`);
    const encoding = fit(
      [
        { name: 'same', kind: 'number' },
        { name: 'one', kind: 'category' },
        { name: 'none', kind: 'category' },
        { name: 'nothing', kind: 'date' },
        { name: 'id', kind: 'category' },
        { name: 'x', kind: 'number' },
      ],
      [
        new Float64Array(60).fill(7),
        words(...many.map(() => 'k')),
        words(...many.map(() => '?')),
        new Float64Array(60).fill(Number.NaN),
        words(...many),
        Float64Array.from(many, (_, i) => i),
      ],
      60,
    );
    expect(encoding.columns.map(({ name }) => name)).toEqual(['x']);
    expect(encoding.leftOut).toEqual([
      { name: 'same', reason: 'constant' },
      { name: 'one', reason: 'constant' },
      { name: 'none', reason: 'empty' },
      { name: 'nothing', reason: 'empty' },
      { name: 'id', reason: 'all-different' },
    ]);
  });

  it('keeps a constant column that has missing values', () => {
    const encoding = fit([{ name: 'x', kind: 'number' }], [Float64Array.of(3, Number.NaN, 3)], 3);
    expect(encoding.columns[0]).toMatchObject({ mean: 3, deviation: 1, missing: { count: 1, indicator: true } });
  });

  it('stops counting categories above the limit', () => {
    const fitter = new TableFitter([{ name: 'c', kind: 'category' }], { mostLevels: 3 });
    fitter.observe({ rows: 4, columns: [words('a', 'b', 'c', 'd')] });
    expect(fitter.encoding(rest).leftOut).toEqual([{ name: 'c', reason: 'too-many-values' }]);
  });

  it('refuses numbers that are not finite, with the place', () => {
    const fitter = new TableFitter([{ name: 'x', kind: 'number' }]);
    const chunk = { rows: 2, columns: [words('1', 'inf')], source: 't.csv', firstRow: 10 };
    expect(() => fitter.observe(chunk)).toThrow('t.csv, row 12, column "x": expected a finite number; got "inf"');
    expect(() => fit([{ name: 'x', kind: 'number' }], [Float64Array.of(1e308, -1e308)], 2)).toThrow('column "x"');
  });
});

const penguinLike = fit(
  [
    { name: 'bill', kind: 'number' },
    { name: 'island', kind: 'category' },
    { name: 'tagged', kind: 'boolean' },
    { name: 'sex', kind: 'category' },
    { name: 'seen', kind: 'date' },
  ],
  [
    Float64Array.of(39, Number.NaN, 41),
    words('Torgersen', 'Biscoe', 'Biscoe'),
    Float64Array.of(1, 0, 1),
    words('f', null, 'm'),
    words('2007-11-11', '2007-11-12', '2007-11-13'),
  ],
  3,
);

describe('encoding', () => {
  it('names every feature', () => {
    expect(featureNames(penguinLike)).toEqual([
      'bill',
      'bill missing',
      'island=Biscoe',
      'island=Torgersen',
      'tagged',
      'sex=f',
      'sex=m',
      'sex missing',
      'seen',
    ]);
    expect(dimension(penguinLike)).toBe(9);
  });

  it('scales, fills and indicates as described', () => {
    const encoder = new TableEncoder(penguinLike);
    const chunk: TableChunk = {
      rows: 3,
      columns: [
        Float64Array.of(42, Number.NaN, 40),
        words('Dream', 'Biscoe', ' Torgersen '),
        words('no', '?', 'T'),
        words('NA', 'm', 'f'),
        words('2007-11-12', '', '2007-11-13T12:00'),
      ],
      labels: Float64Array.of(1, -1, Number.NaN),
    };
    const batch: Batch = encoder.encodeColumns(chunk);
    const day = Math.sqrt(2 / 3);
    expect(batch.kind).toBe('sparse');
    expect(rowOf(batch, 0)).toEqual([2, 0, 0, 0, 0, 0, 0, 1, 0]);
    expect(rowOf(batch, 1)).toEqual([0, 1, 1, 0, 2 / 3, 0, 1, 0, 0]);
    expect(rowOf(batch, 2)).toEqual([0, 0, 0, 1, 1, 1, 0, 0, 1.5 / day]);
    expect([...batch.labels]).toEqual([1, -1, Number.NaN]);
    expect(encoder.unknown).toEqual({ values: 5, unknown: 1, different: 1 });
  });

  it('is dense without categories', () => {
    const encoding = fit(
      [
        { name: 'x', kind: 'number' },
        { name: 'b', kind: 'boolean' },
      ],
      [Float64Array.of(1, 2), Float64Array.of(0, 1)],
      2,
      'none',
    );
    const batch = new TableEncoder(encoding).encodeColumns({
      rows: 2,
      columns: [Float64Array.of(5, Number.NaN), null],
    });
    expect(batch.kind).toBe('dense');
    expect(rowOf(batch, 0)).toEqual([5, 0.5]);
    expect(rowOf(batch, 1)).toEqual([1.5, 0.5]);
    expect([...batch.labels]).toEqual([Number.NaN, Number.NaN]);
  });

  it('gives a plain object the bits of its row', () => {
    const cell = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }).map(String),
      fc.constantFrom('', '?', '1e3', ' 7 '),
    );
    const table = fc.array(
      fc.tuple(cell, fc.constantFrom('u', 'v', '__proto__', '?', 'constructor'), fc.constantFrom('yes', 'no', 'NA')),
      { minLength: 3, maxLength: 40 },
    );
    forAll(table, table, fc.constantFrom('standard', 'none'), (seen, fresh, scale) => {
      const columns: FitColumn[] = [
        { name: '__proto__', kind: 'number' },
        { name: 'constructor', kind: 'category' },
        { name: 'toString', kind: 'boolean' },
      ];
      const cells = (rows: typeof seen) => [0, 1, 2].map((c) => words(...rows.map((row) => row[c]!)));
      const encoding = fit(columns, cells(seen), seen.length, scale as 'standard' | 'none');
      const kept = encoding.columns.map(({ name }) => columns.findIndex((column) => column.name === name));
      const encoder = new TableEncoder(encoding);
      const all = cells(fresh);
      const batch: Batch = encoder.encodeColumns({ rows: fresh.length, columns: kept.map((c) => all[c]!) });
      fresh.forEach((row, i) => {
        const object = JSON.parse(
          JSON.stringify({ constructor: row[1], toString: row[2], other: 1 }).replace(
            '{',
            `{"__proto__":${JSON.stringify(row[0])},`,
          ),
        );
        const encoded = encodeRow(encoding, object);
        if (encoded instanceof Float64Array) {
          expect([...encoded]).toEqual(rowOf(batch, i));
          return;
        }
        if (batch.kind !== 'sparse') throw new Error('layouts differ');
        const [from, to] = [batch.offsets[i], batch.offsets[i + 1]];
        expect([...encoded.indices]).toEqual([...batch.indices.subarray(from, to)]);
        expect([...encoded.values]).toEqual([...batch.values.subarray(from, to)]);
        expect([...encoded.indices].every((index, k, list) => k === 0 || index > list[k - 1]!)).toBe(true);
      });
    });
  });

  it('reads fields of any type like their text', () => {
    const typed = encodeRow(penguinLike, { bill: 40, island: 'Biscoe', tagged: true, seen: new Date('2007-11-13') });
    const asText = encodeRow(penguinLike, {
      bill: '40',
      island: ' Biscoe',
      tagged: 'yes',
      sex: '',
      seen: '2007-11-13',
    });
    expect(typed).toEqual(asText);
    expect(codeOf(() => encodeRow(penguinLike, { bill: 'wide' }))).toBe('number-invalid');
    expect(codeOf(() => encodeRow(penguinLike, { bill: Number.NaN }))).toBe('number-invalid');
    expect(codeOf(() => encodeRow(penguinLike, { bill: true }))).toBe('number-invalid');
    expect(codeOf(() => encodeRow(penguinLike, { island: ['Biscoe'] }))).toBe('row-malformed');
    expect(() => encodeRow(penguinLike, { seen: '12/11/2007' })).toThrow(
      'column "seen": expected a date such as 2024-02-29; got "12/11/2007"',
    );
  });

  it('reuses its arrays, and accepts word lists that grow', () => {
    const encoder = new TableEncoder(penguinLike);
    const list: (string | null)[] = ['Biscoe'];
    const columns = (code: number) => [null, { codes: Uint8Array.of(code), words: list }, null, null, null];
    const first: Batch = encoder.encodeColumns({ rows: 1, columns: columns(0) });
    expect(rowOf(first, 0)[2]).toBe(1);
    list.push('Torgersen');
    const second: Batch = encoder.encodeColumns({ rows: 1, columns: columns(1) });
    expect(rowOf(second, 0).slice(2, 4)).toEqual([0, 1]);
    expect(second.values).toBe(first.values);
  });

  it('refuses a number that overflows when scaled', () => {
    const encoding = fit([{ name: 'x', kind: 'number' }], [Float64Array.of(0, 1e-150)], 2);
    expect(() => encodeRow(encoding, { x: 1e300 })).toThrow('expected a number that can be scaled; got 1e+300');
  });
});

describe('labels', () => {
  const counted = (...names: string[]) => new Map(names.map((name, i) => [name, i + 1]));

  it('takes the larger number, or the later name, as positive', () => {
    expect(chooseClasses('y', counted('10', '9'))).toMatchObject({ positive: '10', negative: '9', type: 'number' });
    expect(chooseClasses('y', counted('yes', 'no'))).toMatchObject({ positive: 'yes', negative: 'no', type: 'text' });
    expect(classNames(chooseClasses('y', counted('true', 'false')))).toEqual(['false', 'true']);
    expect(chooseClasses('y', counted('1', '1.0', '-0', '0')).classes).toEqual(['0', '-0', '1', '1.0']);
  });

  it('makes the named class positive, all others negative', () => {
    const three = chooseClasses('y', counted('c', 'a', 'b'), 'b');
    expect(classNames(three)).toEqual(['not b', 'b']);
    expect([labelNumber(three, 'b'), labelNumber(three, 'a'), labelNumber(three, 'never seen')]).toEqual([1, -1, -1]);
    expect(classNames(chooseClasses('y', counted('c', 'a'), 'a'))).toEqual(['c', 'a']);
  });

  it('takes three and more classes, numbers by size and other names in code-point order, as positions', () => {
    const letters = chooseClasses('y', counted('c', 'a', 'B'));
    expect(letters).toEqual({ column: 'y', type: 'text', classes: ['B', 'a', 'c'], positive: null, negative: null });
    expect(classNames(letters)).toEqual(['B', 'a', 'c']);
    expect(['c', 'a', 'B', 'c.', null, 'd'].map((text) => labelNumber(letters, text))).toEqual([
      2,
      1,
      0,
      2,
      Number.NaN,
      unknownClass,
    ]);
    const numbers = chooseClasses('y', counted('10', '9', '-1'));
    expect(classNames(numbers)).toEqual(['-1', '9', '10']);
    expect(['10', '9.00', ' 9', 'ten'].map((text) => labelNumber(numbers, text))).toEqual([2, 1, 1, unknownClass]);
  });

  it('accepts as many classes as a person may mean, and refuses quantities and texts', () => {
    const many = (count: number, name: (i: number) => string) =>
      counted(...Array.from({ length: count }, (_, i) => name(i)));
    for (const [most, kind, name] of [
      [10, 'numbers', (i: number) => `${i}.5`],
      [100, 'whole numbers', (i: number) => `${i}`],
      [1000, 'text', (i: number) => `t${i}`],
    ] as const) {
      expect(chooseClasses('y', many(most, name)).classes).toHaveLength(most);
      expect(() => chooseClasses('y', many(most + 1, name))).toThrow(
        `column "y": expected at most ${most} classes of ${kind}, or one named by positive (--positive of the command); got ${most + 1}: "`,
      );
      expect(codeOf(() => chooseClasses('y', many(most + 1, name)))).toBe('label-classes');
      expect(classNames(chooseClasses('y', many(most + 1, name), name(3)))).toEqual([`not ${name(3)}`, name(3)]);
    }
    // The rest is counted.
    expect(() =>
      chooseClasses(
        'y',
        many(1001, (i) => `t${i}`),
      ),
    ).toThrow(/, and 998 more$/);
  });

  it('refuses columns of one class, and an unknown positive class', () => {
    expect(() => chooseClasses('y', counted('only'))).toThrow('column "y": expected two classes; got one, "only" (1)');
    expect(codeOf(() => chooseClasses('y', counted('only')))).toBe('label-classes');
    expect(codeOf(() => chooseClasses('y', counted('a', 'b', 'c'), 'z'))).toBe('option-invalid');
    expect(codeOf(() => chooseClasses('y', counted('a', 'b'), 'z'))).toBe('option-invalid');
  });

  it('recognises class names with an extra dot at the end', () => {
    const income = chooseClasses('y', counted('<=50K', '>50K'));
    expect([labelNumber(income, '>50K.'), labelNumber(income, '<=50K'), labelNumber(income, null)]).toEqual([
      1,
      -1,
      Number.NaN,
    ]);
    expect(labelNumber(income, '>50k')).toBe(unknownClass);
    const digits = chooseClasses('y', counted('0', '1', '2'), '1');
    expect([matchClass(digits, '2.0'), matchClass(digits, '3'), matchClass(digits, 'x')]).toEqual(['2', null, null]);
    expect(labelNumber(digits, '1.00')).toBe(1);
    // Set against the rest, a dotted positive class must not count as one of the rest.
    expect(labelNumber(chooseClasses('y', counted('a', 'b', 'c'), 'c'), 'c.')).toBe(1);
  });
});

describe('in a model', () => {
  const model = JSON.parse(readFileSync(new URL('../../src/model/model.schema.json', import.meta.url), 'utf8'));
  const fits = new Ajv2020({ strict: true, allowUnionTypes: true }).compile({
    $ref: '#/$defs/table',
    $defs: model.$defs,
  });
  const plain = () => JSON.parse(JSON.stringify(penguinLike));

  it('survives JSON, byte for byte, and fits its schema', () => {
    expect(fits(plain()), JSON.stringify(fits.errors)).toBe(true);
    expect(JSON.stringify(parseTableEncoding(plain()))).toBe(JSON.stringify(penguinLike));
  });

  it('is refused if a member is absent, unknown or of another type', () => {
    const visit = (value: object, change: (owner: Record<string, unknown>, key: string) => void): void => {
      for (const [key, member] of Object.entries(value)) {
        change(value as Record<string, unknown>, key);
        (value as Record<string, unknown>)[key] = member;
        if (typeof member === 'object' && member !== null) visit(member, change);
      }
    };
    const whole = plain();
    let changes = 0;
    visit(whole, (owner, key) => {
      for (const wrong of [undefined, { no: 1 }, -1.5, Number.NaN]) {
        const before = owner[key];
        if (typeof before === 'number' && wrong === -1.5 && key !== 'count' && key !== 'deviation') continue;
        if (wrong === undefined) {
          if (Array.isArray(owner)) continue;
          delete owner[key];
        } else owner[key] = wrong;
        expect(
          codeOf(() => parseTableEncoding(whole)),
          `${key}: ${String(wrong)}`,
        ).toBe('model-invalid');
        changes++;
        owner[key] = before;
      }
    });
    expect(changes).toBeGreaterThan(25);
    for (const bad of [null, [], 'table', { kind: 'table' }, { ...plain(), extra: 1 }])
      expect(codeOf(() => parseTableEncoding(bad))).toBe('model-invalid');
  });

  it('is refused if its parts contradict each other', () => {
    const changed: ((value: ReturnType<typeof plain>) => void)[] = [
      (value) => value.columns[1].levels.reverse(),
      (value) => value.columns[1].levels.push('Torgersen'),
      (value) => value.columns[1].levels.unshift(''),
      (value) => {
        value.columns[1].name = 'bill';
      },
      (value) => {
        value.label.column = 'bill';
      },
      (value) => {
        value.label.positive = 'c';
      },
      (value) => {
        value.label.negative = null;
      },
      (value) => {
        value.columns[0].deviation = 0;
      },
      (value) => {
        value.columns[0].deviation = 5e-324;
        value.columns[0].missing.fill = 1e300;
      },
      (value) => {
        value.label.type = 'number';
      },
    ];
    for (const change of changed) {
      const value = plain();
      change(value);
      expect(
        codeOf(() => parseTableEncoding(value)),
        change.toString(),
      ).toBe('model-invalid');
    }
  });

  it('accepts names of inherited members', () => {
    const encoding: TableEncoding = fit(
      [{ name: 'constructor', kind: 'category' }],
      [words('__proto__', 'hasOwnProperty', 'x')],
      3,
    );
    const again = parseTableEncoding(JSON.parse(JSON.stringify(encoding)));
    expect(again).toEqual(encoding);
    expect(encodeRow(again, { constructor: '__proto__' })).toEqual({
      indices: Uint32Array.of(0),
      values: Float64Array.of(1),
    });
    expect(encodeRow(again, { constructor: null })).toEqual({
      indices: new Uint32Array(0),
      values: new Float64Array(0),
    });
  });
});
