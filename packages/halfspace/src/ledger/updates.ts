/** Updates in order, column by column: 14 bytes each. The first `count` entries of each array are valid. */
export class Updates {
  count = 0;
  /** Number of examples shown in the pass before the updated one. */
  positions: Uint32Array = new Uint32Array(64);
  /** Number of the example in the data, from 0. */
  rows: Uint32Array = new Uint32Array(64);
  /** Positions of classes, or `noClass`. */
  raised: Int16Array = new Int16Array(64);
  lowered: Int16Array = new Int16Array(64);
  /** Lead of the raised class in the encoding of short-float.ts. */
  leads: Uint16Array = new Uint16Array(64);
  /** The finished passes: number of updates by the end of the pass, and number of examples shown in it. */
  readonly passes: { readonly updates: number; readonly shown: number }[] = [];

  push(position: number, row: number, raised: number, lowered: number, lead: number): void {
    if (this.count === this.rows.length) this.#grow(2 * this.count);
    const at = this.count++;
    this.positions[at] = position;
    this.rows[at] = row;
    this.raised[at] = raised;
    this.lowered[at] = lowered;
    this.leads[at] = lead;
  }

  /** Appends the updates of a block. */
  append(other: Updates): void {
    const before = this.count;
    const count = before + other.count;
    if (count > this.rows.length) this.#grow(Math.max(count, 2 * this.rows.length));
    for (const name of columns) this[name].set(other[name].subarray(0, other.count) as never, before);
    for (const { updates, shown } of other.passes) this.passes.push({ updates: before + updates, shown });
    this.count = count;
  }

  clear(): void {
    this.count = 0;
    this.passes.length = 0;
  }

  /** Returns the pass, from 1, of update `u`. */
  passOf(u: number): number {
    let low = 0;
    let high = this.passes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.passes[middle]!.updates <= u) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }

  /** Returns the range [from, to) of the updates in a pass, from 1; also for the pass in progress. */
  rangeOf(pass: number): readonly [from: number, to: number] {
    return [
      pass === 1 ? 0 : (this.passes[pass - 2]?.updates ?? this.count),
      this.passes[pass - 1]?.updates ?? this.count,
    ];
  }

  #grow(length: number): void {
    for (const name of columns) {
      const longer = new (this[name].constructor as Uint32ArrayConstructor)(length);
      longer.set(this[name]);
      this[name] = longer as never;
    }
  }
}

const columns = ['positions', 'rows', 'raised', 'lowered', 'leads'] as const;
