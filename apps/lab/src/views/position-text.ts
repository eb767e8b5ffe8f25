import type { Moment, Recording } from '../engine/recording.ts';

/** Returns a moment's position in words: `pass 2, example 5 of 8, update 7`. */
export function positionText(
  { passes, steps, skipped = null }: Pick<Recording, 'steps' | 'passes' | 'skipped'>,
  { step, pass, updates }: Moment,
): string {
  if (steps === 0) return 'no steps: grown at once';
  if (step === 0) return 'start, before the first example';
  const number = (value: number) => value.toLocaleString('en');
  if (skipped !== null && step === steps)
    return `end: pass ${number(pass)}, ${number(skipped.examples)} examples on, update ${number(updates)}`;
  const began = passes[pass - 1] ?? 0;
  // The last pass may be cut short; all others have the same length.
  const length = passes.length > 1 ? passes[1]! : steps;
  return `pass ${number(pass)}, example ${number(step - began)} of ${number(length)}, ${
    updates === 0 ? 'no update yet' : `update ${number(updates)}`
  }`;
}
