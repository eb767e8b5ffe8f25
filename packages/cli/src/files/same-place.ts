import { type BigIntStats, fstatSync, statSync } from 'node:fs';
import { descriptorOf, finalPlace } from 'halfspace/node';

/** A file, by all that two names of one file have in common. */
export interface Place {
  /** Device and number of a file that is there; null for a file that is not there yet. */
  readonly id: string | null;
  /** Its path without links; null where there is none, as for a descriptor. */
  readonly path: string | null;
}

/** Where a path leads; null for what is no regular file, such as a pipe or a device, and for what cannot come to be. */
export function placeOf(path: string): Place | null {
  try {
    const present = statSync(path, { throwIfNoEntry: false, bigint: true });
    if (present !== undefined && !present.isFile()) return null;
    return { id: present === undefined ? null : idOf(present), path: finalPlace(path) };
  } catch {
    return null;
  }
}

/** The file that a descriptor stands for, or null. */
export function placeOfDescriptor(descriptor: number): Place | null {
  try {
    const present = fstatSync(descriptor, { bigint: true });
    return present.isFile() ? { id: idOf(present), path: null } : null;
  } catch {
    return null;
  }
}

/** Some systems have no numbers of files, and give 0. */
function idOf({ dev, ino }: BigIntStats): string | null {
  return ino === 0n ? null : `${dev}:${ino}`;
}

/**
 * Whether two places are one file. Of two files that are not there yet nobody knows whether the system tells upper from lower case, or
 * composed from decomposed letters, so names that differ in nothing else count as one.
 */
export function isSamePlace(a: Place, b: Place): boolean {
  if (a.id !== null && b.id !== null) return a.id === b.id;
  if (a.path === null || b.path === null) return false;
  return a.path === b.path || (a.id === null && b.id === null && folded(a.path) === folded(b.path));
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Whether a path such as /dev/stdout names a descriptor: what is written there goes where the caller has led it, behind what is there. */
export function isDescriptor(path: string): boolean {
  return descriptorOf(path) !== null;
}
