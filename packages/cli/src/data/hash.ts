import { createHash } from 'node:crypto';
import { sha256 } from 'halfspace/models';

/** Number of bytes that the library's own code hashes faster than Node's module loads. */
const few = 8192;

/** Returns the SHA-256 of bytes as hexadecimal digits. */
export function hash(bytes: Uint8Array): string {
  return bytes.length <= few ? sha256(bytes) : createHash('sha256').update(bytes).digest('hex');
}
