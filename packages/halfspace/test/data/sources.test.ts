import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arraySource } from '../../src/data/in-memory.ts';
import { storeOptions } from '../../src/data/input/file-access.ts';
import { KeptBytes } from '../../src/data/kept-bytes.ts';
import { openSource } from '../../src/data/open-source.ts';
import type { OpenSourceOptions, Source } from '../../src/data/source.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import { spillDouble } from '../support/spill.ts';
import { libsvmSource } from '../support/text.ts';

test('kept bytes come back in order, any number of times: the first ones from memory, the others from the spill', () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }));
  fc.assert(
    fc.property(pieces, fc.nat(100), (all, most) => {
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
    }),
  );
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
