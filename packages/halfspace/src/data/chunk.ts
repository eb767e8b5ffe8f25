import type { Block } from '../kernels/block.ts';
import type { PackedBatch, PackedShape } from './packed.ts';

/** A stored batch: in kernel memory (`packed`) or in the spill (`position`). */
export interface Chunk {
  readonly index: number;
  readonly firstRow: number;
  readonly shape: PackedShape;
  readonly packed: PackedBatch | null;
  readonly block: Block<Uint8Array> | null;
  readonly position: number;
}
