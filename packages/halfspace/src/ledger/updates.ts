/** Updates in order, column by column: 14 bytes each. Read the arrays up to `count`. */
export class Updates {
  count = 0;
  /** Examples shown in the pass before the one that was updated on. */
  positions = new Uint32Array(64);
  /** Number of the example in the data, from 0. */
  rows = new Uint32Array(64);
  /** Positions of classes, or `noClass`. */
  raised = new Int16Array(64);
  lowered = new Int16Array(64);
  /** By how much the raised class led, as short-float.ts keeps it. */
  leads = new Uint16Array(64);
  /** The passes that have ended: how many updates there were by then, and how many examples were shown in the pass. */
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

  /** Adds what follows: the updates of a block. */
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

  /** In which pass, from 1, update `u` was made. */
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

  /** The updates [from, to) of a pass, from 1; the last pass may not have ended. */
  rangeOf(pass: number): readonly [from: number, to: number] {
    return [
      pass === 1 ? 0 : (this.passes[pass - 2]?.updates ?? this.count),
      this.passes[pass - 1]?.updates ?? this.count,
    ];
  }

  #grow(length: number): void {
    this.positions = grown(this.positions, length);
    this.rows = grown(this.rows, length);
    this.raised = grown(this.raised, length);
    this.lowered = grown(this.lowered, length);
    this.leads = grown(this.leads, length);
  }
}

const columns = ['positions', 'rows', 'raised', 'lowered', 'leads'] as const;

function grown<A extends Uint32Array | Int16Array | Uint16Array>(array: A, length: number): A {
  const longer = new (array.constructor as new (length: number) => A)(length);
  longer.set(array as never);
  return longer;
}
