/** Decompresses zstd pieces as they come. */
export async function* decompressZstd(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import('fzstd');
  const ready: Uint8Array[] = [];
  const stream = new Decompress((piece) => {
    ready.push(piece);
  });
  for await (const piece of pieces) {
    stream.push(piece);
    yield* ready.splice(0);
  }
  stream.push(new Uint8Array(0), true);
  yield* ready.splice(0);
}
