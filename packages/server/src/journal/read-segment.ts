import type { Disk } from '../disk/disk.ts';
import { frameBytesAt, frameHeaderBytes, groupAt, isFrame, sequenceOf } from './frame.ts';
import { decodeSegmentHeader, type SegmentHeader, seedOf, segmentHeaderBytes } from './segment-header.ts';

/** The end of the records that could be read. */
export interface SegmentEnd {
  /** Offset behind the last whole record. */
  readonly whole: number;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Sequence number of the next record. */
  readonly next: number;
  /**
   * The bytes from `whole` to the end. `none`: there are none. `torn`: the rest of a group that was not durable; of no
   * example in it was it said that it is learned, unless the disk changed it later. `damaged`: it was durable and
   * changed since.
   */
  readonly rest: 'none' | 'torn' | 'damaged';
}

const chunkBytes = 2 ** 22;

/** Reads the header of a segment; null if it is damaged. */
export async function readSegmentHeader(disk: Disk, path: string): Promise<SegmentHeader | null> {
  return decodeSegmentHeader(await disk.read(path, 0, segmentHeaderBytes));
}

/**
 * Reads a segment from its first record to the first one that is not whole.
 *
 * @param onRecord is called with each payload, the bytes from `from` to `to`, which are valid until it returns.
 */
export async function readSegment(
  disk: Disk,
  path: string,
  header: SegmentHeader,
  onRecord: (bytes: Buffer, from: number, to: number) => void,
): Promise<SegmentEnd> {
  const size = (await disk.size(path)) ?? 0;
  const seed = seedOf(await disk.read(path, 0, segmentHeaderBytes));
  const begin = { offset: segmentHeaderBytes, next: header.first };
  const { offset: whole, next } = await readRecords(disk, path, seed, begin, size, (bytes, from, to) => {
    onRecord(bytes, from, to);
    return true;
  });
  if (whole >= size) return { whole, size, next, rest: 'none' };
  const rest = await disk.read(path, whole, size - whole);
  return { whole, size, next, rest: hasLaterGroup(rest, whole, seed) ? 'damaged' : 'torn' };
}

/** A place between two records of a segment. */
export interface SegmentPlace {
  readonly offset: number;
  /** Sequence number of the record behind it. */
  readonly next: number;
}

/**
 * Reads records from a place on, to the first one that is not whole.
 *
 * @param seed of the segment.
 * @param size bytes of the file that may be read.
 * @param onRecord as for {@link readSegment}; false: the record is not taken, and reading ends before it.
 * @param chunk bytes that are read at once; a record that is longer is read as a whole.
 */
export async function readRecords(
  disk: Disk,
  path: string,
  seed: number,
  { offset: begin, next: first }: SegmentPlace,
  size: number,
  onRecord: (bytes: Buffer, from: number, to: number) => boolean,
  chunk = chunkBytes,
): Promise<SegmentPlace> {
  let next = first;
  /** Offset of the bytes in the file. */
  let offset = begin;
  let bytes: Buffer = Buffer.alloc(0);
  let at = 0;
  for (;;) {
    const needed = bytes.length - at < frameHeaderBytes ? frameHeaderBytes : frameBytesAt(bytes, at);
    if (needed === null) break;
    if (bytes.length - at < needed) {
      offset += at;
      at = 0;
      if (offset + needed > size) break;
      bytes = asBuffer(await disk.read(path, offset, Math.max(needed, chunk)));
      if (bytes.length < needed) break;
      continue;
    }
    const end = at + needed;
    if (!isFrame(bytes, at, end, seed) || groupAt(bytes, at) > offset + at) break;
    const from = at + frameHeaderBytes;
    if (sequenceOf(bytes, from) !== next || !onRecord(bytes, from, end)) break;
    next++;
    at = end;
  }
  return { offset: offset + at, next };
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** Tests if a whole frame of a group that begins behind an offset is among bytes from this offset on. */
function hasLaterGroup(bytes: Uint8Array, offset: number, seed: number): boolean {
  for (let at = 1; at + frameHeaderBytes <= bytes.length; at++) {
    const group = groupAt(bytes, at);
    if (group <= offset || group > offset + at) continue;
    const length = frameBytesAt(bytes, at);
    if (length !== null && at + length <= bytes.length && isFrame(bytes, at, at + length, seed)) return true;
  }
  return false;
}
