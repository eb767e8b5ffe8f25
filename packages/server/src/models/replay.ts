import { join } from 'node:path';
import { HalfspaceError } from 'halfspace';
import type { Disk } from '../disk/disk.ts';
import { readWhole } from '../journal/files.ts';
import { sequenceOf } from '../journal/frame.ts';
import { copyName, numbersIn, segmentName, snapshotName } from '../journal/names.ts';
import { readSegment, readSegmentHeader } from '../journal/read-segment.ts';
import type { SegmentHeader } from '../journal/segment-header.ts';
import { segmentHeaderBytes } from '../journal/segment-header.ts';
import type { ModelState } from '../state/model-state.ts';

export interface Replayed {
  readonly state: ModelState;
  /** Header of the last segment, if it has no record and the snapshot and its copy are the same; else null. */
  readonly clean: SegmentHeader | null;
}

/**
 * Reads the newest snapshot that is whole, or its copy, and applies the records behind it. Changes no file.
 *
 * @param begin makes the state of a snapshot. It throws if the snapshot is damaged.
 * @param tell is told of a damaged snapshot that its copy replaces, and of an incomplete group at the end of the
 *   journal, which is left out.
 * @param onDamage is given the refusal of a segment that is damaged or missing. By default it throws it. If it returns,
 *   the state ends there.
 * @param upTo number of the last record that is applied. What is behind it may be written meanwhile.
 * @throws HalfspaceError `source-corrupt` also if no snapshot is whole.
 */
export async function replay(
  disk: Disk,
  folder: string,
  begin: (snapshot: Uint8Array) => ModelState,
  tell: (message: string) => void,
  onDamage: (error: HalfspaceError) => void = (error) => {
    throw error;
  },
  upTo = Number.POSITIVE_INFINITY,
): Promise<Replayed> {
  const { segments, closed, snapshots } = numbersIn(await disk.list(folder));
  const known = snapshots.filter((sequence) => sequence <= upTo);
  const { state, isTwice } = await newestState(disk, folder, known, begin, tell);
  const from = state.sequence;
  const endAt = (error: HalfspaceError): Replayed => {
    onDamage(error);
    return { state, clean: null };
  };
  // Segments that end before the snapshot are left from an interrupted removal.
  const needed = segments.filter((_, k) => !(segments[k + 1]! <= from + 1));
  const missing = (first: number) =>
    endAt(
      damaged(
        `expected this segment of the journal, with the records from ${first} on; it is missing: ${remedy}`,
        join(folder, segmentName(first)),
      ),
    );
  if (needed.length === 0 || needed[0]! > from + 1) return missing(from + 1);
  for (const [k, first] of needed.entries()) {
    const isClosed = closed.includes(first);
    const path = join(folder, segmentName(first, isClosed));
    const isLast = k === needed.length - 1;
    const header = await readSegmentHeader(disk, path);
    if (header === null || header.first !== first)
      return endAt(damaged(`expected the header of a segment; got a damaged one: ${remedy}`, path, 0));
    if (header.first === state.sequence + 1 && header.digest !== state.digest)
      return endAt(
        damaged(
          `expected a segment that follows the state with digest ${state.digest}; got one that follows ${header.digest}: the folder has files of different models`,
          path,
        ),
      );
    const end = await readSegment(disk, path, header, (bytes, at, to) => {
      const sequence = sequenceOf(bytes, at);
      if (sequence > state.sequence && sequence <= upTo) state.apply(bytes, at, to);
    });
    if (state.sequence === upTo) return { state, clean: null };
    const follows = isLast ? end.next : needed[k + 1]!;
    if (end.rest === 'damaged' || (!isLast && (end.rest !== 'none' || end.next !== follows)))
      return endAt(
        damaged(
          `expected record ${end.next}; got damaged bytes, and records behind them that were durable: ${remedy}`,
          path,
          end.whole,
        ),
      );
    if (isLast && isClosed) return missing(end.next);
    if (end.rest === 'torn')
      tell(
        `left out ${end.size - end.whole} bytes at the end of ${path}, from byte ${end.whole} on: an incomplete group of records. A crash leaves one, and then none of them was acknowledged; if the file was cut or was copied while the service ran, they are lost`,
      );
    if (isLast && isTwice && from === state.sequence && first === from + 1 && end.size === segmentHeaderBytes)
      return { state, clean: header };
  }
  return { state, clean: null };
}

const remedy = 'restore the folder from a copy; "halfspace serve --check" says what it can repair';

/** Returns the state of the newest snapshot that is whole, and if both its files are as they were written. */
async function newestState(
  disk: Disk,
  folder: string,
  snapshots: readonly number[],
  begin: (snapshot: Uint8Array) => ModelState,
  tell: (message: string) => void,
): Promise<{ readonly state: ModelState; readonly isTwice: boolean }> {
  let first: HalfspaceError | null = null;
  for (const sequence of snapshots.toReversed()) {
    for (const name of [snapshotName(sequence), copyName(sequence)]) {
      const source = join(folder, name);
      try {
        const bytes = await readWhole(disk, source).catch(unreadable);
        if (bytes === null) throw damaged('expected this snapshot; it is missing', source);
        const state = begin(bytes);
        if (state.sequence !== sequence)
          throw damaged(`expected a snapshot of sequence number ${sequence}; got one of ${state.sequence}`, source);
        if (first !== null) {
          tell(`${first.message}. ${name} is read in its place`);
          return { state, isTwice: false };
        }
        const copy = await readWhole(disk, join(folder, copyName(sequence))).catch((error) => {
          if (error.code !== 'EIO') throw error;
          return null;
        });
        return { state, isTwice: copy !== null && Buffer.compare(bytes, copy) === 0 };
      } catch (error) {
        if (!(error instanceof HalfspaceError)) throw error;
        first ??= error.at({ source });
      }
    }
  }
  throw first ?? damaged('expected a snapshot; the folder has none: restore it from a copy', folder);
}

/** Makes a refusal of the failure of a disk that cannot read some bytes. */
function unreadable(error: unknown): never {
  if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
  throw new HalfspaceError('source-corrupt', `expected bytes that the disk can read; got ${(error as Error).message}`);
}

/** Makes the refusal of a file. */
export function damaged(message: string, source: string, byte?: number): HalfspaceError {
  return new HalfspaceError('source-corrupt', message, byte === undefined ? { source } : { source, byte });
}

/** Codes of errors of the system that one file has, and not the whole disk. */
const codesOfFiles: readonly unknown[] = ['EACCES', 'EIO', 'EISDIR', 'ELOOP', 'ENOENT', 'ENOTDIR', 'EPERM'];

/** Returns the error that says what is wrong with the files of a model; null if they did not cause this one. */
export function damageOf(error: unknown, folder: string): Error | null {
  if (error instanceof HalfspaceError) return error.code === 'write-failed' ? null : error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return damaged(`expected files as the service writes them; got others: ${message}`, folder);
  return codesOfFiles.includes(code) ? (error as Error) : null;
}
