import type { openBytes } from 'halfspace/node';

type ByteSource = Awaited<ReturnType<typeof openBytes>>;

const lineFeed = 10;
const bar = 124;

/**
 * Reads the tags of Vowpal Wabbit text beside its parser, which skips them. Each line that is not blank has a tag,
 * which may be empty: a word before the first bar that begins with `'`, or that touches the bar.
 */
export class TagReader {
  readonly #take: (tag: string) => void;
  /** The line so far, up to its bar. */
  #head: Uint8Array[] = [];
  #place: 'head' | 'features' = 'head';

  constructor(take: (tag: string) => void) {
    this.#take = take;
  }

  /** Returns the same bytes, whose tags are read whenever they are. */
  watch(source: ByteSource): ByteSource {
    return {
      name: source.name,
      read: async (target) => {
        const count = await source.read(target);
        if (count > 0) this.push(target.subarray(0, count));
        else this.end();
        return count;
      },
      close: () => source.close?.(),
    };
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const line = bytes.indexOf(lineFeed, at);
      const end = line === -1 ? bytes.length : line;
      if (this.#place === 'head') {
        const found = bytes.subarray(at, end).indexOf(bar);
        this.#head.push(bytes.slice(at, found === -1 ? end : at + found));
        if (found !== -1) {
          this.#give(true);
          this.#place = 'features';
        }
      }
      if (line !== -1) this.end();
      at = end + 1;
    }
  }

  /** Ends a line. */
  end(): void {
    if (this.#place === 'head') this.#give(false);
    this.#place = 'head';
  }

  #give(hasBar: boolean): void {
    const bytes = this.#head.length === 1 ? this.#head[0]! : Buffer.concat(this.#head);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
    this.#head = [];
    if (!hasBar && /^[ \t\r]*$/.test(text)) return;
    const word = /[^ \t\r]*$/.exec(text)![0];
    const marked = /(?:^|[ \t\r])'([^ \t\r]*)[ \t\r]*$/.exec(text);
    this.#take(marked?.[1] ?? word);
  }
}

/** Tags that are read but not yet taken, the oldest first. */
export class TagQueue {
  #tags: string[] = [];
  #next = 0;

  push(tag: string): void {
    this.#tags.push(tag);
  }

  take(): string {
    const tag = this.#tags[this.#next++] ?? '';
    // Removing each tag by itself would move all others.
    if (this.#next === mostTaken) {
      this.#tags = this.#tags.slice(mostTaken);
      this.#next = 0;
    }
    return tag;
  }
}

const mostTaken = 4096;
