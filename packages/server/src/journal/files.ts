import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';

/** Writes a file under another name, syncs it and renames it: afterwards the file is there whole, and durable. */
export async function writeWhole(disk: Disk, folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const path = join(folder, name);
  await disk.remove(path + partial);
  const file = await disk.create(path + partial);
  try {
    await file.append(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(path + partial, path);
  await disk.syncFolder(folder);
}

/** Reads a whole file; null if there is none. */
export async function readWhole(disk: Disk, path: string): Promise<Uint8Array | null> {
  const size = await disk.size(path);
  return size === null ? null : disk.read(path, 0, size);
}

/** The ending of a file that is being written. */
export const partial = '.partial';
