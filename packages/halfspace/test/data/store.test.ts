import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import {
  type Batch,
  denseBatch,
  type SparseBatch,
  type StoredBatch,
  sparseBatch,
  storedValues,
} from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { pack, packedLayout, shapeOf } from '../../src/data/packed.ts';
import { HoldoutSplit, ListedSplit, RowSelection, selectRows } from '../../src/data/split.ts';
import { ExampleStore, type StoreOptions } from '../../src/data/store.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { decimal } from '../support/examples.ts';
import { implementations } from '../support/kernels.ts';
import { spillDouble } from '../support/spill.ts';

interface Row {
  readonly label: number;
  readonly importance: number;
  readonly features: readonly (readonly [index: number, value: number])[];
}

function rowsOf(batch: StoredBatch): Row[] {
  const { labels, importance, values } = batch;
  return Array.from({ length: batch.rows }, (_, i) => {
    const [from, to] =
      batch.kind === 'dense'
        ? [i * batch.dimension, (i + 1) * batch.dimension]
        : [batch.offsets[i]!, batch.offsets[i + 1]!];
    const features = Array.from({ length: to - from }, (_, k): [number, number] => [
      batch.kind === 'dense' ? k : batch.indices[from + k]!,
      values[from + k]! / (batch.kind === 'compact' ? 10 ** batch.places : 1),
    ]);
    return { label: labels[i]!, importance: importance?.[i] ?? 1, features };
  });
}

/** Every row is a separate example; labels are numbers, as before the classes are known. */
const row = fc.record({
  label: fc.integer({ min: -5, max: 5 }),
  importance: fc.constantFrom(0, 0.5, 1, 3),
  values: fc.array(decimal, { maxLength: 6 }),
  first: fc.nat(9),
});

type RowData = typeof row extends fc.Arbitrary<infer R> ? R : never;

function sparseOf(rows: readonly RowData[], weighted: boolean): SparseBatch {
  const batch = sparseBatch(
    rows.map(({ values, first }) => ({ indices: values.map((_, k) => first + 2 * k), values })),
    rows.map(() => 1),
    weighted ? rows.map(({ importance }) => importance) : null,
  );
  return { ...batch, labels: Float64Array.from(rows, ({ label }) => label) };
}

function denseOf(rows: readonly RowData[], weighted: boolean): Batch {
  const batch = denseBatch(
    rows.map(({ values }) => [0, 1, 2, 3].map((j) => values[j] ?? 0)),
    rows.map(() => 1),
    weighted ? rows.map(({ importance }) => importance) : null,
  );
  // Without rows there is nothing to tell the dimension by.
  return { ...batch, dimension: 4, labels: Float64Array.from(rows, ({ label }) => label) };
}

const chunk = fc.record({ rows: fc.array(row, { maxLength: 5 }), weighted: fc.boolean() });
const layout = fc.constantFrom(sparseOf, denseOf);
const batches = fc
  .tuple(layout, fc.array(chunk, { minLength: 1, maxLength: 6 }))
  .map(([layOut, chunks]) => chunks.map(({ rows, weighted }) => layOut(rows, weighted)));

/** Everything in memory; everything spilled; and a budget that ends somewhere in between. */
const budget = fc.constantFrom(Infinity, 0, 100, 300);

function storeOf(kernels: Kernels, batches: readonly Batch[], options: StoreOptions): ExampleStore {
  const store = new ExampleStore(kernels, options);
  for (const batch of batches) store.append(batch);
  return store;
}

/** The rows of all batches, each read before the next is asked for. */
const gatheredFrom = (store: ExampleStore, ids: Uint32Array, size: number): Row[] =>
  Array.from(store.gather(ids, size), rowsOf).flat();

const allOf = (store: ExampleStore): Row[] =>
  Array.from({ length: store.chunks }, (_, c) => rowsOf(store.load(c))).flat();

