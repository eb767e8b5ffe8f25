import { fstatSync, writeSync } from 'node:fs';
import { HalfspaceError } from 'halfspace';
import { openWhole, reasonOf } from 'halfspace/node';
import { printableLines } from 'halfspace/printable';

/** Where results go: standard output, or a file that appears whole when all is written. */
export interface Output {
  /** @param text lines, made printable; line feeds and tabs of words are escaped before, by `section` and `cellOf`. */
  write(text: string): Promise<void>;
  /** Writes, and hands on what was written so far. A failure is kept, and thrown by every later call too. */
  flush(text: string): Promise<void>;
  /** Flushes; a file gets its name. */
  finish(): Promise<void>;
  /** Leaves nothing behind; does nothing after `finish`. */
  discard(): void;
}

const pieceLength = 64 * 1024;

/** @param path a file, or undefined for standard output. @throws HalfspaceError `write-failed`, from the methods too. */
export function openOutput(path?: string): Output {
  const target = path === undefined ? standardOutput() : openWhole(path);
  let pending = '';
  let failure: unknown = null;
  const flush = async () => {
    if (failure !== null) throw failure;
    const text = printableLines(pending);
    pending = '';
    try {
      if (text !== '') await target.append(text);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  return {
    async write(text) {
      pending += text;
      if (pending.length >= pieceLength) await flush();
    },
    flush(text) {
      pending += text;
      return flush();
    },
    async finish() {
      await flush();
      target.finish();
    },
    discard: () => target.discard(),
  };
}

/** Standard output at its reader's speed; a reader that has gone away is a failure, as a full disk is. */
function standardOutput() {
  return {
    async append(text: string) {
      try {
        const bytes = Buffer.from(text);
        const written = bytes.length <= atOnce ? writeAtOnce(bytes) : 0;
        if (written < bytes.length) await writeToStream(bytes.subarray(written));
      } catch (error) {
        throw new HalfspaceError('write-failed', `expected to write; got ${reasonOf(error)}`, {
          source: 'standard output',
        });
      }
    },
    finish() {},
    discard() {},
  };
}

/** A pipe that is not full takes so many bytes without making the writer wait. */
const atOnce = 4096;

/** Writes to a file or pipe without Node's stream, which takes longer to load than a small result to be computed. */
function writeAtOnce(bytes: Uint8Array): number {
  // Windows has an encoding of its own for terminals, which the stream knows.
  if (fstatSync(1).isCharacterDevice()) return 0;
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch (error) {
    // A full pipe that its owner made non-blocking: the stream waits for it.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
  return written;
}

let listening = false;

function writeToStream(bytes: Uint8Array): Promise<void> {
  // Without a listener Node would throw outside of any call.
  if (!listening) process.stdout.on('error', () => {});
  listening = true;
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
