import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { HalfspaceError } from 'halfspace';

/**
 * A file may take the place of an older one of its kind, never of anything else: a slip of the hand must not cost data.
 *
 * @param kind for the message: `a model`.
 * @param mark what the first bytes of such a file have in them.
 * @throws HalfspaceError `write-failed`.
 */
export function refuseToReplace(path: string, kind: string, mark: string): void {
  const present = statSync(path, { throwIfNoEntry: false });
  if (present === undefined || !present.isFile() || present.size === 0) return;
  const file = openSync(path, 'r');
  const head = Buffer.alloc(64);
  readSync(file, head, 0, head.length, 0);
  closeSync(file);
  if (head.toString().includes(mark)) return;
  throw new HalfspaceError(
    'write-failed',
    `expected ${kind}, or no file, where the ${kind.replace(/^an? /, '')} goes; got a file of another kind`,
    { source: path },
  );
}

/** What the first bytes of a model file have in them. */
export const modelMark = '"format": "halfspace-model"';
/** What a ledger begins with. */
export const ledgerMark = 'halfspace-ledger ';
