import { HalfspaceError, quote } from '../errors.ts';
import type { Block } from './block.ts';
import type { Kernels, NameEntries, NameTableMemory } from './kernels.ts';
import * as layout from './layout.ts';

const headerBytes = layout.nameHeaderBytes;

/**
 * Feature names numbered 0, 1, … in order of appearance, in kernel memory: weight j of a model belongs to name j.
 *
 * A text kernel adds names while it reads. If it returns `statusEnlargeNames`, call {@link enlarge} and then the kernel
 * again. Memory per name: its UTF-8 bytes, 8 more, and 16 to 32 for its slots; 434 KiB per table.
 */
export class NameTable implements NameTableMemory {
  readonly slots: Block<Uint32Array>;
  readonly arena: Block<Uint8Array>;
  readonly decimals: Block<Uint32Array>;
  readonly state: Block<Uint32Array>;

  /**
   * @param kernels the kernels that will work with the table.
   * @param names the first names, all different.
   * @throws HalfspaceError `model-invalid` when a name comes twice; `memory-exhausted`.
   */
  constructor(kernels: Kernels, names: readonly string[] = []) {
    let slotCount = 1 << 10;
    while (slotCount < 2 * names.length) slotCount *= 2;
    this.slots = kernels.uint32(2 * slotCount);
    this.arena = kernels.uint8(Math.max(1 << 14, 24 * names.length));
    this.decimals = kernels.uint32(layout.decimalNames);
    this.state = kernels.uint32(layout.nameStateSize);
    try {
      this.#preload(kernels, names);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  get size(): number {
    return this.state.array[layout.nameCount]!;
  }

  /** Returns all names in order. */
  names(): string[] {
    const { size } = this;
    const arena = this.arena.array;
    const view = new DataView(arena.buffer, arena.byteOffset, arena.byteLength);
    const bytes = new Uint8Array(this.bytes - headerBytes * size);
    const ends = new Uint32Array(size);
    let end = 0;
    for (let i = 0, p = 0; i < size; i++) {
      const length = view.getUint32(p + 4, true);
      p += headerBytes;
      for (const stop = p + length; p < stop; ) bytes[end++] = arena[p++]!;
      ends[i] = end;
    }
    // A decoder takes longer to start than to decode a name. In ASCII, bytes and letters have the same positions.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const text = decoder.decode(bytes);
    const isAscii = text.length === bytes.length;
    return Array.from(ends, (end, i) => {
      const from = i === 0 ? 0 : ends[i - 1]!;
      return isAscii ? text.slice(from, end) : decoder.decode(bytes.subarray(from, end));
    });
  }

  /** Number of used bytes of the arena. */
  get bytes(): number {
    return this.state.array[layout.nameBytes]!;
  }

  /** Writes the numbers of `entries` to `numbers`, from position `at` on. Adds new names. */
  intern(kernels: Kernels, entries: NameEntries, numbers: Block<Uint32Array>, at: number): void {
    const { from, to, count } = entries;
    let slots = this.slots.length;
    while (slots < 4 * (this.size + count)) slots *= 2;
    if (slots > this.slots.length) this.#enlargeSlots(slots);
    let bytes = this.arena.length;
    while (bytes < this.bytes + to - from) bytes *= 2;
    if (bytes > this.arena.length) this.arena.resize(bytes);
    kernels.internNames(entries, this, numbers, at);
  }

  /** Doubles the part that a kernel found too small. @throws HalfspaceError `memory-exhausted`. */
  enlarge(): void {
    if (this.state.array[layout.nameLacking] === layout.lacksBytes) this.arena.resize(2 * this.arena.length);
    else this.#enlargeSlots(2 * this.slots.length);
  }

  #enlargeSlots(length: number): void {
    const old = this.slots.array.slice();
    this.slots.resize(length);
    const slots = this.slots.array.fill(0);
    const mask = slots.length / 2 - 1;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === 0) continue;
      let at = old[from]! & mask;
      while (slots[2 * at + 1] !== 0) at = (at + 1) & mask;
      slots[2 * at] = old[from]!;
      slots[2 * at + 1] = old[from + 1]!;
    }
  }

  /** Removes the names from number `size` on; the first of them is at byte `bytes` of the arena. */
  truncate(size: number, bytes: number): void {
    this.state.array[layout.nameCount] = size;
    this.state.array[layout.nameBytes] = bytes;
    // A lookup by digits fills this table again.
    this.state.array[layout.nameDecimal] = 0;
    this.decimals.array.fill(0);
    const slots = this.slots.array;
    for (let at = 0; at < slots.length; at += 2) if (slots[at + 1]! > bytes) slots[at + 1] = 0;
    // What remains may stand behind a slot that is now free.
    this.#enlargeSlots(slots.length);
  }

  /** Frees the memory; the table must not be used again. */
  free(): void {
    this.slots.free();
    this.arena.free();
    this.decimals.free();
    this.state.free();
  }

  #preload(kernels: Kernels, names: readonly string[]): void {
    const encoder = new TextEncoder();
    const encoded = names.map((name) => encoder.encode(name));
    const to = encoded.reduce((sum, { length }) => sum + headerBytes + length, 0);
    const block = kernels.uint8(to);
    const numbers = kernels.uint32(names.length);
    try {
      const view = new DataView(block.array.buffer, block.array.byteOffset, to);
      let p = 0;
      for (const name of encoded) {
        view.setUint32(p + 4, name.length, true);
        block.array.set(name, p + headerBytes);
        p += headerBytes + name.length;
      }
      this.intern(kernels, { block, from: 0, to, count: names.length }, numbers, 0);
      const repeated = numbers.array.findIndex((number, i) => number !== i);
      if (repeated !== -1)
        throw new HalfspaceError(
          'model-invalid',
          `expected different feature names; got ${quote(names[repeated])} twice`,
        );
    } finally {
      block.free();
      numbers.free();
    }
  }
}
