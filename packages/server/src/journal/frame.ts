import { crc32c } from './crc32c.ts';

/**
 * A frame of a segment, little-endian:
 *
 *     CRC32C u32 | length of the payload u32 | begin of the group u32 | payload
 *
 * The CRC is that of all that follows it, and it continues from the CRC of the segment's header: a frame of another
 * segment does not fit. A group is what was written at once; its begin here is the number of bytes that were durable
 * then, which is its own place if each group is synced. So a frame proves that all bytes before it were durable once.
 * The payload:
 *
 *     sequence u64 | kind u8 | body
 *
 * The digest of a record is that of its payload, so it does not depend on the groups.
 */
export const frameHeaderBytes = 12;
export const payloadHeaderBytes = 9;

/** Largest payload in bytes. */
export const mostPayloadBytes = 2 ** 24;

/** A record that has no sequence number yet. The body is JSON. */
export interface NewRecord {
  readonly kind: number;
  readonly body: string;
}

/** Returns the frames of a group, and the payload of each as a part of them. */
export function encodeGroup(
  records: readonly NewRecord[],
  first: number,
  group: number,
  seed: number,
): { readonly bytes: Buffer; readonly payloads: readonly Buffer[] } {
  const around = frameHeaderBytes + payloadHeaderBytes;
  const lengths = records.map(({ body }) => Buffer.byteLength(body));
  // The limits of rows, labels and ids keep records below it. A longer one could be written, but never read.
  if (lengths.some((length) => length + payloadHeaderBytes > mostPayloadBytes))
    throw new RangeError(`expected records of at most ${mostPayloadBytes} bytes; got a longer one`);
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + around + length, 0));
  const payloads: Buffer[] = [];
  let at = 0;
  for (let k = 0; k < records.length; k++) {
    const { kind, body } = records[k]!;
    const sequence = first + k;
    const end = at + around + lengths[k]!;
    bytes.writeUInt32LE(end - at - frameHeaderBytes, at + 4);
    bytes.writeUInt32LE(group, at + 8);
    bytes.writeUInt32LE(sequence % 2 ** 32, at + 12);
    bytes.writeUInt32LE(Math.floor(sequence / 2 ** 32), at + 16);
    bytes[at + 20] = kind;
    bytes.write(body, at + around);
    bytes.writeUInt32LE(crc32c(bytes, at + 4, end, seed), at);
    payloads.push(bytes.subarray(at + frameHeaderBytes, end));
    at = end;
  }
  return { bytes, payloads };
}

/** Returns the number of bytes of the frame at a position by its length; null if no frame has this length. */
export function frameBytesAt(bytes: Uint8Array, at: number): number | null {
  const length = uint32At(bytes, at + 4);
  return length < payloadHeaderBytes || length > mostPayloadBytes ? null : frameHeaderBytes + length;
}

/** Tests the CRC of the frame at a position. */
export function isFrame(bytes: Uint8Array, at: number, end: number, seed: number): boolean {
  return crc32c(bytes, at + 4, end, seed) === uint32At(bytes, at);
}

/** Returns the offset in the segment at which the group of the frame at a position begins. */
export function groupAt(bytes: Uint8Array, at: number): number {
  return uint32At(bytes, at + 8);
}

/** Returns the sequence number in the payload at a position. */
export function sequenceOf(bytes: Uint8Array, at = 0): number {
  return uint32At(bytes, at) + uint32At(bytes, at + 4) * 2 ** 32;
}

/** Returns the kind in the payload at a position. */
export function kindOf(bytes: Uint8Array, at = 0): number {
  return bytes[at + 8]!;
}

/** Returns the body of the payload from a position to its end. */
export function bodyOf(bytes: Buffer, at = 0, end = bytes.length): string {
  return bytes.toString('utf8', at + payloadHeaderBytes, end);
}

export function uint32At(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}
