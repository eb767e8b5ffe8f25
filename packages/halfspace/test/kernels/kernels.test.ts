import { describe, expect, it, vi } from 'vitest';
import type { DenseBatch } from '../../src/batch.ts';
import * as layout from '../../src/kernels/layout.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { refusedNote } from '../../src/kernels/refused.ts';
import { Random } from '../../src/random.ts';
import { inFourLanes } from '../oracles/oracle.ts';
import { implementations, reference, wasm } from '../support/kernels.ts';
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
} from '../support/rows.ts';

const pick = ({ w, u, b, biasSum }: ReturnType<typeof outcomeOf>) => ({ w, u, b, biasSum });

describe.each(implementations)('%s kernels', (_, create) => {
  const kernels = create();
  const places = [outside(), inside(kernels)];

  describe.each(layouts)(
    'over %s rows of 0 to 67 elements and more, at odd offsets, surrounded by NaN',
    (_, make, layOut) => {
      it('score in the documented order of summation, to the bit', () => {
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

      it('compute squared norms in that order, to the bit', () => {
        for (const length of lengths)
          for (const place of places) {
            const data = make(length, new Random(length));
            const norms = new Float64Array(rows + 1).fill(7);
            kernels.squaredNormsInto(layOut(place, data, 1), norms);
            const expected = data.values.map((x) => inFourLanes(x, x));
            expect([...norms], `${place.name}, ${length} elements`).toEqual([...expected, 7]);
          }
      });

      it('learn like the documented loop, to the bit, by each condition, and write nothing after the last weight', () => {
        for (const length of lengths)
          for (const place of places)
            for (const condition of [layout.updateAtMost, layout.updateBelow, layout.updateSignDiffers]) {
              const random = new Random(length * 10 + condition);
              const data = make(length, random);
              const start = numbers(data.dimension, random);
              const memory = memoryOf(kernels, start, condition);
              const batch = layOut(place, data, 1 + 2 * condition);
              const all = [...Array(rows).keys()];
              for (let pass = 0; pass < 3; pass++) expect(kernels.learn(batch, 0, rows, memory)).toBe(rows);
              const expected = learnPlainly(data, [...all, ...all, ...all], start, condition);
              expect(outcomeOf(memory, data.dimension), `${place.name}, ${length} elements`).toEqual(expected);
              for (const block of [memory.weights, memory.sums!])
                expect([...block.array.subarray(data.dimension)].every(Number.isNaN)).toBe(true);
            }
      });

      it('report place, score and step of every update, and learn the same', () => {
        for (const length of [0, 1, 5, 17])
          for (const place of places)
            for (const kind of [layout.stepPerceptron, layout.stepWhole, layout.stepCapped, layout.stepSoftened]) {
              const random = new Random(3 * length + kind);
              const data = make(length, random);
              const start = numbers(data.dimension, random);
              const condition = kind === layout.stepPerceptron ? layout.updateAtMost : layout.updateBelow;
              const step = { threshold: kind === layout.stepPerceptron ? 0 : 1, kind, aggressiveness: 0.5 };
              const memory = memoryOf(kernels, start, condition, step);
              const log = kernels.float64(1 + layout.entrySize * rows);
              const batch = layOut(place, data, 1);
              kernels.learn(batch, 0, rows, { ...memory, log });

              // One example after the other, and what became of the bias tells the step.
              const plain = memoryOf(kernels, start, condition, step);
              const told: number[] = [];
              for (let i = 0; i < rows; i++) {
                const before = { bias: plain.state.array[layout.bias]!, updates: plain.state.array[layout.updates]! };
                const w = [...plain.weights.array.subarray(0, data.dimension)];
                kernels.learn(batch, i, i + 1, plain);
                if (plain.state.array[layout.updates] === before.updates) continue;
                const c = plain.state.array[layout.biasConstant]!;
                told.push(i, innerProduct(data, i, w) + before.bias * c);
                told.push((plain.state.array[layout.bias]! - before.bias) / c);
              }
              const entries = [...log.array.subarray(1, 1 + layout.entrySize * log.array[0]!)];
              expect(entries).toHaveLength(told.length);
              entries.forEach((entry, k) => {
                // Steps were read off a difference, which rounds.
                if (k % layout.entrySize === 2) expect(entry).toBeCloseTo(told[k]!, 9);
                else expect(entry).toBe(told[k]);
              });
              expect(outcomeOf(memory, data.dimension)).toEqual(outcomeOf(plain, data.dimension));
            }
      });

      it('start from the given clock, and average as if the skipped examples had been shown', () => {
        for (const place of places) {
          const random = new Random(8);
          const data = make(9, random);
          const start = numbers(data.dimension, random);
          const batch = layOut(place, data, 1);
          const whole = memoryOf(kernels, start);
          const clocks: number[] = [];
          const marked: number[] = [];
          for (let i = 0; i < rows; i++) {
            const { [layout.clock]: clock, [layout.updates]: updates } = whole.state.array;
            kernels.learn(batch, i, i + 1, whole);
            if (whole.state.array[layout.updates] === updates) continue;
            marked.push(i);
            clocks.push(clock!);
          }
          expect(marked.length).toBeGreaterThan(0);
          expect(marked.length).toBeLessThan(rows);
          const memory = memoryOf(kernels, start);
          const log = kernels.float64(1 + layout.entrySize * rows);
          clocks.forEach((clock, k) => {
            log.array[layout.entrySize * (k + 1)] = clock;
          });
          kernels.learn(batch, 0, marked.length, { ...memory, order: Uint32Array.from(marked), log, timed: true });
          expect(pick(outcomeOf(memory, data.dimension))).toEqual(pick(outcomeOf(whole, data.dimension)));
        }
      });

      it('learn by each kind of step, to the bit', () => {
        for (const length of lengths)
          for (const place of places)
            for (const kind of [layout.stepWhole, layout.stepCapped, layout.stepSoftened]) {
              const random = new Random(length + kind);
              const data = make(length, random);
              const start = numbers(data.dimension, random);
              const step = { threshold: 1, kind, aggressiveness: 10 ** -(length % 7) };
              const memory = memoryOf(kernels, start, layout.updateBelow, step);
              const batch = layOut(place, data, kind);
              const all = [...Array(rows).keys()];
              for (let pass = 0; pass < 2; pass++) expect(kernels.learn(batch, 0, rows, memory)).toBe(rows);
              const expected = learnPlainly(data, [...all, ...all], start, layout.updateBelow, step);
              expect(outcomeOf(memory, data.dimension), `${place.name}, ${length} elements`).toEqual(expected);
            }
      });

      it('show the examples of an order array, repeats included, from anywhere', () => {
        const order = [4, 0, 0, 3, 1, 2, 2, 4, 1];
        for (const length of [0, 1, 6, 33])
          for (const place of places) {
            const random = new Random(length);
            const data = make(length, random);
            const start = numbers(data.dimension, random);
            const memory = memoryOf(kernels, start);
            const batch = layOut(place, data, 3);
            const shown = kernels.learn(batch, 2, 8, { ...memory, order: place.uint32(order, 5)() });
            expect(shown).toBe(6);
            const expected = learnPlainly(data, order.slice(2, 8), start, layout.updateAtMost);
            expect(outcomeOf(memory, data.dimension)).toEqual(expected);
          }
      });

      it('show a range of a batch like its rows alone', () => {
        const random = new Random(5);
        const data = make(9, random);
        const start = numbers(data.dimension, random);
        const memory = memoryOf(kernels, start);
        expect(kernels.learn(layOut(outside(), data, 1), 1, 4, memory)).toBe(3);
        expect(outcomeOf(memory, data.dimension)).toEqual(learnPlainly(data, [1, 2, 3], start, layout.updateAtMost));
        expect(kernels.learn(layOut(outside(), data, 1), 2, 2, memory)).toBe(0);
      });
    },
  );

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

  it('score without the bias if there is none', () => {
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
  it('returns WebAssembly if possible, and the reference on request', () => {
    expect(createKernels().name).toBe('wasm');
    expect(createKernels('reference').name).toBe('reference');
    expect([wasm().name, reference().name]).toEqual(['wasm', 'reference']);
  });

  it('has a note for a policy that refuses WebAssembly, and for nothing else', () => {
    expect(refusedNote()).toBeNull();
    vi.spyOn(WebAssembly, 'Module').mockImplementation(function refuse() {
      throw new WebAssembly.CompileError('refused by the policy');
    });
    expect(refusedNote()).toContain("(script-src 'wasm-unsafe-eval' allows it)");
    vi.restoreAllMocks();
  });

  it('returns separate memory for each call', () => {
    const blocks = [createKernels(), createKernels()].map((kernels) => kernels.float64(4));
    blocks[0]!.array.fill(1);
    expect([...blocks[1]!.array]).toEqual([0, 0, 0, 0]);
  });
});
