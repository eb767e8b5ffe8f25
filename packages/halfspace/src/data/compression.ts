export type Compression = 'gzip' | 'zstd';

/** Returns the compression by the first four bytes. */
export function compressionOf(bytes: Uint8Array): Compression | null {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  // A frame, or one of the sixteen kinds of skippable frames.
  const [a, b, c, d] = bytes;
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return 'zstd';
  return a !== undefined && (a & 0xf0) === 0x50 && b === 0x2a && c === 0x4d && d === 0x18 ? 'zstd' : null;
}
