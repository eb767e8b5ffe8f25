import { describe, expect, test } from 'vitest';
import { fc, forAll } from '../../../test/support/properties.ts';
import { WrittenNumbers } from '../src/written.ts';

/** The first number in a text that its double does not stand for, the text being cut at these places. */
function foundIn(text: string, format = 'csv', cuts: readonly number[] = []): string | null {
  const bytes = new TextEncoder().encode(text);
  const numbers = new WrittenNumbers(format);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  places.slice(1).forEach((to, k) => {
    numbers.add(bytes.subarray(places[k]!, to));
  });
  numbers.finish();
  return numbers.found;
}

/** Tests by whole numbers if a decimal equals the shortest decimal of its double. */
function isHeld(text: string): boolean {
  const rational = (decimal: string): [bigint, bigint] => {
    const [, sign, whole, fraction = '', exponent = '0'] = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(decimal)!;
    const places = fraction.length - Number(exponent);
    const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
    return [digits * 10n ** BigInt(Math.max(0, -places)), 10n ** BigInt(Math.max(0, places))];
  };
  const [[a, b], [c, d]] = [rational(text), rational(String(Number(text)))];
  return a * d === c * b;
}

const digits = (least: number, most: number) =>
  fc.array(fc.constantFrom(...'0123456789'), { minLength: least, maxLength: most }).map((each) => each.join(''));
const decimal = fc
  .tuple(
    fc.constantFrom('', '', '-', '+'),
    digits(1, 12),
    fc.option(digits(0, 12)),
    fc.option(fc.tuple(fc.constantFrom('e', 'E'), fc.integer({ min: -330, max: 290 }))),
  )
  .map(([sign, whole, fraction, exponent]) =>
    [sign, whole, fraction === null ? '' : `.${fraction}`, exponent === null ? '' : exponent.join('')].join(''),
  );

test('it finds just the numbers that are not the shortest decimals of their doubles, wherever the text is cut', () => {
  const seen = new Set<boolean>();
  forAll(
    3000,
    fc.array(fc.oneof(decimal, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.array(fc.nat(), { maxLength: 3 }),
    (numbers, cuts) => {
      const first = numbers.find((number) => !isHeld(number));
      seen.add(first === undefined);
      const found = foundIn(`a,b\n${numbers.join(',')}\n`, 'csv', cuts);
      expect(found === null).toBe(first === undefined);
    },
  );
  expect(seen.size).toBe(2);
});

describe('numbers that doubles do not hold', () => {
  test.each([
    ['0.1000000000000000055511151231257827', 'csv'],
    ['12345678901234567890', 'csv'],
    ['1e-400', 'csv'],
    ['4.9e-324', 'csv'],
    ['1_000_000.000000000000001', 'csv'],
    ['"0.1\\0000000000000000001"', 'csv'],
    ['{"a":"0.1234567890\\u0031234567"}', 'ndjson'],
    ['1 1:0.30000000000000005', 'libsvm'],
    ['1 |a:0.5 x:2', 'vw'],
    ['1 |a x:0.1 x:0.2', 'vw'],
  ])('%s', (text, format) => {
    expect(foundIn(`${text}\n`, format)).not.toBeNull();
    expect(foundIn(text, format, [3, 8])).not.toBeNull();
  });

  test('one of thousands of digits, in a moment', () => {
    expect(foundIn(`0.5${'0'.repeat(50_000)}1,2\n`)).not.toBeNull();
  });

  test.each([
    ['0.1,1e22,-3.50,007,+.5,5.,2024-02-29T12:30:00,here', 'csv'],
    ['0.30000000000000004;1.7976931348623157e308', 'csv'],
    ['{"café":0.25,"b":"\\u00e9"}', 'ndjson'],
    ['1 |a x:0.1 y |b x', 'vw'],
  ])('but not %s', (text, format) => {
    expect(foundIn(text, format)).toBeNull();
  });
});
