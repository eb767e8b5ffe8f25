import type { Disk } from '../../src/disk/disk.ts';

/** Returns a disk of files that do not change, by their paths. */
export function memoryFiles(files: ReadonlyMap<string, Uint8Array>): Disk {
  const refuse = () => Promise.reject(new Error('expected to read only'));
  return {
    list: async (path) =>
      [...files.keys()].filter((each) => each.startsWith(`${path}/`)).map((each) => each.slice(path.length + 1)),
    size: async (path) => files.get(path)?.length ?? null,
    read: async (path, offset, length) => files.get(path)!.slice(offset, offset + length),
    makeFolder: refuse,
    create: refuse,
    openToAppend: refuse,
    rename: refuse,
    remove: refuse,
    syncFolder: refuse,
    lock: refuse,
  };
}
