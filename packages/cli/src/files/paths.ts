import { readdirSync, statSync } from 'node:fs';
import { basename, join, parse } from 'node:path';
import { HalfspaceError } from 'halfspace';
import { nearestName } from 'halfspace/checks';
import { usage } from '../usage.ts';
import { fileNameOf } from '../words.ts';

/**
 * Returns the paths that DATA names, with globs expanded in code-point order.
 *
 * @throws HalfspaceError `option-invalid` without DATA; `source-unreadable` for a path or glob that matches no file.
 */
export async function expandPaths(data: readonly string[]): Promise<string[]> {
  if (data.length === 0) throw usage('expected DATA: a path, a glob, or - for standard input');
  if (data.includes('-')) {
    if (data.length > 1) throw usage('expected - alone, or files; got both');
    return ['-'];
  }
  const paths: string[] = [];
  for (const path of data) {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status?.isDirectory())
      throw unreadable(path, `a directory; ${join(path, '*.csv')} names all files of a kind in it`);
    if (status !== undefined) {
      paths.push(path);
      continue;
    }
    const { glob, isDynamicPattern } = await import('tinyglobby');
    const found = isDynamicPattern(path)
      ? await glob(path, { absolute: false, expandDirectories: false, dot: true })
      : [];
    if (found.length === 0) throw unreadable(path, `no such file${otherPath(path)}`);
    for (const each of found.sort()) paths.push(each);
  }
  return paths;
}

function unreadable(source: string, got: string): HalfspaceError {
  return new HalfspaceError('source-unreadable', `expected a readable file; got ${got}`, { source });
}

/** Returns advice for a path that is not there: an address, or nearly the name of a file in its folder. */
export function otherPath(path: string): string {
  if (/^[a-z][a-z0-9+]*:\/\//i.test(path)) return '; download it first, or read it from a pipe (-)';
  try {
    const { dir, name, ext } = parse(path);
    const files = readdirSync(dir === '' ? '.' : dir);
    const alike = files.filter((file) => parse(file).ext.toLowerCase() === ext.toLowerCase());
    const nearest = nearestName(
      name,
      alike.map((file) => parse(file).name),
    );
    const other =
      files.find((file) => parse(file).name.toLowerCase() === name.toLowerCase()) ??
      alike.find((file) => parse(file).name === nearest);
    return other === undefined ? '' : `; did you mean ${join(dir, other)}?`;
  } catch {
    return '';
  }
}

/** Tests if a path is standard input or a pipe, which can be read only once. */
export function isPipe(path: string): boolean {
  if (path === '-') return true;
  const status = statSync(path, { throwIfNoEntry: false });
  return status !== undefined && !status.isFile() && !status.isDirectory();
}

/** Returns the total size of the files in bytes; null if one is a pipe or standard input. */
export function totalBytes(paths: readonly string[]): number | null {
  let total = 0;
  for (const path of paths) {
    const status = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
    if (status === undefined || !status.isFile()) return null;
    total += status.size;
  }
  return total;
}

/**
 * Returns the stem of the default names of output files: the file's name, printable, without its folder and extensions.
 */
export function stemOf(path: string): string {
  if (path === '-') return 'stdin';
  return fileNameOf(basename(path).replace(/(\.[A-Za-z0-9]{1,8}){1,2}$/, '') || basename(path));
}
