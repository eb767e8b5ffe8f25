import type { RuleName } from 'halfspace';
import { rules } from 'halfspace/rules';
import { describe, expect, it } from 'vitest';
import { some } from '../../../../test/support/quick.ts';
import { viewEntries } from '../../src/views/entries.ts';
import { learning } from '../../src/views/learning/learning.ts';
import { lift } from '../../src/views/lift/lift.ts';
import { loss } from '../../src/views/loss/loss.ts';
import { tree } from '../../src/views/tree/tree.ts';
import type { View } from '../../src/views/view.ts';
import {
  atStep,
  cars,
  choosing,
  clouds,
  desk,
  makeScene,
  phone,
  points,
  spotsOf,
  wall,
} from '../support/make-scene.ts';

const shown: readonly View[] = [loss, lift, learning, tree];
const datasets = {
  'points of a plane': clouds(30, 1),
  'points of a line': points(1, [-2, -1], [-1, -1], [0.5, 1], [2, 1]),
  'a table': cars(),
  'points of one place': points(2, [1, 1, 1], [1, 1, -1]),
  'points far from the origin': points(2, [3000, 1e-3, 1], [4000, 2e-3, -1], [3500, 1.5e-3, 1]),
};

describe.each(Object.entries(datasets))('of %s', (name, dataset) => {
  it.each(some(Object.keys(rules) as RuleName[], 3))(
    'every view draws %s at every moment, or says what to do',
    async (rule) => {
      const end = await makeScene(dataset, { as: null, rule, passes: rule === 'tree' ? null : 12 }).catch(() => null);
      // A run that fails has no scene: of data in which nothing varies nothing is learned.
      if (end === null) return expect(name).toBe('points of one place');
      const { steps } = end.recording;
      for (const view of shown)
        for (const { id } of view.choices ?? [{ id: '' }])
          for (const step of [0, 1, Math.floor(steps / 2), steps]) {
            const scene = choosing(atStep(end, step), view.id, id);
            const missing = view.missing(scene);
            if (missing !== null) {
              expect(missing).toMatch(/^[A-Z].*\.$/);
              continue;
            }
            expect(view.describe(scene)).toMatch(/^[A-Z0-9].*\.$/);
            expect(view.describe(scene)).not.toMatch(/NaN|undefined|Infinity/);
            for (const frame of [desk, phone, wall]) {
              const picture = view.draw(scene, frame);
              expect(picture.marks.length).toBeGreaterThan(0);
              const lost = spotsOf(picture).find(([x, y]) => !Number.isFinite(x) || !Number.isFinite(y));
              expect(lost, `${view.id} ${id} ${step}`).toBeUndefined();
              const texts = picture.marks.filter((mark) => mark.kind === 'text');
              expect(texts.map(({ text }) => text).join('\n')).not.toMatch(/NaN|undefined|Infinity|-\d/);
              const outside = texts.find(
                ({ at: [x, y] }) => !(x >= 0 && x <= frame.width && y >= 0 && y <= frame.height),
              );
              expect(outside, `${view.id} ${id} ${step}`).toBeUndefined();
            }
          }
    },
  );
});

it('every view gives strokes the width that they have beside text of 15 pixels', async () => {
  const end = await makeScene(clouds(30, 1), { as: null, rule: 'perceptron' });
  const scene = atStep(end, Math.floor(end.recording.steps / 2));
  const views = await Promise.all(viewEntries.map(({ load }) => load()));
  const drawn = views.filter((view) => view.missing(scene) === null);
  expect(drawn.length).toBeGreaterThan(5);
  for (const view of drawn) {
    const [plain, large] = [15, 60].map((text) => {
      const { marks } = view.draw(scene, { width: 50 * text, height: 30 * text, text });
      return [...new Set(marks.map(({ width = 1.5 }) => width))].sort((a, b) => a - b);
    });
    expect(large, view.id).toEqual(plain);
  }
});

describe('what cannot be seen', () => {
  it('is said: trees have no slope, no bias and no passes', async () => {
    const scene = await makeScene(clouds(20, 1), { as: null, rule: 'tree' });
    for (const view of [loss, lift, learning]) expect(view.missing(scene)).toContain('Choose');
    expect(tree.missing(scene)).toBeNull();
  });
});
