import fc from 'fast-check';
import { expect, test } from 'vitest';
import { count } from '../src/report/format.ts';

test('a count is grouped as the language formats it', () => {
  const numbers = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.nat(9999), fc.double());
  fc.assert(
    fc.property(numbers, (value) => {
      // A count is never −0, which the language writes with its sign.
      expect(count(value + 0)).toBe((value + 0).toLocaleString('en-US'));
    }),
  );
});
