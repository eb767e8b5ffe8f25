import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { storeOptions } from '../../src/data/input/file-access.ts';
import { givenInput, type TextInput } from '../../src/data/input/input.ts';
import { sourcePieces } from '../../src/data/input/pieces.ts';
import { KeptBytes } from '../../src/data/kept-bytes.ts';
import { openSource } from '../../src/data/open-source.ts';
import type { OpenSourceOptions, Source } from '../../src/data/source.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import { type ZippedFile, zipOf } from '../support/archives.ts';
import { spillDouble } from '../support/spill.ts';
import { libsvmSource } from '../support/text.ts';

test('kept bytes come back in order, any number of times: the first ones from memory, the others from the spill', () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }));
  forAll(pieces, fc.nat(100), (all, most) => {
    const spill = spillDouble();
    const kept = new KeptBytes(spill.open, 'x', most);
    for (const piece of all) {
      const reused = piece.slice();
      kept.append(reused);
      reused.fill(0);
    }
    for (let k = 0; k < 2; k++)
      expect(Array.from(kept.pieces(), (piece) => [...piece])).toEqual(all.map((piece) => [...piece]));
    const total = all.reduce((sum, { length }) => sum + length, 0);
    expect(total - spill.bytes).toBeLessThanOrEqual(most);
    expect(spill.opened).toBe(total > most ? 1 : 0);
  });
});

test('bytes beyond the bound are refused where there is no file', () => {
  const kept = new KeptBytes(undefined, 'upload', 100);
  kept.append(new Uint8Array(60));
  expect(() => kept.append(new Uint8Array(41))).toThrow(
    expect.objectContaining({
      code: 'memory-exhausted',
      message: expect.stringMatching(/^upload: expected memory for 41 more bytes/),
    }),
  );
});

test('examples beyond the memory budget go to a temporary file, unless another storage is given', async () => {
  const { spill, memoryBudget } = await storeOptions({ memoryBudget: 10 });
  expect(memoryBudget).toBe(10);
  const file = spill!();
  try {
    expect([file.append(Uint8Array.of(1, 2, 3)), file.append(Uint8Array.of(4, 5))]).toEqual([0, 3]);
    const read = new Uint8Array(4);
    file.read(1, read);
    expect([...read]).toEqual([2, 3, 4, 5]);
  } finally {
    file.close();
  }
  const double = spillDouble();
  expect(await storeOptions({ spill: double.open })).toEqual({ spill: double.open });
  expect(double.opened).toBe(0);
});

const options: OpenSourceOptions = { kernels: createKernels() };
const examples = arraySource([]);

test('a source is opened with the options of the run, and keeps its `this`', async () => {
  const source = {
    name: 'mine',
    opened: [] as OpenSourceOptions[],
    async open(given: OpenSourceOptions) {
      this.opened.push(given);
      return examples;
    },
  } satisfies Source & { opened: OpenSourceOptions[] };
  expect(await openSource(source, options)).toBe(examples);
  expect(source.opened).toEqual([options]);
});

test('a source of examples is used as it is', async () => {
  expect(await openSource(examples, options)).toBe(examples);
});

test.each([undefined, null, 'data.csv', [[1, 2]], {}])('anything else is refused: %j', async (given) => {
  await expect(openSource(given as never, options)).rejects.toThrow("expected a source, such as csv('data.csv')");
});

test('the positive class that a source names is learned against the rest, unless the run names another', async () => {
  const classesOf = async (positive?: string) => {
    const source = libsvmSource(options.kernels, '1 1:1\n2 2:1\n3 3:1\n');
    Object.defineProperty(source, 'positive', { value: '2' });
    return (await trainOnce(source, { kernels: options.kernels, positive })).model.classes;
  };
  expect(await classesOf()).toEqual(['not 2', '2']);
  expect(await classesOf('3')).toEqual(['not 3', '3']);
});

describe('zip', () => {
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
      await forAllAsync(
        40,
        content,
        fc.boolean(),
        fc.boolean(),
        fc.stringMatching(/^[a-z]{0,9}$/),
        async (content, isDeflated, wide, comment) => {
          const [folder, attributes] = others as [ZippedFile, ZippedFile];
          const bytes = zipOf([folder, { name: 'data/é.csv', content, isDeflated }, attributes], { wide, comment });
          expect(Buffer.compare(await read(form(bytes)), Buffer.from(content))).toBe(0);
        },
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
});
