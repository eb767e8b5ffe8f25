import { PackedBatch, pack } from '../data/packed.ts';
import type { Block, Kernels } from '../kernels/kernels.ts';
import { lastingPart, type RangePart } from './range-parser.ts';

/** A range that was parsed before its turn: its parts, and what ended them if that was a fault. */
export class HeldRange {
  readonly range: number;
  readonly #parts: RangePart[] = [];
  readonly #blocks: Block<Uint8Array>[] = [];
  #failure: { readonly error: unknown } | null = null;

  private constructor(range: number) {
    this.range = range;
  }

  static async of(kernels: Kernels, range: number, parts: AsyncIterable<RangePart>): Promise<HeldRange> {
    const held = new HeldRange(range);
    try {
      for await (const part of parts) held.#keep(kernels, part);
    } catch (error) {
      held.#failure = { error };
    }
    return held;
  }

  /** @throws what parsing threw, behind the parts before it. */
  *parts(): Generator<RangePart> {
    yield* this.#parts;
    if (this.#failure !== null) throw this.#failure.error;
  }

  free(): void {
    for (const block of this.#blocks) block.free();
    this.#blocks.length = 0;
  }

  #keep(kernels: Kernels, part: RangePart): void {
    if (part.kind !== 'rows') {
      this.#parts.push(lastingPart(part));
      return;
    }
    const { packed, block } = pack(kernels, part.batch);
    this.#blocks.push(block);
    this.#parts.push({ ...part, batch: new PackedBatch(block, packed.shape).batch });
  }
}
