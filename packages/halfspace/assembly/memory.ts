// Memory for the host: 16-byte aligned, zero-filled where that is asked for. Traps when it cannot be had.

export function allocate(bytes: usize, clear: bool): usize {
  const pointer = heap.alloc(bytes);
  if (clear) memory.fill(pointer, 0, bytes);
  return pointer;
}

export function release(pointer: usize): void {
  heap.free(pointer);
}
