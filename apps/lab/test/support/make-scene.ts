import fc from 'fast-check';
import { type Algorithm, defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import type { Dataset, Point } from '../../src/data/dataset.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { momentAt } from '../../src/engine/recording.ts';
import type { Verdict } from '../../src/engine/verdict.ts';
import type { Frame, Mark, Picture } from '../../src/picture/picture.ts';
import type { Look, Scene } from '../../src/views/view.ts';

export const desk: Frame = { width: 420, height: 340, text: 13 };
export const phone: Frame = { width: 320, height: 256, text: 13 };
export const wall: Frame = { width: 900, height: 700, text: 30 };

export const plainLook: Look = {
  plane: { kind: 'features', horizontal: 0, vertical: 1 },
  window: null,
  turn: { yaw: 35, pitch: 25 },
  choices: {},
};

/** The scene of a dataset and an algorithm, as the page would have it at a step. */
export async function makeScene(
  dataset: Dataset,
  algorithm: Partial<Algorithm> = {},
  { step = Infinity, ...rest }: Partial<Scene> & { readonly step?: number } = {},
): Promise<Scene> {
  const engine = new LocalEngine();
  const complete: Algorithm = { ...defaultAlgorithm, ...algorithm };
  const examples = await engine.open(dataset);
  const recording = await engine.run(complete, () => {});
  return {
    dataset,
    algorithm: complete,
    examples,
    recording,
    moment: momentAt(recording, Math.min(step, recording.steps)),
    verdict: null,
    curve: null,
    surface: null,
    selected: null,
    look: plainLook,
    tree: await engine.tree(complete).catch(() => null),
    ...rest,
  };
}

/** A run as views are given it. @param verdict default: what the engine finds. */
export async function sceneOf(
  dataset: Dataset,
  { algorithm, step, verdict }: { algorithm?: Partial<Algorithm>; step?: number; verdict?: Verdict | null } = {},
): Promise<Scene> {
  const engine: Engine = new LocalEngine();
  await engine.open(dataset);
  const found = verdict === undefined ? await engine.verdict(() => {}) : verdict;
  return makeScene(dataset, algorithm, { ...(step !== undefined && { step }), verdict: found });
}

export function atStep(scene: Scene, step: number): Scene {
  return { ...scene, moment: momentAt(scene.recording, step) };
}

export function choosing(scene: Scene, view: string, choice: string): Scene {
  return { ...scene, look: { ...scene.look, choices: { ...scene.look.choices, [view]: choice } } };
}

export function pointSet(points: readonly Point[], dimension: 1 | 2 = 2): Dataset {
  return { kind: 'points', name: 'points', dimension, points };
}

export function points(dimension: 1 | 2, ...list: readonly (readonly number[])[]): Dataset {
  return {
    kind: 'points',
    name: 'test',
    dimension,
    points: list.map(
      (each): Point => ({ x: each[0]!, y: dimension === 1 ? 0 : each[1]!, label: each.at(-1)! > 0 ? 1 : -1 }),
    ),
  };
}

export function marked(picture: Picture, id: string): Mark[] {
  return picture.marks.filter((mark) => mark.id === id);
}

export function theMark<K extends Mark['kind']>(picture: Picture, kind: K, id: string): Extract<Mark, { kind: K }> {
  const found = marked(picture, id).filter((mark) => mark.kind === kind);
  if (found.length !== 1) throw new Error(`expected one ${kind} ${id}; got ${found.length}`);
  return found[0] as Extract<Mark, { kind: K }>;
}

/** All spots of a picture. */
export function spotsOf({ marks }: Picture): (readonly [number, number])[] {
  return marks.flatMap((mark) =>
    mark.kind === 'line' || mark.kind === 'arrow'
      ? [mark.from, mark.to]
      : mark.kind === 'path'
        ? mark.spots
        : [mark.at],
  );
}

/** The same numbers for the same seed, in [0, 1). */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
}

export function clouds(count: number, gap: number, seed = 7): Dataset {
  const next = numbersFrom(seed);
  return points(
    2,
    ...Array.from({ length: count }, (_, i) => {
      const y = i % 2 === 0 ? 1 : -1;
      return [2 + y * gap + 2 * (next() + next() - 1), 1 + y * gap + 2 * (next() + next() - 1), y];
    }),
  );
}

/** Points that a line with a margin of at least `gap` separates. */
export function separablePoints(gap: number, most: number): fc.Arbitrary<Point[]> {
  const coordinate = fc.integer({ min: -40, max: 40 }).map((n) => n / 8);
  return fc
    .tuple(
      fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: most }),
      fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 1, max: 3 }), fc.integer({ min: -9, max: 9 })),
    )
    .map(([spots, [a, b, c]]): Point[] =>
      spots.flatMap(([x, y]): Point[] => {
        const distance = (a * x + b * y + c) / Math.hypot(a, b);
        return Math.abs(distance) < gap ? [] : [{ x, y, label: distance > 0 ? 1 : -1 }];
      }),
    )
    .filter((points) => new Set(points.map(({ label }) => label)).size === 2);
}

/** Lecture 9's columns, and a category among them. */
export function cars(): Dataset {
  const next = numbersFrom(3);
  const lines = Array.from({ length: 120 }, () => {
    const cyl = [4, 6, 8][Math.floor(3 * next())]!;
    const disp = Math.round(cyl * 35 + 60 * (next() - 0.5));
    const origin = ['USA', 'Japan', 'Europe'][Math.floor(3 * next())]!;
    const year = 70 + Math.floor(13 * next());
    const good = disp < 150 || (disp < 230 && year > 77 && origin !== 'USA');
    return `${cyl},${disp},${origin},${year},${good === next() > 0.03 ? 'good' : 'bad'}`;
  });
  return {
    kind: 'table',
    name: 'cars.csv',
    text: `cyl,disp,origin,year,mileage\n${lines.join('\n')}\n`,
    label: 'mileage',
    positive: 'good',
    columns: null,
    scale: 'standard',
  };
}
