/**
 * The only source of random numbers: xoshiro128** 1.1 (Blackman & Vigna, "Scrambled linear pseudorandom number
 * generators", 2021), seeded by SplitMix32 steps. All operations are on 32-bit integers, so a seed gives the same
 * sequence on every runtime.
 */
export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #d = 0;

  /**
   * @param seed a non-negative safe integer.
   * @param stream the number of an independent sequence for this seed, a small whole number. Default 0.
   */
  constructor(seed: number, stream = 0) {
    let state = (seed ^ Math.imul(stream, 0x85ebca6b) ^ Math.imul(Math.floor(seed / 0x1_0000_0000), 0x9e3779b9)) >>> 0;
    const next = () => {
      state = (state + 0x9e3779b9) >>> 0;
      let z = state;
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      return (z ^ (z >>> 16)) >>> 0;
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next() | 1; // an all-zero state would stay zero
  }

  /** Returns a copy of the state: four 32-bit integers, not all 0. {@link restore} continues the sequence from it. */
  state(): readonly number[] {
    return [this.#a, this.#b, this.#c, this.#d].map((word) => word >>> 0);
  }

  restore(state: readonly number[]): void {
    [this.#a, this.#b, this.#c, this.#d] = state.map((word) => word | 0) as [number, number, number, number];
  }

  /** Returns the next 32 bits, as an integer in [0, 2³²). */
  bits(): number {
    const product = Math.imul(this.#b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** Returns a uniform number in [0, 1) with 53 random bits. */
  uniform(): number {
    const high = this.bits() >>> 5;
    const low = this.bits() >>> 6;
    return (high * 0x400_0000 + low) / 0x20_0000_0000_0000;
  }

  /** Fills the front of `target` with the next `count` values of {@link uniform}. */
  uniformInto(target: Float64Array, count: number): void {
    const words = new Uint32Array(2 * count);
    this.#bitsInto(words, 2 * count);
    for (let k = 0; k < count; k++)
      target[k] = ((words[2 * k]! >>> 5) * 0x400_0000 + (words[2 * k + 1]! >>> 6)) / 0x20_0000_0000_0000;
  }

  /** Returns a uniform integer in [0, count), without bias; `count` in [1, 2³²]. */
  below(count: number): number {
    let draw = this.bits();
    // Nearly all draws are below any limit, which is slow to compute.
    while (draw >= 0x1_0000_0000 - count && draw >= limitOf(count)) draw = this.bits();
    return draw % count;
  }

  /** Returns the numbers 0 … count − 1, shuffled. */
  permutation(count: number): Uint32Array {
    const items = new Uint32Array(count);
    for (let i = 0; i < count; i++) items[i] = i;
    this.shuffle(items);
    return items;
  }

  /** Shuffles `items` in place, uniformly (Fisher–Yates). */
  shuffle(items: Uint32Array): void {
    const draws = new Uint32Array(Math.min(1024, items.length));
    let [at, end] = [0, 0];
    for (let i = items.length - 1; i > 0; i--) {
      let draw: number;
      do {
        // Every item takes a draw at least, so no draw is left at the end.
        if (at === end) {
          end = Math.min(draws.length, i);
          this.#bitsInto(draws, end);
          at = 0;
        }
        draw = draws[at++]!;
      } while (draw >= 0xffff_ffff - i && draw >= limitOf(i + 1));
      const j = draw % (i + 1);
      const swapped = items[i]!;
      items[i] = items[j]!;
      items[j] = swapped;
    }
  }

  /** Fills the front of `target` with the next `count` values of {@link bits}, on local variables. */
  #bitsInto(target: Uint32Array, count: number): void {
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d;
    for (let k = 0; k < count; k++) {
      const product = Math.imul(b, 5);
      target[k] = Math.imul((product << 7) | (product >>> 25), 9);
      const shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      d = (d << 11) | (d >>> 21);
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
  }
}

/** Returns the largest multiple of `count` up to 2³²; draws from there on would favour small remainders. */
function limitOf(count: number): number {
  return 0x1_0000_0000 - (0x1_0000_0000 % count);
}
