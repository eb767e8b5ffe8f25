import { HalfspaceError } from '../errors.ts';

/** A byte buffer that grows. */
export class ByteList {
  #bytes = new Uint8Array(1024);
  length = 0;

  byte(value: number): void {
    if (this.length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.length++] = value;
  }

  /** Writes a whole number in [0, 2³²) as LEB128: seven bits a byte, low bits first; the top bit marks continuation. */
  varint(value: number): void {
    let rest = value >>> 0;
    for (; rest >= 0x80; rest >>>= 7) this.byte((rest & 0x7f) | 0x80);
    this.byte(rest);
  }

  /**
   * Writes numbers as byte planes: the width of the largest number, then all lowest bytes, all second bytes, and so on.
   * Similar bytes side by side compress better. @param values `count` whole numbers in [0, 2³²).
   */
  planes(values: ArrayLike<number>, count: number): void {
    let all = 0;
    for (let i = 0; i < count; i++) all |= values[i]!;
    const width = all === 0 ? 0 : 4 - (Math.clz32(all) >> 3);
    this.byte(width);
    for (let shift = 0; shift < 8 * width; shift += 8)
      for (let i = 0; i < count; i++) this.byte((values[i]! >>> shift) & 0xff);
  }

  take(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }
}

/**
 * Reads the bytes of a {@link ByteList}. @throws HalfspaceError `ledger-invalid`, in all methods, for invalid bytes.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get ended(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    if (this.ended) throw misfit('more bytes', 'the end of a block');
    return this.#bytes[this.#at++]!;
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value >= 2 ** 32) break;
        return value;
      }
    }
    throw misfit('a number below 2³²', 'a larger one');
  }

  planes(count: number): Uint32Array {
    const width = this.byte();
    if (width > 4) throw misfit('numbers of at most 4 bytes', width);
    if (this.#bytes.length - this.#at < width * count)
      throw misfit(`${width * count} more bytes`, 'the end of a block');
    const values = new Uint32Array(count);
    for (let shift = 0; shift < 8 * width; shift += 8)
      for (let i = 0; i < count; i++) values[i]! |= this.#bytes[this.#at++]! << shift;
    return values;
  }
}

export function misfit(expected: string, got: unknown): HalfspaceError {
  return new HalfspaceError('ledger-invalid', `expected ${expected}; got ${got}`);
}