describe.each(implementations)('a store in %s kernels', (_, create) => {
  const kernels = create();

  it('returns batches unchanged and in order, from memory and from the spill', () => {
    forAll(batches, budget, (batches, memoryBudget) => {
      const spill = spillDouble();
      const room = batches.length % 2 === 0 ? undefined : 200;
      const store = storeOf(kernels, batches, { memoryBudget, room, spill: spill.open });
      expect(store.large).toBe(storeOf(kernels, batches, { memoryBudget }).large);
      const expected = batches.flatMap(rowsOf);
      expect(allOf(store)).toEqual(expected);
      // And again: reading changes nothing.
      expect(allOf(store)).toEqual(expected);
      expect(store.rows).toBe(expected.length);
      expect(store.stored).toBe(batches.reduce((sum, batch) => sum + storedValues(batch), 0));
      const kept = batches.filter(({ rows }) => rows > 0);
      expect(store.dimension).toBe(Math.max(0, ...kept.map(({ dimension }) => dimension)));
      store.free();
      expect(spill.closed).toBe(spill.opened);
    });
  });

  it('copies batches, so later changes to them have no effect', () => {
    const batch = denseBatch([[1, 2]], [1], [3]);
    for (const memoryBudget of [0, 1000]) {
      const store = storeOf(kernels, [batch], { memoryBudget, spill: spillDouble().open });
      const before = rowsOf(batch);
      const { values, labels, importance } = structuredClone(batch);
      for (const array of [batch.values, batch.labels, batch.importance!]) array.fill(9);
      expect(allOf(store)).toEqual(before);
      batch.values.set(values);
      batch.labels.set(labels);
      batch.importance!.set(importance!);
    }
  });

  it('accepts rows that do not begin at the front of their arrays', () => {
    const whole = sparseBatch(
      [
        { indices: [0, 1], values: [1, 2] },
        { indices: [2], values: [3] },
        { indices: [0, 3], values: [4, 5] },
      ],
      [1, -1, 1],
    );
    const tail: Batch = { ...whole, rows: 2, offsets: whole.offsets.subarray(1), labels: whole.labels.subarray(1) };
    for (const memoryBudget of [0, 1000]) {
      const store = storeOf(kernels, [tail], { memoryBudget, spill: spillDouble().open });
      expect(allOf(store)).toEqual(rowsOf(whole).slice(1));
      expect([...(store.load(0) as SparseBatch).offsets]).toEqual([0, 1, 3]);
    }
  });

  it('gathers any examples in any order, repeats included, from memory and from the spill, in batches of any size', () => {
    forAll(
      batches,
      budget,
      fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 13 }),
      fc.boolean(),
      (batches, memoryBudget, picks, size, compact) => {
        const rows = batches.flatMap(rowsOf);
        fc.pre(rows.length > 0);
        const store = storeOf(kernels, batches, { memoryBudget, compact, spill: spillDouble().open });
        const ids = Uint32Array.from(picks, (pick) => pick % rows.length);
        const expected = Array.from(ids, (id) => rows[id]);
        expect(gatheredFrom(store, ids, size)).toEqual(expected);
        for (const gathered of store.gather(ids, ids.length)) {
          expect(gathered.dimension).toBe(store.dimension);
          // A gathered batch does not depend on the loads that follow it.
          allOf(store);
          expect(rowsOf(gathered)).toEqual(expected);
        }
        // A smaller one afterwards does not show the rests of a larger one.
        const few = ids.subarray(0, 1);
        expect(gatheredFrom(store, few, 1)).toEqual(Array.from(few, (id) => rows[id]));
        store.free();
      },
    );
  });

  it('gathers rows of long spilled batches one by one, and rows of many forms as doubles', () => {
    const rows = Array.from({ length: 40 }, (_, i) => Array.from({ length: 500 }, (_, j) => (i * 500 + j) / 8));
    const wide = (i: number) => ({ indices: rows[i]!.map((_, j) => 3 * j), values: rows[i]! });
    const [all, labels] = [[...rows.keys()], rows.map((_, i) => (i % 3 === 0 ? 1 : -1))];
    const plain = denseBatch(rows, labels);
    const weighted = denseBatch(
      rows.map((row) => Float32Array.from(row)),
      labels,
      labels.map(Math.abs),
    );
    const eighths = sparseBatch(all.map(wide), labels);
    const others = sparseBatch(
      [
        { indices: [5], values: [0.12345] },
        { indices: [70_000], values: [1 / 3] },
      ],
      [1, -1],
      [2, 3],
    );
    for (const batches of [[plain], [weighted], [weighted, plain], [eighths], [eighths, others], [others, eighths]])
      for (const compact of [true, false])
        for (const memoryBudget of [0, 1000]) {
          const store = storeOf(kernels, batches, { compact, memoryBudget, spill: spillDouble().open });
          store.rewrite((_, labels) => labels.set(labels.map((y) => 2 * y)));
          const expected = batches.flatMap(rowsOf).map((row) => ({ ...row, label: 2 * row.label }));
          const ids = Uint32Array.of(7, 31, 7, 0, expected.length - 1);
          expect(gatheredFrom(store, ids, 5)).toEqual(Array.from(ids, (id) => expected[id]));
          store.free();
        }
  });

  it('rewrites everything stored so far once, in memory and in the spill, and nothing stored later', () => {
    forAll(batches, batches, budget, (early, late, memoryBudget) => {
      fc.pre(early[0]!.kind === late[0]!.kind);
      const store = storeOf(kernels, early, { memoryBudget, spill: spillDouble().open });
      store.rewrite((values, labels) => {
        for (let k = 0; k < values.length; k++) values[k]! *= 2;
        for (let k = 0; k < labels.length; k++) labels[k]! += 10;
      });
      for (const batch of late) store.append(batch);
      store.rewrite((values) => {
        for (let k = 0; k < values.length; k++) values[k]! += 1;
      });
      const rewritten = (rows: Row[], factor: number, shift: number): Row[] =>
        rows.map(({ label, importance, features }) => ({
          label: label + shift,
          importance,
          features: features.map(([index, value]) => [index, value * factor + 1]),
        }));
      const expected = [...rewritten(early.flatMap(rowsOf), 2, 10), ...rewritten(late.flatMap(rowsOf), 1, 0)];
      for (let time = 0; time < 2; time++) {
        expect(allOf(store)).toEqual(expected);
        if (expected.length === 0) continue;
        const ids = Uint32Array.from(expected, (_, i) => expected.length - 1 - i);
        expect(gatheredFrom(store, ids, 3)).toEqual(expected.slice().reverse());
      }
      store.free();
    });
  });

  it('keeps in memory at most its budget and the batch that exceeds it', () => {
    const batch = denseBatch(Array(10).fill([1, 2, 3]), Array(10).fill(1));
    const { bytes } = packedLayout(shapeOf(batch));
    expect(bytes).toBe(10 * (3 + 1) * 8);
    for (const [memoryBudget, inMemory] of [
      [0, 0],
      [1, 1],
      [bytes, 1],
      [bytes + 1, 2],
      [3 * bytes, 3],
    ] as const) {
      const spill = spillDouble();
      const store = new ExampleStore(kernels, { memoryBudget, spill: spill.open });
      for (let n = 1; n <= 5; n++) {
        store.append(batch);
        expect(store.full).toBe(Math.min(n, inMemory) * bytes >= memoryBudget);
        expect(spill.bytes).toBe(Math.max(0, n - inMemory) * bytes);
        expect(spill.opened).toBe(n > inMemory ? 1 : 0);
      }
      store.free();
      expect(spill.closed).toBe(spill.opened);
    }
  });

  it('keeps everything in memory without a spill', () => {
    const batch = denseBatch([[1]], [1]);
    const store = storeOf(kernels, [batch, batch], { memoryBudget: 0 });
    expect(store.full).toBe(true);
    expect(allOf(store)).toEqual([...rowsOf(batch), ...rowsOf(batch)]);
  });

  it('does not store an empty batch', () => {
    const store = storeOf(kernels, [denseBatch([], []), sparseBatch([], [])], {});
    expect([store.rows, store.chunks]).toEqual([0, 0]);
  });

  it('frees its memory', () => {
    const own = create();
    const batch = denseBatch(Array(1000).fill([1, 2, 3, 4]), Array(1000).fill(1));
    let size = 0;
    for (let round = 0; round < 200; round++) {
      const store = storeOf(own, Array(10).fill(batch), {});
      gatheredFrom(store, Uint32Array.of(1, 2, 3), 2);
      store.free();
      const probe = own.uint8(1);
      if (round === 5) size = probe.array.buffer.byteLength;
      if (round > 5) expect(probe.array.buffer.byteLength).toBe(size);
      probe.free();
    }
  });
});

