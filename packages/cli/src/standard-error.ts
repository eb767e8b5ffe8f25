import { printable } from 'halfspace/printable';

/** Writes a line to standard error, made printable. @returns once it has arrived; a reader that has gone away is no failure. */
export async function tell(line: string): Promise<void> {
  try {
    // Without a listener Node would throw outside of any call.
    if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
    await new Promise((resolve) => process.stderr.write(`${printable(line)}\n`, resolve));
  } catch {
    // Nobody is listening.
  }
}
