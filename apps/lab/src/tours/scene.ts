import { type Algorithm, defaultAlgorithm } from '../algorithm/algorithm.ts';
import type { Dataset, Label, PointSet } from '../data/dataset.ts';
import { presetDataset } from '../data/table-presets.ts';
import { makeClouds } from './make-clouds.ts';
import type { SceneData, ScenePart } from './tour.ts';

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
