import { HalfspaceError } from '../errors.ts';
import type { Spill } from './store.ts';

/** Bytes that stay in memory if there is a spill for the others. */
const spilledBeyond = 1024 * 1024;
/** Bytes that stay in memory if there is none. A page that takes more may be ended without an error. */
const mostInMemory = 1024 * 1024 * 1024;

/** Keeps data that can be read only once: their beginning in memory, the others in a spill. */
export class KeptBytes {
  readonly #openSpill: (() => Spill) | undefined;
  readonly #source: string;
  readonly #most: number;
  #spill: Spill | null = null;
  readonly #inMemory: Uint8Array[] = [];
  readonly #spilled: { readonly position: number; readonly length: number }[] = [];
  #held = 0;

  /**
   * @param spill opens the storage outside memory; undefined: there is none.
   * @param source name of the data, for messages.
   * @param most bytes that stay in memory. Default: 1 MiB with a spill, 1 GiB without.
   */
  constructor(spill: (() => Spill) | undefined, source: string, most?: number) {
    this.#openSpill = spill;
    this.#most = most ?? (spill === undefined ? mostInMemory : spilledBeyond);
    this.#source = source;
  }

  /** Appends a copy of some bytes. @throws HalfspaceError `memory-exhausted`, `write-failed`. */
  append(bytes: Uint8Array): void {
    if (this.#openSpill !== undefined && this.#held + bytes.length > this.#most) {
      this.#spill ??= this.#openSpill();
      this.#spilled.push({ position: this.#spill.append(bytes), length: bytes.length });
      this.#held = Number.POSITIVE_INFINITY;
      return;
    }
    if (this.#held + bytes.length > this.#most) throw this.#exhausted(bytes.length);
    try {
      this.#inMemory.push(bytes.slice());
    } catch (error) {
      if (error instanceof RangeError) throw this.#exhausted(bytes.length);
      throw error;
    }
    this.#held += bytes.length;
  }

  /** Yields the bytes in order, in the pieces that were appended. A piece is valid until the next one is requested. */
  *pieces(): Generator<Uint8Array> {
    yield* this.#inMemory;
    let buffer = new Uint8Array(0);
    for (const { position, length } of this.#spilled) {
      if (buffer.length < length) buffer = new Uint8Array(length);
      const piece = buffer.subarray(0, length);
      this.#spill!.read(position, piece);
      yield piece;
    }
  }

  #exhausted(more: number): HalfspaceError {
    const held = `${Math.round(this.#held / 2 ** 20).toLocaleString('en')} MiB of it`;
    return new HalfspaceError(
      'memory-exhausted',
      `expected memory for ${more.toLocaleString('en')} more bytes of data that can be read only once; got none beyond ${held}: pass a File or a Blob, or use a runtime with files`,
      { source: this.#source },
    );
  }
}
