import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compileTour } from '../../scripts/compile-tour.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { Measure } from '../../src/tours/measure.ts';
import { scenesOf } from '../../src/tours/tour.ts';
import { checkedSentences } from './exact/all-claims.ts';
import { isRounded } from './exact/fraction.ts';

/** Returns the numbers of a text, as decimals without separators of thousands. */
const numbersIn = (text: string): string[] =>
  [...text.matchAll(/−?\d+(?:,\d{3})*(?:\.\d+)?/g)].map(([number]) => number.replace('−', '-').replaceAll(',', ''));

describe.each([...new Set(checkedSentences.map(({ tour }) => tour))])('the tour %s', (id) => {
  const file = fileURLToPath(new URL(`../../src/tours/${id}.md`, import.meta.url));
  const tour = compileTour(id, readFileSync(file, 'utf8'));
  const measure = new Measure(new LocalEngine());

  it.each(checkedSentences.filter(({ tour, scene, sentence }) => tour === id && scene!.claims.includes(sentence)))(
    'shows the exact numbers, rounded, beside: $heading, $title: $sentence',
    async ({ heading, title, scene: written, sentence, facts }) => {
      const section = tour.sections.find((each) => each.heading === heading)!;
      const scene = scenesOf(section).find((each) => each.title === title)!;
      const { expression } = scene.claims[written!.claims.indexOf(sentence)]!;
      const { value, text } = await measure.evaluate(expression, section, scene);
      expect(value).toBe(1);
      const exact = facts().flatMap(([left, , right]) => [left, right]);
      for (const shown of numbersIn(text)) {
        const at = exact.findIndex((each) => typeof each !== 'string' && isRounded(each, shown));
        expect(at, `${shown} in “${text}”`).toBeGreaterThanOrEqual(0);
        exact.splice(0, at + 1);
      }
    },
  );
});
