import { HalfspaceError } from 'halfspace';
import { openWhole, reasonOf } from 'halfspace/node';

/** Where results go: standard output, or a file that appears whole when all is written. */
export interface Output {
  write(text: string): Promise<void>;
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
  const flush = async () => {
    const text = pending;
    pending = '';
    if (text !== '') await target.append(text);
  };
  return {
    async write(text) {
      pending += text;
      if (pending.length >= pieceLength) await flush();
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
  // Without a listener Node would throw outside of any call.
  process.stdout.on('error', () => {});
  return {
    append: (text: string) =>
      new Promise<void>((resolve, reject) => {
        process.stdout.write(text, (error) => {
          if (error)
            reject(
              new HalfspaceError('write-failed', `expected to write; got ${reasonOf(error)}`, {
                source: 'standard output',
              }),
            );
          else resolve();
        });
      }),
    finish() {},
    discard() {},
  };
}
