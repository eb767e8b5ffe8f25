// Memory for the host, and access to the numbers at positions of src/kernels/layout.ts.

/** Returns memory aligned to 16 bytes. Traps if there is none. */
export function allocate(bytes: usize, clear: bool): usize {
  const pointer = heap.alloc(bytes);
  if (clear) memory.fill(pointer, 0, bytes);
  return pointer;
}

export function release(pointer: usize): void {
  heap.free(pointer);
}

/** Returns the double at a position of `from`. */
// @ts-ignore: decorator
@inline
export function get(from: usize, position: i32): f64 {
  return load<f64>(from + (<usize>position << 3));
}

/** Returns the 32-bit word at a position of `from`: a count or an address. */
// @ts-ignore: decorator
@inline
export function wordAt(from: usize, position: i32): u32 {
  return load<u32>(from + (<usize>position << 2));
}

// @ts-ignore: decorator
@inline
export function set(to: usize, position: i32, value: f64): void {
  store<f64>(to + (<usize>position << 3), value);
}

// @ts-ignore: decorator
@inline
export function addTo(to: usize, position: i32, value: f64): void {
  set(to, position, get(to, position) + value);
}
