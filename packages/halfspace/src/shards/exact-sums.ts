/**
 * Sums of doubles, one for each position, that are never rounded: each is a list of doubles whose exact sum it is. So
 * neither the order of terms nor the way in which sums of some terms are added can change what comes out.
 *
 * @see Shewchuk (1997), Adaptive precision floating-point arithmetic.
 */
export class ExactSums {
  /** Parts of all sums, the largest first; most sums need two. */
  #parts: Float64Array[];
  #length: number;

  constructor(length: number, parts: Float64Array[] = []) {
    this.#length = length;
    this.#parts = parts;
  }

  get length(): number {
    return this.#length;
  }

  /** The parts as plain data, for the constructor. */
  get parts(): readonly Float64Array[] {
    return this.#parts;
  }

  add(at: number, value: number): void {
    let rest = value;
    for (const part of this.#parts) {
      if (rest === 0) return;
      const before = part[at]!;
      const sum = before + rest;
      const added = sum - before;
      rest = before - (sum - added) + (rest - added);
      part[at] = sum;
    }
    if (rest === 0) return;
    const part = new Float64Array(this.#length);
    part[at] = rest;
    this.#parts.push(part);
  }

  /** Adds a · b. */
  addProduct(at: number, a: number, b: number): void {
    for (const term of product(a, b)) this.add(at, term);
  }

  addAll(other: ExactSums): void {
    this.grow(other.length);
    for (const part of other.#parts) for (let j = 0; j < part.length; j++) if (part[j] !== 0) this.add(j, part[j]!);
  }

  /** Makes room for more sums, which are 0. */
  grow(length: number): void {
    if (length <= this.#length) return;
    this.#length = length;
    this.#parts = this.#parts.map((part) => {
      const longer = new Float64Array(length);
      longer.set(part);
      return longer;
    });
  }

  /** Returns the doubles other than 0 whose sum is the one at a position; none if that is 0. */
  terms(at: number): number[] {
    return at < this.#length ? this.#parts.map((part) => part[at]!).filter((term) => term !== 0) : [];
  }
}

/**
 * Returns the double nearest to the exact sum of some doubles; of two, the even one.
 *
 * @see Shewchuk (1997), theorem 10; the last step is that of Python's `math.fsum`.
 */
export function roundedSum(terms: readonly number[]): number {
  /** Doubles with the same sum, none of which overlaps another; their sizes rise. */
  const parts: number[] = [];
  for (const term of terms) {
    let high = term;
    let kept = 0;
    for (const part of parts) {
      const sum = high + part;
      const added = sum - high;
      const low = high - (sum - added) + (part - added);
      if (low !== 0) parts[kept++] = low;
      high = sum;
    }
    parts.length = kept;
    if (high !== 0) parts.push(high);
  }
  let sum = parts.pop() ?? 0;
  let low = 0;
  while (low === 0 && parts.length > 0) {
    const high = sum;
    const part = parts.pop()!;
    sum = high + part;
    low = part - (sum - high);
  }
  // Half a unit was rounded to the even double, although the rest of the sum decides.
  const next = parts.at(-1);
  if (next !== undefined && Math.sign(next) === Math.sign(low)) {
    const twice = 2 * low;
    const other = sum + twice;
    if (twice === other - sum) sum = other;
  }
  return sum;
}

/** Returns two doubles whose exact sum is a·b, if nothing overflows or underflows (Dekker 1971). */
export function product(a: number, b: number): readonly [number, number] {
  const value = a * b;
  const [high, low] = split(a);
  const [otherHigh, otherLow] = split(b);
  return [value, low * otherLow - (value - high * otherHigh - low * otherHigh - high * otherLow)];
}

function split(value: number): readonly [high: number, low: number] {
  const scaled = 134217729 * value; // 2²⁷ + 1
  const high = scaled - (scaled - value);
  return [high, value - high];
}
