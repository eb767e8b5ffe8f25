import { cutShort, damaged } from 'halfspace/node';

/**
 * Decompresses zstd (RFC 8878) as it comes, the same on every runtime: frames that follow each other, empty and skippable ones among them,
 * are read to the end; checksums are compared; windows are at most 128 MiB, as for the program `zstd` itself, so memory does not grow with
 * what an archive claims.
 *
 * @throws HalfspaceError `source-corrupt` with the byte of the archive: cut, damaged, or followed by something else.
 */
export async function* decompressZstd(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const { ZstdDecoder } = await import('./zstd-decoder.ts');
  const decoder = await ZstdDecoder.create();
  for await (const piece of pieces)
    for (const output of decoder.decode(piece)) {
      if (typeof output === 'string') throw damaged('zstd', output, name, decoder.byte);
      yield output;
    }
  if (!decoder.isBetweenFrames) throw cutShort('zstd', name, decoder.byte);
}
