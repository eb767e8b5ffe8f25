import type { Compression } from '../data/compression.ts';
import { cutShort, damaged, gunzipped } from './archive.ts';

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

/**
 * Decompresses zstd (RFC 8878) piece by piece. Reads all frames, empty and skippable ones too, to the end of the
 * archive and compares checksums. Windows are at most 128 MiB, as for the program `zstd`, so memory does not grow with
 * what an archive claims.
 *
 * The decoder is the reference implementation in WebAssembly. The decoders of Node, Bun and Deno disagree on joined
 * frames, on checksums and on bytes after the last frame. A piece is valid until the next one is requested.
 *
 * @throws HalfspaceError `source-corrupt` with the byte of the archive: it is cut, damaged, or followed by something
 * else.
 */
export async function* decompressZstd(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const { ZstdDecoder } = await import('./zstd/decoder.ts');
  const decoder = await ZstdDecoder.create();
  for await (const piece of pieces)
    for (const output of decoder.decode(piece)) {
      if (typeof output === 'string') throw damaged('zstd', output, name, decoder.byte);
      yield output;
    }
  if (!decoder.isBetweenFrames) throw cutShort('zstd', name, decoder.byte);
}
