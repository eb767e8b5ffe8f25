import { type Algorithm, defaultAlgorithm } from '../algorithm/algorithm.ts';
import type { Dataset, Label, PointSet } from '../data/dataset.ts';
import { dataPresets } from '../data/presets.ts';
import { makeClouds } from './make-clouds.ts';
import type { SceneData, ScenePart } from './tour.ts';

/** The data of a scene. @throws Error for a preset that there is not. */
export async function datasetOf(data: SceneData): Promise<Dataset> {
  if ('preset' in data) {
    const preset = dataPresets.find(({ id }) => id === data.preset);
    if (preset === undefined) throw new Error(`expected a preset of the data; got “${data.preset}”`);
    return await preset.make();
  }
  const name = data.name ?? 'scene of a tour';
  if ('clouds' in data) return makeClouds(data.clouds, name);
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

/** The algorithm of a scene: the lab's default, but for what the scene says. A rule without a lecture needs no `as`. */
export function algorithmOf({ algorithm }: ScenePart): Algorithm {
  const asked = algorithm as Partial<Algorithm>;
  return { ...defaultAlgorithm, ...(asked.rule === undefined || asked.as !== undefined ? {} : { as: null }), ...asked };
}
