import { HalfspaceError } from 'halfspace';

/** Returns a usage error, whose exit status is 2. */
export function usage(message: string): HalfspaceError {
  return new HalfspaceError('option-invalid', message);
}
