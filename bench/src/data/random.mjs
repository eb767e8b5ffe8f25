/**
 * Seeded chance for the generators: sfc32 (Doty-Humphrey's "small fast counting" generator, from PractRand), kept apart
 * from the library's generator so that the data stay the same whatever becomes of the library.
 */
export class Random {
  /**
   * @param {number} seed a non-negative integer below 2³²
   * @param {number} stream streams of one seed are independent of each other
   */
  constructor(seed, stream = 0) {
    this.a = seed >>> 0;
    this.b = stream >>> 0;
    this.c = 0x9e3779b9;
    this.counter = 1;
    for (let i = 0; i < 15; i++) this.bits(); // mixes the seed into all of the state
  }

  /** The next 32 bits, as a signed integer. */
  bits() {
    const result = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + result) | 0;
    return result;
  }

  /** Uniform in [0, 1), with 32 random bits. */
  uniform() {
    return (this.bits() >>> 0) / 0x1_0000_0000;
  }

  /** An integer in {0, …, count − 1}; the bias of a count far below 2³² is too small to matter here. */
  below(count) {
    return Math.floor(this.uniform() * count);
  }

  /** A list in another order (Fisher–Yates). */
  shuffled(list) {
    const all = list.slice();
    for (let i = all.length - 1; i > 0; i--) {
      const k = this.below(i + 1);
      [all[i], all[k]] = [all[k], all[i]];
    }
    return all;
  }

  /** Standard normal (Box–Muller; the second value is thrown away, so that there is no hidden state). */
  normal() {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return radius * Math.cos(2 * Math.PI * this.uniform());
  }
}
