/** A row: its columns, and for each limb one double per column. */
interface LimbRow {
  /** Null for all columns. */
  readonly columns: Int32Array | null;
  /** The lowest limbs first. */
  readonly limbs: readonly Float64Array[];
}

/**
 * A matrix of whole numbers of any size, for exact products with vectors of numbers up to 2²⁵. Each entry is a sum of
 * limbs, lᵢ·2^(width·i) with |lᵢ| ≤ 2^(width − 1). The width is chosen so that the products of a row with one limb add
 * up to less than 2⁵³: they are sums of doubles without rounding, and only their totals are large whole numbers.
 */
export class LimbMatrix {
  readonly #rows: readonly LimbRow[];
  readonly #width: bigint;
  readonly #part: Float64Array;

  /** @param rows entries by column, from 0 to `size`. */
  constructor(rows: readonly (readonly { readonly column: number; readonly value: bigint }[])[], size: number) {
    const width = 29 - Math.ceil(Math.log2(Math.max(2, size)));
    this.#width = BigInt(width);
    this.#part = new Float64Array(size);
    this.#rows = rows.map((entries) => {
      const limbs: Float64Array[] = [];
      entries.forEach(({ value }, at) => {
        for (let rest = value, k = 0; rest !== 0n; k++) {
          const limb = BigInt.asIntN(width, rest);
          limbs[k] ??= new Float64Array(entries.length);
          limbs[k]![at] = Number(limb);
          rest = (rest - limb) >> this.#width;
        }
      });
      const columns = entries.length === size ? null : Int32Array.from(entries, ({ column }) => column);
      return { columns, limbs };
    });
  }

  /** Returns the product of row i with x: whole numbers of at most 2²⁵ in size. */
  product(i: number, x: Float64Array): bigint {
    const { columns, limbs } = this.#rows[i]!;
    let own = x;
    if (columns !== null) {
      own = this.#part;
      for (let at = 0; at < columns.length; at++) own[at] = x[columns[at]!]!;
    }
    let total = 0n;
    for (let k = limbs.length - 1; k >= 0; k--) total = (total << this.#width) + BigInt(dot(limbs[k]!, own));
    return total;
  }
}

function dot(a: Float64Array, x: Float64Array): number {
  // Four sums that do not wait for each other.
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let j = 0;
  for (; j + 3 < a.length; j += 4) {
    s0 += a[j]! * x[j]!;
    s1 += a[j + 1]! * x[j + 1]!;
    s2 += a[j + 2]! * x[j + 2]!;
    s3 += a[j + 3]! * x[j + 3]!;
  }
  for (; j < a.length; j++) s0 += a[j]! * x[j]!;
  return s0 + s1 + s2 + s3;
}
