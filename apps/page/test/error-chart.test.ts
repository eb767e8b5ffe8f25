import type { PathMark } from 'halfspace-lab/picture/picture.ts';
import type { Alarm } from 'halfspace-server/client';
import { expect, test } from 'vitest';
import { errorChart, nearestPoint } from '../src/picture/error-chart.ts';
import { addPoint, WeightHistory } from '../src/state/followed.svelte.ts';

const alarm = (examples: number, of: 'error' | 'input'): Alarm => ({
  sequence: examples,
  examples,
  of,
  input: of === 'input' ? 'price' : null,
  detector: 'adwin',
  before: 0.1,
  after: 0.6,
});

test('the chart draws both curves inside its frame, and drift once where two detectors found it', () => {
  const points = Array.from({ length: 50 }, (_, k) => ({
    examples: 100 + 10 * k,
    error: 0.2 + k / 200,
    latestError: k < 25 ? 0.1 : 0.9,
  }));
  const alarms = [alarm(50, 'error'), alarm(350, 'error'), alarm(350, 'error'), alarm(400, 'input')];
  for (const [width, height] of [
    [300, 200],
    [1600, 500],
  ] as const) {
    const { marks } = errorChart(points, alarms, { width, height, text: 13 });
    expect(marks.filter(({ id }) => id?.startsWith('drift')).map(({ id }) => id)).toEqual(['drift 350']);
    const [latest, all] = ['latest', 'all'].map((id) => marks.find((mark) => mark.id === id) as PathMark);
    for (const { spots } of [latest!, all!]) {
      expect(spots).toHaveLength(50);
      for (const [x, y] of spots) expect(x >= 0 && x <= width && y >= 0 && y <= height).toBe(true);
    }
    const marked = errorChart(points, alarms, { width, height, text: 13 }, 30).marks.find(({ id }) => id === 'chosen');
    const [across] = latest!.spots[30]!;
    expect(marked).toMatchObject({ at: latest!.spots[30] });
    for (const off of [-0.4, 0.4].map((share) => share * (latest!.spots[31]![0] - across)))
      expect(nearestPoint(points, { width, height, text: 13 }, across + off)).toBe(30);
    // Larger errors are higher.
    expect(latest!.spots[49]![1]).toBeLessThan(latest!.spots[0]![1]);
    expect(latest!.spots[49]![1]).toBeLessThan(all!.spots[49]![1]);
  }
  expect(errorChart(points.slice(0, 1), [], { width: 300, height: 200, text: 13 }).marks.length).toBeGreaterThan(4);
});

test('the shadow is drawn beside its model, from where it began, and inside the frame', () => {
  const point = (examples: number, latestError: number) => ({ examples, error: 0.2, latestError });
  const points = [100, 200, 300, 400].map((examples) => point(examples, 0.1));
  const shadow = [50, 200, 300, 400].map((examples) => point(examples, 0.8));
  const frame = { width: 600, height: 300, text: 13 };
  const pathOf = (marks: ReturnType<typeof errorChart>['marks'], id: string) =>
    (marks.find((mark) => mark.id === id) as PathMark | undefined)?.spots;
  const { marks } = errorChart(points, [], frame, null, shadow);
  const [latest, beside] = [pathOf(marks, 'latest')!, pathOf(marks, 'shadow')!];
  expect(beside.map(([x]) => x)).toEqual(latest.slice(1).map(([x]) => x));
  for (const [k, [x, y]] of beside.entries()) {
    expect(x >= 0 && x <= 600 && y >= 0 && y < latest[k]![1]).toBe(true);
  }
  expect(pathOf(errorChart(points, [], frame).marks, 'shadow')).toBeUndefined();
});

test('points stay few, by rising number of examples, and the last one is the newest', () => {
  let points = [{ examples: 5, error: 1, latestError: 1 }] as ReturnType<typeof addPoint>;
  for (let k = 0; k < 5000; k++)
    points = addPoint(points, { examples: 3 + k - (k % 3 === 0 ? 1 : 0), error: 0, latestError: k });
  expect(points.length).toBeLessThanOrEqual(1201);
  expect(points.at(-1)).toEqual({ examples: 5002, error: 0, latestError: 4999 });
  expect(points.every(({ examples }, k) => k === 0 || examples > points[k - 1]!.examples)).toBe(true);
});

test('the history of a weight begins where the weight was last missing', () => {
  const reading = (weights: Record<string, number>) => [
    {
      class: 'a',
      against: 'b',
      bias: 0,
      nonzero: 2,
      strongest: Object.entries(weights).map(([feature, weight]) => ({ feature, weight })),
    },
  ];
  const history = new WeightHistory()
    .with(1, reading({ x: 1, y: 5 }))
    .with(2, reading({ x: 2 }))
    .with(3, reading({ x: 3, y: 7 }))
    .with(3, reading({ x: 4, y: 8 }));
  expect([history.of('a', 'x'), history.of('a', 'y'), history.of('a', 'z')]).toEqual([[1, 2, 4], [8], []]);
});
