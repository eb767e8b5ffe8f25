type Numbers = Uint32Array | Float64Array;

/** A typed array that grows. It takes half the memory of an array of numbers, or less. */
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

  /** Returns the last `count` numbers, as a view that is valid until the next number is added. */
  last(count: number): T {
    return this.#array.subarray(this.length - count, this.length) as T;
  }

  /** Keeps every second group of `width` numbers, beginning with the second group. */
  thin(width: number): void {
    let to = 0;
    for (let from = width; from + width <= this.length; from += 2 * width, to += width)
      this.#array.copyWithin(to, from, from + width);
    this.length = to;
  }

  /** Returns a copy of the right length. */
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
