import { statSync } from 'node:fs';
import type { FeatureEncoding } from 'halfspace';
import { HalfspaceError } from 'halfspace';
import { isTooDeep, readAs } from 'halfspace/checks';
import { parseEncoding } from 'halfspace/models';
import { type Certificate, digestOfCertificate, encodeCertificate, rootAbove, rootBelow } from 'halfspace-certify';
import { readText } from './model-file.ts';

interface CertificateFile {
  /** The parsed JSON; the checker checks every member. */
  readonly certificate: unknown;
  /** The encoding of the data. It is checked for tables only. */
  readonly features: FeatureEncoding;
  readonly classes: readonly [string, string];
}

/**
 * Reads a certificate.
 *
 * @returns null for a certificate that was changed after it was made. Then its encoding cannot be trusted either.
 * @throws HalfspaceError `source-unreadable`; `certificate-invalid` if the file is no certificate, or has no encoding
 * to read data with.
 */
export async function readCertificate(path: string): Promise<CertificateFile | null> {
  const text = readText(path, 'certificate');
  if (isTooDeep(text)) throw refused('expected a certificate; got JSON that is nested too deeply', path);
  let certificate: Partial<Certificate>;
  try {
    certificate = JSON.parse(text);
  } catch {
    throw refused('expected a certificate (JSON); got other text', path);
  }
  if (certificate?.format !== 'halfspace-certificate') throw refused('expected a certificate; got other JSON', path);
  const { digest, data } = certificate;
  if (typeof digest === 'string' && (await digestOfCertificate(certificate as Certificate)) !== digest) return null;
  const { features, classes, products = [] } = data ?? {};
  if (!Array.isArray(classes) || classes.length !== 2 || !classes.every((name) => typeof name === 'string'))
    throw refused('expected the names of two classes in the certificate; got none', path);
  const isName = (name: unknown) => typeof name === 'string';
  if (
    !Array.isArray(products) ||
    !products.every((each) => Array.isArray(each) && each.length === 2 && each.every(isName))
  )
    throw refused('expected pairs of names as products in the certificate; got others', path);
  if (typeof features !== 'object' || features === null)
    throw refused('expected a certificate that says how its data are read; got one without features', path);
  if ((features as FeatureEncoding).kind === 'table')
    readAs({ code: 'certificate-invalid', source: path }, () => parseEncoding(features));
  return { certificate, features: features as FeatureEncoding, classes: [classes[0], classes[1]] };
}

function refused(message: string, source: string): HalfspaceError {
  return new HalfspaceError('certificate-invalid', message, { source });
}

/**
 * Returns the text of a certificate file. Reads it back and compares it with the certificate.
 *
 * @param path of the file, for messages.
 * @throws HalfspaceError `certificate-invalid`.
 */
export async function certificateFileText(certificate: Certificate, path: string): Promise<string> {
  const text = encodeCertificate(certificate);
  const again = JSON.parse(text) as Certificate;
  if (encodeCertificate(again) !== text || (await digestOfCertificate(again)) !== certificate.digest)
    throw refused('expected a certificate that can be read again; got one that cannot: nothing is written', path);
  return text;
}

/**
 * Tests if the certificate that is already in the file is kept: if it is about the same data and proves more
 * than the new one. If the search was stopped, it is kept unless the new one proves at least as much.
 */
export async function provesMore(path: string, certificate: Certificate, stopped: boolean): Promise<boolean> {
  const present = statSync(path, { throwIfNoEntry: false });
  if (present === undefined || !present.isFile() || present.size === 0) return false;
  let before: Certificate;
  try {
    const file = await readCertificate(path);
    if (file === null) return stopped;
    before = file.certificate as Certificate;
  } catch {
    return stopped;
  }
  if (before.data.digest !== certificate.data.digest) return stopped;
  try {
    return lacks(certificate, before) && (stopped || !lacks(before, certificate));
  } catch {
    // A file with a valid digest can still lack members.
    return stopped;
  }
}

/** Tests if `other` proves something that `certificate` does not. */
function lacks(certificate: Certificate, other: Certificate): boolean {
  const margin = ({ separator }: Certificate) => (separator === null ? 0 : rootBelow(separator.marginSquared));
  const ceiling = ({ ceiling: found, verdict }: Certificate) =>
    verdict === 'not-separable' ? 0 : found === null ? Infinity : rootAbove(found.marginSquared);
  const errors = ({ errors: bounds }: Certificate) => ({
    least: bounds?.atLeast ?? 0,
    most: bounds?.atMost ?? Infinity,
  });
  return (
    (other.verdict !== 'unknown' && certificate.verdict === 'unknown') ||
    margin(certificate) < margin(other) ||
    ceiling(certificate) > ceiling(other) ||
    errors(certificate).least < errors(other).least ||
    other.predictions.some(({ row, atLeast }) => {
      const own = certificate.predictions.find((each) => each.row === row);
      return own === undefined || own.atLeast < atLeast;
    }) ||
    errors(certificate).most > errors(other).most
  );
}
