import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { HalfspaceError } from 'halfspace';
import { openBytes, reasonOf } from 'halfspace/node';
import { decompressZstd } from '../data/zstd.ts';
import type { TableFile } from './file-head.ts';

const lineFeed = 10;
const carriageReturn = 13;
const quotationMark = 34;

/** Whether some lines of a text file end with LF and others with CRLF, quoted cells not counted. */
export async function hasMixedLineEnds(file: TableFile): Promise<boolean> {
  let unix = false;
  let windows = false;
  let quoted = false;
  let last = 0;
  for await (const piece of pieces(file)) {
    for (const byte of piece) {
      if (byte === quotationMark) quoted = !quoted;
      else if (byte === lineFeed && !quoted) {
        if (last === carriageReturn) windows = true;
        else unix = true;
        if (unix && windows) return true;
      }
      last = byte;
    }
  }
  return false;
}

/** Folders of copies, removed when the process ends. */
const folders: string[] = [];

/**
 * Makes a temporary copy of a text file, decompressed, in which every line ends with LF, and gives its path: DuckDB does not
 * read files that have both LF and CRLF.
 */
export async function withOneLineEnd(file: TableFile): Promise<string> {
  async function* unified(): AsyncGenerator<Buffer> {
    let held = ''; // a carriage return at the end of a piece
    for await (const piece of pieces(file)) {
      const text = held + Buffer.from(piece).toString('latin1');
      held = text.endsWith('\r') ? '\r' : '';
      yield Buffer.from(text.slice(0, text.length - held.length).replaceAll('\r\n', '\n'), 'latin1');
    }
    yield Buffer.from(held);
  }
  try {
    const folder = mkdtempSync(join(tmpdir(), 'halfspace-'));
    if (folders.push(folder) === 1)
      process.once('exit', () => {
        for (const each of folders) rmSync(each, { recursive: true, force: true });
      });
    const path = join(folder, 'table');
    await pipeline(unified(), createWriteStream(path, { mode: 0o600 }));
    return path;
  } catch (error) {
    if (error instanceof HalfspaceError) throw error;
    throw new HalfspaceError(
      'write-failed',
      `expected room for a copy with one kind of line end; got ${reasonOf(error)}`,
      { source: file.name },
    );
  }
}

/** The bytes of a file, decompressed; a piece is valid until the next one is asked for. */
async function* pieces(file: TableFile): AsyncGenerator<Uint8Array> {
  const source = await openBytes(file.path, { name: file.name, zstd: decompressZstd });
  const buffer = new Uint8Array(256 * 1024);
  for (;;) {
    const count = await source.read(buffer);
    if (count === 0) return;
    yield buffer.subarray(0, count);
  }
}
