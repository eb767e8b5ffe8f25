import { HalfspaceError, quote } from 'halfspace';
import { openBytes } from 'halfspace/node';
import { decompressZstd } from '../data/zstd.ts';
import type { TableFile } from './file-head.ts';
import type { RejectedRow } from './table.ts';

/**
 * The lines of a file of JSON, looked at only where something is wrong with them: DuckDB neither keeps a line that it cannot read
 * nor counts lines that are blank.
 */
export class JsonLines {
  readonly #file: TableFile;
  #lines: AsyncGenerator<{ text: string; line: number }> | null = null;
  /** Rows that `#lines` has given. */
  #rows = 0;

  constructor(file: TableFile) {
    this.#file = file;
  }

  /** The fault of the first line that is no object; null when there is none. */
  async firstFault(): Promise<HalfspaceError | null> {
    for await (const { text, line } of rowsOf(this.#file)) {
      const fault = this.#faultOf(text, line);
      if (fault !== null) return fault;
    }
    return null;
  }

  /** What is wrong with a row, given its number from 0; cheap when asked in order. */
  async fault(row: number): Promise<RejectedRow> {
    if (this.#lines === null || row < this.#rows) {
      this.#lines = rowsOf(this.#file);
      this.#rows = 0;
    }
    for (;;) {
      const { value, done } = await this.#lines.next();
      const { text, line } = done === true ? { text: '', line: row + 1 } : value;
      if (done !== true && this.#rows++ < row) continue;
      // What reads well here was read with other bytes replaced.
      const where = { source: this.#file.name, line };
      const error = new HalfspaceError('source-corrupt', 'expected UTF-8 text; got other bytes', where);
      return { error: this.#faultOf(text, line) ?? error, text };
    }
  }

  #faultOf(text: string, line: number): HalfspaceError | null {
    const where = { source: this.#file.name, line };
    const value = parsed(text);
    if (value === undefined) return new HalfspaceError('row-malformed', `expected JSON; got ${quote(text)}`, where);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return new HalfspaceError('row-malformed', `expected an object per row; got ${quote(text)}`, where);
    return null;
  }
}

/** The lines that are not blank, with their numbers. */
async function* rowsOf(file: TableFile): AsyncGenerator<{ text: string; line: number }> {
  const source = await openBytes(file.path, { name: file.name, zstd: decompressZstd });
  const decoder = new TextDecoder('utf-8');
  const buffer = new Uint8Array(64 * 1024);
  let rest = '';
  let line = 0;
  for (;;) {
    const count = await source.read(buffer);
    rest += decoder.decode(buffer.subarray(0, count), { stream: count > 0 });
    const lines = rest.split('\n');
    rest = count === 0 ? '' : lines.pop()!;
    for (const text of lines) {
      line++;
      if (text.trim() !== '') yield { text: text.replace(/\r$/, ''), line };
    }
    if (count === 0) return;
  }
}

/** The value of JSON text; undefined for other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
