import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { HalfspaceError } from 'halfspace';
import { readWhole, wholeKinds } from 'halfspace/node';

/** Paths of files in PEM: a certificate, with those that lead to its root behind it, and its private key. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Texts in PEM that fit together. */
export interface TlsTexts extends TlsFiles {
  /** Tells why clients refuse the certificate now; null if its dates are no reason. */
  readonly warning: string | null;
}

/**
 * Reads the files of TLS, and tests if a service can use them.
 *
 * @throws HalfspaceError `source-unreadable`; `option-invalid`, with the file.
 */
export function readTls(files: TlsFiles): TlsTexts {
  const certificate = textOf(files.certificate, 'a certificate');
  const key = textOf(files.key, 'a private key');
  const first = inFile(
    files.certificate,
    'a certificate in PEM; got other text',
    () => new X509Certificate(certificate),
  );
  const own = privateKey(key, files.key);
  if (!first.checkPrivateKey(own))
    throw refused(files.key, 'the private key of the first certificate in the file of certificates; got another one');
  inFile(files.certificate, 'a certificate and a key that TLS takes; got weak or broken ones', () =>
    createSecureContext({ cert: certificate, key }),
  );
  return { certificate, key, warning: warningOf(first) };
}

/** Words beside the certificates may be in any encoding. */
function textOf(path: string, what: string): string {
  return Buffer.from(readWhole(path, { ...wholeKinds.pem, what: `${what} in PEM` })).toString();
}

function privateKey(text: string, path: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    const got = /^-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(text)
      ? 'a key with a password, which nobody could enter at a start'
      : 'other text';
    throw refused(path, `a private key in PEM; got ${got}`);
  }
}

function warningOf({ validFrom, validTo }: X509Certificate): string | null {
  const now = Date.now();
  const day = (date: string) => new Date(date).toISOString();
  if (now >= Date.parse(validTo)) return `clients refuse the certificate: it ended at ${day(validTo)}`;
  if (now < Date.parse(validFrom)) return `clients refuse the certificate: it begins at ${day(validFrom)}`;
  return null;
}

/** OpenSSL's own words for a fault may be anything. */
function inFile<T>(path: string, expected: string, make: () => T): T {
  try {
    return make();
  } catch {
    throw refused(path, expected);
  }
}

function refused(source: string, expected: string): HalfspaceError {
  return new HalfspaceError('option-invalid', `expected ${expected}`, { source });
}
