import { certify, examplesOf as proofRows } from 'halfspace-certify';
import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import type { Algorithm } from '../../src/algorithm/algorithm.ts';
import type { Dataset, PointSet } from '../../src/data/dataset.ts';
import { dataPresets } from '../../src/data/presets.ts';
import { presetDataset } from '../../src/data/table-presets.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { vectorAt } from '../../src/engine/examples.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { momentAt, scoreOf } from '../../src/engine/recording.ts';
import type { Verdict } from '../../src/engine/verdict.ts';
import type {
  ArrowMark,
  Frame,
  LineMark,
  Mark,
  PathMark,
  Picture,
  Spot,
  SymbolMark,
} from '../../src/picture/picture.ts';
import { convexHull, forcedRegion } from '../../src/views/plane/hulls.ts';
import { motionOf, trailOf } from '../../src/views/plane/motion.ts';
import {
  describeExample,
  drawPoints,
  groundOf,
  plane,
  prepareSurfaces,
  surfaceRequest,
} from '../../src/views/plane/plane.ts';
import type { Look, Scene } from '../../src/views/view.ts';
import { atStep, clouds, makeScene, plainLook } from '../support/make-scene.ts';

const frame: Frame = { width: 600, height: 500, text: 13 };
const sceneOf = (
  dataset: Dataset,
  {
    algorithm,
    look,
    ...rest
  }: Omit<Partial<Scene>, 'algorithm' | 'look'> & {
    algorithm?: Partial<Algorithm>;
    step?: number;
    look?: Partial<Look>;
  } = {},
) => makeScene(dataset, algorithm, { ...rest, look: { ...plainLook, ...look } });
const preset = (id: string): PointSet => dataPresets.find((each) => each.id === id)!.make();
const withId = ({ marks }: Picture, id: string): Mark[] => marks.filter((mark) => mark.id === id);
const starting = ({ marks }: Picture, id: string): SymbolMark[] =>
  marks.filter((mark): mark is SymbolMark => mark.kind === 'symbol' && mark.id?.startsWith(id) === true);

/** Tests if a spot is inside a polygon, or at its edge but for rounding. */
function isInside(polygon: readonly Spot[], [x, y]: Spot): boolean {
  return polygon.every(([ax, ay], k) => {
    const [bx, by] = polygon[(k + 1) % polygon.length]!;
    return ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / Math.hypot(bx - ax, by - ay) >= -1e-4;
  });
}

