import { countUpTo, type Moment, type Recording } from '../engine/recording.ts';
import { locale, t } from '../words/words.ts';

/** A distance in a run: an example, an update, a pass, or all of it. */
export type Stride = 'example' | 'update' | 'pass' | 'all';

type Run = Pick<Recording, 'steps' | 'updates' | 'passes' | 'skipped'>;

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

/** Returns a moment's position in words: `pass 2, example 5 of 8, update 7`. */
export function positionText({ passes, steps, skipped = null }: Run, { step, pass, updates }: Moment): string {
  if (steps === 0) return t`no steps: grown at once`;
  if (step === 0) return t`start, before the first example`;
  const number = (value: number) => value.toLocaleString(locale);
  if (skipped !== null && step === steps)
    return t`end: pass ${number(pass)}, ${number(skipped.examples)} examples on, update ${number(updates)}`;
  const began = passes[pass - 1] ?? 0;
  // The last pass may be cut short; all others have the same length.
  const length = passes.length > 1 ? passes[1]! : steps;
  return t`pass ${number(pass)}, example ${number(step - began)} of ${number(length)}, ${
    updates === 0 ? t`no update yet` : t`update ${number(updates)}`
  }`;
}
