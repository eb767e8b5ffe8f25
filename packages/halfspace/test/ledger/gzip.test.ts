import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
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
    ['a whole block', noise(65_535, 256)],
    ['a byte more than a block', noise(65_536, 256)],
  ])('%s: inflates to itself, here and by zlib', async (_, bytes) => {
    expect(unpacked(bytes)).toEqual(bytes);
    expect(await gunzip(gzip(bytes))).toEqual(bytes);
  });

  it('never changes its bytes', () => {
    const bytes = Uint8Array.from([...noise(5000, 9), ...new TextEncoder().encode('halfspace '.repeat(200))]);
    expect(createHash('sha256').update(gzip(bytes)).digest('hex')).toMatchInlineSnapshot(
      `"4f42e78a047d220420eac237fa51242a21ff74753df8208ee14a6926bfb68da9"`,
    );
  });
});
