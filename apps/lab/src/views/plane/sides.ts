import type { Examples } from '../../engine/examples.ts';
import { vectorAt } from '../../engine/examples.ts';
import { type Line, type Recording, scoreOf } from '../../engine/recording.ts';
import type { Scene } from '../view.ts';
import type { Drawn } from './projection.ts';

/** On which side of a line the drawn examples are: their scores, by their positions among the drawn. */
export function scoresOf({ dataset, examples, recording }: Scene, drawn: Drawn, line: Line): Float64Array | null {
  if (dataset.kind === 'points') return ofPoints(drawn, line, recording, dataset.dimension);
  return line.weights.length === examples.dimension ? ofExamples(examples, recording, line) : null;
}

function ofPoints(drawn: Drawn, line: Line, recording: Recording, dimension: number): Float64Array | null {
  if (line.weights.length !== dimension) return null;
  return Float64Array.from(drawn.rows, (_, k) =>
    scoreOf(line, drawn.spots.subarray(2 * k, 2 * k + dimension), recording),
  );
}

/** The last few of a run: the same moment is drawn many times, and one with many features is long to compute. */
const recent = new WeakMap<Recording, Map<string, Float64Array>>();
const mostRecent = 6;

function ofExamples(examples: Examples, recording: Recording, line: Line): Float64Array {
  const cache = recent.get(recording) ?? new Map<string, Float64Array>();
  recent.set(recording, cache);
  const key = `${line.weights.buffer === recording.present.buffer} ${line.weights.byteOffset}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const scores = Float64Array.from(examples.shown, (_, k) => scoreOf(line, vectorAt(examples, k), recording));
  if (cache.size >= mostRecent) cache.delete(cache.keys().next().value!);
  cache.set(key, scores);
  return scores;
}

/** Whether a score puts an example on the wrong side; a score of 0 is of the class that the rule says. */
export function isWrong(score: number, label: number, tie: -1 | 1): boolean {
  return (score === 0 ? tie : Math.sign(score)) !== label;
}

/** The smallest y·score, where the line separates what is drawn; else null. */
export function leastScore(scores: Float64Array, labels: Int8Array): number | null {
  let least = Infinity;
  for (let k = 0; k < scores.length; k++) least = Math.min(least, labels[k]! * scores[k]!);
  return least > 0 && least < Infinity ? least : null;
}
