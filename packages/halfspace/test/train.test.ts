import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sparseBatch } from '../src/batch.ts';
import { arraySource, streamSource } from '../src/data/in-memory.ts';
import type { ByteSource } from '../src/data/source.ts';
import type { Kernels } from '../src/kernels/kernels.ts';
import { classOf } from '../src/kernels/kernels.ts';
import { encodeModel } from '../src/model/encode.ts';
import { openBytes, temporarySpill } from '../src/node/index.ts';
import { Random } from '../src/random.ts';
import type { TrainOptions } from '../src/train/options.ts';
import { train } from '../src/train/train.ts';
import { type Example, inSequence } from './oracles/oracle.ts';
import { decimal, dense, dyadic, example, examplesOf, sparse } from './support/examples.ts';
import { reference, wasm } from './support/kernels.ts';
import { spillDouble } from './support/spill.ts';
import { bytesOf, inPieces, libsvmSource } from './support/text.ts';

const kernels = wasm();

const run = (data: readonly Example[], options: TrainOptions = {}) =>
  train(arraySource(dense(data)), { kernels, ...options });

const textOf = (data: readonly { readonly x: readonly number[]; readonly y: number | string }[]): string =>
  data.map(({ x, y }) => `${y} ${x.map((value, j) => `${j + 1}:${value}`).join(' ')}\n`).join('');

/** Small buffers, so that a few lines are many batches. */
const small = { textBytes: 256, batchRows: 3, batchValues: 40 };

const separable = [example(1, 2, 1), example(-1, -1, 0), example(1, 1, 3), example(-1, 0, -2)];
const xor = [example(-1, 0, 0), example(1, 0, 1), example(1, 1, 0), example(-1, 1, 1)];

describe('a run stops', () => {
  it('because the examples are separated, and says so only after looking', async () => {
    const { model, report } = await run(separable);
    expect(report.stop).toBe('separated');
    expect(report.train).toMatchObject({ examples: 4, errors: 0, accuracy: 1, separated: true });
    expect(report.train!.margin).toBeGreaterThan(0);
    expect(report.updatesPerPass.at(-1)).toBe(0);
    expect(model.training).toMatchObject({ stop: 'separated', separated: true, trainAccuracy: 1 });
  });

  it('because its budget of passes is spent', async () => {
    const { report } = await run(xor, { passes: 7 });
    expect(report.stop).toBe('budget');
    expect(report.updatesPerPass).toHaveLength(7);
    expect(report.passes).toBe(7);
    expect(report.train!.separated).toBe(false);
    expect(report.train!.margin).toBeLessThanOrEqual(0);
  });

  it('because nothing is left to update, and an example still has the wrong class', async () => {
    // A positive at the origin scores b·0: by y·a < 0 that is no mistake, and by the tie it is a negative.
    const data = [example(1, 1), example(1, 0), example(-1, -1)];
    const { report } = await run(data, { as: 'foda', bias: 'none' });
    expect(report.stop).toBe('quiet');
    expect(report.train).toMatchObject({ errors: 1, separated: false, margin: 0 });
  });

  it('because so many examples in a row needed no update, wherever in a pass that is', async () => {
    for (const order of ['cyclic', 'shuffled', 'random'] as const) {
      const { report } = await run(separable, { rule: 'perceptron', order, stop: { quiet: 3, cleanPass: false } });
      expect(report.stop).not.toBe('budget');
      expect(report.passes).toBeLessThanOrEqual(4);
    }
    // The first example makes the only update, and the three after it are quiet: the second pass is never begun.
    const { report } = await run([example(1, 1), example(-1, -2), example(1, 2), example(-1, -3)], {
      stop: { quiet: 3, cleanPass: false },
    });
    expect(report.updatesPerPass).toEqual([1]);
  });

  it('after as many passes as keep the work small, unless told otherwise: at most 100, at least 10', async () => {
    expect((await run(xor)).report.passes).toBe(100);
    const wide = xor.map(({ x, y }) => ({ x: [...x, ...Array(5e5).fill(0)], y }));
    expect((await run(wide)).report.passes).toBe(Math.floor(1e8 / (4 * (5e5 + 2))));
  });

  it('when it is told to, with the pass it was in', async () => {
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
  it('tells pass, examples and updates as they happen, and passes once they are known', async () => {
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
      validate: null,
    });
  });

  it('counts the numbers of rows that do not begin at the front of their arrays', async () => {
    const whole = sparse([example(1, 1, 2, 3), ...separable.map(({ x, y }) => ({ x: [...x, 0], y }))]);
    const tail = { ...whole, rows: 4, offsets: whole.offsets.subarray(1), labels: whole.labels.subarray(1) };
    const { report } = await train(arraySource(tail), { kernels });
    expect(report.nonzeros).toBe(whole.values.length - 3);
  });

  it("progressive accuracy is the first pass's, every example judged just before it is learned from", async () => {
    await fc.assert(
      fc.asyncProperty(examplesOf(dyadic), fc.constantFrom(-1 as const, 1 as const), async (data, tie) => {
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
      }),
    );
  });

  it('judges the model on its own examples, class by class', async () => {
    await fc.assert(
      fc.asyncProperty(examplesOf(dyadic), async (data) => {
        const { model, report } = await run(data, { rule: 'perceptron', passes: 3 });
        const right = data.map(({ x, y }) => classOf(inSequence([...model.weights], x) + model.bias, -1) === y);
        const count = (y: number, correct: boolean) =>
          data.filter((at, i) => at.y === y && right[i] === correct).length;
        expect(report.train).toMatchObject({
          examples: data.length,
          errors: right.filter((correct) => !correct).length,
          confusion: {
            truePositive: count(1, true),
            falseNegative: count(1, false),
            falsePositive: count(-1, false),
            trueNegative: count(-1, true),
          },
        });
      }),
    );
  });
});

