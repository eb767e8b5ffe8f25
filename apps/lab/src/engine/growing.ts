type Numbers = Uint32Array | Float64Array;

/** A typed array that grows: half the memory of a list, or less, and given away whole. */
export class Growing<T extends Numbers> {
  length = 0;
  #array: T;

  constructor(array: T) {
    this.#array = array;
  }

  push(value: number): void {
    this.#reserve(this.length + 1);
    this.#array[this.length++] = value;
  }

  append(values: ArrayLike<number>): void {
    this.#reserve(this.length + values.length);
    (this.#array as Float64Array).set(values as Float64Array, this.length);
    this.length += values.length;
  }

  at(index: number): number {
    return this.#array[index]!;
  }

  /** The last `count` numbers; a view, valid until the next is added. */
  last(count: number): T {
    return this.#array.subarray(this.length - count, this.length) as T;
  }

  /** Keeps every second of the groups of `width`, the second first. */
  thin(width: number): void {
    let to = 0;
    for (let from = width; from + width <= this.length; from += 2 * width, to += width)
      this.#array.copyWithin(to, from, from + width);
    this.length = to;
  }

  /** A copy of its own length. */
  toArray(): T {
    return this.#array.slice(0, this.length) as T;
  }

  #reserve(length: number): void {
    if (length <= this.#array.length) return;
    const grown = new (this.#array.constructor as new (length: number) => T)(
      Math.max(length, 2 * this.#array.length, 64),
    );
    (grown as Float64Array).set(this.#array.subarray(0, this.length) as Float64Array);
    this.#array = grown;
  }
}
