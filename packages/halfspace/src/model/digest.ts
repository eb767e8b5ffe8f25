import { HalfspaceError } from '../errors.ts';
import type { Members } from '../json.ts';
import { sha256 } from './sha256.ts';

/** SHA-256 of bytes, as 64 hexadecimal digits. */
export type Sha256 = (bytes: Uint8Array) => string;

/** Returns the digest of a file's members without `digest`, in their order. */
export function digestOf(body: object, hash: Sha256 = sha256): string {
  return digestOfText(JSON.stringify(body), hash);
}

/**
 * Returns a file's members without `digest`. @throws HalfspaceError `model-invalid` if they do not have that digest.
 */
export function checkDigest({ digest, ...body }: Members, hash?: Sha256): Members {
  let found: string | null = null;
  try {
    found = digestOf(body, hash);
  } catch {
    // JSON nested too deep for the runtime's serializer; none of our files is.
  }
  if (digest === found) return body;
  const expected = 'expected the file as it was written';
  throw new HalfspaceError(
    'model-invalid',
    `${expected}; got one that was edited or damaged (its digest does not fit)`,
  );
}

export function digestOfText(text: string, hash: Sha256): string {
  return `sha256:${hash(new TextEncoder().encode(text))}`;
}
