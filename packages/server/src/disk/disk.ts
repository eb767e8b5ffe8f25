/**
 * The few operations on files that durable state uses. The service never writes in any other way, so tests can replace
 * this layer by one that loses unsynced bytes, tears writes, fails a sync, or is full.
 *
 * Paths are absolute, or relative to the working directory of the process.
 */
export interface Disk {
  /** Creates a folder and those above it. Does nothing if it exists. */
  makeFolder(path: string): Promise<void>;
  /** Returns the names in a folder, in no order; an empty list if there is no such folder. */
  list(path: string): Promise<string[]>;
  /** Returns a file's size in bytes; null if there is no such file. */
  size(path: string): Promise<number | null>;
  /** Reads up to `length` bytes at an offset; fewer only at the end of the file. */
  read(path: string, offset: number, length: number): Promise<Uint8Array>;
  /** Creates an empty file for appending. @throws if the file exists. */
  create(path: string): Promise<AppendFile>;
  /** Opens an existing file for appending, cut to a size in bytes. */
  openToAppend(path: string, size: number): Promise<AppendFile>;
  /** Gives a file or a folder a new name, in place of a file that had it. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, or a folder with what is in it. Does nothing if there is none. */
  remove(path: string): Promise<void>;
  /** Makes names in a folder durable: files that were created, renamed and removed in it. */
  syncFolder(path: string): Promise<void>;
  /**
   * Locks a folder for this process; it holds a file for that.
   *
   * @throws HalfspaceError `write-failed` if another process, or this one, has the lock.
   */
  lock(path: string): Promise<FolderLock>;
}

/** The right to write to a folder. */
export interface FolderLock {
  /** Tests if the lock is still there. @throws HalfspaceError `write-failed` if it was removed or taken. */
  check(): void;
  unlock(): Promise<void>;
}

/** A file that grows at its end. */
export interface AppendFile {
  /** Writes all bytes at the end. After a failure the file may have any part of them. */
  append(bytes: Uint8Array): Promise<void>;
  /**
   * Makes all that was appended durable. After a failure, unsynced bytes are lost or not: the file must be cut. Fails
   * if the file was removed: nobody could read it again.
   */
  sync(): Promise<void>;
  close(): Promise<void>;
}
