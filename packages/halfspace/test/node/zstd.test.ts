import { describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { decompressZstd } from '../../src/node/decompress.ts';
import { bomb, frameOf, skippableFrame } from '../support/archives.ts';

const text = Array.from(
  { length: 300 },
  (_, i) => `${i % 3 === 0 ? -1 : 1} 1:${((i * 7919) % 1000) / 8} ${2 + (i % 50)}:${i % 9}.5 100:${i}\n`,
).join('');

/** `text` as the program zstd 1.5 compresses it with -19 --check: blocks with tables of both kinds. */
const compressed = Buffer.from(
  `KLUv/WQ1HG07AOqGGA8OgBUkHmS7m7QnDUnAuT31AOkA6wCMfYbfPMLwCaJzxjhmGDflGkPOJeNOEgwPJiO1jQiNLrOVRRYYq3zcKF44A3KTbkK4+jakx6bz
Gssp0P8h8YWmPxFPtZdicdJW3kuOB29cNsXk3mPbFocHfn1baNsz16YwHV7V+TFq+Nu0GlKKvdOgK422b5h1w762kygbzmBTXEfEaHiwGhYXE9K2czjOFIYp
zxlphjMYjuU0SIYH49o4pwVHZrWZ0QLRN6PyZOEMKLaPNs7bui7GlbW1RIFYsGcCFc4FvkiAwhlY/sCETwOPHZDwwNQGHk4JXABkwOETOLYFGj4UeAssDCAC
EQsPIsAQgYUFBB9+DkL7KhUfwxlIrLxdNvLi4cHGK2/i0XhvvNoTB7rezdOzKfNqTnh0eECqbmZRFw6fgLHpqtyko4Zy76bkTkpr9xLZueEBdV1Ljo6lF7eS
EBcNNcMVi4SjqnPDipkThge1lTtNzvTGlWZwZHhrG2/agv9stYts9Pk2O3mTvbp9j3HzgmzbusXGbRXbxlg0sFjNMdofm4ljEjixkxhjLVbGYtyqdnJU8fAJ
Zqo8kyIH4mtMdYnJrZvOssMDklVNE0UTFc1UROFQsaFqbULk09QzScMDs/S6JNcetX4QGy4164cmepopvmQoHEqZFIaJlTxnI2lyZMkFSYYHZI0jS2OQnrHG
y0gLlY+zjkdZqePX4uiFb+y6xciVq+BGFIyF2gSrKEGqPjhlByU8qDf4EgZrFmxRBBkiVrU9NqrFwxkEN7XypUbfa+PTNfHb2n2zZgf5arVI1GiZos1CRAuH
B1JDq0pMaCTbadOZJg1caS9JmsuO1tJBY8MDvmYrhWZRzsyKJJkRQ+uzYWOeCcMZdOvsLMeZGR7QZiUtZiSxZCOVZMFQHlmtLjIquWxWY5ksPCiq7KuizAuf
oGKTdbWFjAuvb/voi53z1SsfhQf3v/n9yaXfAwBV3KeoGJ/YFMuzSZEc+uK4c1Fctni3LNrhQb1i3UeRrhRx7hAxHExDrLqESI6dOPVmojQ8MFfiWyS6tRHb
YhDZEK7hGqdhNGSGxRgZUtCHwygPhRHr8IyNQzOM27CUGJKyEo5CEgbDA+kIa2IRkvzCmYiFsjBT4TdEoTc1YTexEHKrcyOdMW7OIuWk0P6c2qf0PV/h2dnZ
Upxslbk3RmY8eBuzbE5Mqpvjmk1xeFCseVdp2uWZdT1MOsRUOQdRGY6ashoxKSm2l9PgXErf8v1YukG4spVGyYqLXOVERsMDkSGLMkKS0BmDMqgiYDhloVHa
38LKggRB+DESIMGDROAH6f6g+jw5G74/Xoq6Qy9YyjiRhs5qRMGRlp4iPpQgzSqoe+MTULT0P5POzRDnr/lBqyigd8rJM04NoxXT7TPlSZHRLhSIenvHAY2V
lud9SY7G2iR09k7gZJM1zio9aM0j6qPrDFDjucxMWPtyARlKb7mxVQXmVLOYIoXR2MW+nlHuMoCRJWYH5mv+muVafNadV6Dd6KkP6g1RbqPROWbmAf3SaBI7
tNtakDB9M9WhBtG8SLXPTuk/NTVCSdnZRiK0O61m9DAPnWYdLpOroxxou4TWc8jnNKbnrATaZKTxqUgqI6HVWWe2AYnQN4/EMzZBOZgnADWjhtLcRVo97nVq
n92kmqdqqUtmpWk4irQKOCiOUPdeYiLD0PicVEDuPu64JvTM+2QmJ7vovCQqR0jfky6w75wx5WXu11wqBZoTVEFfQzmRaZ2/0H+ojgPIX9P16THqTNdZMocq
uRNhwXTrJLEOVITRHdV50kvnCGqvLM151AbdDHwUm9R1uQY4VUZ/Te7qPgmyHFX6T3Z6dkDT2aAsd81iniHIIY0Tuap104Z5jAJ8KgoQN+QHgmlCTr4/3pb1
XRaTn4DYPdQ5sp+LZjeBuWyQOIEx2k1V5wmMZx87jqePlh0HYHSpelA66Lx0OtVrcht3K58jzY3r9BQ3+aGCnjlyfyDL0dyMR8uTtnQ5pQRzEGZoOntNotYJ
IM0o+i2i7xbTfXbFZ6kQmk7fPE0dzXOJ2+BC4hW5uXAoTMxjcvQ7wVXgurCPNG/7+slEAwOSgJWAuGb+ANuMwFfkEENfsD72O9vtgUqPMrf7+q0V4ZYWjnHv
+yHzTwPI6yWnfMejYuD+Crn5LxiRrIuJ5d+vd7zMwxnLvhBSUG5EcEkG9O951AMeY9zrAGlvA+8u9hvOhFs2YmxCIDlPEgD6fmEIjgSpHxhGfd/uXSQasGl/
WRdY3PXops/O10f2+4q9YEu3ShQm9Km1IQ/cDVuMLS567bVGI3Y3KHqVT3f7IhSpy0d0hfwr3hyt0Ld6fKkbWeB+gOPYG6PV3qDob5dj7MAUY/B7XIt58Eg3
MZB6AXz8eQyGlXBCtiiUwWicnNpdepFkfYXhWvGQBMYB6sctLeH14jaOnI3FcpthrJoXsPLsW50v5kR0jzKmSanm9kP5oYoi7hAWXzhzMUTMG42IPoD+8SUV
NaoQfTCHJKJIIMVXJNWoQvTRWnKt5qkMLg==`,
  'base64',
);

async function* inPieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; ) {
    const size = sizes[turn++ % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** What an archive holds, or the message of its refusal. */
async function outcomeOf(archive: Uint8Array, sizes: readonly number[] = [1 << 16]): Promise<string> {
  const outputs: Uint8Array[] = [];
  try {
    for await (const piece of decompressZstd(inPieces(archive, sizes), 'data.zst')) outputs.push(piece.slice());
  } catch (error) {
    if (!(error instanceof HalfspaceError)) throw error;
    expect([error.code, error.where.source, typeof error.where.byte]).toEqual(['source-corrupt', 'data.zst', 'number']);
    return error.message;
  }
  return Buffer.concat(outputs).toString('latin1');
}

const pieces = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 3 });
const checksummed = fc
  .tuple(
    fc.array(fc.string({ unit: 'binary-ascii', maxLength: 300 }), { minLength: 1, maxLength: 4 }),
    fc.integer({ min: 1, max: 200 }),
  )
  .map(([parts, block]) => ({
    archive: Buffer.concat([...parts.map((part) => frameOf(Buffer.from(part, 'latin1'), { block })), compressed]),
    held: parts.join('') + text,
  }));

