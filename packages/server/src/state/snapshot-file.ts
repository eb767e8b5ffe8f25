import { HalfspaceError } from 'halfspace';
import { crc32c } from '../journal/crc32c.ts';

/** The parts of a snapshot, as plain data. */
export interface SnapshotParts {
  readonly sequence: number;
  readonly digest: string;
  /** Largest number of ids. */
  readonly limit: number;
  readonly ids: readonly (readonly [id: string, sequence: number])[];
  /** Result of `OnlineClassifier.save`. */
  readonly classifier: string;
}

const format = 'halfspace-snapshot';
const version = 1;

/** Number of characters of the last line, with its end. */
const crcCharacters = 9;

/**
 * Returns the text of a snapshot as bytes, of four lines: JSON about it, JSON of the ids, the state of the classifier,
 * the CRC32C of these as 8 hexadecimal digits.
 */
export function encodeSnapshot({ sequence, digest, limit, ids, classifier }: SnapshotParts): Uint8Array {
  const about = { format, version, sequence, digest, limit };
  const bytes = Buffer.from(`${JSON.stringify(about)}\n${JSON.stringify(ids)}\n${classifier}`);
  return Buffer.concat([bytes, Buffer.from(`${crcOf(bytes)}\n`)]);
}

/** Reads the result of {@link encodeSnapshot}. @throws HalfspaceError `source-corrupt`. */
export function decodeSnapshot(bytes: Uint8Array): SnapshotParts {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, Math.max(0, bytes.length - crcCharacters));
  const last = Buffer.from(bytes.buffer, bytes.byteOffset + body.length, bytes.length - body.length).toString('latin1');
  if (last !== `${crcOf(body)}\n`) throw corrupt('expected a snapshot as it was written; got one with another CRC');
  const idsAt = body.indexOf('\n') + 1;
  const classifierAt = body.indexOf('\n', idsAt) + 1;
  const about = JSON.parse(body.toString('utf8', 0, idsAt)) as { format: unknown; version: unknown } & SnapshotParts;
  if (about.format !== format || about.version !== version)
    throw corrupt(`expected a snapshot of version ${version}; got one of version ${about.version}`);
  const { sequence, digest, limit } = about;
  const ids = JSON.parse(body.toString('utf8', idsAt, classifierAt)) as SnapshotParts['ids'];
  return { sequence, digest, limit, ids, classifier: body.toString('utf8', classifierAt) };
}

function crcOf(bytes: Uint8Array): string {
  return crc32c(bytes).toString(16).padStart(8, '0');
}

function corrupt(message: string): HalfspaceError {
  return new HalfspaceError('source-corrupt', message);
}
