import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compileTour } from '../scripts/compile-tour.ts';
import { LocalEngine } from '../src/engine/local-engine.ts';
import { Measure } from '../src/tours/measure.ts';
import { scenesOf } from '../src/tours/tour.ts';

const folder = fileURLToPath(new URL('../src/tours', import.meta.url));
const tours = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .map((file) => compileTour(file.replace('.md', ''), readFileSync(`${folder}/${file}`, 'utf8')));

describe.each(tours)('the tour $id', ({ sections }) => {
  const measure = new Measure(new LocalEngine());

  describe.each(sections.map((section, k) => ({ section, heading: `${k + 1}, ${section.heading}` })))(
    'section $heading',
    ({ section }) => {
      const scenes = scenesOf(section);

      it('has a scene, each with claims and a name of its own', () => {
        expect(scenes.length).toBeGreaterThan(0);
        expect(new Set(scenes.map(({ name }) => name)).size).toBe(scenes.length);
        for (const scene of scenes) expect(scene.claims.length, scene.title).toBeGreaterThan(0);
      });

      for (const scene of scenes) {
        it(`${scene.title}: has the moment that it shows`, async () => {
          expect((await measure.factsOf(scene)).step).not.toBeNull();
        });
        for (const { expression } of scene.claims)
          it(`${scene.title}: ${expression}`, async () => {
            const { value, text } = await measure.evaluate(expression, section, scene);
            expect(value, text).toBe(1);
          });
      }

      for (const part of section.parts) {
        if (part.kind === 'choice')
          it('has one right answer among its choices', async () => {
            const outcomes = [];
            for (const { right } of part.options) outcomes.push((await measure.evaluate(right, section)).value);
            expect(outcomes.filter((value) => value === 1)).toHaveLength(1);
            expect(outcomes.filter((value) => value !== 1 && value !== 0)).toEqual([]);
          });
        if (part.kind === 'number' || part.kind === 'predict')
          it(`computes its answer: ${part.answer}`, async () => {
            expect((await measure.evaluate(part.answer, section)).value).toSatisfy(Number.isFinite);
          });
      }
    },
  );
});
