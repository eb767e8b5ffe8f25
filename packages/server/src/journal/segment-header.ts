import { crc32c } from './crc32c.ts';
import { uint32At } from './frame.ts';

/** The begin of a segment. */
export interface SegmentHeader {
  /** Sequence number of its first record. */
  readonly first: number;
  /** Digest of the state before that, 32 hexadecimal digits. */
  readonly digest: string;
}

const magic = 'HALFJRNL';
const version = 1;

/** 8 bytes of magic, version u32, first sequence number u64, 32 digits, CRC32C u32. */
export const segmentHeaderBytes = 56;

export function encodeSegmentHeader({ first, digest }: SegmentHeader): Uint8Array {
  const bytes = Buffer.alloc(segmentHeaderBytes);
  bytes.write(magic, 0, 'latin1');
  bytes.writeUInt32LE(version, 8);
  bytes.writeUInt32LE(first % 2 ** 32, 12);
  bytes.writeUInt32LE(Math.floor(first / 2 ** 32), 16);
  bytes.write(digest, 20, 'latin1');
  bytes.writeUInt32LE(crc32c(bytes, 0, 52), 52);
  return bytes;
}

/** Reads the begin of a segment; null if it is none that {@link encodeSegmentHeader} wrote. */
export function decodeSegmentHeader(bytes: Uint8Array): SegmentHeader | null {
  if (bytes.length < segmentHeaderBytes || uint32At(bytes, 52) !== crc32c(bytes, 0, 52)) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, segmentHeaderBytes).toString('latin1', 0, 52);
  if (!text.startsWith(magic) || uint32At(bytes, 8) !== version) return null;
  return { first: uint32At(bytes, 12) + uint32At(bytes, 16) * 2 ** 32, digest: text.slice(20) };
}

/**
 * Returns the CRC from which those of the segment's frames continue: the header's own. (The CRC of the whole header is
 * the same for all: that of any bytes and their CRC is.)
 */
export function seedOf(header: Uint8Array): number {
  return uint32At(header, 52);
}
