import { HalfspaceError } from '../errors.ts';
import { largestBlock } from './format.ts';

/** Compresses with the runtime's own gzip, which Node, browsers and edge workers have. */
export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  return collected(through(bytes, new CompressionStream('gzip')));
}

/** What {@link gzip} was given. @throws HalfspaceError `ledger-invalid` for damaged bytes. */
export async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await collected(through(bytes, new DecompressionStream('gzip')));
  } catch (error) {
    if (error instanceof HalfspaceError) throw error;
    throw new HalfspaceError('ledger-invalid', 'expected gzip data; got damaged bytes');
  }
}

function through(bytes: Uint8Array, transform: CompressionStream | DecompressionStream): ReadableStream<Uint8Array> {
  const writer = transform.writable.getWriter();
  // What fails here fails the reading too, which is where it is told.
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
      throw new HalfspaceError('ledger-invalid', `expected a block of at most ${largestBlock} bytes; got a larger one`);
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
