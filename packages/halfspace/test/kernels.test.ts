import { describe, expect, it } from 'vitest';
import type { Batch, DenseBatch, SparseBatch } from '../src/batch.ts';
import { pack } from '../src/data/packed.ts';
import { HalfspaceError } from '../src/errors.ts';
import { type Kernels, type LearnerMemory, slot, updateCondition } from '../src/kernels/kernels.ts';
import { createKernels } from '../src/kernels/load.ts';
import { ModelScorer } from '../src/model/score.ts';
import { Random } from '../src/random.ts';
import { inFourLanes } from './oracles/oracle.ts';
import { implementations, reference, wasm } from './support/kernels.ts';

/** Row lengths around every boundary of a loop of four, and a few that take many rounds. */
const lengths = [...Array(68).keys(), 127, 128, 129, 1000, 1003];
const rows = 5;

/** Decimal numbers of mixed sizes, so that a changed order of summation shows in the last bits. */
function numbers(length: number, random: Random): number[] {
  return Array.from({ length }, () => (random.uniform() - 0.5) * 10 ** (random.below(7) - 3));
}

/**
 * Where the arrays of a batch lie: everything around them is NaN, or an index that no row may follow. They are looked up when
 * they are needed, because making the next one may move kernel memory.
 */
interface Place {
  readonly name: string;
  readonly float64: (numbers: readonly number[], shift: number) => () => Float64Array;
  readonly uint32: (numbers: readonly number[], shift: number) => () => Uint32Array;
}

const poison = 0xdead_beef;

function placed<A extends Float64Array | Uint32Array>(block: { readonly array: A }, filling: number) {
  return (numbers: readonly number[], shift: number) => {
    block.array.fill(filling);
    block.array.set(numbers, shift);
    return () => block.array.subarray(shift, shift + numbers.length) as A;
  };
}

function outside(): Place {
  return {
    name: 'outside kernel memory',
    float64: (numbers, shift) => placed({ array: new Float64Array(numbers.length + 16) }, Number.NaN)(numbers, shift),
    uint32: (numbers, shift) => placed({ array: new Uint32Array(numbers.length + 16) }, poison)(numbers, shift),
  };
}

/** In blocks of the kernels: a batch's arrays are then used where they are, at whatever offset that is. */
function inside(kernels: Kernels): Place {
  return {
    name: 'inside kernel memory',
    float64: (numbers, shift) => placed(kernels.float64(numbers.length + 16), Number.NaN)(numbers, shift),
    uint32: (numbers, shift) => placed(kernels.uint32(numbers.length + 16), poison)(numbers, shift),
  };
}

/** Rows as plain arrays: the weight that each element belongs to, and its value. */
interface Rows {
  readonly indices: number[][];
  readonly values: number[][];
  readonly labels: number[];
  readonly importance: number[];
  readonly dimension: number;
}

function denseRows(length: number, random: Random): Rows {
  return {
    indices: Array.from({ length: rows }, () => [...Array(length).keys()]),
    values: Array.from({ length: rows }, () => numbers(length, random)),
    labels: Array.from({ length: rows }, () => (random.below(2) === 0 ? -1 : 1)),
    importance: Array.from({ length: rows }, () => random.uniform() * 2),
    dimension: length,
  };
}

/** Rows of different lengths about `length`, over a dimension with room between the indices. */
function sparseRows(length: number, random: Random): Rows {
  const dimension = 3 * length + 7;
  const shape = Array.from({ length: rows }, (_, i) => (i === 2 ? 0 : Math.max(0, length + i - 1)));
  return {
    ...denseRows(0, random),
    indices: shape.map((count) => Array.from({ length: count }, () => random.below(dimension))),
    values: shape.map((count) => numbers(count, random)),
    dimension,
  };
}

function denseIn(place: Place, data: Rows, shift: number): DenseBatch {
  const values = place.float64(data.values.flat(), shift);
  const labels = place.float64(data.labels, shift);
  const importance = place.float64(data.importance, shift);
  return {
    kind: 'dense',
    rows,
    dimension: data.dimension,
    get values() {
      return values();
    },
    get labels() {
      return labels();
    },
    get importance() {
      return importance();
    },
  };
}

function sparseIn(place: Place, data: Rows, shift: number): SparseBatch {
  const ends = [0];
  for (const row of data.values) ends.push(ends.at(-1)! + row.length);
  const offsets = place.uint32(ends, shift);
  const indices = place.uint32(data.indices.flat(), shift);
  const values = place.float64(data.values.flat(), shift);
  const labels = place.float64(data.labels, shift);
  const importance = place.float64(data.importance, shift);
  return {
    kind: 'sparse',
    rows,
    dimension: data.dimension,
    get offsets() {
      return offsets();
    },
    get indices() {
      return indices();
    },
    get values() {
      return values();
    },
    get labels() {
      return labels();
    },
    get importance() {
      return importance();
    },
  };
}

