import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { HalfspaceError } from 'halfspace';
import { compressionOf, reasonOf } from 'halfspace/node';
import { bytesOf, type TableFile } from './text-pieces.ts';

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
/** Of tables with a longer first or second line more, up to this. */
export const mostHeadBytes = 64 * 1024 * 1024;

/**
 * Reads the beginning of a file, the first two lines at least.
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`; `row-malformed` for longer lines.
 */
export async function readHead(file: TableFile): Promise<FileHead> {
  const source = file.name;
  const compression = compressionOf(firstBytes(file)) ?? 'none';
  const pieces: Uint8Array[] = [];
  let length = 0;
  let lines = 0;
  let whole = true;
  try {
    for await (const piece of bytesOf(file)) {
      pieces.push(piece.slice());
      length += piece.length;
      for (let at = piece.indexOf(10); at !== -1 && lines < 2; at = piece.indexOf(10, at + 1)) lines++;
      whole = length < headBytes || (lines < 2 && length < mostHeadBytes);
      if (!whole) break;
    }
  } catch (error) {
    // The beginning of a damaged archive will do for a first look; whoever reads on finds the fault.
    if (length === 0 || compression === 'none') throw error;
    whole = false;
  }
  if (length === 0) throw new HalfspaceError('source-empty', 'expected a table; got an empty file', { source });
  return { bytes: Buffer.concat(pieces, length), whole, compression };
}

/** @throws HalfspaceError `source-unreadable` for what is no file. */
function firstBytes({ path, name: source }: TableFile): Uint8Array {
  const bytes = new Uint8Array(4);
  try {
    const status = statSync(path);
    if (!status.isFile())
      throw new HalfspaceError(
        'source-unreadable',
        `expected a file; got ${status.isDirectory() ? 'a directory' : 'a pipe, which can be read only once (give it as -)'}`,
        { source },
      );
    const descriptor = openSync(path, 'r');
    readSync(descriptor, bytes, 0, bytes.length, 0);
    closeSync(descriptor);
  } catch (error) {
    if (error instanceof HalfspaceError) throw error;
    throw new HalfspaceError('source-unreadable', `expected a readable file; got ${reasonOf(error)}`, { source });
  }
  return bytes;
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
