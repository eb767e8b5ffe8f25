import type { Compression } from '../data/compression.ts';
import { gunzipped } from './archive.ts';
import { decompressZstd } from './zstd/decompress.ts';

/** Decompresses pieces while they arrive. @throws HalfspaceError `source-corrupt`. */
export function decompress(
  compression: Compression,
  pieces: AsyncIterable<Uint8Array>,
  name: string,
): AsyncIterable<Uint8Array> {
  return compression === 'gzip' ? gunzipped(pieces, name) : decompressZstd(pieces, name);
}
