import { HalfspaceError } from '../errors.ts';

/** The error of numbers that leave the range of doubles. */
export function overflow(what: string, got: string, source?: string): HalfspaceError {
  const message = `expected ${what} within the range of doubles; got ${got}: scale the data`;
  return new HalfspaceError('weights-overflow', message, source === undefined ? {} : { source });
}
