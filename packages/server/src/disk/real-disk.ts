import * as fs from 'node:fs';
import { join } from 'node:path';
import type { AppendFile, Disk } from './disk.ts';
import { lockFolder } from './lock.ts';

const { mkdir, open, readdir, rename, rm, stat } = fs.promises;

/** Files of the system. */
export const realDisk: Disk = {
  async makeFolder(path) {
    await mkdir(path, { recursive: true });
  },
  list: (path) => unlessMissing(readdir(path), []),
  size: (path) =>
    unlessMissing(
      stat(path).then((found) => found.size),
      null,
    ),
  async read(path, offset, length) {
    const file = await open(path, 'r');
    try {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, (await file.stat()).size - offset)));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    } finally {
      await file.close();
    }
  },
  create: (path) => openFile(path, 'ax'),
  async openToAppend(path, size) {
    // Flag r+ refuses a file that does not exist, a does not.
    const file = await open(path, 'r+');
    try {
      await file.truncate(size);
    } finally {
      await file.close();
    }
    return openFile(path, 'a');
  },
  rename,
  remove: (path) => rm(path, { recursive: true, force: true }),
  async syncFolder(path) {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } catch (error) {
      if (!unsyncable.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    } finally {
      await folder.close();
    }
  },
  lock: (path) => lockFolder(join(path, 'lock')),
};

/** Errors of systems that cannot sync a folder. */
const unsyncable = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS', 'EBADF']);

async function unlessMissing<T, M>(found: Promise<T>, missing: M): Promise<T | M> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing;
    throw error;
  }
}

/** Opens a file by its number: the calls with callbacks take half the time of those of a `FileHandle`. */
async function openFile(path: string, flags: string): Promise<AppendFile> {
  const file = await called<number>((done) => fs.open(path, flags, 0o600, done));
  return {
    async append(bytes) {
      for (let at = 0; at < bytes.length; )
        at += await called<number>((done) => fs.write(file, bytes, at, bytes.length - at, null, done));
    },
    async sync() {
      await called<void>((done) => fs.fdatasync(file, done));
      if (fs.fstatSync(file).nlink === 0)
        throw Object.assign(new Error(`ENOENT: the file was removed while it was written to: ${path}`), {
          code: 'ENOENT',
        });
    },
    close: () => called<void>((done) => fs.close(file, done)),
  };
}

function called<T>(act: (done: (error: NodeJS.ErrnoException | null, result?: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    act((error, result) => (error === null ? resolve(result as T) : reject(error)));
  });
}