/** w·xᵢ in the documented order. */
function innerProduct({ indices, values }: Rows, i: number, w: ArrayLike<number>): number {
  return inFourLanes(
    indices[i]!.map((j) => w[j]!),
    values[i]!,
  );
}

/** Weights, sums and scalars in kernel memory, with NaN behind the last weight. */
function memoryOf(
  kernels: Kernels,
  weights: readonly number[],
  condition: number = updateCondition.atMost,
): LearnerMemory {
  const guard = 8;
  const state = kernels.float64(slot.size);
  state.array[slot.biasConstant] = 0.5;
  state.array[slot.quietLimit] = Infinity;
  state.array[slot.updateLimit] = Infinity;
  state.array[slot.condition] = condition;
  state.array[slot.tie] = -1;
  const block = kernels.float64(weights.length + guard);
  block.array.fill(Number.NaN).set(weights);
  const sums = kernels.float64(weights.length + guard);
  sums.array.fill(Number.NaN).fill(0, 0, weights.length);
  return { weights: block, sums, state };
}

/** The loop that `Kernels.learn` documents, over the plain rows. */
function learnPlainly(data: Rows, order: readonly number[], start: readonly number[], condition: number) {
  const w = [...start];
  const u = start.map(() => 0);
  const c = 0.5;
  let [b, biasSum, clock, updates, mistakes, quiet] = [0, 0, 0, 0, 0, 0];
  for (const i of order) {
    const y = data.labels[i]!;
    const h = data.importance[i]!;
    const a = innerProduct(data, i, w) + b * c;
    if ((a > 0 ? 1 : -1) !== y) mistakes++;
    const due = [y * a <= 0, y * a < 0, (a >= 0 ? 1 : -1) !== y][condition]!;
    if (due && h > 0) {
      b += h * y * c;
      biasSum += clock * (h * y) * c;
      data.indices[i]!.forEach((j, k) => {
        w[j]! += h * y * data.values[i]![k]!;
      });
      data.indices[i]!.forEach((j, k) => {
        u[j]! += clock * (h * y) * data.values[i]![k]!;
      });
      updates++;
      quiet = 0;
    } else quiet++;
    clock += h;
  }
  return { w, u, b, biasSum, clock, updates, mistakes, quiet, examples: order.length };
}

function outcomeOf({ weights, sums, state }: LearnerMemory, dimension: number) {
  const at = state.array;
  return {
    w: [...weights.array.subarray(0, dimension)],
    u: [...sums!.array.subarray(0, dimension)],
    b: at[slot.bias]!,
    biasSum: at[slot.biasSum]!,
    clock: at[slot.clock]!,
    updates: at[slot.updates]!,
    mistakes: at[slot.mistakes]!,
    quiet: at[slot.quiet]!,
    examples: at[slot.examples]!,
  };
}

const layouts = [
  ['dense', denseRows, denseIn],
  ['sparse', sparseRows, sparseIn],
] as const;

