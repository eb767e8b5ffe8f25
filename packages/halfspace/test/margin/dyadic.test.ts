import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { add, compare, dyadic, ExactSum, multiply, scaled, toNumber } from '../../src/margin/dyadic.ts';
import { exact } from '../support/arithmetic.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const moderate = fc.double({ noNaN: true, min: -1e100, max: 1e100 });

describe('exact arithmetic on doubles', () => {
  it('convert a double, also a subnormal one, to m·2^e and back', () => {
    forAll(2000, finite, (value) => {
      expect(toNumber(dyadic(value))).toBe(value + 0);
    });
    for (const value of [5e-324, 2.2250738585072014e-308, Number.MAX_VALUE, -5e-324])
      expect(toNumber(dyadic(value))).toBe(value);
  });

  it('round a sum or product like the processor, once', () => {
    forAll(3000, moderate, moderate, (a, b) => {
      expect(toNumber(add(dyadic(a), dyadic(b)))).toBe(a + b + 0);
      expect(toNumber(multiply(dyadic(a), dyadic(b))) + 0).toBe(a * b + 0);
      expect(compare(dyadic(a), dyadic(b))).toBe(Math.sign(a - b) + 0);
    });
  });

  it('round products once, also subnormal ones', () => {
    const small = fc.integer({ min: 1, max: 2 ** 30 }).map((m) => scaled(m, -550));
    forAll(3000, small, small, (a, b) => {
      expect(toNumber(multiply(dyadic(a), dyadic(b)))).toBe(a * b);
    });
  });

  it('keep every digit of a sum of products, whatever cancels', () => {
    forAll(500, fc.array(fc.tuple(moderate, moderate), { maxLength: 20 }), (pairs) => {
      const sum = new ExactSum();
      for (const [a, b] of pairs) sum.addProduct(a, b);
      const naive = pairs.reduce((total, [a, b]) => total + exact(a) * exact(b), 0n);
      const { m, e } = sum.value;
      expect(m << BigInt(e + 2148)).toBe(naive);
      for (const [a, b] of pairs) sum.addProduct(-a, b);
      expect(sum.number).toBe(0);
    });
  });
});
