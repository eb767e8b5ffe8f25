import { describe, expect, it } from 'vitest';
import { companionKey, type Rival } from '../../src/engine/companion.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import type { LearningPoint } from '../../src/engine/recording.ts';
import { bestHeldOut, courseOf, fitAt, learning, pointAt } from '../../src/views/learning/learning.ts';
import { atStep, choosing, clouds, desk, makeScene, marked, theMark } from '../support/make-scene.ts';

/** Better and better on what is learned from; best on what is held out after 40 examples. */
const curve: readonly LearningPoint[] = [
  { step: 0, train: 0.5, holdout: 0.5 },
  { step: 20, train: 0.7, holdout: 0.8 },
  { step: 40, train: 0.8, holdout: 0.9 },
  { step: 60, train: 0.9, holdout: 0.9 },
  { step: 80, train: 1, holdout: 0.7 },
];

describe('the learning curve', () => {
  it('counts the updates of each pass as the run’s report does, with bars in proportion', async () => {
    const scene = await makeScene(clouds(40, 0.4), { passes: 8 });
    const { mistakes } = courseOf(scene.recording);
    expect(mistakes).toEqual([...scene.recording.report.updatesPerPass]);
    const picture = learning.draw(scene, desk);
    const heights = mistakes.map((_, p) => {
      const { spots } = theMark(picture, 'path', `pass ${p + 1}`);
      return spots[3]![1] - spots[0]![1];
    });
    const unit = heights[0]! / mistakes[0]!;
    heights.forEach((height, p) => {
      expect(height).toBeCloseTo(unit * mistakes[p]!, 6);
    });
  });

  it('draws bars of groups of many passes at their mean, on a logarithmic scale', async () => {
    const scene = await makeScene(clouds(40, 0.2), { passes: 400 });
    const { mistakes } = courseOf(scene.recording);
    expect(mistakes).toHaveLength(400);
    const picture = learning.draw(scene, desk);
    const bars = picture.marks.filter((mark) => mark.kind === 'path' && mark.id?.startsWith('pass '));
    expect(bars.length).toBeLessThan(200);
    const first = theMark(picture, 'path', 'pass 1').spots;
    const second = theMark(picture, 'path', 'pass 2').spots;
    expect((first[3]![1] - first[0]![1]) / (second[3]![1] - second[0]![1])).toBeCloseTo(mistakes[0]! / mistakes[1]!, 6);
  });

  it('says where a step is in passes: whole numbers where a pass ends', async () => {
    const scene = await makeScene(clouds(40, 0.4), { passes: 5 });
    const { passOf } = courseOf(scene.recording);
    expect([0, 10, 40, 60, 80, 200].map(passOf)).toEqual([0, 0.25, 1, 1.5, 2, 5]);
  });

  it('marks the first best moment on held-out examples, and where the run is', async () => {
    const scene = { ...(await makeScene(clouds(20, 0.3), { passes: 4, holdout: 0 })), curve };
    expect(bestHeldOut(curve)).toBe(curve[2]);
    expect(pointAt(curve, 59)).toBe(curve[2]);
    const picture = learning.draw(atStep(scene, 60), desk);
    const held = theMark(picture, 'path', 'held out').spots;
    expect(theMark(picture, 'symbol', 'best').at).toEqual(held[2]);
    expect(theMark(picture, 'symbol', 'held out now').at).toEqual(held[3]);
    expect(theMark(picture, 'symbol', 'train now').at).toEqual(theMark(picture, 'path', 'train').spots[3]);
    expect(theMark(picture, 'line', 'now').from[0]).toBeCloseTo(held[3]![0], 6);
    expect(theMark(picture, 'text', 'name star').text).toContain('90.0 %, pass 2');
    // Equal gains of accuracy are equally high.
    const rise = (a: number, b: number) => held[a]![1] - held[b]![1];
    expect(rise(0, 1) / rise(1, 2)).toBeCloseTo(3, 6);
  });

  it('names under- and overfitting', async () => {
    expect(fitAt(curve, 25)).toContain('Underfitting');
    expect(fitAt(curve, 45)).toContain('No other moment is better');
    expect(fitAt(curve, 80)).toContain('Overfitting');
    expect(
      fitAt(
        curve.map((point) => ({ ...point, holdout: null })),
        80,
      ),
    ).toBeNull();
    const scene = { ...(await makeScene(clouds(20, 0.3), { passes: 4 })), curve };
    expect(learning.describe(atStep(scene, 80))).toContain('Best on held-out examples: 90.0 % after 40 examples.');
  });

  it('offers to hold out a quarter where nothing is', async () => {
    const scene = await makeScene(clouds(20, 1));
    expect(learning.offer!(scene)).toMatchObject({ algorithm: { ...scene.algorithm, holdout: 0.25 } });
    expect(learning.offer!({ ...scene, algorithm: { ...scene.algorithm, holdout: 0.25 } })).toBeNull();
    expect(
      marked(learning.draw({ ...scene, curve: [{ step: 0, train: 1, holdout: null }] }, desk), 'held out'),
    ).toEqual([]);
  });

  it('draws the held-out accuracy of the averaged perceptron beside that of the run, as both learn', async () => {
    const plain = await makeScene(clouds(40, 0.4), { passes: 5, holdout: 0.25 });
    const scene = choosing({ ...plain, curve }, 'learning', 'averaged');
    const request = learning.companion!(scene)!;
    expect(request).toMatchObject({ kind: 'rival', algorithm: { rule: 'averaged', holdout: 0.25 }, curve: true });
    const engine = new LocalEngine();
    await engine.open(plain.dataset);
    const rival = (await engine.companion(request)) as Rival;
    const known = { ...scene, companions: { [companionKey(request)]: rival } };
    const picture = learning.draw(atStep(known, 60), desk);
    const spots = (id: string) => theMark(picture, 'path', id).spots;
    const past = (points: readonly LearningPoint[]) => points.filter(({ step }) => step <= 60).length;
    expect(spots('held out')).toEqual(spots('held out to come').slice(0, past(curve)));
    expect(spots('beside')).toEqual(spots('beside to come').slice(0, past(rival.curve!)));
    expect(spots('beside to come')).toHaveLength(rival.curve!.length);
    expect(learning.describe(known)).toMatch(/Averaged: [\d.]+ % of the held-out examples are right\./);
    expect(
      learning.companion!(
        choosing({ ...plain, algorithm: { ...plain.algorithm, holdout: 0 } }, 'learning', 'averaged'),
      ),
    ).toBeNull();
  });
});