describe.each(implementations)('%s kernels', (_, create) => {
  const kernels = create();
  const places = [outside(), inside(kernels)];

  describe.each(layouts)('over %s rows of 0 to 67 elements and more, at odd offsets, among NaN', (_, make, layOut) => {
    it('score as the documented order of summation says, to the bit', () => {
      for (const length of lengths)
        for (const place of places)
          for (const shift of [0, 1, 3]) {
            const random = new Random(length * 10 + shift);
            const data = make(length, random);
            const w = numbers(data.dimension, random);
            const { weights } = memoryOf(kernels, w);
            const scores = new Float64Array(rows + 1).fill(7);
            const batch = layOut(place, data, shift);
            kernels.scoreInto(batch, weights, 0.3, 0.5, scores);
            const expected = data.values.map((_, i) => innerProduct(data, i, w) + 0.3 * 0.5);
            expect([...scores], `${place.name}, ${length} elements at ${shift}`).toEqual([...expected, 7]);
          }
    });

    it('measure squared norms in that order, to the bit', () => {
      for (const length of lengths)
        for (const place of places) {
          const data = make(length, new Random(length));
          const norms = new Float64Array(rows + 1).fill(7);
          kernels.squaredNormsInto(layOut(place, data, 1), norms);
          const expected = data.values.map((x) => inFourLanes(x, x));
          expect([...norms], `${place.name}, ${length} elements`).toEqual([...expected, 7]);
        }
    });

    it('learn as the documented loop does, to the bit, by each condition, and touch nothing behind the last weight', () => {
      for (const length of lengths)
        for (const place of places)
          for (const condition of Object.values(updateCondition)) {
            const random = new Random(length * 10 + condition);
            const data = make(length, random);
            const start = numbers(data.dimension, random);
            const memory = memoryOf(kernels, start, condition);
            const batch = layOut(place, data, 1 + 2 * condition);
            const all = [...Array(rows).keys()];
            for (let pass = 0; pass < 3; pass++) expect(kernels.learn(batch, null, 0, rows, memory)).toBe(rows);
            const expected = learnPlainly(data, [...all, ...all, ...all], start, condition);
            expect(outcomeOf(memory, data.dimension), `${place.name}, ${length} elements`).toEqual(expected);
            for (const block of [memory.weights, memory.sums!])
              expect([...block.array.subarray(data.dimension)].every(Number.isNaN)).toBe(true);
          }
    });

    it('show the examples that an order array names, repeats included, wherever it lies', () => {
      const order = [4, 0, 0, 3, 1, 2, 2, 4, 1];
      for (const length of [0, 1, 6, 33])
        for (const place of places) {
          const random = new Random(length);
          const data = make(length, random);
          const start = numbers(data.dimension, random);
          const memory = memoryOf(kernels, start);
          const batch = layOut(place, data, 3);
          const shown = kernels.learn(batch, place.uint32(order, 5)(), 2, 8, memory);
          expect(shown).toBe(6);
          const expected = learnPlainly(data, order.slice(2, 8), start, updateCondition.atMost);
          expect(outcomeOf(memory, data.dimension)).toEqual(expected);
        }
    });

    it('show a range of a batch as they show its rows', () => {
      const random = new Random(5);
      const data = make(9, random);
      const start = numbers(data.dimension, random);
      const memory = memoryOf(kernels, start);
      expect(kernels.learn(layOut(outside(), data, 1), null, 1, 4, memory)).toBe(3);
      expect(outcomeOf(memory, data.dimension)).toEqual(learnPlainly(data, [1, 2, 3], start, updateCondition.atMost));
      expect(kernels.learn(layOut(outside(), data, 1), null, 2, 2, memory)).toBe(0);
    });
  });

  it('read rows of a batch that does not begin at the front of its arrays', () => {
    const random = new Random(3);
    const data = sparseRows(6, random);
    const all = sparseIn(outside(), data, 1);
    const tail = {
      ...all,
      rows: 2,
      offsets: all.offsets.subarray(3),
      labels: all.labels.subarray(3),
      importance: null,
    };
    const w = numbers(data.dimension, random);
    const { weights } = memoryOf(kernels, w);
    const scores = new Float64Array(2);
    kernels.scoreInto(tail, weights, 0, 0, scores);
    expect([...scores]).toEqual([innerProduct(data, 3, w), innerProduct(data, 4, w)]);
  });

  it('score with the weights alone where there is no bias', () => {
    const { weights } = memoryOf(kernels, [2]);
    const scores = new Float64Array(1);
    const batch: DenseBatch = {
      kind: 'dense',
      rows: 1,
      dimension: 1,
      values: Float64Array.of(3),
      labels: Float64Array.of(1),
      importance: null,
    };
    kernels.scoreInto(batch, weights, 100, 0, scores);
    expect([...scores]).toEqual([6]);
  });
});

