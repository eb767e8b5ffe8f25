import { HalfspaceError } from 'halfspace';

/** A usage error: exit status 2. */
export function usage(message: string): HalfspaceError {
  return new HalfspaceError('option-invalid', message);
}
