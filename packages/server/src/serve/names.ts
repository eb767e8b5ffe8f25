import { basename } from 'node:path';
import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/internal';

/** Returns the name that a model file gets: `Penguins 2.model.json` → `penguins-2`. @throws HalfspaceError. */
export function nameOfFile(path: string): string {
  const name = basename(path)
    .replace(/(\.model)?\.json$/i, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 64);
  if (name === '')
    throw new HalfspaceError(
      'option-invalid',
      `expected a file whose name has a letter or a digit; got ${quote(path)}`,
    );
  return name;
}

/** Returns paths of model files by name. @throws HalfspaceError for two files of one name. */
export function filesByName(paths: readonly string[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const path of paths) {
    const name = nameOfFile(path);
    const other = files.get(name);
    if (other !== undefined)
      throw new HalfspaceError(
        'option-invalid',
        `expected files with different names; got ${quote(other)} and ${quote(path)}, which both become ${quote(name)}`,
      );
    files.set(name, path);
  }
  return files;
}
