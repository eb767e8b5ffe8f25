const digits = 16;
const segmentPattern = /^(?:closed-)?journal-(\d{16})$/;
const closedPattern = /^closed-journal-(\d{16})$/;
const snapshotPattern = /^(?:copy-)?snapshot-(\d{16})$/;

/** Returns a number so that the order of texts is that of numbers. */
function padded(sequence: number): string {
  return String(sequence).padStart(digits, '0');
}

/** @param isClosed true: a later segment was begun, so one must be there. */
export function segmentName(first: number, isClosed = false): string {
  return `${isClosed ? 'closed-' : ''}journal-${padded(first)}`;
}

export function snapshotName(sequence: number): string {
  return `snapshot-${padded(sequence)}`;
}

/** Returns the name of the second copy of a snapshot. It is read if the disk damages the first. */
export function copyName(sequence: number): string {
  return `copy-${snapshotName(sequence)}`;
}

/** Returns the numbers of the segments, of the closed ones and of the snapshots among the names of a folder, rising. */
export function numbersIn(
  names: readonly string[],
): Readonly<Record<'segments' | 'closed' | 'snapshots', readonly number[]>> {
  const numbers = (pattern: RegExp) =>
    [...new Set(names.flatMap((name) => pattern.exec(name)?.slice(1).map(Number) ?? []))].sort((a, b) => a - b);
  return { segments: numbers(segmentPattern), closed: numbers(closedPattern), snapshots: numbers(snapshotPattern) };
}
