import type { NameTableMemory } from '../../../src/kernels/kernels.ts';
import * as layout from '../../../src/kernels/layout.ts';

/** Result of `internName`: the table must be enlarged first. */
export const noRoom = -2;

/** Bytes before a name in the arena: its number, its length, and an unused word. */
const headerBytes = layout.nameHeaderBytes;

/** The name table of the kernels in plain TypeScript. Its hash differs, which does not affect the numbers of names. */
export class ReferenceNames {
  readonly #slots: Uint32Array;
  readonly #mask: number;
  readonly #arena: Uint8Array;
  readonly #state: Uint32Array;

  constructor(names: NameTableMemory) {
    this.#slots = names.slots.array;
    this.#mask = names.slots.length / 2 - 1;
    this.#arena = names.arena.array;
    this.#state = names.state.array;
    this.#state[layout.nameLacking] = 0;
  }

  get size(): number {
    return this.#state[layout.nameCount]!;
  }

  /** Returns the position of the next name in the arena. */
  get end(): number {
    return this.#state[layout.nameBytes]!;
  }

  intern(name: Uint8Array): number {
    const slots = this.#slots;
    const hash = hashOf(name);
    let at = hash & this.#mask;
    while (slots[2 * at + 1] !== 0) {
      const begin = slots[2 * at + 1]! - 1;
      if (slots[2 * at] === hash && this.#isAt(begin, name)) return this.#wordAt(begin);
      at = (at + 1) & this.#mask;
    }

    const { size, end } = this;
    if (2 * (size + 1) > this.#mask + 1) return this.#lacks(1);
    if (end + headerBytes + name.length > this.#arena.length) return this.#lacks(2);
    for (let i = 0; i < 4; i++) {
      this.#arena[end + i] = size >>> (8 * i);
      this.#arena[end + 4 + i] = name.length >>> (8 * i);
    }
    this.#arena.set(name, end + headerBytes);
    slots.set([hash, end + 1], 2 * at);
    this.#state[layout.nameCount] = size + 1;
    this.#state[layout.nameBytes] = end + headerBytes + name.length;
    return size;
  }

  /** Removes the names from number `kept` on; the first of them is at `begin` in the arena. */
  forget(kept: number, begin: number): void {
    for (let p = begin; p < this.end; ) {
      const end = p + headerBytes + this.#wordAt(p + 4);
      let at = hashOf(this.#arena.subarray(p + headerBytes, end)) & this.#mask;
      while (this.#slots[2 * at + 1] !== p + 1) at = (at + 1) & this.#mask;
      this.#slots[2 * at + 1] = 0;
      p = end;
    }
    this.#state[layout.nameCount] = kept;
    this.#state[layout.nameBytes] = begin;
  }

  #wordAt(p: number): number {
    const arena = this.#arena;
    return (arena[p]! | (arena[p + 1]! << 8) | (arena[p + 2]! << 16) | (arena[p + 3]! << 24)) >>> 0;
  }

  #isAt(p: number, name: Uint8Array): boolean {
    if (this.#wordAt(p + 4) !== name.length) return false;
    for (let i = 0; i < name.length; i++) if (this.#arena[p + headerBytes + i] !== name[i]) return false;
    return true;
  }

  #lacks(what: number): number {
    this.#state[layout.nameLacking] = what;
    return noRoom;
  }
}

/** FNV-1a (Fowler, Noll and Vo), 32 bits. */
function hashOf(name: Uint8Array): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name[i]!, 0x01000193);
  return h >>> 0;
}
