import { HalfspaceError } from '../../errors.ts';
import { compressionOf } from '../compression.ts';
import { fileAccess } from './file-access.ts';

type Pieces = AsyncIterable<Uint8Array>;

/**
 * Yields pieces, decompressed if their first bytes are those of gzip.
 *
 * @throws HalfspaceError `source-unreadable` for compressed bytes that this runtime does not decompress.
 */
export async function* plainPieces(pieces: Pieces, name: string): AsyncGenerator<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  const magic: number[] = [];
  try {
    while (magic.length < 4) {
      const { done, value } = await iterator.next();
      if (done === true) break;
      // The caller of `next` may reuse the bytes of a piece.
      head.push(value.slice());
      magic.push(...value.subarray(0, 4));
    }
    const all = joined(head, iterator);
    yield* compressionOf(Uint8Array.from(magic)) === null ? all : await decompressed(all, magic, name);
  } finally {
    await iterator.return?.();
  }
}

async function* joined(head: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* head;
  for (;;) {
    const { done, value } = await rest.next();
    if (done === true) return;
    yield value;
  }
}

async function decompressed(pieces: Pieces, magic: readonly number[], name: string): Promise<Pieces> {
  const kind = compressionOf(Uint8Array.from(magic))!;
  const files = kind === 'gzip' ? await fileAccess() : null;
  if (files !== null) return files.gunzip(pieces, name);
  throw new HalfspaceError(
    'source-unreadable',
    `expected plain text; got ${kind}: pass a stream that decompresses it${kind === 'gzip' ? ", such as stream.pipeThrough(new DecompressionStream('gzip'))" : ''}`,
    { source: name },
  );
}