describe('the plane', () => {
  it('draws the boundary where the score of the present weights is 0', async () => {
    const scene = await sceneOf(preset('separable'), { step: 20 });
    const { axes } = groundOf(scene, frame)!;
    const [mark] = withId(plane.draw(scene, frame), 'boundary') as LineMark[];
    for (const [x, y] of [mark!.from, mark!.to])
      expect(scoreOf(scene.moment.present!, [axes.x.invert(x), axes.y.invert(y)], scene.recording)).toBeCloseTo(0, 9);
  });

  it.each([0, 1, 5, 20, Infinity])(
    'shows after %s examples as hollow those that the library says are wrong',
    async (step) => {
      const scene = await sceneOf(preset('separable'), { step });
      const picture = plane.draw(scene, frame);
      const { examples, moment, recording } = scene;
      for (const [k, row] of examples.shown.entries()) {
        const score = scoreOf(moment.present!, vectorAt(examples, k), recording);
        const predicted = score > 0 ? 1 : score < 0 ? -1 : recording.tie;
        const [mark] = starting(picture, `example ${row}`).filter(({ id }) => id === `example ${row}`);
        expect(mark!.shape).toBe(examples.labels[row]! > 0 ? 'disc' : 'square');
        expect(mark!.fill === 'paper').toBe(predicted !== examples.labels[row]);
      }
    },
  );

  it('rings what an update mended and crosses out what it broke', async () => {
    const all = await sceneOf(preset('separable'));
    let [fixed, broken] = [0, 0];
    for (const step of all.recording.updates) {
      const scene = { ...all, moment: momentAt(all.recording, step) };
      const picture = plane.draw(scene, frame);
      const wrong = (line: NonNullable<Scene['moment']['present']>, k: number) => {
        const score = scoreOf(line, vectorAt(all.examples, k), all.recording);
        return (score === 0 ? all.recording.tie : Math.sign(score)) !== all.examples.labels[k];
      };
      const rows = [...all.examples.shown];
      const was = rows.map((k) => wrong(scene.moment.before!, k));
      const is = rows.map((k) => wrong(scene.moment.present!, k));
      expect(starting(picture, 'fixed')).toHaveLength(rows.filter((k) => was[k]! && !is[k]!).length);
      expect(starting(picture, 'broken')).toHaveLength(rows.filter((k) => !was[k]! && is[k]!).length);
      fixed += starting(picture, 'fixed').length;
      broken += starting(picture, 'broken').length;
    }
    expect(fixed).toBeGreaterThan(0);
    expect(broken).toBeGreaterThan(0);
  });

  it('draws y·x from the tip of w to the tip of w′, as long as x is far', async () => {
    const scene = await sceneOf(preset('separable'), { algorithm: { as: 'blog' } });
    const step = scene.recording.updates[2]!;
    const at = { ...scene, moment: momentAt(scene.recording, step) };
    const { axes } = groundOf(at, frame)!;
    const picture = plane.draw(at, frame);
    const arrow = (id: string) => withId(picture, id)[0] as Extract<Mark, { kind: 'arrow' }>;
    const [w, update, next] = [arrow('w before'), arrow('update'), arrow('w after')];
    expect(update.from).toEqual(w.to);
    expect(update.to).toEqual(next.to);
    const { x, y, label } = (at.dataset as PointSet).points[at.moment.row]!;
    expect((update.to[0] - update.from[0]) / (axes.x(1) - axes.x(0))).toBeCloseTo(label * x, 9);
    expect((update.to[1] - update.from[1]) / (axes.y(1) - axes.y(0))).toBeCloseTo(label * y, 9);
  });

  it('draws margins through the nearest examples, only where the line separates', async () => {
    const scene = await sceneOf(preset('separable'));
    const { axes } = groundOf(scene, frame)!;
    const { examples, moment, recording } = scene;
    const least = Math.min(
      ...Array.from(
        examples.shown,
        (row, k) => examples.labels[row]! * scoreOf(moment.present!, vectorAt(examples, k), recording),
      ),
    );
    const [mark] = withId(plane.draw(scene, frame), 'positive margin') as LineMark[];
    const score = scoreOf(moment.present!, [axes.x.invert(mark!.from[0]), axes.y.invert(mark!.from[1])], recording);
    expect(score).toBeCloseTo(least, 8);
    const early = { ...scene, moment: momentAt(recording, 1) };
    expect(withId(plane.draw(early, frame), 'positive margin')).toHaveLength(0);
  });

  it('draws the radius as max‖x‖ about the origin', async () => {
    const set = preset('separable');
    const scene = await sceneOf(set, { look: { layers: { radius: true } } });
    const { axes } = groundOf(scene, frame)!;
    const radius = Math.max(...set.points.map(({ x, y }) => Math.hypot(x, y)));
    const spots = withId(plane.draw(scene, frame), 'radius').flatMap((mark) => (mark as PathMark).spots);
    expect(spots.length).toBeGreaterThan(50);
    for (const [x, y] of spots) expect(Math.hypot(axes.x.invert(x), axes.y.invert(y))).toBeCloseTo(radius, 9);
  });

  it('draws the widest margin as the verdict has it', async () => {
    const set = preset('separable');
    const engine: Engine = new LocalEngine();
    await engine.open(set);
    const verdict = await engine.verdict(() => {});
    const scene = await sceneOf(set, { verdict, look: { layers: { star: true } } });
    expect(verdict.kind).toBe('separable');
    if (verdict.kind !== 'separable') return;
    const { axes } = groundOf(scene, frame)!;
    const [mark] = withId(plane.draw(scene, frame), 'star') as LineMark[];
    const [x, y] = [axes.x.invert(mark!.from[0]), axes.y.invert(mark!.from[1])];
    expect(verdict.weights[0]! * x + verdict.weights[1]! * y + verdict.bias).toBeCloseTo(0, 9);
  });

  it('draws where the hulls of a contradiction meet', async () => {
    const verdict: Verdict = {
      kind: 'not-separable',
      combination: [0, 1, 2, 3].map((row) => ({ row, weight: 0.25 })),
      meeting: Float64Array.of(0, 0),
    };
    const scene = await sceneOf(preset('xor'), { algorithm: { passes: 3 }, verdict });
    const picture = plane.draw(scene, frame);
    const { axes } = groundOf(scene, frame)!;
    const [meeting] = withId(picture, 'meeting') as SymbolMark[];
    expect(meeting!.at).toEqual([axes.x(0), axes.y(0)]);
    expect(withId(picture, 'positive hull')).toHaveLength(1);
    expect(withId(picture, 'negative hull')).toHaveLength(1);
  });

  it('shades where all separating lines agree, as proofs of the same points say', async () => {
    const spots = fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 8 })), { minLength: 4 });
    let shaded = 0;
    await forAllAsync(spots, async (drawn) => {
      const labels = drawn.map(([x, y]) => (3 * x + 2 * y > 19 ? '1' : '-1'));
      if (new Set(labels).size < 2) return;
      // Quarters are exact: a spot on the edge of a region is in it.
      const asked = Array.from({ length: 6 }, (_, k) => [1.75 * k - 0.25, (2.25 * k * k) % 9]);
      const predict = proofRows(
        asked,
        asked.map(() => 1),
      );
      const { predictions } = await certify(proofRows(drawn, labels), { classes: ['-1', '1'], predict });
      const side = (own: string) => drawn.filter((_, k) => labels[k] === own);
      const regions = [forcedRegion(side('1'), side('-1')), forcedRegion(side('-1'), side('1'))];
      asked.forEach((spot, k) => {
        const [positive, negative] = regions.map((region) => isInside(region, spot as [number, number]));
        const { row, atLeast } = predictions[k]!;
        expect([positive, negative]).toEqual([atLeast > 0 && row.startsWith('-'), atLeast > 0 && row.startsWith('+')]);
        if (positive || negative) shaded++;
      });
    });
    expect(shaded).toBeGreaterThan(10);
    const verdict = { kind: 'separable', weights: Float64Array.of(1, 1), bias: 0, lower: 0.1, upper: 0.2 } as const;
    const own = { ...verdict, lifted: verdict };
    const scene = await sceneOf(preset('separable'), { verdict: own, look: { layers: { forced: true } } });
    expect(withId(plane.draw(scene, frame), 'positive forced')).toHaveLength(1);
    expect(withId(plane.draw(await sceneOf(preset('separable'), { verdict: own }), frame), 'positive forced')).toEqual(
      [],
    );
  });

  it('draws points on a line, and their boundary as one place on it', async () => {
    const scene = await sceneOf(preset('line'));
    const picture = plane.draw(scene, frame);
    const [mark] = withId(picture, 'boundary') as LineMark[];
    const { axes } = groundOf(scene, frame)!;
    expect(mark!.from[0]).toBeCloseTo(mark!.to[0], 9);
    const { weights, bias } = scene.moment.present!;
    expect(axes.x.invert(mark!.from[0])).toBeCloseTo(-bias / weights[0]!, 9);
    expect(new Set(starting(picture, 'example ').map(({ at }) => at[1])).size).toBe(2);
  });

  it('draws points of one class, or none, without a run', () => {
    const dataset: PointSet = { kind: 'points', name: '', dimension: 2, points: [{ x: 1, y: 1, label: 1 }] };
    const subject = { dataset, examples: null, recording: null, look: plainLook, selected: null };
    expect(starting(drawPoints(subject, frame), 'example ')).toHaveLength(1);
    expect(starting(drawPoints({ ...subject, dataset: { ...dataset, points: [] } }, frame), 'example ')).toHaveLength(
      0,
    );
  });

  it.each(['kernel', 'voted', 'tree'] as const)('of %s asks for the scores of a grid, as it sees it', async (rule) => {
    const scene = await sceneOf(preset('moons'), { algorithm: { as: null, rule, passes: 2 } });
    const ground = groundOf(scene, frame)!;
    await prepareSurfaces();
    const wanted = surfaceRequest(scene, ground)!;
    expect(wanted.features).toEqual([0, 1]);
    const scores = Float64Array.from({ length: wanted.columns * wanted.rows }, (_, k) => (k % wanted.columns) - 60.25);
    const { axes } = ground;
    const { rows, labels } = ground.drawn;
    // Every third example is on the wrong side.
    const shown = Float64Array.from(labels, (label, k) => (k % 3 === 0 ? -label : label) * (1 + k));
    const surface = { ...wanted, scores, shown };
    const picture = plane.draw({ ...scene, surface }, frame);
    const boundary = withId(picture, 'boundary') as PathMark[];
    expect(boundary.length).toBeGreaterThan(0);
    // Scores are 0 a quarter of a cell right of the 61st cell's centre.
    const cell = (wanted.to[0] - wanted.from[0]) / (wanted.columns - 1);
    for (const { spots } of boundary)
      for (const [x] of spots.slice(1, -1)) expect(axes.x.invert(x)).toBeCloseTo(wanted.from[0] + 60.25 * cell, 6);
    const hollow = (starting(picture, 'example ') as SymbolMark[]).filter(({ fill }) => fill === 'paper');
    expect(hollow.map(({ id }) => id)).toEqual([...rows].filter((_, k) => k % 3 === 0).map((row) => `example ${row}`));
    const words = plane.describe({ ...scene, surface });
    expect(words).toContain(`${hollow.length} are on the wrong side.`);
    expect(words).toContain(rule === 'tree' ? 'that of a tree' : 'is a curve');
    expect(describeExample(ground, rows[3]!, { ...scene, surface })).toContain('score');
  });
});

