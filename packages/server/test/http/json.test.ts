import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/http/json.ts';

/** Depth by recursion, for comparison. */
const depthOf = (value: unknown): number =>
  typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));

const hasName = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasName));

test('JSON of the greatest depth is read, and deeper JSON is refused, whatever its strings contain', () => {
  const keys = fc.oneof(fc.string(), fc.constantFrom('[', '"', '\\', '\\"', '{"', ']'));
  const json = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 6 },
      keys,
      fc.double({ noNaN: true }),
      fc.array(tie('any')),
      fc.dictionary(keys, tie('any')),
    ),
  })).any;
  fc.assert(
    fc.property(json, fc.integer({ min: 0, max: 6 }), (given, most) => {
      const text = JSON.stringify(given);
      const value = JSON.parse(text);
      if (hasName(value)) return;
      if (depthOf(value) <= most) expect(parseJson(Buffer.from(text), most)).toEqual(value);
      else expect(() => parseJson(Buffer.from(text), most)).toThrow(`expected JSON of depth ${most} or less`);
    }),
    { numRuns: 1000 },
  );
});

test('a million brackets are refused', () => {
  for (const bracket of ['[', '{"a":', '[{"":'])
    expect(() => parseJson(Buffer.from(bracket.repeat(1e6)), 32)).toThrow('depth 32 or less');
});

test('the member __proto__ is refused, however it is written and wherever it stands; the word is not', () => {
  const names = ['"__proto__"', '"\\u005f_proto__"', '"__\\u0070roto\\u005F_"'];
  for (const name of names)
    for (const text of [`{${name}:1}`, `[{"a":[{${name}:{}}]}]`])
      expect(() => parseJson(Buffer.from(text), 32)).toThrow('got "__proto__"');
  for (const name of names) expect(parseJson(Buffer.from(`{"a":${name}}`), 32)).toEqual({ a: '__proto__' });
});

test('bytes that are not UTF-8 are refused', () => {
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]])
    expect(() => parseJson(Buffer.from([0x22, ...bytes, 0x22]), 32)).toThrow('bytes that are not UTF-8');
});

test('the message of an error has no control characters', () => {
  expect(() => parseJson(Buffer.from('\u001b[31m'), 32)).toThrow(/^expected JSON; got: [ -~]*$/);
});
