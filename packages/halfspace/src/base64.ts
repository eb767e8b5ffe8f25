// base64 in one piece. Node's `atob` and `btoa` look at every letter in JavaScript, its Buffer takes a fraction of the time.

/** What is wanted of Node's Buffer, where there is one. */
const { Buffer } = globalThis as {
  Buffer?: {
    from(buffer: ArrayBufferLike, byteOffset: number, length: number): { toString(encoding: 'base64'): string };
    from(text: string, encoding: 'base64'): Uint8Array;
  };
};

export function encodeBase64({ buffer, byteOffset, length }: Uint8Array): string {
  if (Buffer !== undefined) return Buffer.from(buffer, byteOffset, length).toString('base64');
  const bytes = new Uint8Array(buffer, byteOffset, length);
  let text = '';
  // Pieces of a multiple of three bytes join without padding; more arguments at once would overflow the stack.
  for (let i = 0; i < length; i += 12288)
    text += btoa(String.fromCharCode.apply(null, bytes.subarray(i, i + 12288) as unknown as number[]));
  return text;
}

/** @param text valid base64, such as {@link encodeBase64} gives. */
export function decodeBase64(text: string): Uint8Array {
  if (Buffer !== undefined) return Buffer.from(text, 'base64');
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}
