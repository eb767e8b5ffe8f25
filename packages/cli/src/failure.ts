import { CommanderError } from 'commander';
import { tell } from './standard-error.ts';

/** Prints a failure as one line on standard error. Resolves to its exit status when the line is written. */
export async function reportFailure(error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // Without a command, the help has been printed.
    if (error.code !== 'commander.help') await print(error.message.replace(/^error: /, ''), ' (see halfspace --help)');
    // The exit status of `option-invalid` in errorCodes. The library is not loaded for it.
    return 2;
  }
  const { errorCodes, HalfspaceError } = await import('halfspace');
  if (error instanceof HalfspaceError) {
    await print(error.message);
    return errorCodes[error.code].exit;
  }
  const { message, code } = error as NodeJS.ErrnoException;
  await print(`unexpected error: ${message ?? String(error)}${code === undefined ? '' : ` (${code})`}`);
  if (process.env.HALFSPACE_DEBUG !== undefined && error instanceof Error)
    for (const line of (error.stack ?? '').split('\n')) await tell(line);
  return 4;
}

async function print(message: string, more = ''): Promise<void> {
  // The parser of arguments puts its hint into a line and brackets of its own.
  const said = message
    .replace(/\s*\n\(Did (you mean .*\?)\)/, '; did $1')
    .replace(/\s*\n\s*/g, '; ')
    .trim();
  await tell(`halfspace: ${said}${more}`);
}
