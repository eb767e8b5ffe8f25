import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { HalfspaceError } from 'halfspace';
import { openWhole, type WholeFile } from 'halfspace/node';
import { mark } from './page/mark.ts';

/** What there is at the beginning of a file that may be replaced. */
export interface Replaceable {
  /** `a model`: what is to be written. */
  readonly kind: string;
  /** `the model goes` */
  readonly place: string;
  readonly mark: string;
}

const headBytes = 1024;

/** A file may take the place of an older one of its kind, never of anything else: a slip of the hand must not cost data. */
export function refuseToReplace(path: string, { kind, place, mark }: Replaceable): void {
  const present = statSync(path, { throwIfNoEntry: false });
  if (present === undefined || !present.isFile() || present.size === 0) return;
  const file = openSync(path, 'r');
  const head = Buffer.alloc(headBytes);
  const length = readSync(file, head, 0, head.length, 0);
  closeSync(file);
  if (!head.subarray(0, length).toString().includes(mark))
    throw new HalfspaceError(
      'write-failed',
      `expected ${kind}, or no file, where ${place}; got a file of another kind`,
      {
        source: path,
      },
    );
}

/** Opens a page before the work, so that a place that cannot be written to is known before it; null where none is asked for. */
export function openPage(path: string | undefined): WholeFile | null {
  if (path === undefined) return null;
  refuseToReplace(path, { kind: 'a report', place: 'the report goes', mark });
  return openWhole(path);
}
