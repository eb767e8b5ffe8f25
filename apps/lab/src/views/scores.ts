import { type Line, type Recording, scoreOf } from '../engine/recording.ts';
import { cacheOf } from './cache.ts';
import type { Scene } from './view.ts';

/** Scores of the latest few moments: one picture asks for the same scores several times. */
const cached = cacheOf<Recording, Float64Array>(8);

/** Returns the score of every drawn example under a line of the recording, by its position in `shown`. Read only. */
export function scoresOf({ examples, recording }: Pick<Scene, 'examples' | 'recording'>, line: Line): Float64Array {
  const { shown, vectors, dimension } = examples;
  const score = (k: number) => scoreOf(line, vectors.subarray(k * dimension, (k + 1) * dimension), recording);
  return cached(recording, () => Float64Array.from(shown, (_, k) => score(k)), snapshotKey(recording, line));
}

/** Names the snapshot that a line's weights are a view of, by its place in the recording. */
export function snapshotKey({ present }: Recording, { weights }: Line): string {
  return `${weights.buffer === present.buffer ? 'present' : 'answer'} ${weights.byteOffset}`;
}

/** Returns the class of every drawn example, −1 or 1. */
export function shownLabels({ labels, shown }: Scene['examples']): Int8Array {
  return Int8Array.from(shown, (row) => labels[row]!);
}
