import type { HalfspaceError } from 'halfspace';
import { openWhole, type WholeFile } from 'halfspace/node';

/**
 * The file of skipped rows: each row on a line, after a comment with its place and the reason. Appears when it is
 * finished.
 */
export class RejectFile {
  readonly path: string;
  #file: WholeFile | null = null;
  count = 0;

  constructor(path: string) {
    this.path = path;
  }

  add(error: HalfspaceError, line: Uint8Array | string | null): void {
    this.#file ??= openWhole(this.path);
    this.#file.append(`# ${error.message.replace(/\s*\n\s*/g, '; ')}\n`);
    if (line !== null) {
      this.#file.append(line);
      this.#file.append('\n');
    }
    this.count++;
  }

  /** Gives the file its name, if any row was skipped. */
  finish(): void {
    this.#file?.finish();
  }

  discard(): void {
    this.#file?.discard();
  }
}
