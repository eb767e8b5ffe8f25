import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spill } from '../data/store.ts';
import { HalfspaceError } from '../errors.ts';
import { reasonOf } from './reason.ts';
import { noRoom, temporaryFolder } from './temporary.ts';

/** Closes the files of spills that nobody holds any more: a source that was opened has no end of its own. */
const forgotten = new FinalizationRegistry<() => void>((close) => close());

/**
 * Makes a spill in a temporary file. If the system allows it, the file loses its name at once, so nothing is left
 * behind however the process ends.
 *
 * @param folder for the file. Default: the system's folder for temporary files (TMPDIR).
 */
export function temporarySpill(folder: string = tmpdir()): Spill {
  const own = temporaryFolder(folder);
  let file: number;
  try {
    file = openSync(join(own.path, 'examples'), 'wx+', 0o600);
  } catch (error) {
    own.remove();
    throw noRoom(error, folder);
  }
  try {
    own.remove();
  } catch {
    // This system does not unlink open files; `close` removes the folder.
  }
  let size = 0;
  const close = () => {
    closeSync(file);
    own.remove();
  };
  const spill: Spill = {
    append(bytes) {
      const position = size;
      let written = 0;
      try {
        while (written < bytes.length)
          written += writeSync(file, bytes, written, bytes.length - written, position + written);
      } catch (error) {
        throw new HalfspaceError(
          'write-failed',
          `expected room for ${bytes.length} bytes of data; got ${reasonOf(error)}`,
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
          throw new HalfspaceError('source-corrupt', `expected ${target.length} bytes of stored data; got ${done}`, {
            source: folder,
          });
        done += count;
      }
    },
    close() {
      forgotten.unregister(spill);
      close();
    },
  };
  forgotten.register(spill, close, spill);
  return spill;
}
