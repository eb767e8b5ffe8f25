import { HalfspaceError } from '../errors.ts';
import type { Members } from '../json.ts';
import { sha256 } from './sha256.ts';

/** Returns the digest of a file's members without `digest`: the SHA-256 of their {@link canonicalJson}. */
export function digestOf(body: object): string {
  return `sha256:${sha256(new TextEncoder().encode(canonicalJson(body)))}`;
}

/**
 * Returns a file's members without `digest`. @throws HalfspaceError `model-invalid` if they do not have that digest.
 */
export function checkDigest({ digest, ...body }: Members): Members {
  try {
    if (digest === digestOf(body)) return body;
  } catch {
    // JSON nested too deep for the runtime's serializer; none of our files is.
  }
  const expected = 'expected the file as it was written';
  throw new HalfspaceError(
    'model-invalid',
    `${expected}; got one that was edited or damaged (its digest does not fit)`,
  );
}

/**
 * Returns JSON without white space, the members of each object in the order of their names' UTF-16 code units: the JSON
 * Canonicalization Scheme of RFC 8785. A database may store members in another order.
 */
export function canonicalJson(value: unknown): string {
  if (!isNested(value) || (Array.isArray(value) && !value.some(isNested))) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
