import { crc32 } from '../data/crc32.ts';
import { HalfspaceError } from '../errors.ts';
import { misfit } from './bytes.ts';
import { largestBlock } from './format.ts';

/** Most bytes in a stored block of DEFLATE (RFC 1951). */
const mostStored = 0xffff;

/**
 * Returns a gzip member (RFC 1952) of stored blocks, without time and name. Compressors differ between runtimes and
 * their versions; stored bytes are equal everywhere, and the checksum detects damage.
 */
export function gzip(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / mostStored));
  const member = new Uint8Array(head.length + 5 * blocks + bytes.length + 8);
  const view = new DataView(member.buffer);
  member.set(head);
  let at = head.length;
  for (let k = 0; k < blocks; k++) {
    const part = bytes.subarray(k * mostStored, (k + 1) * mostStored);
    member[at] = k === blocks - 1 ? 1 : 0;
    view.setUint16(at + 1, part.length, true);
    view.setUint16(at + 3, ~part.length, true);
    member.set(part, at + 5);
    at += 5 + part.length;
  }
  view.setUint32(at, crc32(bytes), true);
  view.setUint32(at + 4, bytes.length, true);
  return member;
}

/** Magic, method 8 (deflate), no flags, no time, no extra flags, system 255 (unknown). */
const head = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

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
