import type { Compression } from '../data/compression.ts';
import { gunzipped } from './archive.ts';
import { decompressZstd } from './zstd/decompress.ts';

/**
 * Decompresses pieces while they arrive. Each is valid until the next is requested.
 *
 * @throws HalfspaceError `source-corrupt`.
 */
export function decompress(
  compression: Compression,
  pieces: AsyncIterable<Uint8Array>,
  name: string,
): AsyncIterable<Uint8Array> {
  return compression === 'gzip' ? gunzipped(pieces, name) : decompressZstd(pieces, name);
}

/** Bytes to read of an archive at once. Each piece of gzip costs turns of the event loop. */
export function pieceBytesOf(compression: Compression): number {
  return compression === 'gzip' ? 512 * 1024 : 64 * 1024;
}
