import * as crypto from 'node:crypto';

/** Number of hexadecimal digits of a digest: 16 bytes of SHA-256. */
export const digestDigits = 32;

/** Returns the first digits of the SHA-256 of bytes or text. */
export const digestOf: (content: Uint8Array | string) => string =
  // `hash` came with Node 20.12; it takes a third of the time.
  typeof crypto.hash === 'function'
    ? (content) => crypto.hash('sha256', content as Buffer).slice(0, digestDigits)
    : (content) => crypto.createHash('sha256').update(content).digest('hex').slice(0, digestDigits);

let room = Buffer.alloc(4096);

/**
 * Returns the digest of a state and one more record: that of the digits of the state's digest and the payload, which is
 * from `from` to `to`.
 */
export function chained(digest: string, bytes: Buffer, from = 0, to = bytes.length): string {
  const length = digestDigits + to - from;
  if (room.length < length) room = Buffer.alloc(2 * length);
  room.write(digest, 0, 'latin1');
  bytes.copy(room, digestDigits, from, to);
  return digestOf(room.subarray(0, length));
}
