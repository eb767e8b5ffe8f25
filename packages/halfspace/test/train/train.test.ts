import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { sparseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { classOf } from '../../src/kernels/kernels.ts';
import { inSequence } from '../oracles/oracle.ts';
import { train } from '../support/arithmetic.ts';
import { dense, dyadic, example, examplesOf, fourApart, run, sparse, xor } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { libsvmSource } from '../support/text.ts';

const kernels = wasm();

describe('a run stops', () => {
  it('because the examples are separated, which it verifies first', async () => {
    const { model, report } = await run(fourApart);
    expect(report.stop).toBe('separated');
    expect(report.train).toMatchObject({ examples: 4, errors: 0, accuracy: 1, separated: true });
    expect(report.train!.margin).toBeGreaterThan(0);
    expect(report.updatesPerPass.at(-1)).toBe(0);
    expect(model.training).toMatchObject({ stop: 'separated', separated: true, trainAccuracy: 1 });
  });

  it('because all passes are used', async () => {
    const { report } = await run(xor, { passes: 7 });
    expect(report.stop).toBe('budget');
    expect(report.updatesPerPass).toHaveLength(7);
    expect(report.passes).toBe(7);
    expect(report.train!.separated).toBe(false);
    expect(report.train!.margin).toBeLessThanOrEqual(0);
  });

  it('because no update is left, although an example still has the wrong class', async () => {
    // A positive at the origin scores b·0: by y·a < 0 that is no mistake, and by the tie it is a negative.
    const data = [example(1, 1), example(1, 0), example(-1, -1)];
    const { report } = await run(data, { as: 'foda', bias: 'none' });
    expect(report.stop).toBe('quiet');
    expect(report.train).toMatchObject({ errors: 1, separated: false, margin: 0 });
  });

  it('because the given number of examples in a row made no update, anywhere in a pass', async () => {
    for (const order of ['cyclic', 'shuffled', 'random'] as const) {
      const { report } = await run(fourApart, { rule: 'perceptron', order, stop: { quiet: 3, cleanPass: false } });
      expect(report.stop).not.toBe('budget');
      expect(report.passes).toBeLessThanOrEqual(4);
    }
    // The first example makes the only update, and the three after it are quiet: the second pass is never begun.
    const { report } = await run([example(1, 1), example(-1, -2), example(1, 2), example(-1, -3)], {
      stop: { quiet: 3, cleanPass: false },
    });
    expect(report.updatesPerPass).toEqual([1]);
  });

  it('after a default number of passes that limits the work: at most 100, at least 10', async () => {
    expect((await run(xor)).report.passes).toBe(100);
    const wide = xor.map(({ x, y }) => ({ x: [...x, ...Array(5e5).fill(0)], y }));
    expect((await run(wide)).report.passes).toBe(Math.floor(1e8 / (4 * (5e5 + 2))));
  });

  it('on request, with the number of the pass', async () => {
    const early = AbortSignal.abort();
    await expect(run(xor, { signal: early })).rejects.toMatchObject({ code: 'interrupted' });
    const controller = new AbortController();
    const stopped = run(xor, {
      passes: 1000,
      signal: controller.signal,
      onProgress: ({ pass }) => {
        if (pass === 5) controller.abort();
      },
    });
    await expect(stopped).rejects.toThrow('expected to finish training; stopped in pass 5');
  });
});

describe('progress', () => {
  it('reports pass, examples and updates as they happen, and the number of passes once it is known', async () => {
    const seen: unknown[] = [];
    const batches = [sparse(xor.slice(0, 3)), sparse(xor.slice(3))];
    const { report } = await train(arraySource(batches), { kernels, passes: 2, onProgress: (now) => seen.push(now) });
    expect(seen).toHaveLength(4);
    expect(seen[0]).toMatchObject({ pass: 1, passes: null, rows: 3, rowsInPass: null });
    expect(seen[1]).toMatchObject({ pass: 1, passes: null, rows: 4, updates: report.updatesPerPass[0] });
    expect(seen[2]).toMatchObject({ pass: 2, passes: 2, rows: 3, rowsInPass: 4 });
    expect(seen[3]).toMatchObject({ pass: 2, passes: 2, rows: 4, updates: report.updatesPerPass[1] });
  });
});

describe('the report', () => {
  it('counts what was read', async () => {
    const { report } = await train(libsvmSource(kernels, '1 1:1 5:2\n-1 2:1\n-1\n'), { kernels });
    expect(report).toMatchObject({
      rule: 'averaged',
      as: null,
      examples: 3,
      features: 5,
      nonzeros: 3,
      classes: ['-1', '1'],
      classExamples: [2, 1],
      seed: 1,
      holdout: null,
      validation: null,
    });
  });

  it('counts the values of rows that do not begin at the front of their arrays', async () => {
    const whole = sparse([example(1, 1, 2, 3), ...fourApart.map(({ x, y }) => ({ x: [...x, 0], y }))]);
    const tail = { ...whole, rows: 4, offsets: whole.offsets.subarray(1), labels: whole.labels.subarray(1) };
    const { report } = await train(arraySource(tail), { kernels });
    expect(report.nonzeros).toBe(whole.values.length - 3);
  });

  it('has a progressive accuracy of the first pass, every example judged just before it is learned from', async () => {
    await forAllAsync(examplesOf(dyadic), fc.constantFrom(-1 as const, 1 as const), async (data, tie) => {
      let [w, b, errors] = [data[0]!.x.map(() => 0), 0, 0];
      for (const { x, y } of data) {
        const a = inSequence(w, x) + b;
        if (classOf(a, tie) !== y) errors++;
        if (y * a <= 0) {
          w = w.map((weight, j) => weight + y * x[j]!);
          b += y;
        }
      }
      // The averaged rule is judged by the weights that it learns with, too.
      for (const rule of ['perceptron', 'averaged'] as const) {
        const { report } = await run(data, { rule, tie, passes: 3 });
        const accuracy = (data.length - errors) / data.length;
        expect(report.progressive).toEqual({ examples: data.length, errors, accuracy });
      }
    });
  });

  it('judges the model on its own examples, class by class', async () => {
    await forAllAsync(examplesOf(dyadic), async (data) => {
      const { model, report } = await run(data, { rule: 'perceptron', passes: 3 });
      const right = data.map(({ x, y }) => classOf(inSequence([...model.weights], x) + model.bias, -1) === y);
      const count = (y: number, correct: boolean) => data.filter((at, i) => at.y === y && right[i] === correct).length;
      expect(report.train).toMatchObject({
        examples: data.length,
        errors: right.filter((correct) => !correct).length,
        confusion: [
          [count(-1, true), count(-1, false)],
          [count(1, false), count(1, true)],
        ],
      });
    });
  });
});

describe('overflow', () => {
  it('of weights is refused: no model contains an infinity', async () => {
    const overflow = {
      code: 'weights-overflow',
      message: expect.stringMatching(
        /^examples, row \d+: expected weights and squared lengths of rows within the range of doubles; got larger ones: scale the data$/,
      ),
    };
    const heavy = { ...dense(fourApart.map(({ x, y }) => ({ x: x.map((value) => value * 1e10), y }))) };
    const importance = new Float64Array(heavy.rows).fill(1e300);
    for (const rule of ['perceptron', 'averaged'] as const)
      await expect(train(arraySource({ ...heavy, importance }), { kernels, rule })).rejects.toMatchObject(overflow);
    // The weights stay in range here, and only the sums for their mean do not.
    const late = [...Array(20).fill(example(-1, -1)), example(1, -1e307)];
    await expect(run(late, { passes: 20 })).rejects.toMatchObject(overflow);
  });
});

describe('memory', () => {
  it('of the kernels is freed after a run, and after a failed one', async () => {
    const own = wasm();
    // Many weights, so that a block of them that is forgotten shows.
    const rows = Array.from({ length: 500 }, (_, i) => ({ indices: [i % 7, 7 + 100 * i], values: [1, i] }));
    const data = sparseBatch(
      rows,
      rows.map((_, i) => (i % 2 === 0 ? 1 : -1)),
    );
    let size = 0;
    for (let round = 0; round < 20; round++) {
      const order = round % 2 === 0 ? 'shuffled' : 'cyclic';
      const validation = arraySource(data);
      await train(arraySource(data), { kernels: own, passes: 2, order, holdout: 0.2, validation });
      await expect(train(libsvmSource(own, '1 1:1\nx'), { kernels: own })).rejects.toThrow();
      const probe = own.uint8(1);
      if (round === 3) size = probe.array.buffer.byteLength;
      if (round > 3) expect(probe.array.buffer.byteLength).toBe(size);
      probe.free();
    }
  });
});
