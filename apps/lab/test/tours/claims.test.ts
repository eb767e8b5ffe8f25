import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkedSentences } from './exact/all-claims.ts';
import type { Fact } from './exact/claim.ts';
import { compare, Fraction, isRounded, root } from './exact/fraction.ts';

const files = readdirSync(fileURLToPath(new URL('../../src/tours', import.meta.url)));
const tours = files.filter((file) => file.endsWith('.md')).map((file) => file.replace('.md', ''));

function isTrue(fact: Fact): boolean {
  if (fact[1] === '≈') return isRounded(fact[0], fact[2]);
  const order = compare(fact[0], fact[2]);
  const { [fact[1]]: orders } = { '=': [0], '!=': [-1, 1], '<': [-1], '>': [1], '<=': [-1, 0], '>=': [0, 1] };
  return orders.includes(order);
}

describe.each(tours)('the tour %s, recomputed in fractions', (tour) => {
  const sentences = checkedSentences.filter((each) => each.tour === tour);

  it('has ten sentences or more that are recomputed', () => {
    expect(sentences.length).toBeGreaterThanOrEqual(10);
  });

  it.each(sentences)('$heading, $title: $sentence', ({ section, scene, sentence, facts }) => {
    // A claim of the scene, or words of the section's text and questions.
    expect(scene?.claims.includes(sentence) || section?.text.includes(sentence), 'stands in the tour').toBe(true);
    const found = facts();
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((fact) => !isTrue(fact))).toEqual([]);
  });
});

it('compares roots and rounded decimals without rounding', () => {
  const three = root(Fraction.of(3));
  expect([compare(three, 1.732), compare(three, 1.7321), compare(-2, three), compare(three, three)]).toEqual([
    1, -1, -1, 0,
  ]);
  const written = ['1.73', '1.74', '1.7321', '-1.7321'];
  expect(written.filter((each) => isRounded(three, each))).toEqual(['1.73', '1.7321']);
});
