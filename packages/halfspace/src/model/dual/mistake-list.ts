/** The mistakes of a dual learner in their order, in arrays that grow. */
export class MistakeList {
  /** Row number of each mistake; the first `count` are valid. */
  rows: Uint32Array = new Uint32Array(64);
  /** Label times importance of each mistake; the first `count` are valid. */
  coefficients: Float64Array = new Float64Array(64);
  /** Importance that v₀ and the vector after each mistake survived; the first `count` + 1 are valid. */
  survivals: Float64Array = new Float64Array(65);
  count = 0;

  add(row: number, coefficient: number): void {
    if (this.count === this.rows.length) this.#grow();
    this.rows[this.count] = row;
    this.coefficients[this.count] = coefficient;
    this.survivals[++this.count] = 0;
  }

  /** Adds `importance` to the survival of the current vector. */
  survive(importance: number): void {
    this.survivals[this.count]! += importance;
  }

  /** Removes mistake k and returns its row. Survivals are invalid afterwards. */
  remove(k: number): number {
    const row = this.rows[k]!;
    this.rows.copyWithin(k, k + 1, this.count);
    this.coefficients.copyWithin(k, k + 1, this.count);
    this.count--;
    return row;
  }

  /** Decreases the row numbers above `row`, which was removed, by one. */
  renumberAfter(row: number): void {
    for (let k = 0; k < this.count; k++) if (this.rows[k]! > row) this.rows[k]!--;
  }

  has(row: number): boolean {
    return this.rows.subarray(0, this.count).includes(row);
  }

  #grow(): void {
    const { rows, coefficients, survivals } = this;
    this.rows = new Uint32Array(2 * rows.length);
    this.rows.set(rows);
    this.coefficients = new Float64Array(2 * rows.length);
    this.coefficients.set(coefficients);
    this.survivals = new Float64Array(2 * rows.length + 1);
    this.survivals.set(survivals);
  }
}
