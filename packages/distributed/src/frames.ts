import { HalfspaceError } from 'halfspace';

/** Splits an input into frames: the number of bytes (uint32, little-endian), then the bytes. */
export class Frames {
  readonly #input: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array(0);
  #used = 0;
  #reused = new Uint8Array(0);

  constructor(input: AsyncIterable<Uint8Array>) {
    this.#input = input[Symbol.asyncIterator]();
  }

  /**
   * Returns the bytes of the next frame, or null at the end of the input.
   *
   * @throws HalfspaceError `source-corrupt` if the input ends within a frame.
   */
  async next(): Promise<Uint8Array | null> {
    const head = new Uint8Array(4);
    return (await this.#fill(head)) ? this.#frame(new Uint8Array(lengthOf(head))) : null;
  }

  /**
   * Yields frames up to an empty one. Each is valid until the next is asked for, because they share their memory. The
   * frames that a caller does not ask for are skipped at the end.
   */
  async *untilEmpty(): AsyncGenerator<Uint8Array> {
    const head = new Uint8Array(4);
    const following = async () => {
      if (!(await this.#fill(head))) throw cut();
      const length = lengthOf(head);
      if (this.#reused.length < length) this.#reused = new Uint8Array(length);
      return this.#frame(this.#reused.subarray(0, length));
    };
    let frame = await following();
    try {
      while (frame.length > 0) {
        yield frame;
        frame = await following();
      }
    } finally {
      while (frame.length > 0) frame = await following();
    }
  }

  async #frame(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    if (bytes.length > 0 && !(await this.#fill(bytes))) throw cut();
    return bytes;
  }

  /** Returns false if the input ends before the first byte. */
  async #fill(target: Uint8Array): Promise<boolean> {
    for (let at = 0; at < target.length; ) {
      if (this.#used === this.#piece.length) {
        const { value, done } = await this.#input.next();
        if (done === true && at === 0) return false;
        if (done === true) throw cut();
        this.#piece = value;
        this.#used = 0;
        continue;
      }
      const some = this.#piece.subarray(this.#used, this.#used + target.length - at);
      target.set(some, at);
      at += some.length;
      this.#used += some.length;
    }
    return true;
  }
}

/** Returns frames of some bytes, as {@link Frames} reads them. */
export function framed(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const part of parts) {
    view.setUint32(at, part.length, true);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  return bytes;
}

function lengthOf(head: Uint8Array): number {
  return new DataView(head.buffer).getUint32(0, true);
}

/** An input that ends within a frame or a request. */
export class CutInput extends HalfspaceError {}

function cut(): CutInput {
  return new CutInput('source-corrupt', 'expected whole frames; got an input that is cut', { source: 'requests' });
}
