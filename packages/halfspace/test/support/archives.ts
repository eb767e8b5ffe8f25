import { crc32, deflateRawSync } from 'node:zlib';

/** A file in an archive. */
export interface ZippedFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Default true. */
  readonly isDeflated?: boolean;
  /** Flags of its headers. Default 0. */
  readonly flags?: number;
}

/** Writes a ZIP archive. @param wide true to write sizes and positions as ZIP64 does. */
export function zipOf(files: readonly ZippedFile[], { wide = false, comment = '' } = {}): Uint8Array {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const { name, content, isDeflated = true, flags = 0 } of files) {
    const bytes = Buffer.from(content);
    const packed = isDeflated ? deflateRawSync(bytes) : bytes;
    const facts = [20, flags, isDeflated ? 8 : 0, 0, 0].flatMap((value) => [value & 255, value >> 8]);
    const size = (value: number) => (wide ? 0xffff_ffff : value);
    const numbers = Buffer.alloc(12);
    numbers.writeUInt32LE(crc32(bytes), 0);
    numbers.writeUInt32LE(size(packed.length), 4);
    numbers.writeUInt32LE(size(bytes.length), 8);
    const extra = Buffer.alloc(wide ? 28 : 0);
    if (wide) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(24, 2);
      for (const [k, value] of [bytes.length, packed.length, at].entries())
        extra.writeBigUInt64LE(BigInt(value), 4 + 8 * k);
    }
    const lengths = Buffer.from([Buffer.byteLength(name), 0, extra.length, 0]);
    const local = [Buffer.from('PK\x03\x04'), Buffer.from(facts), numbers, lengths, Buffer.from(name), extra, packed];
    const place = Buffer.alloc(14);
    place.writeUInt32LE(size(at), 10);
    const entry = [
      Buffer.from('PK\x01\x02\x14\x00'),
      Buffer.from(facts),
      numbers,
      lengths,
      place,
      Buffer.from(name),
      extra,
    ];
    locals.push(Buffer.concat(local));
    entries.push(Buffer.concat(entry));
    at += locals.at(-1)!.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(wide ? 0xffff_ffff : directory.length, 12);
  end.writeUInt32LE(wide ? 0xffff_ffff : at, 16);
  end.writeUInt16LE(comment.length, 20);
  const wideEnd = Buffer.alloc(wide ? 76 : 0);
  if (wide) {
    wideEnd.write('PK\x06\x06', 'latin1');
    wideEnd.writeBigUInt64LE(BigInt(directory.length), 40);
    wideEnd.writeBigUInt64LE(BigInt(at), 48);
    wideEnd.write('PK\x06\x07', 56, 'latin1');
    wideEnd.writeBigUInt64LE(BigInt(at + directory.length), 64);
  }
  return Buffer.concat([...locals, directory, wideEnd, end, Buffer.from(comment)]);
}

/** Frames of Zstandard (RFC 8878) written by hand, of blocks that are stored as they are or are one byte repeated. */

export interface FrameOptions {
  /** Whether a checksum ends the frame. */
  readonly checksum?: boolean;
  /** Bytes of a block at most. */
  readonly block?: number;
  /** Base-two logarithm of the window that the header asks for. Default 17. */
  readonly windowLog?: number;
}

const magic = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);

export function frameOf(
  data: Uint8Array,
  { checksum = true, block = 1000, windowLog = 17 }: FrameOptions = {},
): Uint8Array {
  const parts: Uint8Array[] = [magic, Uint8Array.of(checksum ? 4 : 0, (windowLog - 10) << 3)];
  let at = 0;
  do {
    const piece = data.subarray(at, at + block);
    at += piece.length;
    const isRun = piece.length > 1 && piece.every((byte) => byte === piece[0]);
    parts.push(blockHeader(at === data.length, isRun ? 1 : 0, piece.length), isRun ? piece.subarray(0, 1) : piece);
  } while (at < data.length);
  if (checksum) parts.push(littleEndian(xxh64(data) & 0xffff_ffffn, 4));
  return Buffer.concat(parts);
}

export function skippableFrame(content: Uint8Array, kind = 0): Uint8Array {
  return Buffer.concat([
    Uint8Array.of(0x50 + kind, 0x2a, 0x4d, 0x18),
    littleEndian(BigInt(content.length), 4),
    content,
  ]);
}

/** A frame of `blocks` blocks of 128 KiB each, four bytes a block. */
export function bomb(blocks: number): Uint8Array {
  const parts: Uint8Array[] = [magic, Uint8Array.of(0, 7 << 3)];
  for (let k = 0; k < blocks; k++) parts.push(blockHeader(k === blocks - 1, 1, 128 * 1024), Uint8Array.of(0x20));
  return Buffer.concat(parts);
}

function blockHeader(last: boolean, type: number, size: number): Uint8Array {
  return littleEndian(BigInt((last ? 1 : 0) | (type << 1) | (size << 3)), 3);
}

function littleEndian(value: bigint, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, k) => Number((value >> BigInt(8 * k)) & 0xffn));
}

const mask = 0xffff_ffff_ffff_ffffn;
const [p1, p2, p3, p4, p5] = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
];
const rotated = (x: bigint, by: bigint) => ((x << by) | (x >> (64n - by))) & mask;
const round = (sum: bigint, word: bigint) => (rotated((sum + word * p2) & mask, 31n) * p1) & mask;

/** XXH64 with the seed 0 (Y. Collet, xxHash). */
function xxh64(data: Uint8Array): bigint {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let at = 0;
  let hash = p5;
  if (data.length >= 32) {
    let sums = [(p1 + p2) & mask, p2, 0n, -p1 & mask];
    for (; at + 32 <= data.length; at += 32)
      sums = sums.map((sum, k) => round(sum, view.getBigUint64(at + 8 * k, true)));
    hash = sums.reduce((total, sum, k) => total + rotated(sum, [1n, 7n, 12n, 18n][k]!), 0n) & mask;
    for (const sum of sums) hash = ((hash ^ round(0n, sum)) * p1 + p4) & mask;
  }
  hash = (hash + BigInt(data.length)) & mask;
  for (; at + 8 <= data.length; at += 8)
    hash = (rotated(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * p1 + p4) & mask;
  if (at + 4 <= data.length) {
    hash = (rotated(hash ^ ((BigInt(view.getUint32(at, true)) * p1) & mask), 23n) * p2 + p3) & mask;
    at += 4;
  }
  for (; at < data.length; at++) hash = (rotated(hash ^ ((BigInt(data[at]!) * p5) & mask), 11n) * p1) & mask;
  hash = ((hash ^ (hash >> 33n)) * p2) & mask;
  hash = ((hash ^ (hash >> 29n)) * p3) & mask;
  return hash ^ (hash >> 32n);
}
