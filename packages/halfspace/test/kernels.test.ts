import { describe, expect, it } from 'vitest';
import type { DenseBatch } from '../src/batch.ts';
import { stepKind, updateCondition } from '../src/kernels/kernels.ts';
import { createKernels } from '../src/kernels/load.ts';
import { Random } from '../src/random.ts';
import { inFourLanes } from './oracles/oracle.ts';
import { implementations, reference, wasm } from './support/kernels.ts';
import {
  innerProduct,
  inside,
  layouts,
  learnPlainly,
  lengths,
  memoryOf,
  numbers,
  outcomeOf,
  outside,
  rows,
  sparseIn,
  sparseRows,
} from './support/rows.ts';

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

    it('learn by each kind of step, to the bit', () => {
      for (const length of lengths)
        for (const place of places)
          for (const kind of [stepKind.whole, stepKind.capped, stepKind.softened]) {
            const random = new Random(length + kind);
            const data = make(length, random);
            const start = numbers(data.dimension, random);
            const step = { threshold: 1, kind, aggressiveness: 10 ** -(length % 7) };
            const memory = memoryOf(kernels, start, updateCondition.below, step);
            const batch = layOut(place, data, kind);
            const all = [...Array(rows).keys()];
            for (let pass = 0; pass < 2; pass++) expect(kernels.learn(batch, null, 0, rows, memory)).toBe(rows);
            const expected = learnPlainly(data, [...all, ...all], start, updateCondition.below, step);
            expect(outcomeOf(memory, data.dimension), `${place.name}, ${length} elements`).toEqual(expected);
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
