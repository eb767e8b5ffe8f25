import { CommanderError } from 'commander';
import { errorCodes, HalfspaceError } from 'halfspace';

/** Prints a failure as one line on standard error, and returns the exit status that belongs to it. */
export function reportFailure(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    print(error.message.replace(/^error: /, ''), ' (see halfspace --help)');
    return errorCodes['option-invalid'].exit;
  }
  if (error instanceof HalfspaceError) {
    print(error.message);
    return errorCodes[error.code].exit;
  }
  const { message, code } = error as NodeJS.ErrnoException;
  print(`an unexpected fault: ${message ?? String(error)}${code === undefined ? '' : ` (${code})`}`);
  if (process.env.HALFSPACE_DEBUG !== undefined) console.error(error);
  return 4;
}

function print(message: string, more = ''): void {
  const line = message.replace(/\s*\n\s*/g, '; ').trim();
  try {
    process.stderr.write(`halfspace: ${line}${more}\n`);
  } catch {
    // Nobody is listening.
  }
}

/** A usage error: exit status 2. */
export function usage(message: string): HalfspaceError {
  return new HalfspaceError('option-invalid', message);
}
