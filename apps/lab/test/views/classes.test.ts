import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { type Algorithm, defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import type { Dataset } from '../../src/data/dataset.ts';
import { presetDataset } from '../../src/data/table-presets.ts';
import type { ClassRun, ClassStrategy } from '../../src/engine/class-recording.ts';
import { companionKey } from '../../src/engine/companion.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { momentAt } from '../../src/engine/recording.ts';
import { pictureToSvg } from '../../src/export/svg.ts';
import { axesIn } from '../../src/picture/axes.ts';
import type { Spot } from '../../src/picture/picture.ts';
import { classes, regionMarks, type Slice } from '../../src/views/classes/classes.ts';
import { classMomentAt, classScores, winner } from '../../src/views/classes/moment.ts';
import type { Scene } from '../../src/views/view.ts';
import { choosing, clouds, desk, marked, phone, plainLook, spotsOf, wall } from '../support/make-scene.ts';

async function sceneOf(dataset: Dataset, strategy: ClassStrategy, change: Partial<Algorithm> = {}): Promise<Scene> {
  const engine = new LocalEngine();
  const algorithm: Algorithm = { ...defaultAlgorithm, passes: 4, ...change };
  const examples = await engine.open(dataset);
  const recording = await engine.run(algorithm);
  const empty = { verdict: null, curve: null, surface: null, selected: null };
  const moment = momentAt(recording, 0);
  const scene = choosing(
    { dataset, algorithm, examples, recording, moment, look: plainLook, ...empty },
    'classes',
    strategy,
  );
  const request = classes.companion!(scene);
  return request === null
    ? scene
    : { ...scene, companions: { [companionKey(request)]: await engine.companion(request) } };
}

const runOf = ({ companions }: Scene) => Object.values(companions!)[0] as ClassRun;

/** The update of `kesler` as it is written in the lectures: the true class up, the highest of the others down. */
function naive(
  { classes: names, dimension, vectors, truth, rows, steps }: ClassRun,
  one: boolean,
): [number[][], number[]] {
  const w = names.map(() => new Array<number>(dimension + 1).fill(0));
  const updates: number[] = [];
  for (let s = 1; s <= steps; s++) {
    const row = rows[s - 1]!;
    const x = [1, ...vectors.subarray(row * dimension, (row + 1) * dimension)];
    const scores = w.map((own) => own.reduce((sum, weight, j) => sum + weight * x[j]!, 0));
    const y = truth[row]!;
    const add = (k: number, sign: number) => {
      w[k] = w[k]!.map((weight, j) => weight + sign * x[j]!);
    };
    if (one) {
      const wrong = names.map((_, k) => k).filter((k) => (k === y ? 1 : -1) * scores[k]! <= 0);
      for (const k of wrong) add(k, k === y ? 1 : -1);
      if (wrong.length > 0) updates.push(s);
      continue;
    }
    const others = scores.map((score, k) => (k === y ? -Infinity : score));
    const r = others.indexOf(Math.max(...others));
    if (scores[y]! - scores[r]! > 0) continue;
    add(y, 1);
    add(r, -1);
    updates.push(s);
  }
  return [w, updates];
}

describe('the run on three classes', () => {
  it.each(['kesler', 'one-vs-rest'] as const)('is that of the rule as it is written: %s', async (strategy) => {
    const scene = await sceneOf(await presetDataset('three-clouds'), strategy);
    const run = runOf(scene);
    const [weights, updates] = naive(run, strategy === 'one-vs-rest');
    expect(Array.from(run.updates)).toEqual(updates);
    const { present } = classMomentAt(run, run.steps);
    weights.flat().forEach((weight, k) => {
      expect(present[k]).toBeCloseTo(weight, 9);
    });
    for (const step of [0, 1, run.updates[2]!, run.steps, 1e6])
      for (const frame of [desk, phone, wall]) {
        const picture = classes.draw({ ...scene, step }, frame);
        expect(spotsOf(picture).every(([x, y]) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
        expect(classes.describe({ ...scene, step })).not.toMatch(/NaN|undefined|Infinity/);
        const wrong = picture.marks.filter((mark) => mark.id?.startsWith('example ') && mark.fill === 'paper').length;
        expect(classes.describe({ ...scene, step })).toContain(`${wrong} of 60 wrong`);
      }
  });

  it('draws each class by its own symbol, in exports too', async () => {
    const scene = await sceneOf(await presetDataset('three-clouds'), 'kesler');
    const picture = classes.draw({ ...scene, step: 1e6 }, desk);
    const shapes = new Set(picture.marks.flatMap((mark) => (mark.kind === 'symbol' ? [mark.shape] : [])));
    expect(shapes.has('disc') && shapes.has('square') && shapes.has('triangle')).toBe(true);
    expect(pictureToSvg(picture, 'dark', 'three')).toContain('#f08cc4');
    expect(marked(picture, 'shown')).toHaveLength(1);
  });

  it('offers data with three classes where there are two', async () => {
    const scene = await sceneOf(clouds(12, 1), 'kesler');
    expect(classes.missing(scene)).toContain('two classes');
    expect(classes.offer!(scene)).toMatchObject({ preset: 'three-clouds' });
    expect(await presetDataset('three-clouds')).toMatchObject({ kind: 'table' });
  });
});

describe('the regions of classes', () => {
  const number = fc.integer({ min: -6, max: 6 });
  const slice = fc.tuple(number, number, number);

  it('hold the places where their class has the highest score', () => {
    const axes = axesIn(desk, { horizontal: { from: -4, to: 4 }, vertical: { from: -3, to: 3 } });
    forAll(
      fc.tuple(slice, slice, slice),
      fc.double({ min: -3.9, max: 3.9, noNaN: true }),
      fc.double({ min: -2.9, max: 2.9, noNaN: true }),
      (slices, u, v) => {
        const scores = slices.map(([a, b, c]: Slice) => a * u + b * v + c);
        const best = winner(scores);
        // Next to a boundary both answers are right.
        const near = scores.some((score, k) => k !== best && Math.abs(score - scores[best]!) < 1e-6);
        const regions = regionMarks(axes, slices);
        const at: Spot = [axes.x(u), axes.y(v)];
        const holding = regions.filter((mark) => mark.kind === 'path' && inside(mark.spots, at)).map(({ id }) => id);
        if (!near) expect(holding).toEqual([`region ${best}`]);
      },
    );
  });

  it('are those of the scores', () => {
    const run = { classes: ['a', 'b'], dimension: 1, divisor: 2, biasConstant: 1 } as unknown as ClassRun;
    expect(classScores(run, Float64Array.of(1, 4, 0, -2), [3])).toEqual([7, -3]);
  });
});

/** Tests if a place is in a convex polygon. */
function inside(spots: readonly Spot[], [x, y]: Spot): boolean {
  const turns = spots.map(([x1, y1], k) => {
    const [x2, y2] = spots[(k + 1) % spots.length]!;
    return (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
  });
  return turns.every((turn) => turn >= 0) || turns.every((turn) => turn <= 0);
}
