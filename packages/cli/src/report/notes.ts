import { tell } from '../standard-error.ts';

/** Prints remarks on standard error. */
export function printNotes(notes: readonly string[]): void {
  for (const note of notes) void tell(`note: ${note}`);
}
