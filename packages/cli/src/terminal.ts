import { fstatSync } from 'node:fs';

/**
 * Returns standard output (1) or standard error (2) if it is a terminal, else null. Node's stream is not touched if it
 * cannot be one, because loading it takes milliseconds.
 */
export function terminal(descriptor: 1 | 2): NodeJS.WriteStream | null {
  if (!mayBeTerminal(descriptor)) return null;
  const stream = descriptor === 1 ? process.stdout : process.stderr;
  return stream.isTTY === true ? stream : null;
}

function mayBeTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return true;
  }
}
