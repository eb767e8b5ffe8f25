/** Number of bytes from which the module of Node is worth its load. */
const many = 1 << 18;

/**
 * Returns the SHA-256 (FIPS 180-4) of bytes as 64 hexadecimal digits; synchronous, unlike the one in browsers. For many
 * bytes, runtimes with the module of Node use that, which is eight times as fast.
 */
export function sha256(bytes: Uint8Array): string {
  const native = bytes.length < many ? undefined : globalThis.process?.getBuiltinModule?.('node:crypto');
  return native?.createHash('sha256').update(bytes).digest('hex') ?? plainSha256(bytes);
}

/** The same in plain TypeScript. */
export function plainSha256(bytes: Uint8Array): string {
  const { round, hash } = constants();
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);

  const w = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let t = 0; t < 16; t++) w[t] = view.getUint32(at + 4 * t);
    for (let t = 16; t < 64; t++) {
      const x = w[t - 15]!;
      const y = w[t - 2]!;
      const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      w[t] = w[t - 16]! + s0 + w[t - 7]! + s1;
    }
    let { 0: a, 1: b, 2: c, 3: d, 4: e, 5: f, 6: g, 7: h } = hash as Words;
    for (let t = 0; t < 64; t++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + round[t]! + w[t]!) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    const ends = [a, b, c, d, e, f, g, h];
    for (let i = 0; i < 8; i++) hash[i]! += ends[i]!;
  }
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** A list of eight words. */
type Words = Int32Array & { readonly [i in 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7]: number };

function rotate(x: number, n: number): number {
  return (x >>> n) | (x << (32 - n));
}

/** Fractional bits of the cube roots of the first 64 primes (`round`), and of the square roots of the first 8. */
function constants(): { round: Int32Array; hash: Int32Array } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  const fractions = (power: (x: number) => number) =>
    Int32Array.from(primes, (p) => (power(p) - Math.floor(power(p))) * 0x1_0000_0000);
  return { round: fractions(Math.cbrt), hash: fractions(Math.sqrt).subarray(0, 8) };
}
