import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { clearAtExit } from './cleanup.ts';
import { descriptorOf, finalPlace } from './final-place.ts';
import { checkHeld, holdWritten } from './hold.ts';
import { besides, removeLeftovers } from './maker.ts';
import { attemptToWrite } from './reason.ts';

/** A file that appears complete when it is finished, or not at all. */
export interface WholeFile {
  /** The path of the unfinished file, for reading it back; null for devices and pipes. */
  readonly partial: string | null;
  append(contents: string | Uint8Array): void;
  /** Writes everything to disk and renames the file to its path; an older file with this path stays until then. */
  finish(): void;
  /** Removes the unfinished file. Does nothing after `finish`. */
  discard(): void;
}

/**
 * Opens a file for writing under a temporary name in the same folder; `finish` renames it. If the path is a symbolic
 * link, the link stays and its target is replaced. The new file gets the permissions of the old one, and its owner if
 * the system allows. Devices, pipes and descriptors such as /dev/stdout have nothing to lose and are written directly.
 *
 * @throws HalfspaceError `write-failed`, here and from the methods; from `finish` also `source-changed` if
 *   {@link holdFile} holds the file and another program has replaced it.
 */
export function openWhole(path: string): WholeFile {
  const attempt = <T>(act: () => T): T => attemptToWrite(path, act);
  const present = attempt(() => statSync(path, { throwIfNoEntry: false }));
  if (present?.isDirectory() === true)
    attempt(() => {
      throw Object.assign(new Error(), { code: 'EISDIR' });
    });
  const writeAll = (file: number, contents: string | Uint8Array) => {
    const bytes = typeof contents === 'string' ? Buffer.from(contents) : contents;
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  };

  const inherited = present?.isFile() === true ? descriptorOf(path) : null;
  if (inherited !== null || (present !== undefined && !present.isFile())) {
    let file: number | null = inherited ?? attempt(() => openSync(path, 'w'));
    const close = () => {
      const closing = file;
      file = null;
      if (closing !== null && inherited === null) closeSync(closing);
    };
    return {
      partial: null,
      append: (contents) => attempt(() => writeAll(file!, contents)),
      finish: () => attempt(close),
      discard: () => quietly(close),
    };
  }

  const place = attempt(() => finalPlace(path));
  let file: number | null = null;
  let partial: string | null = null;
  const close = () => {
    const closing = file;
    file = null;
    if (closing !== null) closeSync(closing);
  };
  const discard = () => {
    quietly(close);
    quietly(() => {
      if (partial !== null) rmSync(partial, { force: true });
    });
    partial = null;
    settled();
  };
  // Registered first, because a signal may come at any time.
  const settled = clearAtExit(discard);
  try {
    ({ descriptor: file, partial } = attempt(() => openBeside(place, present)));
  } catch (error) {
    settled();
    throw error;
  }
  return {
    partial,
    append: (contents) => attempt(() => writeAll(file!, contents)),
    finish() {
      try {
        attempt(() => {
          if (present !== undefined) keepRights(file!, present);
          fsyncSync(file!);
          const written = fstatSync(file!, { bigint: true });
          close();
          checkHeld(place, path);
          renameSync(partial!, place);
          partial = null;
          holdWritten(place, written);
          syncFolder(dirname(place));
        });
      } finally {
        discard();
      }
    },
    discard,
  };
}

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // Clean up anyway; the first error is the one to report.
  }
}

/** Creates a file beside `place`, with a name that no other process uses. First removes leftovers of dead ones. */
function openBeside(place: string, present: Stats | undefined): { partial: string; descriptor: number } {
  removeLeftovers(dirname(place));
  // A private file stays private from the first byte on. Its owner may read it back.
  const mode = present === undefined ? 0o666 : (present.mode & 0o777) | 0o600;
  for (let attempt = 1; ; attempt++) {
    const partial = besides(place, `${attempt === 1 ? '' : `-${attempt}`}.partial`);
    try {
      return { partial, descriptor: openSync(partial, 'wx', mode) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Gives a file the owner and permissions of the file that it replaces, if the system allows it. */
function keepRights(file: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(file);
  if (own.uid !== uid || own.gid !== gid) quietly(() => fchownSync(file, uid, gid));
  // Last, because a change of owner may remove permissions.
  if ((own.mode & 0o777) !== (mode & 0o777) || own.uid !== uid) quietly(() => fchmodSync(file, mode & 0o777));
}

/** Errors of systems that cannot sync a folder, or of folders that may be written but not read. */
const unsyncable = new Set(['EINVAL', 'EPERM', 'EACCES', 'EISDIR', 'ENOTSUP', 'ENOSYS', 'EBADF']);

/** Syncs a folder: otherwise a power loss may lose the new name although the contents are on disk. */
function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!unsyncable.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Writes a file completely or not at all; see {@link openWhole}. */
export function writeWhole(path: string, contents: string | Uint8Array): void {
  const file = openWhole(path);
  try {
    file.append(contents);
    file.finish();
  } finally {
    file.discard();
  }
}
