import type { SparseBatch } from '../batch.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { NameTable } from '../kernels/name-table.ts';

/**
 * Translates feature numbers of another parser to those of this thread's name table.
 *
 * Each parser numbers names in the order in which it meets them. Its parts arrive here in text order, each with the
 * names that were new to that parser. So a name gets its number here when it first occurs in the text, whatever the
 * number of parsers.
 */
export class Renumbering {
  readonly #kernels: Kernels;
  readonly #names: NameTable;
  readonly #staging: Block<Uint8Array>;
  /** The number here, by the other parser's number. */
  #numbers = new Uint32Array(1024);
  #known = 0;

  constructor(kernels: Kernels, names: NameTable) {
    this.#kernels = kernels;
    this.#names = names;
    this.#staging = kernels.uint8(256);
  }

  /** @param entries the next names, in the format of the other table's arena (see `NameTableMemory.arena`). */
  learn(entries: Uint8Array): void {
    const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
    for (let at = 0; at < entries.length; ) {
      const length = view.getUint32(at + 4, true);
      this.#append(this.#names.intern(this.#kernels, this.#staging, entries.subarray(at + 12, at + 12 + length)));
      at += 12 + length;
    }
  }

  /** Rewrites the indices of a batch. */
  apply(batch: SparseBatch & { dimension: number }): void {
    const { indices } = batch;
    const numbers = this.#numbers;
    const stored = batch.offsets[batch.rows]!;
    for (let k = 0; k < stored; k++) indices[k] = numbers[indices[k]!]!;
    batch.dimension = this.#names.size;
  }

  free(): void {
    this.#staging.free();
  }

  #append(number: number): void {
    if (this.#known === this.#numbers.length) {
      const longer = new Uint32Array(2 * this.#known);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.#known++] = number;
  }
}
