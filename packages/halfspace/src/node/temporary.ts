import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HalfspaceError } from '../errors.ts';
import { clearAtExit } from './cleanup.ts';
import { makerName, removeLeftovers } from './maker.ts';
import { reasonOf } from './reason.ts';

/** A private temporary folder. Removed when the process ends; after a kill, the next run removes it. */
export interface TemporaryFolder {
  readonly path: string;
  /** Removes the folder and its contents. May be called repeatedly. */
  remove(): void;
}

/**
 * Makes a temporary folder, and removes those of dead processes.
 *
 * @param within the parent folder. Default: the system's folder for temporary files (TMPDIR).
 * @throws HalfspaceError `write-failed`.
 */
export function temporaryFolder(within: string = tmpdir()): TemporaryFolder {
  removeLeftovers(within);
  let path: string | null = null;
  const clear = () => {
    if (path !== null) rmSync(path, { recursive: true, force: true });
  };
  // Registered first, because a signal may come at any time.
  const settled = clearAtExit(clear);
  try {
    path = mkdtempSync(join(within, `halfspace-${makerName()}-`));
  } catch (error) {
    settled();
    throw noRoom(error, within);
  }
  return {
    path,
    remove() {
      clear();
      settled();
    },
  };
}

/**
 * Writes pieces to a file in a new temporary folder, for readers that need a path.
 *
 * @param name of the file in the folder.
 * @throws HalfspaceError `write-failed`, and what the pieces throw; the folder is then removed.
 */
export async function temporaryCopy(
  pieces: AsyncIterable<Uint8Array | string>,
  name: string,
): Promise<TemporaryFolder & { readonly file: string }> {
  const folder = temporaryFolder();
  const file = join(folder.path, name);
  const attempt = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw noRoom(error, dirname(folder.path));
    }
  };
  try {
    const descriptor = attempt(() => openSync(file, 'wx', 0o600));
    let closed = false;
    try {
      for await (const given of pieces)
        attempt(() => {
          const piece = typeof given === 'string' ? Buffer.from(given) : given;
          for (let at = 0; at < piece.length; ) at += writeSync(descriptor, piece, at, piece.length - at);
        });
      closed = true;
      attempt(() => closeSync(descriptor));
    } finally {
      if (!closed) closeSync(descriptor);
    }
  } catch (error) {
    folder.remove();
    throw error;
  }
  return { ...folder, file };
}

/** Makes the error for a temporary file that cannot be created or written. */
export function noRoom(error: unknown, source: string): HalfspaceError {
  return new HalfspaceError('write-failed', `expected room for a temporary file; got ${reasonOf(error)}`, { source });
}
