import type { Block } from '../../kernels/block.ts';

/** Shared memory of one slot. Batches are packed into it as into kernel memory. It grows when needed. */
export class SlotMemory implements Block<Uint8Array> {
  buffer = new SharedArrayBuffer(0);
  array: Uint8Array = new Uint8Array(this.buffer);
  /** True if `buffer` has not been sent to the other thread yet. */
  fresh = false;

  get length(): number {
    return this.array.length;
  }

  /** Grows with some spare room, because the next contents will have a similar size. */
  resize(length: number): void {
    const buffer = new SharedArrayBuffer(length + (length >> 2));
    const array = new Uint8Array(buffer);
    array.set(this.array.subarray(0, length));
    this.buffer = buffer;
    this.array = array;
    this.fresh = true;
  }

  free(): void {}
}
