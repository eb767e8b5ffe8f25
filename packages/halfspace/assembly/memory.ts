// Memory for the host: 16-byte aligned, zero-filled, 0 when it cannot be had.

export function allocate(bytes: usize): usize {
  const pointer = heap.alloc(bytes);
  memory.fill(pointer, 0, bytes);
  return pointer;
}

export function release(pointer: usize): void {
  heap.free(pointer);
}
