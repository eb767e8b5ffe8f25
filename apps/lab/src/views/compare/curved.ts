import { createKernels, type DenseBatch } from 'halfspace/rules';
import type { Recording } from '../../engine/recording.ts';
import { scorerAt } from '../../engine/scorer.ts';
import { cacheOf } from '../cache.ts';
import { surfaceRequest } from '../plane/plane.ts';
import type { Scene, Surface } from '../view.ts';

/** Number of products that the scores of one grid may take: a few hundredths of a second. */
const affordable = 3e6;

const cached = cacheOf<Recording, Surface | null>(4);

/**
 * Scores a grid of the plane for a boundary that is no line, at the scene's moment, coarser for models of many
 * examples. Null: there is no model yet.
 */
export function curvedSurface(scene: Scene, range: Parameters<typeof surfaceRequest>[1]): Surface | null {
  const request = surfaceRequest(scene, range);
  if (request === null) return null;
  const { recording } = scene;
  return cached(recording, () => score(recording, request), JSON.stringify({ ...request, at: [...request.at] }));
}

function score(recording: Recording, request: NonNullable<ReturnType<typeof surfaceRequest>>): Surface | null {
  const scorer = scorerAt(recording, request.step, createKernels());
  if (scorer === null) return null;
  const { features, at, from, to, step } = request;
  const { model } = recording;
  const support = model.kind === 'dual' ? model.functions[0]!.rows.length + 1 : 1;
  const share = Math.min(1, Math.sqrt(affordable / (request.columns * request.rows * support * at.length)));
  const [columns, rows] = [
    Math.max(8, Math.round(request.columns * share)),
    Math.max(8, Math.round(request.rows * share)),
  ];
  const values = new Float64Array(columns * rows * at.length);
  const along = (k: number, count: number, axis: 0 | 1) => from[axis] + ((to[axis] - from[axis]) * k) / (count - 1);
  for (let k = 0; k < columns * rows; k++) {
    values.set(at, k * at.length);
    values[k * at.length + features[0]] = along(k % columns, columns, 0);
    if (at.length > 1) values[k * at.length + features[1]] = along(Math.floor(k / columns), rows, 1);
  }
  const labels = new Float64Array(columns * rows).fill(1);
  const batch: DenseBatch = {
    kind: 'dense',
    rows: columns * rows,
    dimension: at.length,
    values,
    labels,
    importance: null,
  };
  const scores = new Float64Array(columns * rows);
  try {
    scorer.scoreInto(batch, scores);
  } finally {
    scorer.free();
  }
  return { step, from, to, columns, rows, scores, shown: new Float64Array(0) };
}
