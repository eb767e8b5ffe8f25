import { fstatSync, writeSync } from 'node:fs';
import { HalfspaceError } from 'halfspace';
import { openWhole, reasonOf } from 'halfspace/node';
import { printableLines } from 'halfspace/printable';
import { lookOf, present } from './present.ts';
import { printNotes, tellLines } from './standard-error.ts';
import { terminal } from './terminal.ts';

/** A destination of results: standard output, or a file that appears whole when it is finished. */
export interface Output {
  /** Writes lines, made printable. `section` and `cellOf` have escaped line feeds and tabs inside words already. */
  write(text: string): Promise<void>;
  /** Writes, and empties the buffer. Every call after a failure throws that failure again. */
  flush(text: string): Promise<void>;
  /** Empties the buffer and gives a file its name. */
  finish(): Promise<void>;
  /** Removes an unfinished file. Does nothing after `finish`. */
  discard(): void;
  /** True after a failure because the reader of standard output has gone, as `head` does. */
  readonly abandoned: boolean;
}

const pieceLength = 64 * 1024;

/**
 * Opens a file, or standard output without a path.
 *
 * @param raw true: the text is data for programs and is written as it is. A terminal gets it printable all the same.
 * @throws HalfspaceError `write-failed`, from the methods too.
 */
export function openOutput(path?: string, raw = false): Output {
  const target = path === undefined ? standardOutput() : openWhole(path);
  const isRaw = raw && !(path === undefined && terminal(1) !== null);
  let pending = '';
  let failure: unknown = null;
  const flush = async () => {
    if (failure !== null) throw failure;
    const text = isRaw ? pending : printableLines(pending);
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
    get abandoned() {
      return failure instanceof ReaderGone;
    },
  };
}

/** A command's result in both forms. */
interface Result {
  /** For `--json`. */
  readonly json: () => object;
  /** For people. The notes then go to standard error; the object contains them itself. */
  readonly text: () => string;
  readonly notes?: readonly string[];
}

/**
 * Prints a result on standard output: as one JSON object if asked, else as text.
 * @param aside true: the text goes to standard error, because standard output has something else.
 */
export async function printResult(
  asJson: boolean | undefined,
  { json, text, notes = [] }: Result,
  aside = false,
): Promise<void> {
  // A note comes before the verdict that it qualifies.
  if (asJson !== true) await printNotes(notes);
  if (aside) return tellLines(text());
  const shown = printableLines(asJson === true ? `${JSON.stringify(json())}\n` : text());
  return writeBytes(Buffer.from(asJson === true ? shown : present(shown, lookOf(1))));
}

/** Writes data for a program to standard output. @throws HalfspaceError `write-failed`. */
export function writeBytes(bytes: Uint8Array): Promise<void> {
  return standardOutput().append(bytes);
}

/** The failure of a closed pipe. */
class ReaderGone extends HalfspaceError {}

/** Writes to standard output and waits for its reader. A closed pipe is a failure, like a full disk. */
function standardOutput() {
  return {
    async append(data: string | Uint8Array) {
      try {
        const bytes = typeof data === 'string' ? Buffer.from(data) : data;
        const written = bytes.length <= atOnce ? writeAtOnce(bytes) : 0;
        if (written < bytes.length) await writeToStream(bytes.subarray(written));
      } catch (error) {
        const Failure = (error as NodeJS.ErrnoException).code === 'EPIPE' ? ReaderGone : HalfspaceError;
        throw new Failure('write-failed', `expected to write; got ${reasonOf(error)}`, { source: 'standard output' });
      }
    },
    finish() {},
    discard() {},
  };
}

/** Number of bytes that a pipe takes at once if it is not full. */
const atOnce = 4096;

/**
 * Writes without Node's stream, whose loading takes longer than computing a small result. Returns the number of bytes
 * written.
 */
function writeAtOnce(bytes: Uint8Array): number {
  // Terminals on Windows have their own encoding, which only the stream knows.
  if (process.platform === 'win32' && fstatSync(1).isCharacterDevice()) return 0;
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch (error) {
    // EAGAIN: the pipe is full and does not block. The stream waits for it.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
  return written;
}

let listening = false;

function writeToStream(bytes: Uint8Array): Promise<void> {
  // Without a listener, Node throws the error outside of any call.
  if (!listening) process.stdout.on('error', () => {});
  listening = true;
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
