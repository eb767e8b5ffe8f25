import { HalfspaceError } from '../../errors.ts';
import { type Compression, compressionOf } from '../compression.ts';
import { fileAccess } from './file-access.ts';

type Pieces = AsyncIterable<Uint8Array>;
type AnyPieces = Pieces | Iterable<Uint8Array>;

/**
 * Yields pieces, decompressed if their first bytes are those of gzip or zstd.
 *
 * @throws HalfspaceError `source-unreadable` for compressed bytes that this runtime does not decompress.
 */
export async function* plainPieces(pieces: AnyPieces, name: string): AsyncGenerator<Uint8Array> {
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
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
    const compression = compressionOf(Uint8Array.from(magic));
    yield* compression === null ? all : await decompressed(compression, all, name);
  } finally {
    await iterator.return?.();
  }
}

async function* joined(
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array> | Iterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* head;
  for (;;) {
    const { done, value } = await rest.next();
    if (done === true) return;
    yield value;
  }
}

async function decompressed(compression: Compression, pieces: Pieces, name: string): Promise<Pieces> {
  const files = await fileAccess();
  if (files !== null) return files.decompress(compression, pieces, name);
  const advice = compression === 'gzip' ? ", such as stream.pipeThrough(new DecompressionStream('gzip'))" : '';
  throw new HalfspaceError(
    'source-unreadable',
    `expected plain text; got ${compression}: pass a stream that decompresses it${advice}`,
    { source: name },
  );
}
