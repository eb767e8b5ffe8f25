import { HalfspaceError } from 'halfspace';
import { Pieces } from './pieces.ts';

/** Splits an input into frames: the number of bytes (uint32, little-endian), then the bytes. */
export class Frames {
  readonly #pieces: Pieces;
  #reused: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  constructor(input: AsyncIterable<Uint8Array>) {
    this.#pieces = new Pieces(input);
  }

  /**
   * Returns the bytes of the next frame, or null at the end of the input.
   *
   * @param memory is used if it is large enough.
   * @throws HalfspaceError `source-corrupt` if the input ends within a frame.
   */
  async next(memory?: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | null> {
    const head = await this.#pieces.read(4);
    if (head.length === 0) return null;
    if (head.length < 4) throw cut();
    const length = new DataView(head.buffer).getUint32(0, true);
    const bytes = await this.#pieces.read(length, memory);
    if (bytes.length < length) throw cut();
    return bytes;
  }

  /**
   * Yields frames up to an empty one. Each is valid until the next is asked for, because they share their memory. The
   * frames that a caller does not ask for are skipped at the end.
   */
  async *untilEmpty(): AsyncGenerator<Uint8Array> {
    const following = async () => {
      const frame = await this.next(this.#reused);
      if (frame === null) throw cut();
      if (frame.length > this.#reused.length) this.#reused = new Uint8Array(frame.buffer);
      return frame;
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

/** An input that ends within a frame or a request. */
export class CutInput extends HalfspaceError {}

function cut(): CutInput {
  return new CutInput('source-corrupt', 'expected whole frames; got an input that is cut', { source: 'requests' });
}
