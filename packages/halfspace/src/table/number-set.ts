/** Maximum number of different values that are kept: 16 MB. */
const mostValues = 1 << 20;

/**
 * A set of whole numbers in bounded memory, by open addressing. It tells if a number was seen before, exactly for the
 * first 1,048,576 different ones; further ones count as new unless they equal one of these.
 */
export class NumberSet {
  #slots = new Float64Array(64).fill(Number.NaN);
  #size = 0;

  /** Adds a whole number. @returns true if it is new. */
  add(value: number): boolean {
    const at = this.#find(this.#slots, value);
    if (this.#slots[at] === value) return false;
    if (this.#size === mostValues) return true;
    this.#slots[at] = value;
    this.#size++;
    // At most half of the slots are taken, so a search is short.
    if (this.#size * 2 > this.#slots.length && this.#size < mostValues) this.#grow();
    return true;
  }

  /** Returns the slot of a value, or the free slot for it. */
  #find(slots: Float64Array, value: number): number {
    const mask = slots.length - 1;
    const mixed = Math.imul((value | 0) ^ Math.imul((value / 2 ** 32) | 0, 0x85ebca6b), 0x9e3779b1);
    let at = (mixed ^ (mixed >>> 15)) & mask;
    while (!Number.isNaN(slots[at]!) && slots[at] !== value) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const slots = new Float64Array(2 * this.#slots.length).fill(Number.NaN);
    for (const value of this.#slots) if (!Number.isNaN(value)) slots[this.#find(slots, value)] = value;
    this.#slots = slots;
  }
}
