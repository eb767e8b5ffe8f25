import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HalfspaceError } from '../errors.ts';
import { reasonOf } from './reason.ts';

/** A file that appears whole when it is finished, or not at all. */
export interface WholeFile {
  append(contents: string | Uint8Array): void;
  /** Flushes, and gives the file its name; what had that name before stays until now. */
  finish(): void;
  /** Leaves nothing behind. Does nothing after `finish`. */
  discard(): void;
}

/**
 * Opens a file to be written beside its place, under another name, and renamed at the end. Devices and pipes, which have
 * nothing to lose, are written directly.
 *
 * @throws HalfspaceError `write-failed`, here and from the methods.
 */
export function openWhole(path: string): WholeFile {
  const attempt = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      throw new HalfspaceError(
        'write-failed',
        `expected to write; got ${missing ? 'no such folder' : reasonOf(error)}`,
        {
          source: path,
        },
      );
    }
  };
  const present = attempt(() => statSync(path, { throwIfNoEntry: false }));
  if (present?.isDirectory() === true)
    attempt(() => {
      throw Object.assign(new Error(), { code: 'EISDIR' });
    });
  const direct = present !== undefined && !present.isFile();
  const { target, descriptor } = attempt(() =>
    direct ? { target: path, descriptor: openSync(path, 'w') } : beside(path),
  );
  let file: number | null = descriptor;
  const discard = () => {
    if (file === null) return;
    closeSync(file);
    file = null;
    if (!direct) rmSync(target, { force: true });
  };
  return {
    append(contents) {
      const bytes = typeof contents === 'string' ? Buffer.from(contents) : contents;
      attempt(() => {
        for (let at = 0; at < bytes.length; ) at += writeSync(file!, bytes, at);
      });
    },
    finish() {
      try {
        attempt(() => {
          if (!direct) fsyncSync(file!);
          closeSync(file!);
          file = null;
          if (!direct) renameSync(target, path);
        });
      } catch (error) {
        discard();
        throw error;
      }
    },
    discard,
  };
}

/**
 * A new file beside `path`, of a name that nobody has: a process that was killed may have left one, and its number is some other's by now,
 * every time where containers count them from 1.
 */
function beside(path: string): { target: string; descriptor: number } {
  for (let attempt = 1; ; attempt++) {
    const number = attempt === 1 ? '' : `-${attempt}`;
    const target = join(dirname(path), `.${basename(path)}.${process.pid}${number}.partial`);
    try {
      return { target, descriptor: openSync(target, 'wx') };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Writes a file whole or not at all; see {@link openWhole}. */
export function writeWhole(path: string, contents: string): void {
  const file = openWhole(path);
  try {
    file.append(contents);
    file.finish();
  } finally {
    file.discard();
  }
}
