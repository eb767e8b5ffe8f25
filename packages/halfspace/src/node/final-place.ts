import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The descriptor that a path such as /dev/stdout or /dev/fd/3 names; null for other paths. */
export function descriptorOf(path: string): number | null {
  if (process.platform === 'win32') return null;
  const full = resolve(path);
  const standard = ['/dev/stdin', '/dev/stdout', '/dev/stderr'].indexOf(full);
  if (standard !== -1) return standard;
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(full) ?? [];
  return number === undefined ? null : Number(number);
}

/** As many links as systems follow. */
const mostLinks = 40;

/** Where a file of this path comes to lie: symbolic links are followed, whether or not there is a file behind them. */
export function finalPlace(path: string): string {
  let place = resolve(path);
  for (let link = 0; link < mostLinks; link++) {
    if (statSync(place, { throwIfNoEntry: false }) !== undefined) return realpathSync(place);
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() !== true)
      return join(realpathSync(dirname(place)), basename(place));
    // Relative to where the folder really is.
    place = resolve(realpathSync(dirname(place)), readlinkSync(place));
  }
  throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' });
}
