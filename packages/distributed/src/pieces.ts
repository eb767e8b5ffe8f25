/** Memory that is taken before the bytes for it have come. */
const most = 2 ** 24;

/** Reads numbers of bytes from an input that comes in pieces. */
export class Pieces {
  readonly #input: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array(0);
  #used = 0;

  constructor(input: AsyncIterable<Uint8Array>) {
    this.#input = input[Symbol.asyncIterator]();
  }

  /**
   * Returns the next bytes; fewer if the input ends before. A length may be wrong, so memory grows with the bytes.
   *
   * @param memory is used if it is large enough.
   */
  async read(length: number, memory?: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    let bytes = memory !== undefined && memory.length >= length ? memory : new Uint8Array(Math.min(length, most));
    for (let at = 0; ; ) {
      const some = this.#piece.subarray(this.#used, this.#used + length - at);
      if (at + some.length > bytes.length) {
        const larger = new Uint8Array(Math.min(length, 2 * (at + some.length)));
        larger.set(bytes.subarray(0, at));
        bytes = larger;
      }
      bytes.set(some, at);
      at += some.length;
      this.#used += some.length;
      if (at === length) return bytes.subarray(0, length);
      const { value, done } = await this.#input.next();
      if (done === true) return bytes.subarray(0, at);
      this.#piece = value;
      this.#used = 0;
    }
  }

  /** Ends the input before its end. */
  async end(): Promise<void> {
    await this.#input.return?.();
  }
}
