import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { givenInput, type TextInput } from '../../src/data/input/input.ts';
import { sourcePieces } from '../../src/data/input/pieces.ts';
import { type ZippedFile, zipOf } from '../support/zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-zip-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(input: TextInput): Promise<Buffer> {
  const opened = await givenInput(input, 'x.zip').open();
  const pieces: Uint8Array[] = [];
  for await (const piece of sourcePieces(opened.bytes)) pieces.push(piece.slice());
  return Buffer.concat(pieces);
}

function fileOf(bytes: Uint8Array): string {
  const path = join(folder, 'x.zip');
  writeFileSync(path, bytes);
  return path;
}

const forms: Readonly<Record<string, (bytes: Uint8Array) => TextInput>> = {
  bytes: (bytes) => bytes,
  'a blob': (bytes) => new Blob([bytes as Uint8Array<ArrayBuffer>]),
  'a file': fileOf,
};
const text = 'x,y\n1,a\n2,b\n';
const one: ZippedFile = { name: 'x.csv', content: text };
const others: readonly ZippedFile[] = [
  { name: 'data/', content: '', isDeflated: false },
  { name: '__MACOSX/._x.csv', content: 'attributes' },
];

describe.each(Object.entries(forms))('a ZIP archive as %s', (_, form) => {
  test('is read as the one file in it', async () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.integer({ min: 1, max: 300_000 }).map((n) => Buffer.alloc(n, 'ab,')),
    );
    await fc.assert(
      fc.asyncProperty(
        content,
        fc.boolean(),
        fc.boolean(),
        fc.stringMatching(/^[a-z]{0,9}$/),
        async (content, isDeflated, wide, comment) => {
          const [folder, attributes] = others as [ZippedFile, ZippedFile];
          const bytes = zipOf([folder, { name: 'data/é.csv', content, isDeflated }, attributes], { wide, comment });
          expect(Buffer.compare(await read(form(bytes)), Buffer.from(content))).toBe(0);
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each<[string, Uint8Array, RegExp]>([
    [
      'several files',
      zipOf([one, { ...one, name: "it's b.csv" }]),
      /expected one file in the ZIP archive; got 2, "x.csv", "it's b.csv": unzip -p \S+ x.csv \| halfspace train - reads one/,
    ],
    ['no file', zipOf(others), /expected one file in the ZIP archive; got none/],
    ['an encrypted file', zipOf([{ ...one, flags: 1 }]), /expected a ZIP archive without a password/],
  ])('is refused with %s', async (_, bytes, message) => {
    await expect(read(form(bytes))).rejects.toThrow(message);
  });

  test('is refused where any byte of the packed file differs, or the size', async () => {
    const whole = zipOf([one]);
    const from = 30 + one.name.length;
    for (let at = from; at < from + deflateRawSync(text).length; at++) {
      const bytes = whole.slice();
      bytes[at]! ^= 0x10;
      const found = await read(form(bytes)).catch((error: Error) => error);
      if (found instanceof Error) expect(found.message).toMatch(/expected a whole ZIP archive/);
      // Some bits of DEFLATE say nothing.
      else expect(found.toString()).toBe(text);
    }
    const bomb = zipOf([{ name: 'x.csv', content: Buffer.alloc(50_000_000) }]);
    const directory = Buffer.from(bomb.buffer, bomb.byteOffset).lastIndexOf('PK\x01\x02');
    new DataView(bomb.buffer, bomb.byteOffset).setUint32(directory + 24, 1000, true);
    await expect(read(form(bomb))).rejects.toThrow(/another size or checksum/);
  });

  test('passes as it is if it is a document, or has no directory', async () => {
    const office = zipOf([{ name: '[Content_Types].xml', content: '<Types/>' }, one]);
    for (const bytes of [office, zipOf([one]).subarray(0, 40)])
      expect(Buffer.compare(await read(form(bytes)), bytes)).toBe(0);
  });
});
