import type { Certificate } from './certificate.ts';

/**
 * Returns the SHA-256 of a certificate's other members, as JSON without white space and with the members of each object
 * in the order of their names (RFC 8785). It detects a changed or cut file; it is not a signature.
 */
export async function digestOfCertificate(certificate: Omit<Certificate, 'digest'>): Promise<string> {
  const { digest: _, ...body } = certificate as Certificate;
  return digestOfBytes(new TextEncoder().encode(canonicalJson(body)));
}

/**
 * Parses the text of a certificate, or its bytes. Returns other values as they are.
 *
 * @throws TypeError for other text.
 */
export function parsedCertificate(value: unknown): Certificate {
  const isBytes = ArrayBuffer.isView(value) || Object.prototype.toString.call(value) === '[object ArrayBuffer]';
  if (!isBytes && typeof value !== 'string') return value as Certificate;
  const text = isBytes ? new TextDecoder().decode(value as ArrayBuffer) : (value as string);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new TypeError('expected a certificate (JSON); got other text');
  }
}

/** Returns `sha256:` and the SHA-256 of bytes. */
export async function digestOfBytes(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** As the library does for its files; the checker imports nothing of it. */
function canonicalJson(value: unknown): string {
  if (!isNested(value) || (Array.isArray(value) && !value.some(isNested))) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
