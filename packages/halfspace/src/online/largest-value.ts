import { HalfspaceError } from '../errors.ts';

/**
 * Largest size of a number that is learned from, and of a score that is learned on. A step takes at most a score times
 * a value times the importance, and sgd squares it: that is a double. So no step of a rule is NaN or infinite, which
 * would spoil all later answers; weights that diverge are noticed before.
 */
export const largestScore = 1e130;
export const largestValue = 1e60;

/** Returns the error for a number that is too large to be learned from. */
export function tooLarge(value: number, field: string | number): HalfspaceError {
  return new HalfspaceError('number-invalid', `expected a number in [-1e60, 1e60] to learn from; got ${value}`, {
    field: String(field),
  });
}
