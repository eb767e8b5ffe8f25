import { rules } from 'halfspace/rules';
import { describe, expect, it } from 'vitest';
import { some } from '../../../../test/support/quick.ts';
import type { Algorithm } from '../../src/algorithm/algorithm.ts';
import type { Dataset, Point } from '../../src/data/dataset.ts';
import type { Frame, Mark, Spot } from '../../src/picture/picture.ts';
import { textWidth } from '../../src/picture/text-width.ts';
import { mistakes } from '../../src/views/mistakes/mistakes.ts';
import { neuron } from '../../src/views/neuron/neuron.ts';
import { proof } from '../../src/views/proof/proof.ts';
import { weights } from '../../src/views/weights/weights.ts';
import { atStep as at, choosing, pointSet, sceneOf } from '../support/make-scene.ts';

const frames: readonly Frame[] = [
  { width: 336, height: 270, text: 15 },
  { width: 900, height: 600, text: 20 },
];
const own = [proof, weights, mistakes, neuron];

const plane: readonly Point[] = [
  { x: 1, y: 3, label: 1 },
  { x: 2, y: 2.5, label: 1 },
  { x: 1.5, y: 2, label: -1 },
  { x: 3, y: 1, label: -1 },
];
const xor: readonly Point[] = [
  { x: 1, y: 1, label: -1 },
  { x: -1, y: -1, label: -1 },
  { x: 1, y: -1, label: 1 },
  { x: -1, y: 1, label: 1 },
];
const table: Dataset = {
  kind: 'table',
  name: 'rooms.csv',
  text: 'a rather long column name,b,c,kind\n1,2,x,big\n3,1,y,small\n2,2.5,x,big\n4,0.5,y,small\n0.5,3,z,big\n5,1,z,small\n',
  label: 'kind',
  positive: 'big',
  columns: null,
  scale: 'standard',
};
const datasets: readonly (readonly [string, Dataset])[] = [
  ['points', pointSet(plane)],
  [
    'a line',
    pointSet(
      plane.map((point) => ({ ...point, y: 0 })),
      1,
    ),
  ],
  ['xor', pointSet(xor)],
  ['a table', table],
];
const algorithms: readonly Partial<Algorithm>[] = [
  ...(Object.keys(rules) as Algorithm['rule'][]).map((rule) => ({
    as: null,
    rule,
    passes: rule === 'tree' ? null : 8,
  })),
  { as: 'foda' },
  { as: 'cs4780', passes: 8 },
];

function spotsOf(mark: Mark): readonly Spot[] {
  if (mark.kind === 'path') return mark.spots;
  return mark.kind === 'line' || mark.kind === 'arrow' ? [mark.from, mark.to] : [mark.at];
}

/** How far a text is outside its picture, upright ones only. */
function outside(mark: Mark, { width, height }: Frame): number {
  if (mark.kind !== 'text' || mark.turn !== undefined) return 0;
  const {
    text,
    size = 13,
    anchor = 'start',
    at: [x, y],
  } = mark;
  // Estimates are rather too wide.
  const wide = 0.8 * textWidth(text, size);
  const left = anchor === 'start' ? x : anchor === 'end' ? x - wide : x - wide / 2;
  return Math.max(-left, left + wide - width, -y, y - height, 0);
}

describe('the views of the proof', () => {
  it.each(datasets)('draw or say why not for every rule, choice and moment: %s', async (_, dataset) => {
    for (const algorithm of some(algorithms, 3)) {
      const run = await sceneOf(dataset, { algorithm });
      const { steps } = run.recording;
      const told = new Map<string, string>();
      for (const view of own)
        for (const { id } of view.choices!)
          for (const [step, space] of [
            [0, 'coordinate'],
            [Math.floor(steps / 2), 'apart'],
            [steps, 'coordinate'],
          ] as const) {
            const name = `${view.id} ${id} ${algorithm.as ?? algorithm.rule} at ${step}, bias ${space}`;
            const chosen = choosing(at(run, step), view.id, id);
            const scene = { ...chosen, look: { ...chosen.look, space } };
            const missing = view.missing(scene);
            const words = view.describe(scene);
            expect(words, name).not.toMatch(/NaN|undefined|null|\b1 (?:updates|examples|arrows)\b/);
            // Each form is described in its own words.
            if ([proof, mistakes].includes(view) && missing === null) {
              const key = `${view.id} ${step} ${space}: ${words}`;
              expect(told.get(key) ?? name, words).toBe(name);
              told.set(key, name);
            }
            if (missing !== null) {
              expect(missing, name).toMatch(/\.$/);
              continue;
            }
            for (const frame of frames) {
              const { marks, width, height } = view.draw(scene, frame);
              expect([width, height]).toEqual([frame.width, frame.height]);
              for (const mark of marks) {
                expect(spotsOf(mark).flat().every(Number.isFinite), `${name}: ${mark.id ?? mark.kind}`).toBe(true);
                if (mark.kind === 'text') expect(mark.text, name).not.toMatch(/NaN|undefined|null/);
                expect(outside(mark, frame), `${name}: ${mark.kind === 'text' ? mark.text : ''}`).toBeLessThan(3);
              }
            }
          }
    }
  });
});
