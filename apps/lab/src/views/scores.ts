import { type Line, type Recording, scoreOf } from '../engine/recording.ts';
import type { Scene } from './view.ts';

/** Scores of some moments, the latest last: a view asks for the same ones again and again. */
const known = new WeakMap<Recording, Map<string, Float64Array>>();
const mostKept = 8;

/** The score of every drawn example under a line of the recording, by its place in `shown`. Not to be changed. */
export function scoresOf({ examples, recording }: Pick<Scene, 'examples' | 'recording'>, line: Line): Float64Array {
  // A snapshot's weights are a view of the recording's numbers: where it begins says which it is.
  const key = `${line.weights.buffer === recording.present.buffer ? 'present' : 'answer'} ${line.weights.byteOffset}`;
  const kept = known.get(recording) ?? new Map<string, Float64Array>();
  known.set(recording, kept);
  const found = kept.get(key);
  if (found !== undefined) return found;
  const { shown, vectors, dimension } = examples;
  const scores = new Float64Array(shown.length);
  for (let k = 0; k < shown.length; k++)
    scores[k] = scoreOf(line, vectors.subarray(k * dimension, (k + 1) * dimension), recording);
  kept.set(key, scores);
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
  return scores;
}

/** −1 or 1 of every drawn example. */
export function shownLabels({ labels, shown }: Scene['examples']): Int8Array {
  return Int8Array.from(shown, (row) => labels[row]!);
}

/** The class that a score is given. */
export function classOfScore(score: number, tie: -1 | 1): -1 | 1 {
  return score > 0 ? 1 : score < 0 ? -1 : tie;
}
