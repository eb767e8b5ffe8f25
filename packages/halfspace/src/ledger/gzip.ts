import { HalfspaceError } from '../errors.ts';
import { misfit } from './bytes.ts';
import { deflate } from './deflate.ts';
import { largestBlock } from './format.ts';

/** Compresses to a gzip member (RFC 1952) without time and name: equal bytes in every runtime, see deflate.ts. */
export function gzip(bytes: Uint8Array): Uint8Array {
  const packed = deflate(bytes);
  const member = new Uint8Array(head.length + packed.length + 8);
  member.set(head);
  member.set(packed, head.length);
  const tail = new DataView(member.buffer, head.length + packed.length);
  tail.setUint32(0, crc32(bytes), true);
  tail.setUint32(4, bytes.length, true);
  return member;
}

/** Magic, method 8 (deflate), no flags, no time, no extra flags, system 255 (unknown). */
const head = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = remainders[(rest ^ byte) & 0xff]! ^ (rest >>> 8);
  return ~rest >>> 0;
}

/** Decompresses the result of {@link gzip}. @throws HalfspaceError `ledger-invalid` for damaged bytes. */
export async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await collected(through(bytes, new DecompressionStream('gzip')));
  } catch (error) {
    if (error instanceof HalfspaceError) throw error;
    throw misfit('gzip data', 'damaged bytes');
  }
}

function through(bytes: Uint8Array, transform: DecompressionStream): ReadableStream<Uint8Array> {
  const writer = transform.writable.getWriter();
  // A failure here also fails the read, which reports it.
  writer.write(bytes as Uint8Array<ArrayBuffer>).catch(() => {});
  writer.close().catch(() => {});
  return transform.readable as ReadableStream<Uint8Array>;
}

async function collected(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.length;
    if (length > largestBlock) {
      reader.cancel().catch(() => {});
      throw misfit(`a block of at most ${largestBlock} bytes`, 'a larger one');
    }
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
