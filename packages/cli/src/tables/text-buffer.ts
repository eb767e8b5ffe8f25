import type { WordCells } from 'halfspace/internal/tables';

/** Concatenates cells of text as UTF-8. */
export class TextBuffer {
  #bytes: Buffer = Buffer.alloc(4096);
  length = 0;

  /** Adds a cell, and returns its length in bytes plus one; 0 for null. */
  add(text: string | null): number {
    if (text === null) return 0;
    // A UTF-16 unit takes at most three bytes.
    const most = this.length + text.length * 3;
    if (most > this.#bytes.length) {
      const grown = Buffer.alloc(most * 2);
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
    }
    const written = this.#bytes.write(text, this.length, 'utf8');
    this.length += written;
    return written + 1;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }
}

/** Splits the bytes of a {@link TextBuffer} into cells. @param lengths the results of `add`. */
export function textCells(bytes: Buffer, lengths: ArrayLike<number>, rows: number): WordCells {
  let at = 0;
  const words = Array.from({ length: rows }, (_, i) => {
    if (lengths[i] === 0) return null;
    const from = at;
    at += lengths[i]! - 1;
    return bytes.toString('utf8', from, at);
  });
  return { codes: Uint32Array.from(words, (_, i) => i), words };
}
