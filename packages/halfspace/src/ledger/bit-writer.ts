import { ByteList } from './bytes.ts';

/** Packs bits into bytes, the lowest bit first, in a buffer that grows. */
export class BitWriter {
  readonly #bytes = new ByteList();
  #bits = 0;
  #held = 0;

  /** @param count at most 16; `value` is below 2^count. */
  write(value: number, count: number): void {
    this.#bits |= value << this.#held;
    this.#held += count;
    while (this.#held >= 8) {
      this.#bytes.byte(this.#bits & 0xff);
      this.#bits >>>= 8;
      this.#held -= 8;
    }
  }

  /** Returns all bytes; the last one is padded with zero bits. */
  take(): Uint8Array {
    if (this.#held > 0) this.#bytes.byte(this.#bits & 0xff);
    return this.#bytes.take();
  }
}
