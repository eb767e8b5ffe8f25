import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gunzip, gzip } from '../../src/ledger/gzip.ts';
import { Random } from '../../src/random.ts';

const unpacked = (bytes: Uint8Array) => new Uint8Array(gunzipSync(gzip(bytes)));

/** Bytes with runs, repeats near and far, and noise. */
const mixed = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.tuple(fc.nat(255), fc.nat(700)).map(([byte, length]) => new Uint8Array(length).fill(byte)),
      fc.nat(9).map((k) => new TextEncoder().encode(`"feature${k}": ${k / 7}, `.repeat(1 + k))),
    ),
    { maxLength: 30 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

/** Symbols with the frequencies of Fibonacci's numbers, whose optimal code is as deep as can be. */
function skewed(symbols: number): Uint8Array {
  const bytes: number[] = [];
  for (let [symbol, a, b] = [0, 1, 1]; symbol < symbols; [symbol, a, b] = [symbol + 1, b, a + b])
    for (let k = 0; k < a; k++) bytes.push(symbol);
  const shuffled = Uint32Array.from(bytes);
  new Random(7).shuffle(shuffled);
  return Uint8Array.from(shuffled);
}

function noise(length: number, values: number): Uint8Array {
  const random = new Random(3);
  return Uint8Array.from({ length }, () => random.below(values));
}

describe('gzip of the ledger', () => {
  it('is read back by another inflater', () => {
    fc.assert(
      fc.property(mixed, (bytes) => void expect(unpacked(bytes)).toEqual(bytes)),
      { numRuns: 300 },
    );
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['one byte', Uint8Array.of(7)],
    ['one byte, 100,000 times', new Uint8Array(100_000).fill(9)],
    ['noise of several blocks', noise(60_000, 256)],
    ['noise of few values', noise(200_000, 3)],
    ['repeats at the far end of the window', Uint8Array.from([...noise(32_768, 256), ...noise(32_768, 256)])],
    ['a code deeper than 15 bits', skewed(22)],
  ])('%s: inflates to itself, here and by zlib', async (_, bytes) => {
    expect(unpacked(bytes)).toEqual(bytes);
    expect(await gunzip(gzip(bytes))).toEqual(bytes);
  });

  it('is nearly as small as that of zlib', () => {
    for (const bytes of [noise(200_000, 5), new TextEncoder().encode(JSON.stringify(fc.sample(fc.object(), 300)))])
      expect(gzip(bytes).length).toBeLessThan(1.05 * gzipSync(bytes).length);
  });

  it('never changes its bytes', () => {
    const bytes = Uint8Array.from([...noise(5000, 9), ...new TextEncoder().encode('halfspace '.repeat(200))]);
    expect(createHash('sha256').update(gzip(bytes)).digest('hex')).toMatchInlineSnapshot(
      `"c0e05a07371440fdc57292053abb4fac7483434b55ad41adc23c32dcef9904c1"`,
    );
  });
});
