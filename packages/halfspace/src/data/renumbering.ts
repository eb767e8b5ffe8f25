import type { CompactBatch, SparseBatch } from '../batch.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels, NameEntries } from '../kernels/kernels.ts';
import type { NameTable } from '../kernels/name-table.ts';
import { pack } from './packed.ts';

/** Rows of text. */
type TextBatch = (SparseBatch | CompactBatch) & { dimension: number };

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
  /** The number here, by the other parser's number. */
  readonly #numbers: Block<Uint32Array>;
  #known = 0;
  /** Memory for sparse copies. */
  #wide: Block<Uint8Array> | null = null;

  constructor(kernels: Kernels, names: NameTable) {
    this.#kernels = kernels;
    this.#names = names;
    this.#numbers = kernels.uint32(1024, false);
  }

  /** @param entries the next names of the other table. */
  learn(entries: NameEntries): void {
    const known = this.#known + entries.count;
    if (known > this.#numbers.length) this.#numbers.resize(2 * known);
    this.#names.intern(this.#kernels, entries, this.#numbers, this.#known);
    this.#known = known;
  }

  /**
   * Rewrites the indices of a batch in kernel memory. Returns it, or a sparse copy if the numbers are too large for
   * compact rows; the copy is valid until the next call.
   */
  apply(batch: TextBatch): TextBatch {
    if (batch.kind === 'compact' && this.#names.size > 0x1_0000) {
      this.#wide ??= this.#kernels.uint8(0);
      const { packed } = pack(this.#kernels, batch, this.#wide, true);
      return this.apply(packed.batch as TextBatch);
    }
    this.#kernels.renumber(batch.indices, batch.offsets[batch.rows]!, this.#numbers);
    batch.dimension = this.#names.size;
    return batch;
  }

  free(): void {
    this.#numbers.free();
    this.#wide?.free();
  }
}
