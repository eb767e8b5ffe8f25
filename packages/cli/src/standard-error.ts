import { printable, printableLines } from 'halfspace/printable';
import { lookOf, present } from './present.ts';

/** Writes a line to standard error, made printable. Resolves when the line is written; a closed pipe is no failure. */
export function tell(line: string): Promise<void> {
  return write(`${printable(line)}\n`);
}

/** The same for text of several lines, each with its line end. */
export function tellLines(text: string): Promise<void> {
  return write(printableLines(text));
}

async function write(text: string): Promise<void> {
  try {
    const shown = present(text, lookOf(2));
    // Without a listener, Node throws the error outside of any call.
    if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
    await new Promise((resolve) => process.stderr.write(shown, resolve));
  } catch {
    // The reader has closed the pipe.
  }
}

/** Writes notes to standard error, one line each. */
export async function printNotes(notes: readonly string[]): Promise<void> {
  for (const note of notes) await tell(`note: ${note}`);
}