describe('the plane of a table', () => {
  it('shows two features, in the units of their columns, and the line at the mean of the others', async () => {
    const scene = await sceneOf(await presetDataset('penguins'), {
      algorithm: { passes: 5 },
      look: { plane: { kind: 'features', horizontal: 2, vertical: 1 } },
    });
    const { axes, projection } = groundOf(scene, frame)!;
    const picture = plane.draw(scene, frame);
    const [mark] = withId(picture, 'boundary') as LineMark[];
    const { examples, moment, recording } = scene;
    const x = Float64Array.from({ length: examples.dimension }, (_, j) => {
      let sum = 0;
      for (let k = 0; k < examples.shown.length; k++) sum += vectorAt(examples, k)[j]!;
      return sum / examples.shown.length;
    });
    x[2] = axes.x.invert(mark!.from[0]);
    x[1] = axes.y.invert(mark!.from[1]);
    expect(scoreOf(moment.present!, x, recording)).toBeCloseTo(0, 9);
    expect(projection.kind).toBe('slice');
    const texts = picture.marks.flatMap((each) => (each.kind === 'text' ? [each.text] : []));
    expect(texts).toContain('flipper length (mm)');
    expect(texts).toContain('200');
  });

  it('shows distances to the line that the run ends with, and at right angles the rest', async () => {
    const scene = await sceneOf(await presetDataset('penguins'), {
      algorithm: { passes: 5 },
      look: { plane: { kind: 'normal' } },
    });
    const { examples, moment, recording } = scene;
    const { drawn, projection } = groundOf(scene, frame)!;
    const { weights } = moment.present!;
    const length = Math.hypot(...weights) / recording.divisor;
    for (let k = 0; k < 40; k++)
      expect(drawn.spots[2 * k]).toBeCloseTo(scoreOf(moment.present!, vectorAt(examples, k), recording) / length, 9);
    let [across, up] = [0, 0];
    projection.right.forEach((r, j) => {
      across += r * projection.up[j]!;
      up += projection.up[j]! ** 2;
    });
    expect(across).toBeCloseTo(0, 9);
    expect(up).toBeCloseTo(1, 9);
    // No direction at right angles to the normal varies more: here against every feature, freed of its part along it.
    const variance = (direction: Float64Array) => {
      const values = Array.from(examples.shown, (_, k) =>
        vectorAt(examples, k).reduce((s, v, j) => s + v * direction[j]!, 0),
      );
      const mean = values.reduce((a, b) => a + b) / values.length;
      return values.reduce((s, v) => s + (v - mean) ** 2, 0);
    };
    for (let j = 0; j < examples.dimension; j++) {
      const other = projection.right.map((r, i) => (i === j ? 1 : 0) - r * projection.right[j]!);
      const size = Math.hypot(...other);
      expect(variance(projection.up)).toBeGreaterThanOrEqual(variance(other.map((o) => o / size)) - 1e-9);
    }
  });
});

