import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readMeasurement } from '../.vitepress/measurements.ts';
import { type RuleResults, ruleMap, ruleTable } from '../.vitepress/rule-map/map.ts';
import { questions } from '../.vitepress/rule-map/questions.ts';
import { changed, figuresIn } from './changed.ts';

const recorded = readMeasurement<RuleResults>('rules');
const guides = new URL('../../../docs/guides/', import.meta.url);

describe('the map of the rules', () => {
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