describe('a zstd archive', () => {
  test('is read to the end of its last frame, whatever the frames and the pieces it comes in', async () => {
    const part = fc.oneof(
      fc
        .record({
          held: fc.oneof(
            fc.string({ unit: 'binary-ascii', maxLength: 3000 }),
            fc.nat(5000).map((n) => 'x'.repeat(n)),
          ),
          checksum: fc.boolean(),
          block: fc.integer({ min: 1, max: 2000 }),
        })
        .map(({ held, ...options }) => ({ held, frame: frameOf(Buffer.from(held, 'latin1'), options) })),
      fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.nat(15)).map(([content, kind]) => ({
        held: '',
        frame: skippableFrame(content, kind),
      })),
      fc.constant({ held: text, frame: compressed }),
    );
    await forAllAsync(200, fc.array(part, { minLength: 1, maxLength: 6 }), pieces, async (parts, sizes) => {
      const archive = Buffer.concat(parts.map(({ frame }) => frame));
      expect(await outcomeOf(archive, sizes)).toBe(parts.map(({ held }) => held).join(''));
    });
  });

  test('gives what it holds or is refused, whichever bit of it is another', async () => {
    await forAllAsync(500, checksummed, fc.nat(), fc.nat(7), pieces, async ({ archive, held }, at, bit, sizes) => {
      const damaged = Uint8Array.from(archive);
      damaged[at % damaged.length]! ^= 1 << bit;
      const outcome = await outcomeOf(damaged, sizes);
      if (outcome !== held)
        expect(outcome).toMatch(/^data\.zst, byte \d+: expected (zstd data; got damaged|a whole zstd file; got one)/);
    });
  });

  test('is refused as cut where it ends within a skippable frame, however long that claims to be', async () => {
    for (const claimed of [8, 2 ** 31 - 1, 2 ** 31, 2_754_594_514, 2 ** 32 - 200]) {
      const start = Buffer.from(skippableFrame(new Uint8Array(7)));
      start.writeUInt32LE(claimed, 4);
      for (const sizes of [[1], [3], [64]])
        expect(await outcomeOf(start, sizes), String(claimed)).toBe(
          'data.zst, byte 15: expected a whole zstd file; got one that is cut short',
        );
    }
  });

  test('is refused where it is cut within a frame, and where something else follows its last frame', async () => {
    await forAllAsync(100, checksummed, fc.nat(), pieces, async ({ archive }, at, sizes) => {
      // The last frame is the longest one.
      const end = archive.length - 1 - (at % (compressed.length - 2));
      expect(await outcomeOf(archive.subarray(0, end), sizes)).toBe(
        `data.zst, byte ${end}: expected a whole zstd file; got one that is cut short`,
      );
    });
    for (const garbage of [new Uint8Array(4), new Uint8Array(100), Buffer.from('1 1:1\n'), compressed.subarray(1)])
      for (const sizes of [[1], [compressed.length], [1 << 16]])
        expect(await outcomeOf(Buffer.concat([compressed, garbage]), sizes)).toMatch(
          /expected zstd data; got damaged bytes \(the bytes after the last frame are no frame\)/,
        );
  });

  test('takes memory for its window only, not for what it would become', async () => {
    let asked = 0;
    let given = 0;
    async function* counted() {
      for await (const piece of inPieces(bomb(2000), [64])) {
        asked += piece.length;
        yield piece;
      }
    }
    for await (const piece of decompressZstd(counted(), 'data.zst')) {
      given += piece.length;
      expect(piece.length).toBeLessThanOrEqual(128 * 1024);
      // Four bytes a block, and it is one piece ahead at most.
      expect(asked).toBeLessThanOrEqual((4 * given) / (128 * 1024) + 128);
    }
    expect(given).toBe(2000 * 128 * 1024);
    expect(await outcomeOf(frameOf(Buffer.from('a'), { windowLog: 27 }))).toBe('a');
    expect(await outcomeOf(frameOf(Buffer.from('a'), { windowLog: 28 }))).toMatch(/a window of more than 128 MiB/);
  });
});
