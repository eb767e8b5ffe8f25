import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { HalfspaceError } from 'halfspace';
import { openBytes, reasonOf } from 'halfspace/node';
import { decompressZstd } from '../data/zstd.ts';

/** A table in a file. */
export interface TableFile {
  readonly path: string;
  /** For messages: the path, or `-` for standard input that was put in a file. */
  readonly name: string;
}

/** The beginning of a file, decompressed. */
export interface FileHead {
  readonly bytes: Uint8Array;
  /** Whether that is all of it. */
  readonly whole: boolean;
  /** As its first bytes tell, whatever its name. */
  readonly compression: 'gzip' | 'zstd' | 'none';
}

/** How much of a file is looked at to learn how it is written: some hundred rows even of wide tables. */
const headBytes = 256 * 1024;

/**
 * Reads the beginning of a file.
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`.
 */
export async function readHead(file: TableFile): Promise<FileHead> {
  const source = file.name;
  const bytes = new Uint8Array(headBytes);
  let length: number;
  try {
    const status = statSync(file.path);
    if (!status.isFile())
      throw new HalfspaceError(
        'source-unreadable',
        `expected a file; got ${status.isDirectory() ? 'a directory' : 'a pipe, which can be read only once (give it as -)'}`,
        { source },
      );
    const descriptor = openSync(file.path, 'r');
    length = readSync(descriptor, bytes, 0, headBytes, 0);
    closeSync(descriptor);
  } catch (error) {
    if (error instanceof HalfspaceError) throw error;
    throw new HalfspaceError('source-unreadable', `expected a readable file; got ${reasonOf(error)}`, { source });
  }
  const compression = compressionOf(bytes);
  if (compression !== 'none') length = await readArchive(file, compression, bytes);
  if (length === 0) throw new HalfspaceError('source-empty', 'expected a table; got an empty file', { source });
  return { bytes: bytes.subarray(0, length), whole: length < headBytes, compression };
}

function compressionOf(bytes: Uint8Array): FileHead['compression'] {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd ? 'zstd' : 'none';
}

/** Fills `target` with the beginning of what an archive holds, and returns how much that is. */
async function readArchive({ path }: TableFile, compression: 'gzip' | 'zstd', target: Uint8Array): Promise<number> {
  const file = createReadStream(path);
  const pieces: AsyncIterable<Uint8Array> = compression === 'gzip' ? file.pipe(createGunzip()) : decompressZstd(file);
  let length = 0;
  try {
    for await (const piece of pieces) {
      const part = piece.subarray(0, target.length - length);
      target.set(part, length);
      length += part.length;
      if (length === target.length) break;
    }
  } catch {
    // What is there will do for a first look; checkArchive finds the fault.
  } finally {
    file.destroy();
  }
  return length;
}

/**
 * Reads a whole archive. DuckDB takes one that is cut short for one that ends there, so that rows would be lost without a word.
 * @throws HalfspaceError `source-corrupt`.
 */
export async function checkArchive(file: TableFile): Promise<void> {
  const source = await openBytes(file.path, { name: file.name, zstd: decompressZstd });
  const buffer = new Uint8Array(headBytes);
  while ((await source.read(buffer)) > 0);
}

/** The text of a head. @throws HalfspaceError `source-corrupt` for UTF-16 and binary data. */
export function headText({ bytes, whole }: FileHead, source: string): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw new HalfspaceError('source-corrupt', 'expected UTF-8 text; got UTF-16', { source, byte: 0 });
  const zero = bytes.indexOf(0);
  if (zero !== -1) throw new HalfspaceError('source-corrupt', 'expected text; got binary data', { source, byte: zero });
  const text = new TextDecoder().decode(bytes).replace(/^\uFEFF/, '');
  // A head may end within a letter.
  return whole ? text : text.replace(/\uFFFD+$/, '');
}
