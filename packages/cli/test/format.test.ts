import { expect, test } from 'vitest';
import { fc, forAll } from '../../../test/support/properties.ts';
import { present } from '../src/present.ts';
import { readable } from '../src/report/features.ts';
import { above, below, count, numbers, radiusAbove, section } from '../src/report/format.ts';
import { shareBar } from '../src/report/terminal-charts.ts';
import { halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

test('a count is grouped as the language formats it', () => {
  const numbers = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.nat(9999), fc.double());
  forAll(numbers, (value) => {
    // A count is never −0, which the language writes with its sign.
    expect(count(value + 0)).toBe((value + 0).toLocaleString('en-US'));
  });
});

test('bounds are cut to their side, by less than one in the last digit', () => {
  const size = fc.double({ noNaN: true, min: Number.MIN_VALUE, max: 1e290 });
  const numbers = fc.oneof(
    fc.constant(0),
    size,
    size.map((value) => -value),
  );
  forAll(500, numbers, fc.integer({ min: 1, max: 12 }), (value, digits) => {
    const [low, high] = [exact(below(value, digits)), exact(above(value, digits))];
    const middle = exact(value.toExponential(100));
    expect(low <= middle && middle <= high).toBe(true);
    expect(Number(below(value, digits)) <= value && value <= Number(above(value, digits))).toBe(true);
    const digit = 10n ** BigInt(places - digits + 1 + Math.floor(Math.log10(Math.abs(value) || 1)) + 1);
    expect(high - low).toBeLessThanOrEqual(digit);
  });
  expect([below(2 / 3, 4), above(2 / 3, 4), above(1.5, 4), below(-0.12345, 3)]).toEqual([
    '0.6666',
    '0.6667',
    '1.5',
    '-0.124',
  ]);
});

test('a radius is never printed below itself, and a few units in the last place above a short decimal look like that', () => {
  const lengths = fc.oneof(
    fc.double({ noNaN: true, min: Number.MIN_VALUE, max: 1e290 }),
    // Short decimals, and up to twenty units in the last place above them.
    fc
      .tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: -6, max: 6 }), fc.nat(20))
      .map(([n, power, units]) => {
        const value = n * 10 ** power;
        return value * (1 + units * 2 ** -52);
      }),
  );
  forAll(lengths, (radius) => {
    const printed = radiusAbove(radius);
    expect(exact(printed)).toBeGreaterThanOrEqual(exact(radius.toExponential(100)));
    const short = Number(radius.toPrecision(4));
    const isNear = Math.abs(radius - short) < 1e-13 * radius;
    expect(Number(printed) - radius).toBeLessThanOrEqual((isNear ? 1e-14 : 1.1e-3) * radius);
  });
  expect([1, 1 + 2 ** -52, 5 * (1 + 11 * 2 ** -53), 1 + 1e-9, 2 / 3].map(radiusAbove)).toEqual(
    '1 1.000000000000001 5.000000000000008 1.001 0.6667'.split(' '),
  );
});

const places = 800;

/** Returns a decimal number times 10^places. */
function exact(text: string): bigint {
  const [mantissa, exponent = '0'] = text.split('e') as [string, string?];
  const [whole, part = ''] = mantissa.split('.') as [string, string?];
  return BigInt(whole + part) * 10n ** BigInt(places + Number(exponent) - part.length);
}

test('a weight that is a rounding error is no feature of the strongest', () => {
  const [strong, noise] = [-2.5, 1.11e-16].map((weight) => ({ feature: 'x', weight }));
  expect(readable([strong!, noise!])).toEqual([strong]);
  expect(readable([noise!])).toEqual([noise]);
});

const words = fc.array(fc.stringMatching(/^[a-z—é]{1,12}$/), { minLength: 1, maxLength: 40 });

test('lines are wrapped between words, within the width, and no word is lost or changes', () => {
  forAll(words, fc.integer({ min: 40, max: 200 }), fc.boolean(), (all, width, nested) => {
    const line = section('Stopped', [`${nested ? '  ' : ''}${all.join(' ')}`]);
    const shown = present(line, { width, colours: false });
    expect(shown.split(/\s+/)).toEqual(line.split(/\s+/));
    expect(Math.max(...shown.split('\n').map((each) => [...each].length))).toBeLessThanOrEqual(width);
    for (const further of shown.trimEnd().split('\n').slice(1)) expect(further).toMatch(/^ {13}\S/);
  });
});

test('a line that fits stays as it is, and a wide sign takes two columns', () => {
  const fitting = section('Chosen', ['→ averaged  99.1 ± 0.3 %', '', '  x']);
  expect(present(fitting, { width: 40, colours: false })).toBe(fitting);
  expect(present(`${'漢'.repeat(18)} 字字字`, { width: 40, colours: false })).toBe(`${'漢'.repeat(18)}\n  字字字`);
});

test('colours are all that they add', () => {
  const lines = [
    section('Chosen', ['→ averaged  99.1', '  sgd, loss hinge  98.7', '… and 4 more candidates: --verbose shows all']),
    section('Stopped', ['separated: every training row is classified correctly']),
    'halfspace: mails.csv:4: expected 3 cells; got 2\nnote: column x is left out (--column x=number keeps it)\n',
  ].join('');
  const shown = present(lines, { width: Infinity, colours: true });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colours begin with it.
  const codes = /\u001b\[\d+m/g;
  expect(shown.replace(codes, '')).toBe(lines);
  const opened = (shown.match(codes) ?? []).filter((code) => !/\[(?:22|39)m/.test(code));
  expect((shown.match(codes) ?? []).length).toBe(2 * opened.length);
  expect(shown).toContain('\u001b[1m\u001b[32m→ averaged  99.1\u001b[39m\u001b[22m');
});

test('a pipe gets colours only when they are forced', () => {
  const run = (env: object) => halfspace(folder, ['train', 'none.csv'], { env }).err;
  expect(run({})).not.toContain('\u001b');
  expect(run({ FORCE_COLOR: '1' })).toContain('\u001b[31mhalfspace:');
  expect(run({ FORCE_COLOR: '0' })).not.toContain('\u001b');
});

test('the numbers of a column have one precision, and bars an eighth of a column', () => {
  expect(numbers([15.7, -2.78, 0.5, 0])).toEqual(['15.70', '-2.78', '0.50', '0']);
  expect(numbers([0.01234, 0.000001])).toEqual(['0.01234', '1.000e-6']);
  expect([shareBar(1, 12), shareBar(0.5, 3), shareBar(0, 12)]).toEqual(['█'.repeat(12), '█▌', '▏']);
});
