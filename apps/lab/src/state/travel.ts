import { countUpTo, type Recording } from '../engine/recording.ts';

/** A distance in a run: an example, an update, a pass, or all of it. */
export type Stride = 'example' | 'update' | 'pass' | 'all';

type Run = Pick<Recording, 'steps' | 'updates' | 'passes'>;

/**
 * Returns the step one stride ahead (1) or back (−1): for example that of the next update, or of the end of the pass.
 */
export function strideFrom({ steps, updates, passes }: Run, step: number, stride: Stride, way: 1 | -1): number {
  switch (stride) {
    case 'example':
      return Math.max(0, Math.min(step + way, steps));
    case 'update':
      return neighbour(updates, step, way, steps);
    case 'pass':
      return neighbour(passes, step, way, steps);
    case 'all':
      return way > 0 ? steps : 0;
  }
}

/** Returns the nearest of rising numbers above or below `step`; beyond them the end or the start. */
function neighbour(rising: Uint32Array, step: number, way: 1 | -1, steps: number): number {
  if (way > 0) return rising[countUpTo(rising, step)] ?? steps;
  return rising[countUpTo(rising, step - 1) - 1] ?? 0;
}