describe.each(implementations)('memory of the %s kernels', (name, create) => {
  it('is zero when it is given, also where other numbers were before', () => {
    const kernels = create();
    for (let round = 0; round < 20; round++) {
      const blocks = [
        kernels.float64(100 + round),
        kernels.uint32(37),
        kernels.uint8(11 + 7 * round),
        kernels.float64(0),
      ];
      for (const { array } of blocks) expect(array.every((element) => element === 0)).toBe(true);
      for (const { array } of blocks) array.fill(255);
      for (const block of blocks.slice(round % 2)) block.free();
    }
  });

  it('keeps the front and is zero behind it after a resize', () => {
    const block = create().float64(3);
    block.array.set([1, 2, 3]);
    block.resize(5);
    expect([...block.array]).toEqual([1, 2, 3, 0, 0]);
    expect(block.length).toBe(5);
    block.resize(2);
    expect([...block.array]).toEqual([1, 2]);
    block.resize(4);
    expect([...block.array]).toEqual([1, 2, 0, 0]);
    block.resize(0);
    block.resize(1);
    expect([...block.array]).toEqual([0]);
  });

  it('grows under blocks and batches that are alive, and they are read where they are then', () => {
    const kernels = create();
    const random = new Random(1);
    const data = sparseRows(9, random);
    const w = numbers(data.dimension, random);
    const memory = memoryOf(kernels, w);
    const { packed } = pack(kernels, sparseIn(outside(), data, 1));
    const batch = packed.batch as SparseBatch;
    const scores = () => {
      const out = new Float64Array(rows);
      kernels.scoreInto(batch, memory.weights, 0, 0, out);
      return [...out];
    };
    const expected = data.values.map((_, i) => innerProduct(data, i, w));
    expect(scores()).toEqual(expected);
    for (let megabytes = 1; megabytes <= 64; megabytes *= 4) {
      const before = memory.weights.array.buffer;
      kernels.uint8(megabytes << 20).array.fill(255);
      if (name === 'wasm' && megabytes > 4) expect(memory.weights.array.buffer).not.toBe(before);
      expect(memory.weights.array.slice(0, w.length)).toEqual(Float64Array.from(w));
      expect([...batch.values]).toEqual(data.values.flat());
      expect([...batch.indices]).toEqual(data.indices.flat());
      expect([...batch.labels]).toEqual(data.labels);
      expect([...batch.importance!]).toEqual(data.importance);
      expect(scores()).toEqual(expected);
    }
  });

  it('grows in the middle of a call that must copy a large batch in', () => {
    const kernels = create();
    const count = 300_000;
    const values = Float64Array.from({ length: count }, (_, k) => k % 7);
    const memory = memoryOf(kernels, [1, 2, 3]);
    const batch: DenseBatch = {
      kind: 'dense',
      rows: count / 3,
      dimension: 3,
      values,
      labels: new Float64Array(count / 3).fill(1),
      importance: null,
    };
    const scores = new Float64Array(count / 3);
    kernels.scoreInto(batch, memory.weights, 0, 0, scores);
    expect(scores.every((score, i) => score === values[3 * i]! + 2 * values[3 * i + 1]! + 3 * values[3 * i + 2]!)).toBe(
      true,
    );
  });

  it('may grow while a batch in it is scored through a divisor', () => {
    const kernels = create();
    const count = 300_000;
    // In kernel memory, as text is read; its values are divided outside it, and come back into more memory than there is.
    const offsets = kernels.uint32(count + 1);
    const indices = kernels.uint32(count);
    const values = kernels.float64(count);
    const labels = kernels.float64(count);
    for (let k = 0; k < count; k++) {
      offsets.array[k + 1] = k + 1;
      values.array[k] = k;
      labels.array[k] = 1;
    }
    const batch: Batch = {
      kind: 'sparse',
      rows: count,
      dimension: 1,
      importance: null,
      get offsets() {
        return offsets.array;
      },
      get indices() {
        return indices.array;
      },
      get values() {
        return values.array;
      },
      get labels() {
        return labels.array;
      },
    };
    const scorer = new ModelScorer(kernels, { weights: Float64Array.of(3), bias: 0, biasConstant: 0, divisor: 4 });
    const scores = new Float64Array(count);
    scorer.scoreInto(batch, scores);
    expect(scores.every((score, k) => score === (k / 4) * 3)).toBe(true);
    expect(values.array[count - 1]).toBe(count - 1);
  });

  it.each([2 ** 33, 2 ** 40, 2 ** 52])('refuses %d elements, and works on', (length) => {
    const kernels = create();
    const kept = kernels.float64(4);
    kept.array.set([1, 2, 3, 4]);
    for (const ask of [
      () => kernels.float64(length),
      () => kernels.uint32(length),
      () => kernels.uint8(length * 8),
      () => kept.resize(length),
    ]) {
      expect(ask).toThrow(HalfspaceError);
      expect(ask).toThrow(expect.objectContaining({ code: 'memory-exhausted' }));
    }
    expect([...kept.array]).toEqual([1, 2, 3, 4]);
    kept.resize(5);
    expect([...kept.array]).toEqual([1, 2, 3, 4, 0]);
    expect([...kernels.float64(3).array]).toEqual([0, 0, 0]);
  });
});

describe('createKernels', () => {
  it('gives WebAssembly where it can, and the reference when that is asked for', () => {
    expect(createKernels().name).toBe('wasm');
    expect(createKernels('reference').name).toBe('reference');
    expect([wasm().name, reference().name]).toEqual(['wasm', 'reference']);
  });

  it('gives memory of its own each time', () => {
    const blocks = [createKernels(), createKernels()].map((kernels) => kernels.float64(4));
    blocks[0]!.array.fill(1);
    expect([...blocks[1]!.array]).toEqual([0, 0, 0, 0]);
  });
});
