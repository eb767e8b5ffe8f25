import { beforeAll, describe, expect, it } from 'vitest';
import { type Algorithm, defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import type { Dataset, Table } from '../../src/data/dataset.ts';
import { presetDataset } from '../../src/data/table-presets.ts';
import type { ClassRun } from '../../src/engine/class-recording.ts';
import { companionKey } from '../../src/engine/companion.ts';
import { vectorAt } from '../../src/engine/examples.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { momentAt } from '../../src/engine/recording.ts';
import { parseSavedState, savedStateAsJson } from '../../src/state/saved-state.ts';
import { classMomentAt, predictions } from '../../src/views/classes/moment.ts';
import { digits, featuresOfInk, imagesOf, inkOf } from '../../src/views/digits/digits.ts';
import type { Scene } from '../../src/views/view.ts';
import { clouds, desk, makeScene, marked, phone, plainLook, spotsOf, wall } from '../support/make-scene.ts';

async function sceneOf(dataset: Dataset): Promise<Scene> {
  const engine = new LocalEngine();
  const algorithm: Algorithm = { ...defaultAlgorithm, passes: 30 };
  const examples = await engine.open(dataset);
  const recording = await engine.run(algorithm);
  const empty = { verdict: null, curve: null, surface: null, selected: null };
  const moment = momentAt(recording, recording.steps);
  const scene: Scene = { dataset, algorithm, examples, recording, moment, step: 1e9, look: plainLook, ...empty };
  const request = digits.companion!(scene)!;
  return { ...scene, companions: { [companionKey(request)]: await engine.companion(request) } };
}

let scene: Scene;
let standard: Scene;
beforeAll(async () => {
  const table = (await presetDataset('digits')) as Table;
  scene = await sceneOf(table);
  const lines = table.text.trim().split('\n');
  standard = await sceneOf({ ...table, text: `${lines.slice(0, 121).join('\n')}\n`, scale: 'standard' });
});

describe('the written digits', () => {
  it('are forty of each, and a run on all ten classes learns them all', () => {
    const run = Object.values(scene.companions!)[0] as ClassRun;
    expect(run.classes).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    for (let digit = 0; digit < 10; digit++) expect(run.truth.filter((k) => k === digit)).toHaveLength(40);
    const got = predictions(run, classMomentAt(run, run.steps).present);
    expect(got.filter((k, i) => k === run.truth[i]).length).toBe(400);
  });

  it('have the same score as drawings of the same ink, scaled or not', () => {
    for (const each of [scene, standard]) {
      const { examples } = each;
      const table = imagesOf(examples)!;
      for (const position of [0, 17, 100]) {
        const x = vectorAt(examples, position);
        const ink = inkOf(examples, table, x);
        expect(Math.max(...ink)).toBeLessThanOrEqual(1);
        featuresOfInk(examples, table, ink).forEach((value, j) => {
          expect(value).toBeCloseTo(x[j]!, 9);
        });
        const words = (of: Scene) => digits.describe(of).replace(/The pixels of [^,]*/, '');
        const drawn = { ...each, look: { ...each.look, drawing: [...ink] } };
        expect(words(drawn)).toBe(words({ ...each, selected: examples.shown[position]! }));
      }
    }
  });

  it('are drawn inside every frame, with a pad over the first image', () => {
    for (const frame of [desk, phone, wall]) {
      const picture = digits.draw(scene, frame);
      for (const [x, y] of spotsOf(picture)) {
        expect(x >= 0 && x <= frame.width, `${x}`).toBe(true);
        expect(y >= 0 && y <= frame.height, `${y} of ${frame.height}`).toBe(true);
      }
      const { left, top, side } = digits.pad!(scene, frame)!;
      const [outline] = marked(picture, 'pad');
      expect(outline).toMatchObject({
        spots: expect.arrayContaining([
          [left, top],
          [left + side, top + side],
        ]),
      });
      expect(marked(picture, 'best')).toHaveLength(1);
    }
  });
});

describe('a stroke', () => {
  it('leaves ink where it goes and nowhere else, stays in links, and can be cleared', () => {
    const pad = digits.pad!(scene, desk)!;
    const look = pad.stroke(scene.look, [0.06, 0.06], [0.94, 0.06]);
    expect(look.drawing!.slice(0, 8).every((ink) => ink === 1)).toBe(true);
    expect(look.drawing!.slice(24).every((ink) => ink === 0)).toBe(true);
    const twice = pad.stroke(look, [0.5, 0.5], [0.5, 0.5]);
    expect(twice.drawing!.slice(0, 8)).toEqual(look.drawing!.slice(0, 8));
    const state = {
      version: 1 as const,
      dataset: clouds(4, 1),
      algorithm: defaultAlgorithm,
      step: 0,
      shown: ['digits', 'step'] as const,
      look: twice,
    };
    expect(parseSavedState(JSON.parse(JSON.stringify(savedStateAsJson(state)))).look).toEqual(twice);
    const wrong = { ...state, look: { ...twice, drawing: [2] } };
    expect(() => parseSavedState(JSON.parse(JSON.stringify(savedStateAsJson(wrong))))).toThrow('look.drawing');
    expect(pad.clear(twice)).toEqual(scene.look);
  });
});

it('offers digits where columns are no pixels', async () => {
  const points = await makeScene(clouds(10, 1));
  expect(digits.missing(points)).toContain('no pixels');
  expect(digits.offer!(points)).toMatchObject({ preset: 'digits' });
  expect(digits.companion!(points)).toBeNull();
});
