import { HalfspaceError } from '../errors.ts';

/**
 * Largest size of a number that is learned from. The square of such a number times the largest importance, summed over
 * 2²⁴ features, is a double. So no step of a rule is NaN or infinite, which would spoil all later answers.
 */
export const largestValue = 1e100;

/** Returns the error for a number that is too large to be learned from. */
export function tooLarge(value: number, field: string | number): HalfspaceError {
  return new HalfspaceError('number-invalid', `expected a number in [-1e100, 1e100] to learn from; got ${value}`, {
    field: String(field),
  });
}
