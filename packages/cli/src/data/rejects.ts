import type { HalfspaceError } from 'halfspace';
import { openWhole, type WholeFile } from 'halfspace/node';

/** Rows that were set aside, and why: one line each, the place and reason as a comment before it. Appears when it is finished. */
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

  /** Gives the file its name, if there was anything to set aside. */
  finish(): void {
    this.#file?.finish();
  }

  discard(): void {
    this.#file?.discard();
  }
}
