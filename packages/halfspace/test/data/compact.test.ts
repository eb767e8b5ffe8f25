import { describe, expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { denseBatch, type SparseBatch, sparseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { Renumbering } from '../../src/data/renumbering.ts';
import { ExampleStore, type Spill } from '../../src/data/store.ts';
import { createTextParser, type TextParser } from '../../src/data/text-parser.ts';
import { TextBuffers } from '../../src/data/text-reader.ts';
import { splitReciprocal } from '../../src/kernels/decimal-places.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import * as layout from '../../src/kernels/layout.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { NameTable } from '../../src/kernels/name-table.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { LinearLearner } from '../../src/rules/learner.ts';
import { createLearner } from '../../src/rules/registry.ts';
import { train } from '../support/arithmetic.ts';
import { implementations } from '../support/kernels.ts';
import { bytesOf } from '../support/text.ts';

/** Decimals of up to `places` places, as text has them. */
const decimals = (places: number) =>
  fc.integer({ min: -(10 ** 6), max: 10 ** 6 }).map((m) => Number(`${m}e-${places}`) + 0);

const batchOf = (value: fc.Arbitrary<number>): fc.Arbitrary<SparseBatch> =>
  fc
    .array(fc.record({ y: fc.constantFrom(-1, 1), x: fc.uniqueArray(fc.nat(40), { maxLength: 14 }), h: fc.nat(3) }), {
      minLength: 1,
      maxLength: 20,
    })
    .chain((rows) =>
      fc.tuple(...rows.map(({ x }) => fc.array(value, { minLength: x.length, maxLength: x.length }))).map((values) =>
        sparseBatch(
          rows.map(({ x }, i) => ({ indices: x, values: values[i]! })),
          rows.map(({ y }) => y),
          rows.map(({ h }) => h),
        ),
      ),
    );

function memorySpill(): Spill {
  const pieces: number[] = [];
  return {
    append(bytes) {
      pieces.push(...bytes);
      return pieces.length - bytes.length;
    },
    read: (position, target) => target.set(pieces.slice(position, position + target.length)),
    close() {},
  };
}

const state = (learner: LinearLearner) => {
  const { weights, sums, scalars, vectors = {} } = learner.state();
  return [weights, sums ?? [], scalars, ...Object.values(vectors)].map((numbers) => [...numbers]);
};

describe('a whole number m divided by a power of ten', () => {
  test.each([0, 1, 2, 3, 4, 5, 6])('equals m·high + m·low to the bit, for every 32-bit m and 10^%d', (places) => {
    const { high, low } = splitReciprocal(places);
    const ten = 10 ** places;
    // Every m of up to 21 bits, then a walk over the rest.
    for (let m = -(2 ** 20); m <= 2 ** 20; m++) if (m * high + m * low !== m / ten) expect.unreachable(`${m}`);
    for (let m = -(2 ** 31); m < 2 ** 31; m += 4093) if (m * high + m * low !== m / ten) expect.unreachable(`${m}`);
    forAll(10_000, fc.integer(), (m) => m * high + m * low === m / ten);
  });
});

describe.each(implementations)('batches stored compactly by %s kernels', (_, create) => {
  const kernels = create();

  test.each([0, 1, 4, 6, 9])('give back the same bits, for values with %d decimal places', (places) => {
    forAll(60, batchOf(decimals(places)), fc.boolean(), (batch, spilled) => {
      const store = new ExampleStore(kernels, {
        compact: true,
        ...(spilled ? { spill: memorySpill, memoryBudget: 0 } : {}),
      });
      store.append(batch);
      const kept = store.load(0);
      expect(kept.kind).toBe('compact');
      expect([...kept.labels]).toEqual([...batch.labels]);
      expect([...kept.importance!]).toEqual([...batch.importance!]);

      for (const create of [
        () => createLearner(kernels, 'passive-aggressive'),
        () => createLearner(kernels, 'averaged'),
        () => createLearner(kernels, 'arow'),
        () => createLearner(kernels, 'sgd'),
      ]) {
        const [compact, plain] = [create(), create()] as readonly [LinearLearner, LinearLearner];
        for (let pass = 0; pass < 3; pass++) {
          compact.learn(store.load(0));
          plain.learn(batch);
        }
        expect(state(compact)).toEqual(state(plain));
        const [a, b] = [new Float64Array(batch.rows), new Float64Array(batch.rows)];
        compact.scoreInto(store.load(0), a);
        plain.scoreInto(batch, b);
        expect([...a]).toEqual([...b]);
        compact.free();
        plain.free();
      }
      const [a, b] = [new Float64Array(batch.rows), new Float64Array(batch.rows)];
      kernels.squaredNormsInto(store.load(0), a);
      kernels.squaredNormsInto(batch, b);
      expect([...a]).toEqual([...b]);
      store.free();
    });
  });

  test.each([
    ['a value that is no short decimal', [0.5, 1 / 3]],
    ['minus zero', [0.5, -0]],
    ['a value too large', [0.5, 2 ** 31]],
    ['a tiny value', [0.5, 1e-300]],
  ])('are stored as they are if digits would be lost: %s', (_, values) => {
    for (const order of [values, [...values].reverse(), [1, 1, 1, ...values]]) {
      const store = new ExampleStore(kernels, { compact: true });
      const batch = sparseBatch([{ indices: order.map((_, j) => j), values: order }], [1]);
      store.append(batch);
      const kept = store.load(0);
      expect(kept.kind).toBe('sparse');
      expect([...kept.values].every((value, k) => Object.is(value, order[k]))).toBe(true);
      store.free();
    }
  });

  test('are written correctly if kernel memory grows meanwhile', () => {
    // Kernels of their own: what has grown once need not grow again.
    const fresh = create();
    const store = new ExampleStore(fresh, { compact: true });
    const rows = Array.from({ length: 3000 }, (_, i) => ({
      indices: Array.from({ length: 40 }, (_, j) => j * 7 + (i % 7)),
      values: Array.from({ length: 40 }, (_, j) => (i + j) / 100),
    }));
    const batch = sparseBatch(
      rows,
      rows.map((_, i) => (i % 2 === 0 ? 1 : -1)),
    );
    store.append(batch);
    const kept = store.load(0);
    if (kept.kind !== 'compact') throw new Error('expected a compact batch');
    expect(Array.from(kept.values, (m) => m / 10 ** kept.places)).toEqual([...batch.values]);
    expect([...kept.indices]).toEqual([...batch.indices]);
  });

  test('are stored as they are if an index needs more than 16 bits', () => {
    const store = new ExampleStore(kernels, { compact: true });
    store.append(sparseBatch([{ indices: [65535], values: [1] }], [1]));
    store.append(sparseBatch([{ indices: [65536], values: [1] }], [1]));
    expect([store.load(0).kind, store.load(1).kind]).toEqual(['compact', 'sparse']);
    store.free();
  });

  test('make the same model as examples shown one by one', async () => {
    const rows = Array.from({ length: 50 }, (_, i) => ({
      indices: [i % 7, 7 + (i % 3)],
      values: [0.1 * (i % 9), 0.25],
    }));
    const labels = rows.map((_, i) => (i % 7 > 3 ? 1 : -1));
    const { model } = await train(arraySource(sparseBatch(rows, labels)), {
      kernels,
      passes: 5,
      stop: { cleanPass: false },
    });
    const learner = createLearner(kernels, 'averaged');
    for (let pass = 0; pass < 5; pass++)
      for (const [i, row] of rows.entries()) learner.learn(sparseBatch([row], [labels[i]!]));
    expect([...model.weights]).toEqual([...learner.parameters().weights]);
    expect(model.bias).toBe(learner.parameters().bias);
  });
});

describe('dense rows of 32-bit floats', () => {
  const rows = Array.from({ length: 60 }, (_, i) =>
    Float32Array.from({ length: 7 }, (_, j) => Math.sin(i * 7 + j) * 10 ** (j - 3)),
  );
  const labels = rows.map((row) => (row[2]! + row[5]! > 0 ? 1 : -1));
  const single = denseBatch(rows, labels);
  const double = denseBatch(
    rows.map((row) => [...row]),
    labels,
  );

  test('are stored as they are, and widened if values must be rewritten', () => {
    expect([single.values.constructor, double.values.constructor]).toEqual([Float32Array, Float64Array]);
    for (const [compact, kind] of [
      [true, Float32Array],
      [false, Float64Array],
    ] as const) {
      const store = new ExampleStore(createKernels(), { compact, spill: memorySpill, memoryBudget: 1 });
      store.append(single);
      store.append(single);
      for (const c of [0, 1]) {
        const { values } = store.load(c);
        expect(values).toBeInstanceOf(kind);
        expect([...values]).toEqual([...double.values]);
      }
      store.free();
    }
  });

  test.each([
    { passes: 3 },
    { passes: 3, order: 'shuffled', seed: 2 },
    { passes: 3, holdout: 0.3 },
    { passes: 3, rule: 'sgd' },
    { passes: 3, rule: 'arow' },
    { passes: 3, scaling: 'unit-ball' },
    { rule: 'passive-aggressive', passes: 3 },
    { as: 'cs4780' },
  ] as const)('make the same model as the same numbers as doubles: %o', async (options) => {
    const [a, b] = [await train(arraySource(single), options), await train(arraySource(double), options)];
    expect(encodeModel(a.model)).toBe(encodeModel(b.model));
    expect(a.report).toEqual(b.report);
  });
});

const recipe = { format: 'vw', bits: null, known: null } as const;

/** Reads rows of names into buffers of their own. Returns the batch and the names that are new to the parser. */
function read(kernels: Kernels, parser: TextParser, rows: readonly (readonly string[])[]) {
  const bytes = bytesOf(rows.map((row) => `1 |f ${row.join(' ')}\n`).join(''));
  const buffers = new TextBuffers(kernels, { textBytes: 4096, batchRows: 8, batchValues: 512 });
  buffers.text.array.set(bytes);
  buffers.report.array.set([0, bytes.length, 1]);
  expect(parser.parse(buffers.text, buffers.rows, buffers.report)).toBe(layout.statusDone);
  const batch = buffers.batch(parser.compact);
  if (batch.kind === 'dense') throw new Error('text is sparse');
  return { batch, names: parser.newNames()!, buffers };
}

const name = fc.oneof(fc.constantFrom('a', 'b', 'straße'), fc.nat(20_000).map(String));
const piece = fc.record({
  /** The parser that reads it. */
  by: fc.nat(2),
  rows: fc.array(fc.array(name, { maxLength: 40 }), { minLength: 1, maxLength: 8 }),
});
const pieces = fc.array(piece, { maxLength: 8 }).chain((list) =>
  fc.record({
    list: fc.constant(list),
    /** Places in the list, in the order of reading. */
    order: fc.shuffledSubarray([...list.keys()], { minLength: list.length }),
  }),
);

describe('Renumbering', () => {
  test.each(implementations)(
    'gives names the numbers of one parser, whoever reads a piece and when: %s',
    (_, create) => {
      const kernels = create();
      forAll(200, pieces, ({ list, order }) => {
        const table = new NameTable(kernels);
        const parsers = [0, 1, 2].map(() => createTextParser(kernels, recipe));
        const numbers = parsers.map(() => new Renumbering(kernels, table));
        const parts = new Map(order.map((i) => [i, read(kernels, parsers[list[i]!.by]!, list[i]!.rows)]));
        const expected: string[] = [];
        for (const [i, { by, rows }] of list.entries()) {
          const { batch, names, buffers } = parts.get(i)!;
          expect(numbers[by]!.apply(batch, names)).toBe(batch);
          const whole = rows.map((row) => [...new Set(row)].map((word) => `f^${word}`));
          for (const word of whole.flat()) if (!expected.includes(word)) expected.push(word);
          const found = whole.map((_, k) => [...batch.indices.subarray(batch.offsets[k], batch.offsets[k + 1])]);
          expect(found).toEqual(whole.map((row) => row.map((word) => expected.indexOf(word))));
          expect(batch.dimension).toBe(expected.length);
          buffers.free();
        }
        expect(table.names()).toEqual(expected);
        for (const each of [table, ...parsers, ...numbers]) each.free();
      });
    },
  );

  test('widens compact rows when there are more names than they can have', () => {
    const [[, create]] = implementations as [(typeof implementations)[number]];
    const kernels = create();
    const table = new NameTable(
      kernels,
      Array.from({ length: 65_535 }, (_, i) => `other ${i}`),
    );
    const parser = createTextParser(kernels, recipe);
    const numbers = new Renumbering(kernels, table);
    const first = read(kernels, parser, [['a']]);
    expect(numbers.apply(first.batch, first.names)).toBe(first.batch);
    const second = read(kernels, parser, [['a', 'b:0.25']]);
    const wide = numbers.apply(second.batch, second.names);
    expect(wide).toMatchObject({ kind: 'sparse', rows: 1, dimension: 65_537 });
    expect([...wide.indices]).toEqual([65_535, 65_536]);
    expect([...wide.values]).toEqual([1, 0.25]);
  });
});
