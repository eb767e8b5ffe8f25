import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { axesIn } from '../../src/picture/axes.ts';
import { wrapped } from '../../src/picture/labels.ts';
import { countText, decadeText, numberText, subscript, superscript, tickText } from '../../src/picture/numbers.ts';
import { spotsOf } from '../../src/picture/series.ts';
import { spread, textWidth } from '../../src/picture/text-width.ts';

const frame = { width: 400, height: 300, text: 15 };

describe('series over a run', () => {
  it('are drawn through the extremes of every column of pixels, and up to the present exactly', () => {
    forAll(
      50,
      fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 2, maxLength: 3000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, share) => {
        const axes = axesIn(frame, {
          horizontal: { from: 0, to: values.length, title: '' },
          vertical: { from: -5, to: 5, title: '' },
        });
        const series = { xs: Float64Array.from(values, (_, i) => i), ys: Float64Array.from(values) };
        const whole = spotsOf(series, axes);
        expect(whole.length).toBeLessThanOrEqual(4 * (axes.right - axes.left + 1));
        const heights = whole.map(([, y]) => y);
        expect(Math.min(...heights)).toBeCloseTo(axes.y(Math.max(...values)), 9);
        expect(Math.max(...heights)).toBeCloseTo(axes.y(Math.min(...values)), 9);
        const count = 1 + Math.floor(share * (values.length - 1));
        const spots = spotsOf(series, axes, count);
        expect(spots.at(-1)).toEqual([axes.x(count - 1), axes.y(values[count - 1]!)]);
        for (const [x] of spots) expect(x).toBeLessThanOrEqual(axes.x(count - 1) + 1e-9);
      },
    );
  });

  it('do not mistake one series for another that shares its heights', () => {
    const axes = axesIn(frame, {
      horizontal: { from: 0, to: 10, title: '' },
      vertical: { from: 0, to: 10, title: '' },
    });
    const ys = Float64Array.of(1, 2, 3);
    const [first, second] = [Float64Array.of(1, 2, 3), Float64Array.of(4, 5, 6)];
    expect(spotsOf({ xs: first, ys }, axes)[0]![0]).toBe(axes.x(1));
    expect(spotsOf({ xs: second, ys }, axes)[0]![0]).toBe(axes.x(4));
  });

  it('leave out what is no number', () => {
    const axes = axesIn(frame, {
      horizontal: { from: 1, to: 100, title: '', log: true },
      vertical: { from: 0.1, to: 10, title: '', log: true },
    });
    const series = { xs: Float64Array.of(0, 1, 50), ys: Float64Array.of(Number.NaN, 1, 2) };
    expect(spotsOf(series, axes)).toEqual([
      [axes.x(1), axes.y(1)],
      [axes.x(50), axes.y(2)],
    ]);
  });
});

describe('words in pictures', () => {
  it('write numbers with significant digits, thousands apart, powers of ten and a true minus', () => {
    expect([2.5, -0.04567, 1234.5, 0, 1e-7, -3.2e9, 12].map((value) => numberText(value))).toEqual(
      '2.50 −0.0457 1,235 0 1.00·10⁻⁷ −3.20·10⁹ 12.0'.split(' '),
    );
    expect([numberText(Number.NaN), numberText(-Infinity)]).toEqual(['–', '−∞']);
    expect([countText(-1234567), countText(7)]).toEqual(['−1,234,567', '7']);
    expect([0.01, 500, 1000, 1e6, 2e-5].map(decadeText)).toEqual(['0.01', '500', '1,000', '10⁶', '2·10⁻⁵']);
    expect([2500, 40_000, 1_500_000, -20_000].map(tickText)).toEqual(['2,500', '40k', '1.5M', '−20k']);
    expect([subscript(120), superscript(-34)]).toEqual(['₁₂₀', '⁻³⁴']);
  });

  it('are wrapped inside their width, no word lost', () => {
    const text = 'The blades meet at the bound, and no run makes more updates than that.';
    const lines = wrapped(text, 13, 150);
    expect(lines.join(' ')).toBe(text);
    for (const line of lines) expect(textWidth(line, 13)).toBeLessThanOrEqual(150);
  });

  it('are spread a gap apart inside their range, in order', () => {
    forAll(fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 6 }), (wanted) => {
      const placed = spread(wanted, 15, 0, 100);
      const sorted = [...placed].sort((a, b) => a - b);
      for (let i = 1; i < sorted.length; i++) expect(sorted[i]! - sorted[i - 1]!).toBeGreaterThanOrEqual(15 - 1e-9);
      for (const place of placed) {
        expect(place).toBeGreaterThanOrEqual(-1e-9);
        expect(place).toBeLessThanOrEqual(100 + 1e-9);
      }
    });
  });
});
