import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { HalfspaceError } from '../errors.ts';
import { clearAtExit } from './cleanup.ts';
import { changeOf, type FileStats } from './file-state.ts';
import { finalPlace } from './final-place.ts';
import { besides, otherLocker } from './maker.ts';
import { attemptToWrite } from './reason.ts';

/** The files that this process holds, by their places, as they were read or last written; undefined: absent. */
const held = new Map<string, FileStats | undefined>();

/** Number of attempts to hold a file. Of processes that attempt it at the same time, each may see the others. */
const attempts = 6;

/**
 * Holds a file that this process will read, change and replace, until the process ends. Call it before the file is
 * read: from then on no other process holds it, and `openWhole` replaces it only if it is what was read or written
 * last. So of two runs that go on from one file, none replaces what the other one wrote.
 *
 * The lock is an empty file beside it whose name says which process made it, so that of a killed process holds nothing.
 * Processes of other machines and containers cannot be seen; for them there is the comparison alone.
 *
 * @throws HalfspaceError `write-failed` if another process holds the file.
 */
export async function holdFile(path: string): Promise<void> {
  const place = attemptToWrite(path, () => finalPlace(path));
  if (!held.has(place)) await lock(place, path);
  held.set(place, statSync(place, { bigint: true, throwIfNoEntry: false }));
}

async function lock(place: string, path: string): Promise<void> {
  const own = besides(place, '.lock');
  const remove = () => rmSync(own, { force: true });
  for (let attempt = 1; ; attempt++) {
    const settled = clearAtExit(remove);
    let other: number | null;
    try {
      // First made, then looked for others: of two processes at least one sees the other.
      other = attemptToWrite(path, () => {
        closeQuietly(openSync(own, 'w'));
        return otherLocker(place);
      });
      if (other === null) return;
    } catch (error) {
      remove();
      settled();
      throw error;
    }
    remove();
    settled();
    if (attempt === attempts)
      throw new HalfspaceError(
        'write-failed',
        `expected a file that no other run goes on from; got one that process ${other} will replace: wait until that run ends, or give another file`,
        { source: path },
      );
    await sleep(Math.random() * 10 * 2 ** attempt);
  }
}

/** Closes an empty file: nothing can be lost. */
function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // The name of a lock is all that counts.
  }
}

/** Remembers what this process wrote to a place, if it holds it. */
export function holdWritten(place: string, written: FileStats): void {
  if (held.has(place)) held.set(place, written);
}

/**
 * Compares a file that is held with what was read. A file that was removed can be written again: nothing is lost.
 *
 * @throws HalfspaceError `source-changed`.
 */
export function checkHeld(place: string, path: string): void {
  if (!held.has(place)) return;
  const before = held.get(place);
  const now = statSync(place, { bigint: true, throwIfNoEntry: false });
  const change = now === undefined ? null : before === undefined ? 'made' : changeOf(before, now);
  if (change === null) return;
  throw new HalfspaceError(
    'source-changed',
    `expected the file that this run read, to replace it; got one that was ${change} since: it is left as it is, without what this run did since; run again to go on from it`,
    { source: path },
  );
}
