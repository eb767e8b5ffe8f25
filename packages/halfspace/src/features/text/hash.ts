import { murmur3 } from '../../kernels/murmur.ts';

const utf8 = new TextEncoder();

/** Computes the feature of a term: the low bits of the MurmurHash3 of its UTF-8 bytes. */
export class TermHash {
  readonly #mask: number;
  #bytes = new Uint8Array(256);

  constructor(bits: number) {
    this.#mask = 2 ** bits - 1;
  }

  of(term: string): number {
    // A UTF-16 unit takes at most three bytes.
    if (this.#bytes.length < term.length * 3) this.#bytes = new Uint8Array(term.length * 6);
    const { written } = utf8.encodeInto(term, this.#bytes);
    return (murmur3(this.#bytes, 0, written, 0) & this.#mask) >>> 0;
  }
}