describe('labels of text', () => {
  const points = [
    [4, 1],
    [-3, 1],
    [5, 0],
    [-4, 2],
    [2, -1],
  ];
  const positive = [true, false, true, false, true];
  const labelled = (negativeLabel: string, positiveLabel: string) =>
    textOf(points.map((x, i) => ({ x, y: positive[i]! ? positiveLabel : negativeLabel })));
  const modelOf = async (text: string, options: TrainOptions = {}) => {
    const { model } = await train(libsvmSource(kernels, text, small), { kernels, ...options });
    return model;
  };

  it.each([
    ['-1', '+1', ['-1', '1']],
    ['0', '1', ['0', '1']],
    ['2', '4', ['2', '4']],
    ['-7', '3.5', ['-7', '3.5']],
    ['1e2', '1e3', ['100', '1000']],
    ['-0', '1', ['0', '1']],
  ] as const)('may be any two numbers (%s and %s): the larger one is positive', async (negative, larger, classes) => {
    const expected = await modelOf(labelled('-1', '1'));
    const model = await modelOf(labelled(negative, larger));
    expect(model.classes).toEqual(classes);
    expect({ ...model, classes: null }).toEqual({ ...expected, classes: null });
  });

  it('may come in either order first', async () => {
    const lines = labelled('2', '4').split('\n').slice(0, -1);
    for (const first of [0, 1]) {
      const turned = [lines[first]!, ...lines.filter((_, i) => i !== first)].join('\n');
      expect((await modelOf(turned)).classes).toEqual(['2', '4']);
    }
  });

  it('may be of one class for long: held back and then learned from in order, as if it had been known', async () => {
    const random = new Random(5);
    const data = Array.from({ length: 400 }, (_, i): Example => {
      const y = i < 300 ? -1 : random.below(2) === 0 ? -1 : 1;
      return { x: [random.uniform() * 2 + y, random.uniform() - y / 3, random.uniform()], y };
    });
    // Labels that are not what they become, so that one that was forgotten shows.
    const text = textOf(data.map(({ x, y }) => ({ x, y: y === 1 ? '4' : '2' })));
    for (const order of ['cyclic', 'shuffled', 'random'] as const)
      for (const store of [{}, { memoryBudget: 1000, spill: spillDouble().open }])
        for (const passes of [1, 4])
          for (const holdout of [undefined, 0.2]) {
            const options = { kernels, order, passes, store, holdout };
            const known = await train(arraySource(sparse(data, { zeros: true }), ['2', '4']), options);
            const found = await train(libsvmSource(kernels, text, { textBytes: 500 }), options);
            expect(found.report).toEqual(known.report);
            expect(found.model.weights).toEqual(Float64Array.of(0, ...known.model.weights));
            expect(found.model.bias).toBe(known.model.bias);
          }
  });

  it('of a third class are refused, with the classes there are', async () => {
    const refused = {
      code: 'label-classes',
      message: 'data.svm: expected two classes of labels, or one class named as the positive one; got 1, 2, 3',
    };
    await expect(modelOf('3 1:1\n1 1:2\n2 1:3\n')).rejects.toMatchObject(refused);
    // Also long after learning began.
    const late = `${labelled('1', '2').repeat(50)}3 1:1\n`;
    await expect(modelOf(late)).rejects.toMatchObject(refused);
    await expect(modelOf(late, { order: 'shuffled' })).rejects.toMatchObject(refused);
  });

  it('of many classes are listed up to twenty, in order', async () => {
    const text = (count: number) => Array.from({ length: count }, (_, i) => `${count - i} 1:1\n`).join('');
    const listed = (count: number) => Array.from({ length: count }, (_, i) => i + 1).join(', ');
    await expect(modelOf(text(19))).rejects.toThrow(new RegExp(`got ${listed(19)}$`));
    await expect(modelOf(text(20))).rejects.toThrow(new RegExp(`got ${listed(20)}$`));
    await expect(modelOf(text(500))).rejects.toThrow(/got 481, 482, .*, 500, …$/);
  });

  it('of one class only are refused', async () => {
    await expect(modelOf('1 1:1\n1 1:2\n')).rejects.toMatchObject({
      code: 'label-classes',
      message: 'data.svm: expected two classes of labels; got only 1',
    });
    await expect(run([example(1, 1), example(1, 2)])).rejects.toMatchObject({
      code: 'label-classes',
      message: 'examples: expected examples of both classes to learn from; got none of -1',
    });
  });

  it('that are missing are refused, with the row', async () => {
    await expect(modelOf('1 1:1\n# a comment\n1:2\n2 1:3\n')).rejects.toMatchObject({
      code: 'label-missing',
      message: 'data.svm, row 2: expected a label; got none',
    });
    const batch = { ...dense(xor), labels: Float64Array.of(1, -1, Number.NaN, 1) };
    await expect(train(arraySource(batch), { kernels })).rejects.toMatchObject({
      code: 'label-missing',
      message: 'examples, row 3: expected a label; got none',
    });
  });

  it('are set apart, one against all others, by `positive`', async () => {
    const three = '1 1:1 2:1\n2 1:-1\n3 2:3\n2 2:1\n';
    const model = await modelOf(three, { positive: '2' });
    expect(model.classes).toEqual(['not 2', '2']);
    const expected = await modelOf('-1 1:1 2:1\n1 1:-1\n-1 2:3\n1 2:1\n');
    expect(model.weights).toEqual(expected.weights);
    expect(await modelOf(three, { positive: '2.0' })).toEqual(model);
  });

  it('of two classes are turned round by `positive`, and keep their names', async () => {
    const model = await modelOf(labelled('2', '4'), { positive: '2' });
    const turned = await modelOf(labelled('1', '-1'));
    expect(model.classes).toEqual(['4', '2']);
    expect(model.weights).toEqual(turned.weights);
  });

  it('a positive class is found among ever so many others', async () => {
    const text = `${Array.from({ length: 60 }, (_, i) => `${i} 1:${i}\n`).join('')}77 1:-5\n`;
    const model = await modelOf(text, { positive: '77' });
    expect(model.classes).toEqual(['not 77', '77']);
  });

  it('a positive class that does not occur, or is no number, is refused', async () => {
    await expect(modelOf('1 1:1\n2 1:1\n', { positive: '5' })).rejects.toMatchObject({
      code: 'label-classes',
      message: 'data.svm: expected examples of the positive class 5; got only labels 1, 2',
    });
    for (const positive of ['spam', '', ' '])
      await expect(modelOf('1 1:1\n2 1:1\n', { positive })).rejects.toMatchObject({
        code: 'option-invalid',
        message: `the positive class of numeric labels must be a number; got ${JSON.stringify(positive)}`,
      });
  });

  it('nothing at all is refused', async () => {
    const empty = { code: 'source-empty', message: 'data.svm: expected examples; got none' };
    await expect(modelOf('# only this\n')).rejects.toMatchObject(empty);
    await expect(train(arraySource([]), { kernels })).rejects.toMatchObject({ code: 'source-empty' });
  });
});

