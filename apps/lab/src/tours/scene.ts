import { type Algorithm, defaultAlgorithm } from '../algorithm/algorithm.ts';
import type { Dataset, Label, Point, PointSet, Table } from '../data/dataset.ts';
import { presetDataset } from '../data/table-presets.ts';
import type { Clouds, SceneData, ScenePart } from './tour.ts';

/** Returns the data of a scene. @throws RangeError for an unknown preset. */
export async function datasetOf(data: SceneData): Promise<Dataset> {
  if ('preset' in data) return presetDataset(data.preset, data.parameters);
  const name = data.name ?? 'scene of a tour';
  if ('clouds' in data) return makeClouds(data.clouds, name);
  if ('columns' in data) {
    const { columns, rows } = data;
    const text = `${[columns, ...rows].map((row) => row.join(',')).join('\n')}\n`;
    const label = columns.at(-1)!;
    return { kind: 'table', name: `${name}.csv`, text, label, positive: null, columns: null, scale: 'none' };
  }
  return 'line' in data
    ? pointSet(
        name,
        1,
        data.line.map(([x, label]) => [x, 0, label]),
      )
    : pointSet(name, 2, data.points);
}

function pointSet(
  name: string,
  dimension: 1 | 2,
  points: readonly (readonly [x: number, y: number, label: number])[],
): PointSet {
  return { kind: 'points', name, dimension, points: points.map(([x, y, label]) => ({ x, y, label: label as Label })) };
}

/**
 * Returns the algorithm of a scene: the lab's default with the scene's changes. A rule without a lecture needs no
 * `as`.
 */
export function algorithmOf({ algorithm }: ScenePart): Algorithm {
  const asked = algorithm as Partial<Algorithm>;
  return { ...defaultAlgorithm, ...(asked.rule === undefined || asked.as !== undefined ? {} : { as: null }), ...asked };
}

/**
 * Makes two round clouds; the same seed gives the same points. Coordinates have two decimals, so that they can be
 * read and typed. With columns of noise the result is a table, whose first two columns are the plane.
 */
export function makeClouds(clouds: Clouds, name: string): PointSet | Table {
  const { each, distance, deviation, seed, middle = [0, 0], order, noise = 0 } = clouds;
  const uniform = xorshift(seed);
  // The sum of twelve uniform numbers, minus 6, has mean 0 and deviation 1, and needs no logarithm, which engines may
  // round differently.
  const normal = () => Array.from({ length: 12 }, uniform).reduce((sum, u) => sum + u, -6);
  const shift = distance / 2 / Math.SQRT2;
  const cloud = (label: Label): Point[] =>
    Array.from({ length: each }, () => ({
      x: round(middle[0] + label * shift + deviation * normal()),
      y: round(middle[1] + label * shift + deviation * normal()),
      label,
    }));
  const [positive, negative] = [cloud(1), cloud(-1)];
  const points =
    order === 'positives-first' ? [...positive, ...negative] : positive.flatMap((point, i) => [point, negative[i]!]);
  if (noise === 0) return { kind: 'points', name, dimension: 2, points };
  const rows = points.map(({ x, y, label }) =>
    [x, y, ...Array.from({ length: noise }, () => round(normal())), label].join(','),
  );
  const header = ['x1', 'x2', ...Array.from({ length: noise }, (_, k) => `noise${k + 1}`), 'class'].join(',');
  return {
    kind: 'table',
    name: `${name}.csv`,
    text: `${[header, ...rows].join('\n')}\n`,
    label: 'class',
    positive: '1',
    columns: null,
    scale: 'none',
  };
}

const round = (value: number) => Math.round(value * 100) / 100 + 0;

/** Marsaglia's 32-bit xorshift (2003), the shifts 13, 17 and 5: numbers in [0, 1). */
function xorshift(seed: number): () => number {
  // Multiplication spreads the few bits of small seeds; a state of 0 would stay 0.
  let state = Math.imul(seed, 0x9e3779b1) || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}
