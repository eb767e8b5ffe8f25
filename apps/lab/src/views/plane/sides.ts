import type { Line, Recording } from '../../engine/recording.ts';
import { cacheOf, remember } from '../cache.ts';
import { scoresOf as scoresOfExamples, snapshotKey } from '../scores.ts';
import type { Scene } from '../view.ts';
import type { Drawn } from './projection.ts';

/** Scores of the latest few moments of a run, of points where they are drawn. */
const cacheFor = remember((_: Drawn) => cacheOf<Recording, Float64Array>(6));

/**
 * Returns the scores of the drawn examples, by their positions among the drawn. Null: the line is of other features.
 */
export function scoresOf({ dataset, examples, recording }: Scene, drawn: Drawn, line: Line): Float64Array | null {
  const points = dataset.kind === 'points';
  if (line.weights.length !== (points ? dataset.dimension : examples.dimension)) return null;
  if (!points) return scoresOfExamples({ examples, recording }, line);
  const make = () => ofPoints(drawn, line, recording, dataset.dimension);
  return cacheFor(drawn)(recording, make, snapshotKey(recording, line));
}

/**
 * Returns the scores of the drawn examples at the moment: of the line, or, where the boundary is no line, of the
 * surface that is drawn. Null: not known.
 */
export function presentScores(scene: Scene, drawn: Drawn): Float64Array | null {
  const { present } = scene.moment;
  if (present !== null) return scoresOf(scene, drawn, present);
  const { surface } = scene;
  return surface !== null && surface.shown.length === drawn.rows.length ? surface.shown : null;
}

/** Computes the scores of points in the order of sums that `scoreOf` has, without a vector for each point. */
function ofPoints(
  { rows, spots }: Drawn,
  { weights, bias }: Line,
  { divisor, biasConstant }: Recording,
  dimension: 1 | 2,
): Float64Array {
  const scores = new Float64Array(rows.length);
  const [first, second] = [weights[0]!, dimension === 1 ? 0 : weights[1]!];
  for (let k = 0; k < rows.length; k++) {
    const score = bias * biasConstant + (first * spots[2 * k]!) / divisor;
    scores[k] = dimension === 1 ? score : score + (second * spots[2 * k + 1]!) / divisor;
  }
  return scores;
}

/** Returns the smallest y·score if the line separates the drawn examples; else null. */
export function leastScore(scores: Float64Array, labels: Int8Array): number | null {
  let least = Infinity;
  for (let k = 0; k < scores.length; k++) least = Math.min(least, labels[k]! * scores[k]!);
  return least > 0 && least < Infinity ? least : null;
}
