import { describe, expect, it } from 'vitest';
import { dataPresets } from '../../src/data/presets.ts';
import { companionKey, type Reach } from '../../src/engine/companion.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { momentAt } from '../../src/engine/recording.ts';
import type { NotSeparable } from '../../src/engine/verdict.ts';
import type { Scene } from '../../src/views/view.ts';
import { remedies, why } from '../../src/views/why/why.ts';
import { desk, marked, phone, pointSet, sceneOf, spotsOf } from '../support/make-scene.ts';

const preset = (id: string, values = {}) => dataPresets.find((each) => each.id === id)!.make(values);

async function proved(id: string, values = {}): Promise<{ readonly scene: Scene; readonly engine: LocalEngine }> {
  const dataset = preset(id, values);
  const scene = await sceneOf(dataset, { algorithm: { passes: 6 } });
  const engine = new LocalEngine();
  await engine.open(dataset);
  const request = why.companion!(scene)!;
  return { engine, scene: { ...scene, companions: { [companionKey(request)]: await engine.companion(request) } } };
}

describe('why a run does not stop', () => {
  it('is told by the examples of the proof, and by what the models themselves get wrong', async () => {
    const { scene, engine } = await proved('moons', { count: 60 });
    const { results } = Object.values(scene.companions!)[0] as Reach;
    for (const [k, { change }] of remedies.entries()) {
      const { report } = await engine.run(change(scene.algorithm));
      expect(results[k]).toMatchObject({ rows: 60, wrong: Math.round(60 * (1 - report.train!.accuracy)) });
    }
    const words = why.describe(scene);
    for (const { row } of (scene.verdict as NotSeparable).combination) expect(words).toContain(`example ${row + 1} `);
    for (const frame of [desk, phone]) {
      const picture = why.draw(scene, frame);
      for (const [x, y] of spotsOf(picture)) {
        expect(x >= 0 && x <= frame.width, `${x}`).toBe(true);
        expect(y >= 0 && y <= frame.height, `${y}`).toBe(true);
      }
      expect(marked(picture, 'share 3')).toHaveLength(1);
    }
  });

  it('ends when the button for its examples is used: without them a line separates, here', async () => {
    const { scene } = await proved('both-labels');
    const offers = why.offers!(scene);
    expect(offers.map(({ title }) => title)).toEqual([
      'Use Averaged',
      'Use Pocket',
      'Use Kernel',
      'Use Tree',
      'Remove 2 examples',
    ]);
    const rest = offers.at(-1)!;
    const after = await sceneOf('dataset' in rest ? rest.dataset : scene.dataset);
    expect(after.verdict!.kind).toBe('separable');
    expect(why.missing(after)).toContain('the perceptron stops');
    expect(why.offer!(after)).toMatchObject({ preset: 'xor' });
    expect(why.companion!(after)).toBeNull();
  });

  it('does not take a whole class out, and waits for the proof', async () => {
    const dataset = pointSet([
      { x: 1, y: 1, label: 1 },
      { x: 1, y: 1, label: -1 },
      { x: 0, y: 2, label: -1 },
    ]);
    const scene = await sceneOf(dataset, { algorithm: { passes: 3 } });
    const request = why.companion!(scene)!;
    const engine = new LocalEngine();
    await engine.open(dataset);
    const known = { ...scene, companions: { [companionKey(request)]: await engine.companion(request) } };
    expect(why.offers!(known).map(({ title }) => title)).not.toContain('Remove 2 examples');
    const early = { ...scene, verdict: null, moment: momentAt(scene.recording, 1) };
    expect(why.describe(early)).toBe('A proof is being looked for.');
    expect(why.draw(early, desk).marks).toHaveLength(1);
  });
});
