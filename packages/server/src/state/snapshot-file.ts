import { HalfspaceError } from 'halfspace';
import { decodeValue, encodeValue } from 'halfspace/runs';
import { crc32c } from '../journal/crc32c.ts';
import type { RowNamesState } from './row-names.ts';

/** The parts of a snapshot, as plain data. */
export interface SnapshotParts {
  /** Name of the model. */
  readonly name: string;
  readonly sequence: number;
  readonly digest: string;
  /** Largest number of ids. */
  readonly limit: number;
  readonly names: RowNamesState;
  readonly ids: readonly (readonly [id: string, sequence: number])[];
  /** State of the watcher. */
  readonly watch: unknown;
  /** Result of `OnlineClassifier.save`. */
  readonly classifier: string;
  /** Null: there is none. */
  readonly shadow: { readonly state: unknown; readonly classifier: string } | null;
}

const format = 'halfspace-snapshot';
const version = 3;

/** Number of characters of the last line, with its end. */
const crcCharacters = 9;

/**
 * Returns the text of a snapshot as bytes, of lines: JSON about it, JSON of the ids, JSON of the watcher, the state of
 * the classifier, that of a shadow if there is one, the CRC32C of these as 8 hexadecimal digits.
 */
export function encodeSnapshot(parts: SnapshotParts): Uint8Array {
  const { name, sequence, digest, limit, names, ids, watch, classifier, shadow } = parts;
  const about = { format, version, name, sequence, digest, limit, names, shadow: shadow?.state ?? null };
  const json = [about, ids, encodeValue(watch)].map((each) => `${JSON.stringify(each)}\n`).join('');
  const bytes = Buffer.from(`${json}${classifier}${shadow?.classifier ?? ''}`);
  return Buffer.concat([bytes, Buffer.from(`${crcOf(bytes)}\n`)]);
}

/** Reads the result of {@link encodeSnapshot}. @throws HalfspaceError `source-corrupt`. */
export function decodeSnapshot(bytes: Uint8Array): SnapshotParts {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, Math.max(0, bytes.length - crcCharacters));
  const last = Buffer.from(bytes.buffer, bytes.byteOffset + body.length, bytes.length - body.length).toString('latin1');
  if (last !== `${crcOf(body)}\n`) throw corrupt('expected a snapshot as it was written; got one with another CRC');
  const lines = linesOf(body);
  const about = JSON.parse(lines[0] ?? '') as Readonly<Record<string, unknown>> & SnapshotParts;
  if (about?.format !== format || about.version !== version)
    throw corrupt(
      `expected a snapshot of version ${version}; got version ${about?.version}: use the halfspace that wrote it`,
    );
  const { name, sequence, digest, limit, names, shadow } = about;
  const ids = JSON.parse(lines[1]!) as SnapshotParts['ids'];
  if (
    !isText(name) ||
    ![sequence, limit, names?.next].every(isCount) ||
    !/^[0-9a-f]{32}$/.test(`${digest}`) ||
    !(isListOf(names.lists, (list) => isListOf(list, isText)) && names.next <= names.lists.length) ||
    !isListOf(ids, (id) => isListOf(id, () => true) && isText(id[0]) && isCount(id[1])) ||
    (shadow !== null && lines[4] === undefined)
  )
    throw corrupt('expected a snapshot with the members that the service writes; got others');
  return {
    name,
    sequence,
    digest,
    limit,
    names,
    ids,
    watch: decodeValue(JSON.parse(lines[2]!)),
    classifier: lines[3]!,
    shadow: shadow === null ? null : { state: shadow, classifier: lines[4]! },
  };
}

/** Returns the digest of the state in a snapshot that was just made. */
export function digestIn(snapshot: Uint8Array): string {
  const about = Buffer.from(snapshot.buffer, snapshot.byteOffset, snapshot.indexOf(10)).toString();
  return (JSON.parse(about) as SnapshotParts).digest;
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown) => typeof value === 'string';

function isListOf(value: unknown, isMember: (member: never) => boolean): boolean {
  return Array.isArray(value) && value.every((member) => isMember(member as never));
}

/** Returns the lines of a text, without their ends. */
function linesOf(bytes: Buffer): string[] {
  const lines: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf('\n', from);
    lines.push(bytes.toString('utf8', from, end < 0 ? bytes.length : end));
    from = end < 0 ? bytes.length : end + 1;
  }
  return lines;
}

function crcOf(bytes: Uint8Array): string {
  return crc32c(bytes).toString(16).padStart(8, '0');
}

function corrupt(message: string): HalfspaceError {
  return new HalfspaceError('source-corrupt', message);
}
