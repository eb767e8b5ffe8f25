import { expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { dateTicks, edgeTexts, valueText } from '../../src/picture/values.ts';

const day = (iso: string) => Date.parse(iso) / 86_400_000;

test('ticks of dates are round years, months, days or hours within the range', () => {
  const ticks = (from: string, to: string) => {
    const found = dateTicks([day(from), day(to)], 5, 'iso')!;
    return found.ticks.map((at) => found.format(at));
  };
  expect(ticks('1990-05-05', '2020-05-05')).toEqual(['1995', '2000', '2005', '2010', '2015', '2020']);
  expect(ticks('2023-11-20', '2024-06-10')).toEqual([
    '2023-12',
    '2024-01',
    '2024-02',
    '2024-03',
    '2024-04',
    '2024-05',
    '2024-06',
  ]);
  expect(ticks('2024-02-27', '2024-03-08')).toEqual(['2024-02-27', '2024-03-03', '2024-03-08']);
  const hours = dateTicks([0.25, 0.75], 4, 'time')!;
  expect(hours.ticks.map(hours.format)).toEqual(['06:00', '08:00', '10:00', '12:00', '14:00', '16:00', '18:00']);
  expect(dateTicks([0, 1], 4)).toBe(null);
});

test('edges that differ read differently, with equal decimals where that is enough', () => {
  expect(edgeTexts([-0.2233, 1.5, 12.67])).toEqual(['−0.22', '1.50', '12.67']);
  expect(edgeTexts([0.001, 0.002, 50])).toEqual(['0.001', '0.002', '50']);
  expect(edgeTexts([1990, 2000])).toEqual(['1990', '2000']);
  const edges = fc.uniqueArray(fc.integer({ min: -9999, max: 9999 }), { minLength: 2, maxLength: 8 });
  forAll(edges, fc.constantFrom(1, 10, 1000, 1e-6), (whole, unit) => {
    const texts = edgeTexts(whole.sort((a, b) => a - b).map((each) => each / unit));
    expect(new Set(texts).size).toBe(texts.length);
  });
});

test('a value has at most four digits, and dates are dates', () => {
  expect([1987, 123456, 12.3456, 0.00012345, -5].map((value) => valueText(value))).toEqual([
    ...['1987', '123.5k', '12.35', '1.23·10⁻⁴', '−5'],
  ]);
  expect([
    valueText(day('2024-02-29'), 'iso'),
    valueText(day('2024-02-29T13:30'), 'dmy'),
    valueText(0.5, 'time'),
  ]).toEqual([...['2024-02-29', expect.stringMatching(/^2024-02-29 1/), '12:00']]);
});
