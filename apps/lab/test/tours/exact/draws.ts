/**
 * The draws of lecture 9's runs: xoshiro128** (Blackman & Vigna 2021) with a state from the seed, modulo the number of
 * examples.
 */
export function* drawsOf(seed: number, examples: number): Generator<number> {
  const word = (value: number) => value >>> 0;
  const rotated = (value: number, by: number) => word((value << by) | (value >>> (32 - by)));
  const state = [1, 2, 3, 4].map((k) => {
    let z = word(seed + k * 0x9e3779b9);
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return word(z ^ (z >>> 16));
  });
  let [a, b, c, d] = state as [number, number, number, number];
  d |= 1;
  for (;;) {
    yield word(Math.imul(rotated(word(Math.imul(b, 5)), 7), 9)) % examples;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 11);
  }
}
