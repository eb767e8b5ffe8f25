import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Returns the descriptor named by a path such as /dev/stdout or /dev/fd/3; null for other paths. */
export function descriptorOf(path: string): number | null {
  if (process.platform === 'win32') return null;
  const full = resolve(path);
  const standard = ['/dev/stdin', '/dev/stdout', '/dev/stderr'].indexOf(full);
  if (standard !== -1) return standard;
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(full) ?? [];
  return number === undefined ? null : Number(number);
}

/** The largest number of links to follow, as in operating systems. */
const mostLinks = 40;

/** Returns the real path of a file to be written: follows symbolic links, even to a file that does not exist. */
export function finalPlace(path: string): string {
  let place = resolve(path);
  for (let link = 0; link < mostLinks; link++) {
    if (statSync(place, { throwIfNoEntry: false }) !== undefined) return realpathSync(place);
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() !== true)
      return join(realpathSync(dirname(place)), basename(place));
    // Links are relative to the real folder.
    place = resolve(realpathSync(dirname(place)), readlinkSync(place));
  }
  throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' });
}
