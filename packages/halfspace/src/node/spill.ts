import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spill } from '../data/store.ts';
import { HalfspaceError } from '../errors.ts';
import { reasonOf } from './reason.ts';

/**
 * A spill in a temporary file. The file loses its name as soon as it is open where the system allows that, so nothing
 * is left behind however the process ends.
 *
 * @param folder where to make it. Default: the system's folder for temporary files (TMPDIR).
 */
export function temporarySpill(folder: string = tmpdir()): Spill {
  let own: string;
  let file: number;
  try {
    own = mkdtempSync(join(folder, 'halfspace-'));
    file = openSync(join(own, 'examples'), 'wx+', 0o600);
  } catch (error) {
    throw new HalfspaceError('write-failed', `expected room for a temporary file; got ${reasonOf(error)}`, {
      source: folder,
    });
  }
  try {
    rmSync(own, { recursive: true });
  } catch {
    // A system that does not unlink open files: the folder is removed on closing.
  }
  let size = 0;
  return {
    append(bytes) {
      const position = size;
      let written = 0;
      try {
        while (written < bytes.length)
          written += writeSync(file, bytes, written, bytes.length - written, position + written);
      } catch (error) {
        throw new HalfspaceError(
          'write-failed',
          `expected room for ${bytes.length} bytes of examples; got ${reasonOf(error)}`,
          {
            source: folder,
          },
        );
      }
      size += written;
      return position;
    },
    read(position, target) {
      let done = 0;
      while (done < target.length) {
        const count = readSync(file, target, done, target.length - done, position + done);
        if (count === 0)
          throw new HalfspaceError(
            'source-corrupt',
            `expected ${target.length} bytes of stored examples; got ${done}`,
            {
              source: folder,
            },
          );
        done += count;
      }
    },
    close() {
      closeSync(file);
      rmSync(own, { recursive: true, force: true });
    },
  };
}
