import type { Compression } from '../data/compression.ts';
import { HalfspaceError } from '../errors.ts';

/** The largest output. */
const outputBytes = 1024 * 1024;

/**
 * Decompresses gzip (RFC 1952) of one or more members. Only another member may follow one: other bytes are refused,
 * also zeros, so that garbage is not taken for the end.
 *
 * @throws HalfspaceError `source-corrupt`, with the byte in the archive if known.
 */
export async function* gunzipped(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  // Loaded here because most files do not need it, and loading takes longer than reading a small file.
  const { createGunzip } = await import('node:zlib');
  // Every output costs a turn of the event loop, so outputs are long.
  const gunzip = createGunzip({ chunkSize: outputBytes });
  let failed: unknown = null;
  /** Bytes of the archive passed to gunzip. */
  let given = 0;
  const feeding = (async () => {
    try {
      for await (const piece of pieces) {
        given += piece.length;
        // gunzip has ended at a member that zeros follow; the check below refuses them.
        if (gunzip.destroyed || gunzip.readableEnded) break;
        if (!gunzip.write(piece)) await drained(gunzip);
      }
      if (!gunzip.destroyed) gunzip.end();
    } catch (error) {
      failed = error;
      gunzip.destroy();
    }
  })();
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (failed !== null) throw failed;
    const { code, message } = error as NodeJS.ErrnoException;
    const cut = code === 'Z_BUF_ERROR' || /unexpected end of file/i.test(message);
    throw cut ? cutShort('gzip', name, given) : damaged('gzip', message, name, gunzip.bytesWritten);
  } finally {
    gunzip.destroy();
  }
  await feeding;
  if (failed !== null) throw failed;
  if (gunzip.bytesWritten < given) throw damaged('gzip', 'what follows is no gzip', name, gunzip.bytesWritten);
}

function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of ['drain', 'close', 'end'] as const) stream.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'close', 'end'] as const) stream.on(event, done);
  });
}

/** Makes the error for an archive that ends too early. @param byte the position of its end. */
export function cutShort(kind: Compression, source: string, byte: number): HalfspaceError {
  return new HalfspaceError('source-corrupt', `expected a whole ${kind} file; got one that is cut short`, {
    source,
    byte,
  });
}

/** Makes the error for damaged bytes. @param byte a position in the archive, at or before the fault. */
export function damaged(kind: Compression, reason: string, source: string, byte: number): HalfspaceError {
  return new HalfspaceError('source-corrupt', `expected ${kind} data; got damaged bytes (${reason})`, { source, byte });
}
