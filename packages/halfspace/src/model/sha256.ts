/** Returns the SHA-256 (FIPS 180-4) of bytes as 64 hexadecimal digits; synchronous, unlike the one in browsers. */
export function sha256(bytes: Uint8Array): string {
  const { round, initial } = constants();
  const hash = initial.slice();
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
    let a = hash[0]!;
    let b = hash[1]!;
    let c = hash[2]!;
    let d = hash[3]!;
    let e = hash[4]!;
    let f = hash[5]!;
    let g = hash[6]!;
    let h = hash[7]!;
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
    hash[0]! += a;
    hash[1]! += b;
    hash[2]! += c;
    hash[3]! += d;
    hash[4]! += e;
    hash[5]! += f;
    hash[6]! += g;
    hash[7]! += h;
  }
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function rotate(x: number, n: number): number {
  return (x >>> n) | (x << (32 - n));
}

let table: { round: Int32Array; initial: Int32Array } | null = null;

/** Fractional bits of the cube roots of the first 64 primes (`round`), and of the square roots of the first 8. */
function constants(): { round: Int32Array; initial: Int32Array } {
  if (table !== null) return table;
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  const fraction = (x: number) => Math.floor((x - Math.floor(x)) * 0x1_0000_0000);
  table = {
    round: Int32Array.from(primes, (p) => fraction(Math.cbrt(p))),
    initial: Int32Array.from(primes.slice(0, 8), (p) => fraction(Math.sqrt(p))),
  };
  return table;
}
