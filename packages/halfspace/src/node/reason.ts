import { HalfspaceError } from '../errors.ts';

/** Returns the reason of a system error in words: `no space left on device`. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === undefined ? undefined : reasons[code]) ?? message ?? String(error);
}

/** Makes the error for a file that cannot be read. */
export function unreadable(source: string, error: unknown): HalfspaceError {
  return new HalfspaceError('source-unreadable', `expected a readable file; got ${reasonOf(error)}`, { source });
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'a directory',
  ENOTDIR: 'a path through something that is no directory',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'a read-only file system',
  ENOSPC: 'a full disk',
  EDQUOT: 'a full quota',
  EFBIG: 'a file larger than the system allows',
  EMFILE: 'too many open files',
  EIO: 'an input/output error',
  EPIPE: 'a closed pipe',
};

/** Runs a part of writing a file. @throws HalfspaceError `write-failed` where the system refuses it. */
export function attemptToWrite<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof HalfspaceError) throw error;
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new HalfspaceError('write-failed', `expected to write; got ${missing ? 'no such folder' : reasonOf(error)}`, {
      source: path,
    });
  }
}
