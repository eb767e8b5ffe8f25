import { CommanderError } from 'commander';
import { argumentFault } from './argument-fault.ts';
import { lookOf } from './present.ts';
import { tell } from './standard-error.ts';

/** Prints a failure as one line on standard error. Resolves to its exit status when the line is written. */
export async function reportFailure(error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // Without a command, the help has been printed.
    if (error.code !== 'commander.help') {
      // The library takes time to load.
      const isWord = error.code === 'commander.invalidArgument';
      const nearest = isWord ? (await import('halfspace/checks')).nearestName : () => null;
      await print(argumentFault(inOneLine(error.message), process.argv.slice(2), nearest));
    }
    // The exit status of `option-invalid` in errorCodes.
    return 2;
  }
  const { errorCodes, HalfspaceError } = await import('halfspace');
  if (error instanceof HalfspaceError) {
    await print(lookOf(2).colours ? `${error.message} [${error.code}]` : error.message);
    return errorCodes[error.code].exit;
  }
  const { message, code } = error as NodeJS.ErrnoException;
  await print(`unexpected error: ${message ?? String(error)}${code === undefined ? '' : ` (${code})`}`);
  if (process.env.HALFSPACE_DEBUG !== undefined && error instanceof Error)
    for (const line of (error.stack ?? '').split('\n')) await tell(line);
  return 4;
}

async function print(message: string): Promise<void> {
  await tell(`halfspace: ${message.replace(/\s*\n\s*/g, '; ').trim()}`);
}

/** The parser of arguments puts its hint into a line and brackets of its own. */
function inOneLine(message: string): string {
  return message.replace(/^error: /, '').replace(/\s*\n\(Did (you mean .*\?)\)/, '; did $1');
}
