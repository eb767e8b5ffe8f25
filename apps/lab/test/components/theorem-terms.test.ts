import { describe, expect, it } from 'vitest';
import { provedBound, updateTerms } from '../../src/components/theorem/terms.ts';
import { dataPresets } from '../../src/data/presets.ts';
import { atStep as at, sceneOf } from '../support/make-scene.ts';

const preset = (id: string, values = {}) => dataPresets.find((each) => each.id === id)!.make(values);

describe('the terms of the theorem’s page', () => {
  it.each(['separable', 'outlier', 'positives-first', 'line'])('obey the proof at every update: %s', async (id) => {
    const scene = await sceneOf(preset(id));
    const bound = provedBound(scene)!;
    const { updates } = scene.recording;
    expect(updates.length).toBeLessThanOrEqual(bound.updates!);
    expect(updateTerms(at(scene, 0))).toBeNull();
    let last = { dot: 0, square: 0 };
    updates.forEach((step, index) => {
      const terms = updateTerms(at(scene, step))!;
      expect(terms.k).toBe(index + 1);
      expect(terms.row).toBe(scene.recording.rows[step - 1]);
      expect(terms.score).toBeLessThanOrEqual(1e-9);
      expect(terms.pull).toBeGreaterThanOrEqual(bound.star.margin * (1 - 1e-9));
      expect(terms.length).toBeLessThanOrEqual(bound.radius ** 2 * (1 + 1e-9));
      expect(terms.dot![0]).toBeCloseTo(last.dot, 9);
      expect(terms.dot![1]).toBeCloseTo(terms.dot![0] + terms.pull!, 9);
      expect(terms.square[0]).toBeCloseTo(last.square, 6);
      expect(terms.square[1]).toBeCloseTo(terms.square[0] + 2 * terms.score + terms.length, 6);
      last = { dot: terms.dot![1], square: terms.square[1] };
    });
  });

  it('know no w* where no line separates, and still tell how w grows', async () => {
    const scene = await sceneOf(preset('xor'), { algorithm: { passes: 3 } });
    expect(provedBound(scene)).toBeNull();
    const terms = updateTerms(scene)!;
    expect([terms.dot, terms.pull]).toEqual([null, null]);
    expect(terms.square[1]).toBeCloseTo(terms.square[0] + 2 * terms.score + terms.length, 9);
  });
});
