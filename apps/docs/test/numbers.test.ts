import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { numbersCharts, numbersPart } from '../.vitepress/numbers/page.ts';
import { type Accuracies, type Results, readMeasurement } from '../.vitepress/numbers/results.ts';

const recorded = readMeasurement<Results>('speed');
const accuracies = readMeasurement<Accuracies>('accuracy');

/** Returns results of the same shape with other figures, in numbers and in texts. Shares stay shares. */
function changed<T>(results: T, seed: number): T {
  const turned = (text: string) => text.replace(/\d/g, (digit) => String((Number(digit) + seed) % 10));
  const change = (value: unknown, factor: number): unknown => {
    if (typeof value === 'number') {
      if (value >= 0 && value <= 1) return (0.3117 + value * factor) % 0.93;
      return Number.isInteger(value) ? Math.round(value * factor) + 1 : value * factor;
    }
    if (typeof value === 'string') return turned(value);
    if (Array.isArray(value)) return value.map((each, i) => change(each, factor + 0.37 * (i + 1)));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, each], i) => {
      const isPosition = key === 'taken';
      return [key.includes('/') ? turned(key) : key, isPosition ? each : change(each, factor + 0.13 * (i + 1))];
    });
    return Object.fromEntries(entries);
  };
  return change(results, seed + 0.19) as T;
}

/** The numbers that sentences and axes of the page have, whatever was measured, and a count of the sets. */
const fixed =
  /streaming [48] bytes|each of 8 bytes|each of 4\b|of 4-byte|take 16 bytes a feature|above 1 we are faster|is reached on \d+ of \d+/g;
const figures = (text: string): string[] => text.replace(fixed, '').match(/\d+(,\d{3})*(\.\d+)?(e[+-]?\d+)?/g) ?? [];

describe('the page of numbers', () => {
  const others = [3, 7].map((seed) => [changed(recorded, seed), changed(accuracies, seed)] as const);

  it('has no figure in its tables that is not in the files', () => {
    const shown = figures(numbersPart(recorded, accuracies));
    const [first, second] = others.map((other) => figures(numbersPart(...other)));
    expect(shown.length).toBeGreaterThan(500);
    expect([first!.length, second!.length]).toEqual([shown.length, shown.length]);
    expect(shown.filter((figure, i) => figure === first![i] && figure === second![i])).toEqual([]);
  });

  it('has no figure in its charts that is not in the file', () => {
    const texts = (results: Results) =>
      [...numbersCharts(results).values()].map((html) =>
        figures(html.replace(/<(g class="ticks"|span class="who").*?<\/(g|span)>/gs, '').replace(/<[^>]*>/g, ' ')),
      );
    const shown = texts(recorded);
    const [first, second] = others.map(([other]) => texts(other));
    expect(shown.flat().length).toBeGreaterThan(40);
    for (const [i, chart] of shown.entries())
      expect(chart.filter((figure) => first![i]!.includes(figure) && second![i]!.includes(figure))).toEqual([]);
  });

  it('has none in its own words', () => {
    const page = readFileSync(new URL('../../../docs/numbers.md', import.meta.url), 'utf8');
    expect(page).toContain('<!--@include: ./parts/numbers.md-->');
    expect(figures(page)).toEqual([]);
  });
});
