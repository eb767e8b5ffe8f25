import { CommanderError } from 'commander';

/** Prints a failure as one line on standard error, and returns the exit status that belongs to it. */
export async function reportFailure(error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    print(error.message.replace(/^error: /, ''), ' (see halfspace --help)');
    // What errorCodes says of `option-invalid`; the library that holds it is loaded only for failures of its own.
    return 2;
  }
  const { errorCodes, HalfspaceError } = await import('halfspace');
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
