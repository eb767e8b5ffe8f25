import type { AppendFile, Disk } from './disk.ts';

/**
 * Returns a disk that changes nothing unless `check` returns, before each write and after each sync. What is synced
 * while the folder belongs to another process may be lost, so it must not be acknowledged.
 *
 * @param check throws if the folder may not be written to.
 */
export function guardedDisk(disk: Disk, check: () => void): Disk {
  const file = (given: AppendFile): AppendFile => ({
    close: () => given.close(),
    async append(bytes) {
      check();
      await given.append(bytes);
    },
    async sync() {
      await given.sync();
      check();
    },
  });
  const guarded =
    <A extends unknown[], T>(change: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      check();
      return change(...given);
    };
  return {
    ...disk,
    makeFolder: guarded((path) => disk.makeFolder(path)),
    create: guarded(async (path) => file(await disk.create(path))),
    openToAppend: guarded(async (path, size) => file(await disk.openToAppend(path, size))),
    rename: guarded((from, to) => disk.rename(from, to)),
    remove: guarded((path) => disk.remove(path)),
  };
}

/**
 * Returns a disk that is only read. What a start tidies up stays as it is.
 *
 * @param reason of the failure of everything that would write a file.
 */
export function readOnlyDisk(disk: Disk, reason: Error): Disk {
  const refuse = () => Promise.reject(reason);
  const nothing = async () => {};
  return {
    ...disk,
    create: refuse,
    openToAppend: refuse,
    makeFolder: nothing,
    rename: nothing,
    remove: nothing,
    syncFolder: nothing,
  };
}
