import { fstatSync, statSync } from 'node:fs';
import { HalfspaceError } from '../errors.ts';

/** State of a file that is compared. It is not the type of Node, so that the declarations do without it. */
export interface FileStats {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

/**
 * Detects that a file changed while it was read. A reader of a file that was cut, written to or replaced may get a part
 * of its rows, rows of two versions, or half a row, without any other sign.
 *
 * Compares inode, size and time of change. A file that grows, such as a log, has changed too: its last line may be half
 * written. Pipes and devices are never compared.
 */
export class FileState {
  readonly #path: string;
  readonly #name: string;
  readonly #before: FileStats | null;

  private constructor(path: string, name: string, before: FileStats | null) {
    this.#path = path;
    this.#name = name;
    this.#before = before;
  }

  /**
   * Records the present state of a file.
   *
   * @param name for messages. Default: the path.
   * @param descriptor of the file, if it is open.
   */
  static of(path: string, name = path, descriptor?: number): FileState {
    const before =
      descriptor === undefined
        ? statSync(path, { bigint: true, throwIfNoEntry: false })
        : fstatSync(descriptor, { bigint: true });
    return new FileState(path, name, before?.isFile() === true ? before : null);
  }

  /** Compares with the present state. @throws HalfspaceError `source-changed` if the file differs or was replaced. */
  check(): void {
    if (this.#before === null) return;
    const change = changeOf(this.#before, statSync(this.#path, { bigint: true, throwIfNoEntry: false }));
    if (change === null) return;
    throw new HalfspaceError(
      'source-changed',
      `expected a file that stays as it is while it is read; got one that was ${change}: run again, or read a copy`,
      { source: this.#name },
    );
  }
}

/** Returns a description of the change, or null. */
export function changeOf(before: FileStats, now: FileStats | undefined): string | null {
  if (now === undefined) return 'removed';
  if (now.ino !== before.ino || now.dev !== before.dev) return 'replaced';
  if (now.size < before.size) return `cut from ${before.size} to ${now.size} bytes`;
  if (now.size > before.size) return `enlarged from ${before.size} to ${now.size} bytes`;
  return now.mtimeNs === before.mtimeNs ? null : 'written to';
}
