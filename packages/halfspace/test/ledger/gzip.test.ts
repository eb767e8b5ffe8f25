import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { gunzip, gzip } from '../../src/ledger/gzip.ts';
import { gunzipped } from '../../src/node/archive.ts';
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
    forAll(300, mixed, (bytes) => void expect(unpacked(bytes)).toEqual(bytes));
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

async function* inPieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; ) {
    const size = sizes[turn++ % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** Returns the contents of an archive, or the message of its refusal. */
async function outcomeOf(archive: Uint8Array, sizes: readonly number[]): Promise<string> {
  const outputs: Uint8Array[] = [];
  try {
    for await (const piece of gunzipped(inPieces(archive, sizes), 'data.gz')) outputs.push(piece);
  } catch (error) {
    if (!(error instanceof HalfspaceError)) throw error;
    expect([error.code, error.where.source, typeof error.where.byte]).toEqual(['source-corrupt', 'data.gz', 'number']);
    return error.message;
  }
  return Buffer.concat(outputs).toString('latin1');
}

const texts = fc.array(fc.string({ unit: 'binary-ascii', maxLength: 2000 }), { minLength: 1, maxLength: 5 });
const archive = fc.tuple(texts, fc.nat(9)).map(([parts, level]) => ({
  held: parts.join(''),
  bytes: Buffer.concat(parts.map((part) => gzipSync(Buffer.from(part, 'latin1'), { level: level as 0 }))),
  last: gzipSync(Buffer.from(parts.at(-1)!, 'latin1'), { level: level as 0 }).length,
}));
const pieces = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 3 });

describe('a gzip archive', () => {
  test('is read to the end of its last member, for any members and pieces', async () => {
    await forAllAsync(200, archive, pieces, async ({ bytes, held }, sizes) => {
      expect(await outcomeOf(bytes, sizes)).toBe(held);
    });
  });

  test('is refused if anything but another member follows its last member, also zeros', async () => {
    const member = gzipSync('1 1:1\n');
    const zeros = new Uint8Array(100);
    for (const garbage of [zeros, Buffer.from('1 1:1\n'), Buffer.concat([zeros, member]), Uint8Array.of(0)])
      for (const sizes of [[1], [member.length], [1000]])
        expect(await outcomeOf(Buffer.concat([member, member, garbage]), sizes)).toMatch(
          /^data\.gz, byte \d+: expected gzip data; got damaged bytes \((what follows is no gzip|incorrect header check)\)$/,
        );
  });

  test('much longer than one piece is refused for zeros in its middle', async () => {
    const member = gzipSync('1 1:1\n');
    const long = Buffer.concat([member, new Uint8Array(1 << 20), member]);
    expect(await outcomeOf(long, [1 << 16])).toMatch(/what follows is no gzip/);
  });

  test('is refused if it is cut', async () => {
    await forAllAsync(200, archive, fc.nat(), pieces, async ({ bytes, last }, at, sizes) => {
      const end = bytes.length - 1 - (at % (last - 1));
      expect(await outcomeOf(bytes.subarray(0, end), sizes)).toBe(
        `data.gz, byte ${end}: expected a whole gzip file; got one that is cut short`,
      );
    });
  });

  test('gives its contents or is refused, after a change of any bit behind its header', async () => {
    await forAllAsync(500, archive, fc.nat(), fc.nat(7), pieces, async ({ bytes, held }, at, bit, sizes) => {
      const damaged = Uint8Array.from(bytes);
      damaged[at % damaged.length]! ^= 1 << bit;
      const outcome = await outcomeOf(damaged, sizes);
      if (outcome !== held) expect(outcome).toMatch(/^data\.gz, byte \d+: expected (gzip data; got|a whole gzip)/);
    });
  });

  test('ends its source when the reader stops early', async () => {
    let ended = false;
    async function* endless() {
      try {
        for (;;) yield gzipSync('x'.repeat(10_000));
      } finally {
        ended = true;
      }
    }
    for await (const _ of gunzipped(endless(), 'data.gz')) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ended).toBe(true);
  });
});
