import { countUpTo, type Moment, type Recording } from '../../engine/recording.ts';
import { cacheOf, remember } from '../cache.ts';
import type { Scene } from '../view.ts';

/**
 * Returns nᵢ of every example: its updates up to a step. FODA's start is no update. Updates that a very long run
 * did not record are not counted.
 */
export function countsAt(scene: Scene, step: number): Uint32Array {
  const { recording, examples } = scene;
  const counts = new Uint32Array(examples.rows);
  const made = countUpTo(recording.updates, step);
  for (let k = 0; k < made; k++) counts[recording.rows[recording.updates[k]! - 1]!]!++;
  return counts;
}

const cached = cacheOf<Moment | Recording, Uint32Array>();

/** Returns the counts at the scene's moment. */
export const presentCounts = (scene: Scene): Uint32Array =>
  cached(scene.moment, () => countsAt(scene, scene.moment.step));

/** Returns the counts at the end of the run. */
export const finalCounts = (scene: Scene): Uint32Array =>
  cached(scene.recording, () => countsAt(scene, scene.recording.steps));

/**
 * Returns the examples with updates by their counts at the end, the largest first: an order that stays while the run
 * is played.
 */
export const mostMistaken = remember((counts: Uint32Array) =>
  Uint32Array.from(counts.keys())
    .filter((row) => counts[row]! > 0)
    .sort((a, b) => counts[b]! - counts[a]! || a - b),
);

/** Returns the updates of each pass up to a step. */
export function passCounts({ recording: { passes, updates, steps } }: Scene, step = steps): Uint32Array {
  const before = (at: number) => countUpTo(updates, Math.min(at, step));
  return passes.map((first, p) => before(passes[p + 1] ?? steps) - before(first));
}