describe.each(implementations)('a packed batch in %s kernels', (_, create) => {
  it('has the same contents as the batch, for any rows', () => {
    const kernels = create();
    forAll(layout, chunk, (layOut, { rows, weighted }) => {
      const batch = layOut(rows, weighted);
      const { packed, block } = pack(kernels, batch);
      expect(rowsOf(packed.batch)).toEqual(rowsOf(batch));
      expect(packed.batch).toMatchObject({ kind: batch.kind, rows: batch.rows, dimension: batch.dimension });
      expect(packed.importance === null).toBe(!weighted);
      expect(packed.values.buffer).toBe(block.array.buffer);
      block.free();
    });
  });

  it('reuses a block, enlarged if necessary', () => {
    const kernels = create();
    const block = kernels.uint8(8);
    const large = denseBatch(Array(100).fill([1, 2]), Array(100).fill(-1));
    const small = sparseBatch([{ indices: [3], values: [4] }], [1]);
    expect(rowsOf(pack(kernels, large, block).packed.batch)).toEqual(rowsOf(large));
    const { length } = block;
    expect(rowsOf(pack(kernels, small, block).packed.batch)).toEqual(rowsOf(small));
    expect(block.length).toBe(length);
  });
});

describe('selectRows', () => {
  it('returns the given rows in the given order, in new arrays', () => {
    forAll(layout, chunk, fc.array(fc.nat(), { maxLength: 8 }), (layOut, { rows, weighted }, picks) => {
      fc.pre(rows.length > 0);
      const batch = layOut(rows, weighted);
      const numbers = picks.map((pick) => pick % rows.length);
      const selected = selectRows(batch, numbers);
      expect(rowsOf(selected)).toEqual(numbers.map((i) => rowsOf(batch)[i]));
      expect(selected.dimension).toBe(batch.dimension);
      expect(selected.values.buffer).not.toBe(batch.values.buffer);
    });
  });
});

