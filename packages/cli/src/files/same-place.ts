import { type BigIntStats, fstatSync, statSync } from 'node:fs';
import { descriptorOf, finalPlace } from 'halfspace/node';

/** Identifies a file independently of its name. */
export interface Place {
  /** Device and number of an existing file; null for a file that does not exist yet. */
  readonly id: string | null;
  /** Path without links; null for a descriptor. */
  readonly path: string | null;
}

/** Returns where a path leads; null for pipes, devices and folders, and for a path that cannot be created. */
export function placeOf(path: string): Place | null {
  try {
    const present = statSync(path, { throwIfNoEntry: false, bigint: true });
    if (present !== undefined && !present.isFile()) return null;
    return { id: present === undefined ? null : idOf(present), path: finalPlace(path) };
  } catch {
    return null;
  }
}

/** Tests if there is something at a path that is no file: a folder, a pipe, a device. */
export function isNoFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  } catch {
    return false;
  }
}

/** Returns the file of a descriptor, or null. */
export function placeOfDescriptor(descriptor: number): Place | null {
  try {
    const present = fstatSync(descriptor, { bigint: true });
    return present.isFile() ? { id: idOf(present), path: null } : null;
  } catch {
    return null;
  }
}

/** Returns null on systems without file numbers, which report 0. */
function idOf({ dev, ino }: BigIntStats): string | null {
  return ino === 0n ? null : `${dev}:${ino}`;
}

/**
 * Tests if two places are the same file. For files that do not exist yet it is unknown whether the system
 * distinguishes upper from lower case, or composed from decomposed letters. So names that differ only in these count as
 * the same.
 */
export function isSamePlace(a: Place, b: Place): boolean {
  if (a.id !== null && b.id !== null) return a.id === b.id;
  if (a.path === null || b.path === null) return false;
  return a.path === b.path || (a.id === null && b.id === null && folded(a.path) === folded(b.path));
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Tests if a path such as /dev/stdout names a descriptor. Output to a descriptor is appended. */
export function isDescriptor(path: string): boolean {
  return descriptorOf(path) !== null;
}
