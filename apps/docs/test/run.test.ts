import { inspect as nodes } from 'node:util';
import { csv, type LinearModel, rows as library, train } from 'halfspace';
import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../test/support/properties.ts';
import { inspect, logged } from '../src/run/inspect.ts';
import { runsInPage, withoutImports } from '../src/run/module.ts';
import { csvOfArrays, csvOfRows, csvOfText } from '../src/run/watched-data.ts';

describe('the output of a block', () => {
  const options = { breakLength: Number.POSITIVE_INFINITY, compact: 3 };

  it('writes values as Node does, on one line', () => {
    const plain = fc.object({
      withBigInt: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: false,
      maxDepth: 4,
      // Node leaves control characters to its own table of escapes.
      key: fc.stringMatching(/^[a-zA-Z_$ -]{1,6}$/),
      values: [
        fc.stringMatching(/^[\x20-\x7eä-ü\n\t]{0,8}$/),
        fc.integer(),
        fc.double(),
        fc.boolean(),
        fc.constantFrom(null, undefined, -0, 10n),
      ],
    });
    const lines = (value: unknown) => nodes(value, { ...options, compact: true });
    forAll(plain, (value) => {
      expect(inspect(value)).toBe(lines(value).replace(/\n\s*/g, ' '));
    });
  });

  it('names what is long or deep, and leaves text as it is', () => {
    const long = Array.from({ length: 102 }, (_, i) => i);
    expect(inspect(long)).toMatch(/ 99, \.\.\. 2 more items \]$/);
    expect(inspect({ a: { b: { c: { d: 1 } }, e: [[[1]]] } })).toBe(
      nodes({ a: { b: { c: { d: 1 } }, e: [[[1]]] } }, options),
    );
    expect(logged(['a', 1, ['b'], new Float64Array([1, 2])])).toBe("a 1 [ 'b' ] Float64Array(2) [ 1, 2 ]");
  });
});

describe('a module', () => {
  it('runs in a page if all that it imports is there', () => {
    expect(runsInPage("import { train } from 'halfspace';\n")).toBe(true);
    expect(runsInPage("import {\n  train,\n} from 'halfspace';\nimport { a as b } from 'halfspace/predict';\n")).toBe(
      true,
    );
    expect(runsInPage("import { certify } from 'halfspace-certify';\n")).toBe(true);
    expect(runsInPage("import { serve } from 'halfspace-server';\n")).toBe(false);
    expect(runsInPage('console.log(1);\n')).toBe(false);
    expect(runsInPage("import { readFileSync } from 'node:fs';\nimport { train } from 'halfspace';\n")).toBe(false);
    expect(runsInPage("import { csv } from 'halfspace';\ncsv('mails.csv');\n")).toBe(false);
    expect(runsInPage("import * as all from 'halfspace';\n")).toBe(false);
  });

  it('gets its imports as constants', () => {
    expect(withoutImports("import { a, b as c } from 'halfspace';\na(c);\n")).toBe(
      'const { a, b: c } = globalThis.modules["halfspace"];\na(c);\n',
    );
  });
});

describe('the data of a block, for the lab', () => {
  const learned = (model: object) => {
    const { classes, weights, bias } = model as LinearModel;
    return { classes, weights, bias };
  };

  it('are a table that reads as the rows do', async () => {
    const number = fc.integer({ min: -99, max: 99 }).map((each) => each / 8);
    const word = fc.stringMatching(/^[a-c",\n ä]{1,4}x$/);
    const row = fc.record({
      a: number,
      'b, c': fc.oneof(number, fc.constant(null)),
      kind: fc.constantFrom('yes', 'no'),
    });
    const rowOfWords = fc.record({ a: number, 'b, c': word, kind: fc.constantFrom('yes', 'no') });
    const lists = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 8 });
    await forAllAsync(50, fc.oneof(lists(row), lists(rowOfWords)), async (given) => {
      const other = typeof given[0]!['b, c'] === 'string' ? ['u', 'v'] : [2, 4];
      const rows = [...given, { a: 1, 'b, c': other[0]!, kind: 'yes' }, { a: 3, 'b, c': other[1]!, kind: 'no' }];
      const table = csvOfRows(rows, { label: 'kind', positive: 'no' })!;
      expect([table.label, table.positive, table.isPlane]).toEqual([
        'kind',
        'no',
        rows.every((each) => typeof each.a === 'number' && typeof each['b, c'] === 'number'),
      ]);
      const [read, own] = [
        csv(table.text, { label: 'kind', positive: 'no' }),
        library(rows, { label: 'kind', positive: 'no' }),
      ];
      const [theirs, ours] = [await train(read, { rule: 'perceptron' }), await train(own, { rule: 'perceptron' })];
      expect(learned(theirs.model)).toEqual(learned(ours.model));
    });
  });

  it('are none where the lab would read other data', () => {
    const rows = [{ x: 1, y: new Date(0) }];
    expect(csvOfRows(rows, { label: 'x' })).toBeNull();
    expect(csvOfRows([{ x: 1, y: 2 }], { label: 'x', features: {} } as object)).toBeNull();
    expect(csvOfRows(new Set([{ x: 1, y: 2 }]), { label: 'x' })).toBeNull();
    expect(csvOfArrays({ data: new Float32Array(4), shape: [2, 2] }, ['a', 'b'])).toBeNull();
    expect(csvOfText('data.csv', { label: 'x' })).toBeNull();
  });

  it('have a column for a label that is computed', () => {
    const table = csvOfRows([{ x: 1, class: 2 }], { label: (row: { x: number }) => row.x > 0 });
    expect(table).toMatchObject({ text: 'x,class,class_\n1,2,true\n', label: 'class_', isPlane: true });
    expect(csvOfArrays([[1, 2.5]], ['up'])).toMatchObject({ text: 'x1,x2,class\n1,2.5,up\n', label: 'class' });
  });
});
