import { HalfspaceError, quote } from '../errors.ts';
import { crc32 } from './crc32.ts';

/*
 * ZIP archives (APPNOTE.TXT 6.3.10 of PKWARE) with one file of data. The directory is at the end, so the bytes must be
 * there in any order. Sizes and checksums of the directory are checked.
 */

/** Bytes that can be read in any order. */
export interface RandomBytes {
  readonly size: number;
  read(from: number, to: number): Promise<Uint8Array> | Uint8Array;
}

interface Entry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** Position of its own header. */
  readonly at: number;
}

/** Longest comment at the end of an archive, and length of what stands before it. */
const longestComment = 0xffff;
const endBytes = 22;
const mostDirectoryBytes = 64 * 1024 * 1024;
/** Bytes to decompress at once. DEFLATE makes at most 1,032 times as many of them. */
const pieceBytes = 64 * 1024;

/** Tests for the first bytes of a ZIP archive, such as an .xlsx file. */
export function isZip([a, b, c, d]: Uint8Array): boolean {
  return a === 0x50 && b === 0x4b && c === 3 && d === 4;
}

/** Tests if names of files in an archive show a spreadsheet or a text document. */
export function isOfDocument(names: string): boolean {
  return /\[Content_Types\]\.xml|_rels\/|\bmimetypeapplication\b|^mimetype$/.test(names);
}

/**
 * Yields the only file of data in a ZIP archive. Other bytes pass unchanged, also documents in such archives.
 *
 * @param plain yields all bytes.
 * @throws HalfspaceError `source-corrupt` for several files, and for damaged ones.
 */
export async function* unzipped(
  bytes: RandomBytes,
  source: string,
  plain: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const entries = isZip(await bytes.read(0, Math.min(4, bytes.size))) ? await directoryOf(bytes) : null;
  if (entries === null || entries.some(({ name }) => isOfDocument(name))) yield* plain();
  else yield* contentOf(bytes, onlyOne(entries, source), source);
}

/** Returns the files of an archive; null: its directory cannot be found. */
async function directoryOf(bytes: RandomBytes): Promise<Entry[] | null> {
  const { size } = bytes;
  const from = Math.max(0, size - endBytes - longestComment);
  const tail = viewOf(await bytes.read(from, size));
  let end = tail.byteLength - endBytes;
  while (end >= 0 && !(tail.getUint32(end, true) === 0x06054b50 && isLast(tail, end))) end--;
  if (end < 0) return null;
  let [length, at] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  if (end >= 20 && tail.getUint32(end - 20, true) === 0x07064b50) {
    const place = long(tail, end - 12);
    if (place + 56 > size) return null;
    const wide = viewOf(await bytes.read(place, place + 56));
    [length, at] = [long(wide, 40), long(wide, 48)];
  }
  if (at + length > size || length > mostDirectoryBytes) return null;
  return entriesOf(await bytes.read(at, at + length));
}

/** Tests if an end is followed by its comment only. */
function isLast(tail: DataView, end: number): boolean {
  return end + endBytes + tail.getUint16(end + 20, true) === tail.byteLength;
}

function entriesOf(directory: Uint8Array): Entry[] | null {
  const view = viewOf(directory);
  const entries: Entry[] = [];
  for (let at = 0; at + 46 <= directory.length; ) {
    if (view.getUint32(at, true) !== 0x02014b50) return null;
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const extra = at + 46 + nameLength!;
    const next = extra + extraLength! + commentLength!;
    if (next > directory.length) return null;
    const wide = wideValues(view, extra, extra + extraLength!);
    const value = (place: number) => {
      const short = view.getUint32(at + place, true);
      return short === 0xffff_ffff ? (wide.shift() ?? short) : short;
    };
    const size = value(24);
    entries.push({
      name: new TextDecoder().decode(directory.subarray(at + 46, extra)),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      size,
      packed: value(20),
      at: value(42),
    });
    at = next;
  }
  return entries;
}

/** Returns the values of eight bytes that stand in an extra field if four bytes are too few. */
function wideValues(view: DataView, from: number, to: number): number[] {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    const count = Math.floor(Math.min(view.getUint16(at + 2, true), to - at - 4) / 8);
    return Array.from({ length: count }, (_, k) => long(view, at + 4 + 8 * k));
  }
  return [];
}

function onlyOne(entries: readonly Entry[], source: string): Entry {
  const files = entries.filter(({ name }) => !name.endsWith('/') && !name.startsWith('__MACOSX/'));
  const [first] = files;
  const piped = (name: string) => `unzip -p ${shellWord(source)} ${shellWord(name)} | halfspace train -`;
  if (first === undefined) throw refused('one file in the ZIP archive', 'none', source);
  if (files.length > 1) {
    const names = files.slice(0, 5).map(({ name }) => quote(name));
    const all = `${names.join(', ')}${files.length > names.length ? ', …' : ''}`;
    throw refused('one file in the ZIP archive', `${files.length}, ${all}: ${piped(first.name)} reads one`, source);
  }
  if ((first.flags & 1) === 1) throw refused('a ZIP archive without a password', 'an encrypted file', source);
  if (first.method !== 0 && first.method !== 8)
    throw refused(
      'a stored or deflated file in the ZIP archive',
      `method ${first.method}: ${piped(first.name)}`,
      source,
    );
  return first;
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

async function* contentOf(bytes: RandomBytes, entry: Entry, source: string): AsyncGenerator<Uint8Array> {
  const header = entry.at + 30 <= bytes.size ? viewOf(await bytes.read(entry.at, entry.at + 30)) : null;
  if (header?.getUint32(0, true) !== 0x04034b50) throw damaged('no header of its file', source, entry.at);
  const from = entry.at + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  if (from + entry.packed > bytes.size) throw damaged('a file beyond its end', source, from);
  let length = 0;
  let crc = 0;
  const packed = () => partsOf(bytes, from, from + entry.packed);
  for await (const piece of entry.method === 0 ? packed() : inflated(packed(), source, from)) {
    length += piece.length;
    if (length > entry.size) break;
    crc = crc32(piece, crc);
    yield piece;
  }
  if (length !== entry.size || crc !== entry.crc) throw damaged('another size or checksum than it says', source, from);
}

async function* partsOf(bytes: RandomBytes, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += pieceBytes) yield await bytes.read(at, Math.min(at + pieceBytes, to));
}

/** Decompresses with the runtime's own means, a piece at a time. */
async function* inflated(pieces: AsyncGenerator<Uint8Array>, source: string, from: number): AsyncGenerator<Uint8Array> {
  let failed: unknown = null;
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value.slice());
      } catch (error) {
        failed = error;
        controller.error(error);
      }
    },
  });
  const reader = packed.pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch {
    throw failed ?? damaged('no DEFLATE', source, from);
  } finally {
    reader.cancel().catch(() => {});
  }
}

function refused(expected: string, got: string, source: string): HalfspaceError {
  return new HalfspaceError('source-corrupt', `expected ${expected}; got ${got}`, { source });
}

function damaged(reason: string, source: string, byte: number): HalfspaceError {
  return new HalfspaceError('source-corrupt', `expected a whole ZIP archive; got ${reason}`, { source, byte });
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Returns eight bytes as a number. */
function long(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}