describe('RowSelection', () => {
  it('returns the same rows in reused arrays', () => {
    forAll(layout, chunk, fc.array(fc.array(fc.nat(), { maxLength: 8 })), (layOut, { rows, weighted }, picks) => {
      fc.pre(rows.length > 0);
      const batch = layOut(rows, weighted);
      const selection = new RowSelection();
      for (const pick of picks) {
        const numbers = pick.map((number) => number % rows.length);
        expect(rowsOf(selection.select(batch, numbers, numbers.length))).toEqual(numbers.map((i) => rowsOf(batch)[i]));
      }
    });
  });
});

describe('HoldoutSplit', () => {
  const fractions = fc.oneof(
    fc.constantFrom(0.1, 0.2, 0.25, 0.3, 1 / 3, 0.5, 0.7, 0.9, 1e-9, 1 - 2 ** -53),
    fc.double({ min: 0.001, max: 0.999, noNaN: true }),
  );

  it('holds out the same examples one by one, in blocks, and from a list', () => {
    const one = new HoldoutSplit(0.3, 5);
    const many = new HoldoutSplit(0.3, 5);
    const classes = Array.from({ length: 308 }, (_, i) => (i * i) % 3);
    const expected = classes.map((k) => one.next(k));
    const listed = new ListedSplit(expected.flatMap((isHeld, i) => (isHeld ? [i] : [])));
    let first = 0;
    for (const rows of [1, 0, 7, 300]) {
      const part = expected.slice(first, first + rows);
      for (const split of [many, listed]) {
        const kept = new Uint32Array(rows);
        const held = new Uint32Array(rows);
        const count = split.nextInto(classes.slice(first, first + rows), rows, kept, held);
        const numbers = part.map((_, i) => i);
        expect([...kept.subarray(0, count)]).toEqual(numbers.filter((i) => !part[i]));
        expect([...held.subarray(0, rows - count)]).toEqual(numbers.filter((i) => part[i]));
      }
      first += rows;
    }
  });

  it('holds out of the first n of every class less than one more or less than their share, never the first', () => {
    forAll(fractions, fc.nat(), fc.array(fc.nat(4), { maxLength: 400 }), (fraction, seed, classes) => {
      const split = new HoldoutSplit(fraction, seed);
      const seen = new Map<number, { rows: number; held: number }>();
      for (const k of classes) {
        const so = seen.get(k) ?? { rows: 0, held: 0 };
        seen.set(k, so);
        const isHeld = split.next(k);
        if (so.rows === 0) expect(isHeld).toBe(false);
        so.rows++;
        so.held += isHeld ? 1 : 0;
        expect(Math.abs(so.held - so.rows * fraction)).toBeLessThan(1 + 1e-9);
      }
    });
  });

  it('holds out every later example of a class equally often', () => {
    const [rows, runs, fraction] = [60, 4000, 0.3];
    const counts = new Float64Array(rows);
    for (let seed = 0; seed < runs; seed++) {
      const split = new HoldoutSplit(fraction, seed);
      for (let i = 0; i < rows; i++) if (split.next(0)) counts[i]!++;
    }
    // The chance of the first goes to those that follow it, up to the third.
    expect(counts.slice(0, 4).reduce((a, b) => a + b) / runs / 4).toBeCloseTo(fraction, 1);
    const spread = 5 * Math.sqrt((fraction * (1 - fraction)) / runs);
    for (const count of counts.slice(4)) expect(Math.abs(count / runs - fraction)).toBeLessThan(spread);
  });
});

describe('arraySource', () => {
  it('refuses batches of different kinds or dimensions', () => {
    const dense = denseBatch([[1, 2]], [1]);
    const wider = denseBatch([[1, 2, 3]], [1]);
    const sparse = sparseBatch([{ indices: [0], values: [1] }], [1]);
    expect(() => arraySource([dense, sparse])).toThrow(
      'expected batches that are all sparse, or all dense and of one dimension; got 2-dimensional dense and sparse ones',
    );
    expect(() => arraySource([dense, wider])).toThrow(/got 2-dimensional dense and 3-dimensional dense ones/);
    expect(() => arraySource([sparse, { ...sparse, dimension: 7 }])).not.toThrow();
    expect(() => arraySource([])).not.toThrow();
    expect(() => arraySource([denseBatch([], []), dense, sparseBatch([], [])])).not.toThrow();
  });
});
