import { inspect as nodes } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inspect, logged } from '../src/run/inspect.ts';
import { runsInPage, withoutImports } from '../src/run/module.ts';

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
    fc.assert(
      fc.property(plain, (value) => {
        expect(inspect(value)).toBe(lines(value).replace(/\n\s*/g, ' '));
      }),
    );
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
