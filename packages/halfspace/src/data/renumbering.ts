import type { CompactBatch, SparseBatch } from '../batch.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { nameHeaderBytes } from '../kernels/layout.ts';
import type { NameTable } from '../kernels/name-table.ts';
import { pack } from './packed.ts';
import type { NewNames } from './text-parser.ts';

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
  /** Numbers from {@link known} on that have a number here already. */
  readonly #early = new Set<number>();
  /** Memory for sparse copies. */
  #wide: Block<Uint8Array> | null = null;
  /** All of the other parser's numbers below this have a number here. */
  known = 0;
  /** The position of the next name in the other table. */
  #knownBytes = 0;

  constructor(kernels: Kernels, names: NameTable) {
    this.#kernels = kernels;
    this.#names = names;
    this.#numbers = kernels.uint32(1024, false);
  }

  /**
   * Rewrites the indices of a batch in kernel memory. Returns it, or a sparse copy if the numbers are too large for
   * compact rows; the copy is valid until the next call.
   *
   * @param names those that were new to the other parser in this batch.
   */
  apply(batch: TextBatch, names: NewNames): TextBatch {
    const end = names.first + names.count;
    if (end > this.#numbers.length) this.#numbers.resize(2 * end);
    if (names.first <= this.known) this.#learn(names, end);
    else this.#learnInOrder(batch, names);
    const numbered = batch.kind === 'compact' && this.#names.size > 0x1_0000 ? this.#widened(batch) : batch;
    this.#kernels.renumber(numbered.indices, numbered.offsets[numbered.rows]!, this.#numbers);
    numbered.dimension = this.#names.size;
    return numbered;
  }

  #learn(names: NewNames, end: number): void {
    this.#names.intern(this.#kernels, names, this.#numbers, names.first);
    if (end <= this.known) return;
    this.known = end;
    this.#knownBytes = names.to;
    while (this.#early.delete(this.known)) {
      this.known++;
      this.#knownBytes = endOf(names.block.array, this.#knownBytes);
    }
  }

  /**
   * Learns the names of a batch one by one where they first occur, because names between them came with a batch that
   * was parsed earlier but is later in the text.
   */
  #learnInOrder(batch: TextBatch, { block, to }: NewNames): void {
    const begins: number[] = [];
    for (let p = this.#knownBytes; p < to; p = endOf(block.array, p)) begins.push(p);
    const { indices } = batch;
    const stored = batch.offsets[batch.rows]!;
    const found: number[] = [];
    for (let k = 0; k < stored; k++) {
      const index = indices[k]!;
      if (index < this.known || this.#early.has(index)) continue;
      this.#early.add(index);
      found.push(index);
    }
    for (const index of found) {
      const place = index - this.known;
      const name = { block, from: begins[place]!, to: begins[place + 1] ?? to, count: 1 };
      this.#names.intern(this.#kernels, name, this.#numbers, index);
    }
  }

  #widened(batch: TextBatch): TextBatch {
    this.#wide ??= this.#kernels.uint8(0);
    return pack(this.#kernels, batch, this.#wide, true).packed.batch as TextBatch;
  }

  free(): void {
    this.#numbers.free();
    this.#wide?.free();
  }
}

/** Returns the end of the entry at `p` of a name table's arena. */
function endOf(arena: Uint8Array, p: number): number {
  return p + nameHeaderBytes + new DataView(arena.buffer, arena.byteOffset).getUint32(p + 4, true);
}
