import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Accuracies, type Results, readMeasurement } from '../.vitepress/measurements.ts';
import { numbersCharts, numbersPart } from '../.vitepress/numbers/page.ts';
import { changed, figuresIn } from './changed.ts';

const recorded = readMeasurement<Results>('speed');
const accuracies = readMeasurement<Accuracies>('accuracy');

/** The numbers that sentences and axes of the page have, whatever was measured, and a count of the sets. */
const fixed = /above 1 we are faster|is reached on \d+ of \d+/g;
const figures = (text: string): string[] => figuresIn(text.replace(fixed, ''));

describe('the page of numbers', () => {
  const others = [3, 7].map((seed) => [changed(recorded, seed, []), changed(accuracies, seed, ['taken'])] as const);

  it('has no figure in its tables that is not in the files', () => {
    const shown = figures(numbersPart(recorded, accuracies));
    const [first, second] = others.map((other) => figures(numbersPart(...other)));
    expect(shown.length).toBeGreaterThan(300);
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
    expect(shown.flat().length).toBeGreaterThan(20);
    for (const [i, chart] of shown.entries())
      expect(chart.filter((figure) => first![i]!.includes(figure) && second![i]!.includes(figure))).toEqual([]);
  });

  it('has none in its own words', () => {
    const page = readFileSync(new URL('../../../docs/benchmarks.md', import.meta.url), 'utf8');
    const [, words] = page.split('\n## All figures of one run\n');
    expect(words).toContain('<!--@include: ./parts/numbers.md-->');
    expect(figures(words!)).toEqual([]);
  });
});
