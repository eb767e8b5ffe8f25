import { describe, expect, it } from 'vitest';
import type { Batch, DenseBatch, SparseBatch } from '../../src/batch.ts';
import { pack } from '../../src/data/packed.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { ModelScorer } from '../../src/model/linear/scorer.ts';
import { Random } from '../../src/random.ts';
import { implementations } from '../support/kernels.ts';
import { innerProduct, memoryOf, numbers, outside, rows, sparseIn, sparseRows } from '../support/rows.ts';

describe.each(implementations)('memory of the %s kernels', (name, create) => {
  it('is zero when allocated, also if it was used before', () => {
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

  it('keeps its front and is zero behind it after a resize', () => {
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

  it('may grow under blocks and batches in use, which then read their new place', () => {
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

  it('may grow during a call that copies a large batch', () => {
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

  it('may grow while a batch in it is scored with a divisor', () => {
    const kernels = create();
    const count = 300_000;
    // In kernel memory, like parsed text. Its values are divided outside, and the copy needs more memory than there is.
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

  it.each([2 ** 33, 2 ** 40, 2 ** 52])('refuses %d elements, and remains usable', (length) => {
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
