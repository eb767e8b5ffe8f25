import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compileTour } from '../../scripts/compile-tour.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { momentAt } from '../../src/engine/recording.ts';
import { Measure } from '../../src/tours/measure.ts';
import { algorithmOf } from '../../src/tours/scene.ts';
import { scenesOf } from '../../src/tours/tour.ts';
import { countsAt } from '../../src/views/mistakes/counts.ts';
import { proofOf } from '../../src/views/proof/quantities.ts';
import { meetingText } from '../../src/views/proof/text.ts';
import { verdictText } from '../../src/views/verdict-text.ts';
import { plainLook } from '../support/make-scene.ts';

const folder = fileURLToPath(new URL('../../src/tours', import.meta.url));
const tours = [folder, `${folder}/lectures`].flatMap((from) =>
  readdirSync(from)
    .filter((file) => file.endsWith('.md'))
    .map((file) => compileTour(file.replace('.md', ''), readFileSync(`${from}/${file}`, 'utf8'))),
);

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
        it(`${scene.title}: tells of one number of updates, and of one bound, wherever it tells of them`, async () => {
          const { dataset, examples, recording, verdict } = await measure.factsOf(scene);
          const moment = momentAt(recording, recording.steps);
          const algorithm = algorithmOf(scene);
          const shown = { dataset, examples, recording, verdict, algorithm, moment, look: plainLook };
          const whole = { ...shown, curve: null, surface: null, selected: null };
          const proof = proofOf(whole);
          if (verdict === null || proof === null || proof.updates === null) return;
          const updates = recording.updates.length + (recording.skipped?.updates ?? 0);
          expect([proof.path.counts.at(-1), recording.report.updates]).toEqual([updates, updates]);
          const sum = countsAt(whole, recording.steps).reduce((total, count) => total + count, 0);
          if ((recording.skipped ?? null) === null) expect(sum).toBe(updates);
          for (const words of [verdictText(verdict, whole).text, meetingText(whole, proof)]) {
            const made = /run (?:has )?made ([\d,]+)/.exec(words)!;
            const allowed = /at most ([\d,]+) update/i.exec(words)!;
            const number = (text: string) => Number(text.replaceAll(',', ''));
            expect(number(made[1]!), words).toBe(updates);
            expect(number(allowed[1]!), words).toBe(proof.updates);
            expect(proof.updates).toBe(Math.floor(proof.terms!) - proof.start);
          }
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
        if ((part.kind === 'number' || part.kind === 'predict') && part.holds !== null)
          it(`tells the numbers that are measured: ${part.holds}`, async () => {
            const { value, text } = await measure.evaluate(part.holds!, section);
            expect(value, text).toBe(1);
          });
      }
    },
  );
});
