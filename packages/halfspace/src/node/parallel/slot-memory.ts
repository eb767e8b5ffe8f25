import type { Block } from '../../kernels/block.ts';

/** Shared memory of one slot, which batches can be packed into as into kernel memory. It grows as it is needed. */
export class SlotMemory implements Block<Uint8Array> {
  buffer = new SharedArrayBuffer(0);
  array: Uint8Array = new Uint8Array(this.buffer);
  /** Whether the other side has not been told of `buffer`. */
  fresh = false;

  get length(): number {
    return this.array.length;
  }

  /** With some room to spare: the next contents will be of about this size. */
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