describe('examples that are held out', () => {
  it('are chosen by the seed, never learned from, and judged: the model is that of the others alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        examplesOf(decimal, { rows: 40 }),
        fc.nat(10_000),
        fc.constantFrom(0.1, 0.3, 0.5),
        fc.constantFrom('cyclic' as const, 'shuffled' as const, 'random' as const),
        fc.constantFrom(undefined, 'cs4780' as const, 'foda' as const),
        async (data, seed, holdout, order, as) => {
          // The draw of split.ts: one uniform number for each example, in the order of the data.
          const random = new Random(seed);
          const held = data.map(() => random.uniform() < holdout);
          const rest = data.filter((_, i) => !held[i]);
          const out = data.filter((_, i) => held[i]);
          fc.pre(new Set(rest.map(({ y }) => y)).size === 2);
          const options = { seed, order, as, passes: 4 };
          const whole = await train(arraySource([dense(data.slice(0, 7)), dense(data.slice(7))]), {
            kernels,
            ...options,
            holdout,
          });
          const alone = await run(rest, options);
          expect(whole.model).toEqual({
            ...alone.model,
            training: { ...alone.model.training, holdoutAccuracy: whole.model.training.holdoutAccuracy },
          });
          expect(whole.report).toEqual({ ...alone.report, holdout: whole.report.holdout });

          const { weights, bias, biasConstant, divisor, tie } = whole.model;
          const errors = out.filter(({ x, y }) => {
            const scaled = x.map((value) => value / divisor);
            return classOf(inSequence([...weights], scaled) + bias * biasConstant, tie) !== y;
          }).length;
          if (out.length === 0) expect(whole.report.holdout).toBeNull();
          // A score within rounding of 0 may fall to either side in another order of summation.
          else expect(Math.abs(whole.report.holdout!.errors - errors)).toBeLessThanOrEqual(1);
          expect(whole.report.holdout?.examples ?? 0).toBe(out.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('may have features that no other example has', async () => {
    const random = new Random(1);
    const held = Array.from({ length: 40 }, () => random.uniform() < 0.5);
    const last = held.lastIndexOf(true);
    const text = held
      .slice(0, last + 1)
      .map((_, i) => `${i % 2} 1:${i % 2 === 0 ? -1 : 1}${i === last ? ' 900:1' : ''}\n`)
      .join('');
    const { model, report } = await train(libsvmSource(kernels, text), { kernels, holdout: 0.5 });
    expect(model.weights).toHaveLength(901);
    expect(model.weights[900]).toBe(0);
    expect(report.holdout?.accuracy).toBe(1);
  });

  it('may not leave a class without examples', async () => {
    const data = [example(1, 1), example(-1, 1)];
    const seed = Array.from({ length: 100 }, (_, seed) => seed).find((seed) => {
      const random = new Random(seed);
      return random.uniform() < 0.5 && random.uniform() >= 0.5;
    });
    await expect(run(data, { holdout: 0.5, seed })).rejects.toThrow(
      'expected examples of both classes to learn from; got none of 1',
    );
  });

  it('are validated by a source that is opened for the model, where one is given', async () => {
    const validate = () => arraySource(dense([example(1, 5, 5), example(1, -5, -5)]));
    const { report } = await run(separable, { validate });
    expect(report.validate).toMatchObject({ examples: 2, errors: 1, accuracy: 0.5 });
  });
});

describe('the averaged rule', () => {
  const data = [example(-1, 3), example(-1, 4), example(1, 6), example(1, 7)];
  const rightBy = (w: number, b: number) => data.map(({ x, y }) => y * (w * x[0]! + b) > 0);

  it('gets x = 3, 4 → lo and 6, 7 → hi all right with the default options', async () => {
    const { model, report } = await train(arraySource(dense(data), ['lo', 'hi']), { kernels });
    expect(rightBy(model.weights[0]!, model.bias)).toEqual([true, true, true, true]);
    expect(report).toMatchObject({ stop: 'separated', classes: ['lo', 'hi'] });
    expect(report.train).toMatchObject({ accuracy: 1, separated: true });
  });

  it('would not by the mean over updates, nor by the mean up to the first clean pass', () => {
    // The perceptron walks for dozens of passes before it separates these four. Over updates, each of the passing weights counts as
    // much as the ones that finally fit; over examples up to the first clean pass, those have had only one pass to count.
    let [w, b] = [0, 0];
    const overUpdates = { w: 0, b: 0, count: 0 };
    const overExamples = { w: 0, b: 0, count: 0 };
    for (let clean = false; !clean; ) {
      clean = true;
      for (const { x, y } of data) {
        if (y * (w * x[0]! + b) <= 0) {
          w += y * x[0]!;
          b += y;
          clean = false;
          overUpdates.w += w;
          overUpdates.b += b;
          overUpdates.count++;
        }
        overExamples.w += w;
        overExamples.b += b;
        overExamples.count++;
      }
    }
    expect(rightBy(w, b)).toEqual([true, true, true, true]);
    for (const { w, b, count } of [overUpdates, overExamples])
      expect(rightBy(w / count, b / count)).not.toEqual([true, true, true, true]);
  });

  it('separates whatever the perceptron separates', async () => {
    await fc.assert(
      fc.asyncProperty(examplesOf(dyadic, { rows: 8, features: 4 }), async (data) => {
        const last = await run(data, { rule: 'perceptron', passes: 200 });
        const mean = await run(data, { passes: 200 });
        expect(mean.report.updatesPerPass).toEqual(last.report.updatesPerPass);
        expect(mean.report.stop).toBe(last.report.stop);
      }),
    );
  });
});

describe('numbers out of range', () => {
  it('of weights are refused: no model has an infinity in it', async () => {
    const overflow = {
      code: 'weights-overflow',
      message: 'examples: expected weights within the range of doubles; got larger ones: scale the data',
    };
    const heavy = { ...dense(separable.map(({ x, y }) => ({ x: x.map((value) => value * 1e10), y }))) };
    const importance = new Float64Array(heavy.rows).fill(1e300);
    for (const rule of ['perceptron', 'averaged'] as const)
      await expect(train(arraySource({ ...heavy, importance }), { kernels, rule })).rejects.toMatchObject(overflow);
    // The weights stay in range here, and only the sums for their mean do not.
    const late = [...Array(20).fill(example(-1, -1)), example(1, -1e307)];
    await expect(run(late, { passes: 20 })).rejects.toMatchObject(overflow);
  });
});

describe('the same data, options and seed give the same bits', () => {
  const random = new Random(11);
  const data = Array.from({ length: 300 }, (): { x: number[]; y: number } => {
    const x = Array.from({ length: 6 }, () => Math.round((random.uniform() - 0.5) * 1e6) / 1e5);
    return { x, y: inSequence([1, -2, 0.5, 0, 1, 1], x) + random.uniform() - 0.5 > 0 ? 4 : 2 };
  });
  const text = textOf(data);
  const orders = ['cyclic', 'shuffled', 'random'] as const;
  const variants: readonly TrainOptions[] = [
    ...orders.map((order) => ({ order, seed: 3 })),
    ...orders.map((order) => ({ rule: 'perceptron' as const, order, start: 'random' as const })),
    { passes: 1 },
    { as: 'lecture-9' },
    { as: 'cs4780' },
    { as: 'foda', holdout: 0.25 },
  ];
  const modelText = async (on: Kernels, source: string | ByteSource, options: TrainOptions, reading = {}) => {
    const { model } = await train(libsvmSource(on, source, reading), { passes: 5, ...options, kernels: on });
    return encodeModel(model);
  };

  it('from memory, a file, a pipe and in odd pieces', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'halfspace-test-'));
    try {
      const path = join(folder, 'data.svm');
      writeFileSync(path, text);
      const bytes = bytesOf(text);
      async function* pipe() {
        for (let i = 0; i < bytes.length; i += 777) yield bytes.slice(i, i + 777);
      }
      for (const options of variants) {
        const expected = await modelText(kernels, text, options);
        expect(await modelText(kernels, await openBytes(path), options)).toBe(expected);
        expect(await modelText(kernels, await openBytes('-', { stdin: pipe() }), options)).toBe(expected);
        expect(await modelText(kernels, streamSource(pipe(), 'pipe'), options)).toBe(expected);
        expect(await modelText(kernels, inPieces(bytes, [1, 100, 7]), options, small)).toBe(expected);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('in WebAssembly and in the reference', async () => {
    for (const options of variants)
      expect(await modelText(reference(), text, options)).toBe(await modelText(kernels, text, options));
  });

  it('whether examples are kept in memory, in a spill, or in part in both', async () => {
    for (const options of variants) {
      const expected = await modelText(kernels, text, options);
      for (const memoryBudget of [0, 10_000]) {
        const double = spillDouble();
        const store = { memoryBudget, spill: double.open };
        expect(await modelText(kernels, text, { ...options, store }, { textBytes: 1000 })).toBe(expected);
        if (options.passes !== 1) expect(double.bytes).toBeGreaterThan(0);
        expect(double.closed).toBe(double.opened);
        const onDisk = { memoryBudget, spill: () => temporarySpill() };
        expect(await modelText(kernels, text, { ...options, store: onDisk }, { textBytes: 1000 })).toBe(expected);
      }
    }
  });

  it('and another seed gives other weights where chance plays a part', async () => {
    for (const order of ['shuffled', 'random'] as const) {
      const weightsOf = async (seed: number) => {
        const { model } = await train(libsvmSource(kernels, text), { kernels, order, seed, passes: 5 });
        return [...model.weights];
      };
      expect(await weightsOf(4)).not.toEqual(await weightsOf(3));
    }
  });
});

describe('memory', () => {
  it('of the kernels is given back after a run, and after one that failed', async () => {
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
      const validate = () => arraySource(data);
      await train(arraySource(data), { kernels: own, passes: 2, order, holdout: 0.2, validate });
      await expect(train(libsvmSource(own, '1 1:1\nx'), { kernels: own })).rejects.toThrow();
      const probe = own.uint8(1);
      if (round === 3) size = probe.array.buffer.byteLength;
      if (round > 3) expect(probe.array.buffer.byteLength).toBe(size);
      probe.free();
    }
  });
});
