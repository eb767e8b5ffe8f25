import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Accuracies, type Results, readMeasurement } from '../.vitepress/measurements.ts';
import { numbersCharts, numbersPart } from '../.vitepress/numbers/page.ts';
import { questions, type RuleResults, ruleMap, ruleTable } from '../.vitepress/rule-map/map.ts';

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

describe('the map of the rules', () => {
  const recorded = readMeasurement<RuleResults>('rules');
  const guides = new URL('../../../docs/guides/', import.meta.url);

  const others = [3, 7].map((seed) => changed(recorded, seed, ['name', 'rule']));

  it.each([
    ['map', ruleMap],
    ['table', ruleTable],
  ])('has no figure in its %s that is not in the file', (_, write) => {
    const [shown, first, second] = [recorded, ...others].map((results) =>
      figuresIn(write(results).replace(/^1\. /gm, '')),
    );
    expect(shown!.length).toBeGreaterThan(30);
    expect([first!.length, second!.length]).toEqual([shown!.length, shown!.length]);
    expect(shown!.filter((figure, i) => figure === first![i] && figure === second![i])).toEqual([]);
  });

  it('links to pages', () => {
    const links = questions.flatMap(({ yes }) => [...yes.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link!));
    expect(links.length).toBeGreaterThan(questions.length);
    expect(links.filter((link) => !existsSync(new URL(link, guides)))).toEqual([]);
  });

  it('stands in the guide, whose own words have no figure of a measurement', () => {
    const guide = readFileSync(new URL('choose.md', guides), 'utf8');
    expect(guide).toContain('<!--@include: ../parts/rule-map.md-->');
    expect(guide).toContain('<!--@include: ../parts/rule-table.md-->');
    expect(guide.replace(/```.*?```/gs, '')).not.toMatch(/\d (%|s)\b/);
  });
});

/** Returns results of the same shape with other figures, in numbers and in texts. Shares stay shares, and members with a `kept` name stay. */
export function changed<T>(results: T, seed: number, kept: readonly string[]): T {
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
      const isKept = kept.includes(key);
      return [key.includes('/') ? turned(key) : key, isKept ? each : change(each, factor + 0.13 * (i + 1))];
    });
    return Object.fromEntries(entries);
  };
  return change(results, seed + 0.19) as T;
}

/** Returns the numbers of a text, without those that are a part of a word. */
export function figuresIn(text: string): string[] {
  return text.match(/(?<![A-Za-z\d])\d+(,\d{3})*(\.\d+)?(e[+-]?\d+)?/g) ?? [];
}
