import type { Moment, Recording } from '../engine/recording.ts';
import { locale, t } from '../words/words.ts';

/** Returns a moment's position in words: `pass 2, example 5 of 8, update 7`. */
export function positionText(
  { passes, steps, skipped = null }: Pick<Recording, 'steps' | 'passes' | 'skipped'>,
  { step, pass, updates }: Moment,
): string {
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
