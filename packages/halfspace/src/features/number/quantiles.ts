import { Random } from '../../random.ts';

/** Maximum number of values that are kept; of more, a random sample is kept. */
const mostValues = 65_536;

/**
 * Computes edges of intervals that hold about equally many of the added values. Exact up to 65,536 values; of more, a
 * sample of this size is used. Its seed is fixed: the same values in the same order give the same edges.
 *
 * @see Vitter (1985), Random sampling with a reservoir, algorithm R.
 */
export class Quantiles {
  readonly values: number[] = [];
  readonly #random = new Random(1);
  count = 0;

  add(value: number): void {
    this.count++;
    if (this.values.length < mostValues) this.values.push(value);
    else {
      const place = this.#random.below(this.count);
      if (place < mostValues) this.values[place] = value;
    }
  }

  /** Returns rising edges between `bins` intervals; fewer if repeated values would leave intervals empty. */
  edges(bins: number): number[] {
    const sorted = Float64Array.from(this.values).sort();
    const edges: number[] = [];
    for (let k = 1; k < bins; k++) {
      const edge = sorted[Math.floor((k * sorted.length) / bins)]! + 0;
      if (edge > (edges.at(-1) ?? sorted[0]!)) edges.push(edge);
    }
    return edges;
  }
}
