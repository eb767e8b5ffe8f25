import type { Certificate } from './certificate.ts';

/** Returns the SHA-256 of a certificate's other members. It detects a changed or cut file; it is not a signature. */
export async function digestOfCertificate(certificate: Omit<Certificate, 'digest'>): Promise<string> {
  const { digest: _, ...body } = certificate as Certificate;
  return digestOfBytes(new TextEncoder().encode(JSON.stringify(body)));
}

/** Returns `sha256:` and the SHA-256 of bytes. */
export async function digestOfBytes(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
