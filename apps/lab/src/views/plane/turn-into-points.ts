import type { Point, PointSet } from '../../data/dataset.ts';
import { mostPoints } from '../../data/edit.ts';
import { type Examples, vectorAt } from '../../engine/examples.ts';
import type { Plane } from '../view.ts';
import { isMeasured } from './ground.ts';
import { featuresOf } from './projection.ts';

/**
 * Returns two features of a table as points to draw on, scaled as the table is. At most 2,000 examples, evenly
 * sampled.
 */
export function pointsOf(examples: Examples, plane: Plane, name: string): PointSet {
  const [h, v] = featuresOf(plane, examples.dimension);
  const read = (feature: number, value: number): number => {
    const column = examples.encoding.columns.find((each) => each.name === examples.featureNames[feature]);
    // Four decimals are enough in a plane.
    return column !== undefined && isMeasured(column) ? Math.round(value * 1e4) / 1e4 + 0 : value;
  };
  const points = Array.from(examples.shown.subarray(0, mostPoints), (row, k): Point => {
    const x = vectorAt(examples, k);
    return { x: read(h, x[h]!), y: read(v, x[v]!), label: examples.labels[row]! > 0 ? 1 : -1 };
  });
  return { kind: 'points', name: `points of ${name.replace(/\.[a-z]+$/i, '')}`, dimension: 2, points };
}
