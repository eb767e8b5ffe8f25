import { join } from 'node:path';
import { HalfspaceError } from 'halfspace';
import type { Disk } from '../disk/disk.ts';
import { readWhole } from '../journal/files.ts';
import { sequenceOf } from '../journal/frame.ts';
import { numbersIn, segmentName, snapshotName } from '../journal/names.ts';
import { readSegment, readSegmentHeader } from '../journal/read-segment.ts';
import type { SegmentHeader } from '../journal/segment-header.ts';
import { segmentHeaderBytes } from '../journal/segment-header.ts';
import type { ModelState } from '../state/model-state.ts';

export interface Replayed {
  readonly state: ModelState;
  /** Header of the last segment, if it has no record and nothing was replayed; else null. */
  readonly clean: SegmentHeader | null;
}

/**
 * Reads the newest snapshot and applies the records behind it. Changes no file.
 *
 * @param begin makes the state of a snapshot. It throws if the snapshot is damaged.
 * @param onTorn is told of an incomplete group at the end of the journal, which is left out.
 * @throws HalfspaceError `source-corrupt` for files that are damaged or missing.
 */
export async function replay(
  disk: Disk,
  folder: string,
  begin: (snapshot: Uint8Array) => ModelState,
  onTorn: (message: string) => void,
): Promise<Replayed> {
  const { segments, snapshots } = numbersIn(await disk.list(folder));
  const state = await newestState(disk, folder, snapshots, begin);
  const from = state.sequence;
  // Segments that end before the snapshot are left from an interrupted removal.
  const needed = segments.filter((_, k) => !(segments[k + 1]! <= from + 1));
  if (needed.length === 0 || needed[0]! > from + 1) {
    const path = join(folder, segmentName(needed.length === 0 ? from + 1 : from + 1));
    throw damaged(
      `expected this segment of the journal, with the records from ${from + 1} on; it is missing: restore the folder from a copy`,
      path,
    );
  }
  for (const [k, first] of needed.entries()) {
    const path = join(folder, segmentName(first));
    const isLast = k === needed.length - 1;
    const header = await readSegmentHeader(disk, path);
    if (header === null || header.first !== first)
      throw damaged('expected the header of a segment; got a damaged one: restore the file from a copy', path, 0);
    if (header.first === state.sequence + 1 && header.digest !== state.digest)
      throw damaged(
        `expected a segment that follows the state with digest ${state.digest}; got one that follows ${header.digest}: the folder has files of different models`,
        path,
      );
    const end = await readSegment(disk, path, header, (bytes, at, to) => {
      if (sequenceOf(bytes, at) > state.sequence) state.apply(bytes, at, to);
    });
    const follows = isLast ? end.next : needed[k + 1]!;
    if (end.rest === 'damaged' || (!isLast && (end.rest !== 'none' || end.next !== follows)))
      throw damaged(
        `expected record ${end.next}; got damaged bytes, and records behind them that were durable. Restore the file from a copy. To go on without record ${end.next} and all later ones: remove the later segments, then truncate -s ${end.whole} on this file`,
        path,
        end.whole,
      );
    if (end.rest === 'torn')
      onTorn(
        `left out ${end.size - end.whole} bytes at the end of ${path}, from byte ${end.whole} on: an incomplete group of records. A crash leaves one, and then none of them was acknowledged; if the file was cut or was copied while the service ran, they are lost`,
      );
    if (isLast && from === state.sequence && first === from + 1 && end.size === segmentHeaderBytes)
      return { state, clean: header };
  }
  return { state, clean: null };
}

/** Returns the state of the newest snapshot that is whole. */
async function newestState(
  disk: Disk,
  folder: string,
  snapshots: readonly number[],
  begin: (snapshot: Uint8Array) => ModelState,
): Promise<ModelState> {
  let first: unknown = null;
  for (const sequence of snapshots.toReversed()) {
    const path = join(folder, snapshotName(sequence));
    try {
      const state = begin((await readWhole(disk, path))!);
      if (state.sequence === sequence) return state;
      throw damaged(`expected a snapshot of sequence number ${sequence}; got one of ${state.sequence}`, path);
    } catch (error) {
      if (!(error instanceof HalfspaceError)) throw error;
      first ??= error.at({ source: path });
    }
  }
  throw first ?? damaged('expected a snapshot; the folder has none: restore it from a copy', folder);
}

/** Makes the refusal of a file. */
export function damaged(message: string, source: string, byte?: number): HalfspaceError {
  return new HalfspaceError('source-corrupt', message, byte === undefined ? { source } : { source, byte });
}
