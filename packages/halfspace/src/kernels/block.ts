/** A typed array in kernel memory. `array` is valid until memory grows: read it again after any allocation. */
export interface Block<A extends Float64Array | Uint32Array | Uint8Array> {
  readonly array: A;
  readonly length: number;
  /** Keeps the first min(old, new) elements and fills the rest with zeros. @throws `memory-exhausted`. */
  resize(length: number): void;
  /** Frees the memory; the block must not be used again. */
  free(): void;
}
