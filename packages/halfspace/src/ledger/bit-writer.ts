/** Bits into bytes, the lowest bit first, in memory that grows. */
export class BitWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;
  #bits = 0;
  #held = 0;

  /** @param count at most 16; `value` is below 2^count. */
  write(value: number, count: number): void {
    this.#bits |= value << this.#held;
    this.#held += count;
    while (this.#held >= 8) {
      this.#push(this.#bits & 0xff);
      this.#bits >>>= 8;
      this.#held -= 8;
    }
  }

  /** All bytes; the last one is filled up with zeros. */
  take(): Uint8Array {
    if (this.#held > 0) this.#push(this.#bits & 0xff);
    return this.#bytes.slice(0, this.#length);
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#length++] = byte;
  }
}
