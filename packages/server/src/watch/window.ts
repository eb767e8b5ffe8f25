/**
 * The numbers of the latest examples, in a ring that grows up to the length of the window. Example e is at e % length.
 * Nothing is ever subtracted from sums: figures of the window are computed from its examples when they are asked.
 */
export class Window<A extends Uint8Array | Int32Array | Float64Array> {
  readonly #length: number;
  #numbers: A;

  /** @param empty an array of the kind that holds the numbers. */
  constructor(length: number, empty: A) {
    this.#length = length;
    this.#numbers = empty;
  }

  /**
   * Sets the number of an example. Numbers of examples that were never set are 0.
   *
   * @param at the example's number % length, which all windows of a watcher share.
   */
  set(at: number, value: number): void {
    if (at >= this.#numbers.length) this.#reserve(at + 1);
    this.#numbers[at] = value;
  }

  get(example: number): number {
    return this.#numbers[example % this.#length] ?? 0;
  }

  /** Returns the numbers of the examples from `from` to `to`, without `to`; at most `length` of them. */
  slice(from: number, to: number): A {
    const numbers = this.#like(to - from);
    for (let e = from; e < to; e++) numbers[e - from] = this.get(e);
    return numbers;
  }

  #reserve(length: number): void {
    const longer = this.#like(Math.min(Math.max(16, 2 * length), this.#length));
    longer.set(this.#numbers);
    this.#numbers = longer;
  }

  #like(length: number): A {
    return new (this.#numbers.constructor as new (length: number) => A)(length);
  }
}
