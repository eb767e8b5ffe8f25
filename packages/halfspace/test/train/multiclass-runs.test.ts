import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { sparseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { decodeModel } from '../../src/model/decode.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { Model } from '../../src/model/model.ts';
import type { MulticlassModel, Strategy } from '../../src/model/multiclass/model.ts';
import { Random } from '../../src/random.ts';
import { completeRuleOptions, createMulticlassLearner, type RuleName } from '../../src/rules/registry.ts';
import type { RunOptions } from '../../src/train/options.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import type { Labelled } from '../oracles/classes.ts';
import { decimal } from '../support/examples.ts';
import { reference, wasm } from '../support/kernels.ts';
import { denseSeveral, functionBits, severalOf, sparseSeveral } from '../support/several.ts';
import { spillDouble } from '../support/spill.ts';
import { libsvmSource, smallBuffers, textOf } from '../support/text.ts';

const kernels = wasm();
const strategies = ['one-vs-rest', 'kesler'] as const;
const names = ['1', '2', '3'];

function several(model: Model): MulticlassModel {
  if (model.kind !== 'multiclass') throw new TypeError(`expected a model of several classes; got ${model.kind}`);
  return model;
}

const trained = async (data: readonly Labelled[], options: RunOptions = {}) => {
  const count = Math.max(...data.map(({ y }) => y)) + 1;
  const classes = Array.from({ length: count }, (_, k) => `c${k}`);
  const { model, report } = await trainOnce(arraySource(denseSeveral(data), classes), { kernels, ...options });
  return { model: several(model), report };
};

/** Options without a stop at a clean pass, so that runs of one and of several classes show equally many examples. */
const whole = { stop: { cleanPass: false, passes: 3 } } as const;

/** Three heaps that overlap; only `2` for long, then `1` too, and `3` last of all. */
const heaps = (() => {
  const random = new Random(8);
  return Array.from({ length: 420 }, (_, i): Labelled => {
    const y = i < 120 ? 1 : i < 300 ? random.below(2) : random.below(3);
    const centre = [
      [2, 0],
      [-1, 1],
      [-1, -2],
    ][y]!;
    return { x: centre.map((middle) => middle + 3 * (random.uniform() - 0.5)), y };
  });
})();
const heapText = textOf(heaps.map(({ x, y }) => ({ x, y: names[y]! })));

describe('a run over text with a late third class', () => {
  const options: RunOptions[] = strategies.flatMap((multiclass) =>
    (['cyclic', 'shuffled', 'random'] as const).flatMap((order) =>
      [1, 4].flatMap((passes) =>
        [undefined, 0.25].map((holdout): RunOptions => ({ multiclass, order, passes, holdout, seed: 5 })),
      ),
    ),
  );

  it.each(options)('equals the run that knew its classes from the start, to the bit: %j', async (option) => {
    const known = await trainOnce(arraySource(sparseSeveral(heaps), names), { kernels, ...option });
    const expected = several(known.model);
    for (const memoryBudget of [undefined, 0, 3000]) {
      const double = spillDouble();
      const store = memoryBudget === undefined ? {} : { memoryBudget, spill: double.open };
      const found = await trainOnce(libsvmSource(kernels, heapText, smallBuffers), { kernels, ...option, store });
      const model = several(found.model);
      expect(found.report).toEqual(known.report);
      expect(model.classes).toEqual(names);
      // Text counts features from 1.
      const shifted = expected.functions.map((each) => ({ ...each, weights: Float64Array.of(0, ...each.weights) }));
      expect(model.functions).toEqual(shifted);
      expect({ ...model, functions: null, features: null }).toEqual({ ...expected, functions: null, features: null });
      // A single pass keeps what it may need in memory of its own measure.
      if (memoryBudget !== undefined && !(option.passes === 1 && option.order === 'cyclic'))
        expect(double.bytes).toBeGreaterThan(0);
      expect(double.closed).toBe(double.opened);
    }
  });

  it('gives the same bits in WebAssembly and the reference, for any buffers', async () => {
    for (const option of [...options, { multiclass: 'kesler', rule: 'passive-aggressive', passes: 3 } as const]) {
      const texts = [
        [kernels, {}],
        [reference(), {}],
        [kernels, smallBuffers],
      ] as const;
      const [a, b, c] = await Promise.all(
        texts.map(async ([on, buffers]) => {
          const { model } = await trainOnce(libsvmSource(on, heapText, buffers), { ...option, kernels: on });
          return encodeModel(model);
        }),
      );
      expect(b).toBe(a);
      expect(c).toBe(a);
    }
  });
});

describe('a run of several classes', () => {
  it('one versus rest equals a run of two classes per class, for every rule and order, to the bit', async () => {
    const rules: RunOptions[] = [
      {},
      { rule: 'perceptron' },
      { rule: 'margin', margin: 0.5 },
      { rule: 'passive-aggressive' },
      { as: 'cs4780', rule: 'perceptron' },
    ];
    for (const rule of rules)
      for (const order of ['cyclic', 'shuffled', 'random'] as const) {
        const options = { ...whole, ...rule, order, kernels };
        const { model } = await trainOnce(libsvmSource(kernels, heapText), options);
        for (const [k, positive] of names.entries()) {
          const alone = await trainOnce(libsvmSource(kernels, heapText), { ...options, positive });
          if (alone.model.kind !== 'linear') throw new TypeError('expected two classes');
          const { weights, bias, biasConstant, divisor } = alone.model;
          expect(several(model).functions[k]).toEqual({ weights, bias, biasConstant, divisor });
        }
      }
  });

  it('equals the learner of its rule, shown the examples pass by pass', async () => {
    await forAllAsync(
      60,
      severalOf(decimal, { least: 3 }),
      fc.constantFrom<Strategy>(...strategies),
      fc.constantFrom<RuleName>('averaged', 'perceptron', 'margin', 'passive-aggressive'),
      async ({ data, classes }, multiclass, rule) => {
        const all = [...data, ...Array.from({ length: classes }, (_, y) => ({ x: data[0]!.x.map(() => y), y }))];
        const { model, report } = await trained(all, { ...whole, multiclass, rule });
        const options = { ...completeRuleOptions(rule, {}), classes };
        const learner = createMulticlassLearner(kernels, rule, multiclass, options);
        for (let pass = 0; pass < 3; pass++) learner.learn(denseSeveral(all));
        expect(functionBits(model.functions)).toEqual(functionBits(learner.functions()));
        expect(report.updates).toBe(learner.progress.updates);
        expect(report).toMatchObject({ passes: 3, stop: 'budget', examples: all.length });
        expect(model.training).toMatchObject({ updates: report.updates, passes: 3 });
        expect(model).toMatchObject({ kind: 'multiclass', strategy: multiclass, rule, calibration: null });
        expect(decodeModel(encodeModel(model))).toEqual(model);
        learner.free();
      },
    );
  });

  it('ends separated only if every example has its class, and reports the least lead', async () => {
    const data = [0, 1, 2, 0, 1, 2].map((y, i): Labelled => ({ x: [0, 1, 2].map((j) => (j === y ? 2 + i : 0.5)), y }));
    for (const multiclass of strategies)
      for (const rule of ['averaged', 'perceptron'] as const) {
        const { model, report } = await trained(data, { multiclass, rule, passes: 1000 });
        expect(report).toMatchObject({ stop: 'separated', train: { accuracy: 1, errors: 0, separated: true } });
        expect(report.updatesPerPass.at(-1)).toBe(0);
        const norm = Math.sqrt(
          model.functions.flatMap(({ weights }) => [...weights]).reduce((sum, w) => sum + w * w, 0),
        );
        const leads = data.map(({ x, y }) => {
          const scores = model.functions.map(({ weights, bias }) =>
            x.reduce((sum, v, j) => sum + v * weights[j]!, bias),
          );
          return scores[y]! - Math.max(...scores.filter((_, k) => k !== y));
        });
        expect(report.train!.margin).toBeCloseTo(Math.min(...leads) / norm, 9);
        expect(Math.min(...leads)).toBeGreaterThan(0);
      }
    const twice = [...data, { x: data[0]!.x, y: 1 }];
    const { report } = await trained(twice, { passes: 9 });
    expect(report).toMatchObject({ stop: 'budget', passes: 9, train: { separated: false } });
  });

  it('reports mistakes in the first pass if one learner sees all scores, else as unknown', async () => {
    const all = await trained(heaps, { multiclass: 'kesler', passes: 2 });
    expect(all.report.progressive).toMatchObject({ examples: heaps.length });
    expect(all.model.training.progressiveAccuracy).toBe(all.report.progressive!.accuracy);
    const each = await trained(heaps, { passes: 2 });
    expect([each.report.progressive, each.model.training.progressiveAccuracy]).toEqual([null, null]);
  });

  it('has a function for every class, also for one that random order never drew', async () => {
    const data = [...heaps.slice(0, 200).filter(({ y }) => y < 2), { x: [-5, -5], y: 2 }];
    let missed = 0;
    for (let seed = 0; seed < 8; seed++)
      for (const multiclass of strategies) {
        const { model, report } = await trained(data, { multiclass, order: 'random', passes: 1, seed });
        expect(model.functions).toHaveLength(3);
        expect(report.train!.confusion.flat().reduce((sum, n) => sum + n, 0)).toBe(data.length);
        expect(decodeModel(encodeModel(model))).toEqual(model);
        const random = new Random(seed);
        const draws = data.map(() => random.below(data.length));
        if (draws.includes(data.length - 1)) continue;
        missed++;
        // Nobody is given a class that no example spoke for.
        expect(report.train!.confusion.map((row) => row[2])).toEqual([0, 0, 0]);
      }
    expect(missed).toBeGreaterThan(0);
  });

  it('keeps the mean if its present weights cannot classify every row correctly', async () => {
    // The first row contradicts another one, and the run ends after a few right rows.
    const data = [0, 1, 2, 0].map((y, i): Labelled => ({ x: [0, 1, 2].map((j) => (j === y ? 2 + i : 0)), y }));
    const all = [{ x: data[0]!.x, y: 2 }, ...data, ...data, ...data];
    for (const multiclass of strategies) {
      const source = arraySource(denseSeveral(all), names);
      const { model, report } = await trainOnce(source, { kernels, multiclass, passes: 50, stop: { quiet: 6 } });
      expect(report).toMatchObject({ stop: 'quiet', train: { errors: 1, separated: false } });
      const options = { ...completeRuleOptions('averaged', {}), classes: 3 };
      const learner = createMulticlassLearner(kernels, 'averaged', multiclass, options);
      learner.limit({ cleanStreak: 6 });
      for (let pass = 0; pass < report.passes; pass++) learner.learn(denseSeveral(all));
      expect(functionBits(several(model).functions)).toEqual(functionBits(learner.functions()));
      learner.free();
    }
  });

  it('scales its examples, and stores the divisor in every function', async () => {
    const plain = await trained(heaps, { ...whole, rule: 'perceptron' });
    for (const multiclass of strategies) {
      const { model, report } = await trained(heaps, { ...whole, rule: 'perceptron', scaling: 'max-norm', multiclass });
      const longest = Math.max(...heaps.map(({ x }) => Math.hypot(...x)));
      for (const { divisor } of model.functions) expect(divisor).toBeCloseTo(longest, 12);
      expect(report.train!.radius).toBeCloseTo(1, 12);
    }
    expect(plain.model.functions[0]!.divisor).toBe(1);
  });

  it('cannot start from weights of two classes', async () => {
    for (const multiclass of strategies)
      for (const start of ['example', 'random'] as const)
        await expect(trained(heaps, { multiclass, start, rule: 'perceptron' })).rejects.toMatchObject({
          code: 'option-invalid',
          message: `start must be zero for more than two classes; got ${start}`,
        });
    await expect(trainOnce(libsvmSource(kernels, heapText), { kernels, as: 'foda' })).rejects.toMatchObject({
      message: 'start must be zero for more than two classes; got example',
    });
  });

  it('requires examples of every class', async () => {
    const source = arraySource(denseSeveral(heaps), [...names, '4', '5']);
    await expect(trainOnce(source, { kernels })).rejects.toMatchObject({
      code: 'label-classes',
      message: 'examples: expected examples of every class to learn from; got none of 4, 5',
    });
  });

  it('accepts labels that are positions of its classes; a source of arrays refuses others', () => {
    const refused = (labels: number[], classes: string[] | undefined, message: string) => {
      const batch = {
        ...sparseBatch([{ indices: [0], values: [1] }], [1]),
        rows: 1,
        labels: Float64Array.from(labels),
      };
      expect(() => arraySource([sparseSeveral([]), batch], classes)).toThrow(
        expect.objectContaining({ code: 'label-classes', message }),
      );
    };
    refused([2], undefined, 'examples, row 1: expected a label of -1 or 1, as there are 2 classes; got 2');
    refused([0], undefined, 'examples, row 1: expected a label of -1 or 1, as there are 2 classes; got 0');
    refused([3], names, 'examples, row 1: expected a label in [0, 3), as there are 3 classes; got 3');
    refused([-1], names, 'examples, row 1: expected a label in [0, 3), as there are 3 classes; got -1');
    refused([0.5], names, 'examples, row 1: expected a label in [0, 3), as there are 3 classes; got 0.5');
    refused([1], ['a', 'a'], 'expected two or more different classes; got ["a","a"]');
    refused([1], ['a'], 'expected two or more different classes; got ["a"]');
  });
});