describe('the convex hull', () => {
  it('has the outermost points, in turn', () => {
    expect(
      convexHull([
        [0, 0],
        [2, 0],
        [1, 1],
        [2, 2],
        [0, 2],
        [1, 0],
      ]),
    ).toEqual([
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ]);
  });
});

describe('the motion of an update', () => {
  it('adds y·x to w, then turns the line with it, and ends as the moment is', async () => {
    const scene = await makeScene(clouds(24, 0.8), { as: 'blog' });
    const step = scene.recording.updates[2]!;
    const at = atStep(scene, step);
    const { before, present } = at.moment;
    const drawn = (share: number) => plane.draw({ ...at, motion: motionOf(before!, present!, share) }, frame);
    const arrow = (share: number, id: string) =>
      drawn(share).marks.find((mark) => mark.kind === 'arrow' && mark.id === id);
    const boundary = (share: number) => withId(drawn(share), 'boundary');
    expect(boundary(0.2)).toEqual(withId(plane.draw(atStep(scene, step - 1), frame), 'boundary'));
    expect(arrow(0.2, 'w after')).toBeUndefined();
    const reach = [0.1, 0.2, 0.4].map((share) => {
      const { from, to } = arrow(share, 'update') as ArrowMark;
      return Math.hypot(to[0] - from[0], to[1] - from[1]);
    });
    expect(reach).toEqual([...reach].sort((a, b) => a - b));
    expect(drawn(1)).toEqual(plane.draw(at, frame));
  });

  it('leaves a trail of at most 32 lines in a fast run, nearly the same ones a frame later', async () => {
    const { recording } = await makeScene(clouds(40, 0.1), { as: 'blog' });
    for (const back of [0, 10, 100, 1e6]) {
      const [one, next] = [0, 1].map((k) => trailOf(recording, recording.steps - 1 + k, back));
      expect(one!.length).toBeLessThanOrEqual(32);
      expect(next!.filter((line) => !one!.some((other) => other.bias === line.bias)).length).toBeLessThanOrEqual(1);
    }
  });

  it('goes on beside many rows: the drawn ones are of both classes, also where these take turns', async () => {
    const text = `x,class\n${Array.from({ length: 10_000 }, (_, k) => `${k % 97},${k % 2 === 0 ? 'a' : 'b'}`).join('\n')}\n`;
    const table: Dataset = {
      kind: 'table',
      name: 'turns.csv',
      text,
      label: 'class',
      positive: null,
      columns: null,
      scale: 'none',
    };
    const { shown, labels } = await new LocalEngine().open(table);
    const positive = Array.from(shown).filter((row) => labels[row]! > 0).length;
    expect(positive / shown.length).toBeCloseTo(0.5, 1);
    expect(new Set(shown).size).toBe(shown.length);
  });
});
