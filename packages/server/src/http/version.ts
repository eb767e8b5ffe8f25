import { readFileSync } from 'node:fs';

/** Returns the version of this package, which is that of the library and the command. */
export function packageVersion(): string {
  const path = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
