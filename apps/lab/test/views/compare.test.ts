import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { type Algorithm, defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import { companionKey } from '../../src/engine/companion.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { momentAt, type Recording } from '../../src/engine/recording.ts';
import { accompaniedRun } from '../../src/state/companions.ts';
import { compare, rivalOf } from '../../src/views/compare/compare.ts';
import { railsHeight } from '../../src/views/compare/rails.ts';
import { plane, prepareSurfaces } from '../../src/views/plane/plane.ts';
import type { Scene } from '../../src/views/view.ts';
import { cars, choosing, clouds, desk, marked, phone, plainLook, spotsOf } from '../support/make-scene.ts';

/** The scene of a run with the run beside it that the view asks for, as the page would have it. */
async function compared(id: string, dataset = clouds(30, 0.4), algorithm: Partial<Algorithm> = {}): Promise<Scene> {
  const engine = new LocalEngine();
  const shown: Algorithm = { ...defaultAlgorithm, passes: 8, ...algorithm };
  const examples = await engine.open(dataset);
  const recording = await engine.run(shown);
  const scene = choosing(
    {
      dataset,
      algorithm: shown,
      examples,
      recording,
      moment: momentAt(recording, recording.steps),
      verdict: null,
      curve: null,
      surface: null,
      selected: null,
      look: plainLook,
    },
    'compare',
    id,
  );
  const request = compare.companion!(scene)!;
  const companion = await engine.companion(request).catch(() => null);
  return { ...scene, companions: { [companionKey(request)]: companion } };
}

const at = (scene: Scene, step: number): Scene => ({ ...scene, step, moment: momentAt(scene.recording, step) });

describe('the run beside the shown one', () => {
  it('is that of its algorithm, and its plane is the one that it would have alone', async () => {
    await prepareSurfaces();
    for (const id of ['shuffled-once', 'rule pocket', 'foda']) {
      const scene = await compared(id);
      const engine = new LocalEngine();
      const examples = await engine.open(scene.dataset);
      const recording = await engine.run(rivalOf(scene));
      for (const step of [0, 3, recording.steps]) {
        const { marks } = compare.draw(at(scene, step), desk);
        const alone = { ...scene, algorithm: rivalOf(scene), examples, recording, moment: momentAt(recording, step) };
        const own = plane.draw(alone, { ...desk, height: desk.height - railsHeight(desk.text) });
        expect(marks.slice(0, own.marks.length)).toEqual(own.marks);
      }
    }
  });

  it.each([
    ['shuffled', clouds(16, 0.4)],
    ['rule voted', clouds(16, 0.4)],
    ['rule kernel', clouds(16, 0.4)],
    ['rule tree', cars()],
    ['slides', cars()],
  ] as const)('can be %s at every moment', async (id, dataset) => {
    await prepareSurfaces();
    const scene = await compared(id, dataset, { passes: 3 });
    for (const step of [0, 1, 20, 1e6]) {
      if (compare.missing(at(scene, step)) !== null) continue;
      for (const frame of [desk, phone]) {
        const picture = compare.draw(at(scene, step), frame);
        expect(spotsOf(picture).every(([x, y]) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
        expect(marked(picture, 'progress 0')).toHaveLength(1);
      }
      expect(compare.describe(at(scene, step))).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  it('is told to be on its way, and where it cannot be, what to do', async () => {
    const scene = await compared('rule averaged');
    expect(compare.describe({ ...scene, companions: {} })).toBe('The other run is being computed.');
    const request = compare.companion!(scene)!;
    expect(compare.missing({ ...scene, companions: { [companionKey(request)]: null } })).toContain('Choose another');
  });

  it('says of both what they have learned by now', async () => {
    const scene = await compared('rule averaged');
    const words = compare.describe(at(scene, 5));
    const { updates } = momentAt(scene.recording, 5);
    expect(words).toContain(`Two runs after 5 examples. Perceptron: ${updates} update`);
    expect(words).toContain('Averaged: ');
  });
});

describe('the timeline of two runs', () => {
  const rising = fc
    .uniqueArray(fc.integer({ min: 1, max: 40 }))
    .map((list) => Uint32Array.from(list.sort((a, b) => a - b)));
  const run = rising.chain((updates) =>
    fc.record({
      steps: fc.integer({ min: updates.at(-1) ?? 0, max: 60 }),
      updates: fc.constant(updates),
      passes: fc.constant(Uint32Array.of(0, 20)),
    }),
  );

  it('ends with the longer one, and keeps what the shown one did', () => {
    forAll(run, run, (shown, other) => {
      const joined = accompaniedRun(shown as unknown as Recording, [
        { kind: 'rival', recording: other as unknown as Recording, examples: null as never },
      ]);
      expect(joined.steps).toBe(Math.max(shown.steps, other.steps));
      expect(Array.from(joined.updates)).toEqual([
        ...shown.updates,
        ...other.updates.filter((step) => step > shown.steps),
      ]);
    });
  });
});
