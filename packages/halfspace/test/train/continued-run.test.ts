import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { arraySource, bytesSource } from '../../src/data/in-memory.ts';
import type { ExampleSource } from '../../src/data/source.ts';
import { TextSource } from '../../src/data/text.ts';
import { libsvmFormat, vwFormat } from '../../src/data/text-format.ts';
import type { IndexedEncoding, NamedEncoding } from '../../src/features/encoding.ts';
import { digestOf } from '../../src/model/digest.ts';
import { functionsOf, type Model } from '../../src/model/model.ts';
import { Random } from '../../src/random.ts';
import { trainWith } from '../../src/select/train.ts';
import type { RunOptions } from '../../src/train/options.ts';
import { trainOnce as train } from '../../src/train/train-once.ts';
import { decodeTrainState, encodeTrainState } from '../../src/train/train-state-file.ts';
import { bits } from '../rules/conformance.ts';
import { decimal, dense, examplesOf } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { denseSeveral, learnedByExample, severalOf } from '../support/several.ts';

const kernels = wasm();
const orders = ['cyclic', 'shuffled', 'shuffled-once', 'random'] as const;

/** The functions of a model, with the bits of their numbers. */
const learnedBy = (model: Model) =>
  model.kind === 'tree'
    ? []
    : functionsOf(model).map((each) =>
        'weights' in each
          ? { weights: bits(each.weights), bias: bits(Float64Array.of(each.bias)), divisor: each.divisor }
          : each,
      );

/** Trains, and returns the state as a file has it. */
async function trained(source: ExampleSource, options: RunOptions) {
  const { model, report, state } = await train(source, { kernels, keepState: true, ...options });
  return { model, report, text: encodeTrainState(state!), state: decodeTrainState(encodeTrainState(state!)) };
}

/** Expects that p passes and then q give what p + q give at once. */
async function expectContinues(source: () => ExampleSource, options: RunOptions, p: number, q: number) {
  const stop = { cleanPass: false };
  const whole = await trained(source(), { ...options, stop, passes: p + q });
  const first = await trained(source(), { ...options, stop, passes: p });
  const { order, classWeights } = options;
  const second = await trained(source(), { order, classWeights, stop, passes: q, from: first.state });
  expect(learnedBy(second.model)).toEqual(learnedBy(whole.model));
  expect(second.text).toBe(whole.text);
  const { progressiveAccuracy: _, ...record } = whole.model.training;
  expect(second.model.training).toMatchObject(record);
  expect(second.report.updatesPerPass).toEqual(whole.report.updatesPerPass.slice(p));
}

const passes = fc.integer({ min: 1, max: 3 });
const asked = fc.record({ order: fc.constantFrom(...orders), p: passes, q: passes, seed: fc.nat(9) });

describe.each(learnedByExample)('a run by the rule %s', (rule) => {
  it('continues from its state with the same bits, in any order', async () => {
    await forAllAsync(15, examplesOf(decimal), asked, async (data, { order, p, q, seed }) => {
      await expectContinues(() => arraySource(dense(data)), { rule, order, seed }, p, q);
    });
  });

  it('continues so with three classes and more, by any strategy', async () => {
    const kesler = ['averaged', 'perceptron', 'margin', 'passive-aggressive'].includes(rule) ? ['kesler' as const] : [];
    const joint = rule === 'sgd' ? [{ loss: 'multinomial' } as const] : [];
    for (const how of [...['one-vs-rest' as const, ...kesler].map((multiclass) => ({ multiclass })), ...joint])
      await forAllAsync(
        5,
        severalOf(decimal, { least: 3 }),
        asked,
        async ({ data, classes }, { order, p, q, seed }) => {
          // A run from the beginning needs every class.
          const all = Array.from({ length: classes }, (_, y) => ({ x: data[0]!.x.map((x) => -x), y }));
          const names = all.map(({ y }) => `c${y}`);
          const source = () => arraySource(denseSeveral([...data, ...all]), names);
          await expectContinues(source, { rule, ...how, order, seed }, p, q);
        },
      );
  });
});

describe('a run that continues', () => {
  const random = new Random(3);
  const data = Array.from({ length: 300 }, () => {
    const x = [random.uniform() - 0.5, random.uniform() - 0.5, random.uniform()];
    return { x, y: x[0]! + x[1]! + (random.uniform() - 0.5) > 0 ? (1 as const) : (-1 as const) };
  });
  const source = () => arraySource(dense(data));

  it.each<RunOptions>([
    { scaling: 'max-norm' },
    { scaling: 'unit-ball', bias: 'absorbed' },
    { bias: 'none' },
    { start: 'random' },
    { tie: 1 },
    { classWeights: 'balanced' },
    { rule: 'sgd', loss: 'hinge', penalty: 'elastic-net', schedule: 'inverse-scaling' },
    { rule: 'kernel', kernel: 'rbf', aggregate: 'last', budget: 20, order: 'shuffled' },
    { as: 'slides' },
    { holdout: 0.3, order: 'shuffled-once' },
  ])('has the same bits with %j', async (options) => {
    const { holdout } = options;
    const stop = { cleanPass: false };
    const whole = await trained(source(), { ...options, stop, passes: 5 });
    const first = await trained(source(), { ...options, stop, passes: 2 });
    const { order, classWeights } = options;
    const second = await trained(source(), { order, classWeights, holdout, stop, passes: 3, from: first.state });
    expect(second.text).toBe(whole.text);
    expect(learnedBy(second.model)).toEqual(learnedBy(whole.model));
  });

  it('may take another seed, which orders the examples anew', async () => {
    const { state } = await trained(source(), { order: 'shuffled', passes: 2 });
    const [same, other] = await Promise.all(
      [1, 2].map((seed) => trained(source(), { order: 'shuffled', passes: 2, seed, from: state })),
    );
    expect(same!.state.learner).not.toEqual(other!.state.learner);
  });

  it('continues after early stopping from the best pass', async () => {
    const order = 'shuffled-once';
    const early = await trained(source(), { patience: 2, order });
    const { best } = early.report;
    expect(best!.pass).toBeLessThan(early.report.passes);
    expect(early.state.passes).toBe(best!.pass);
    const plain = await train(source(), { kernels, patience: 50, order, passes: best!.pass, keepState: true });
    expect(early.state.learner).toEqual(plain.state!.learner);
  });

  it('keeps the mean as it was before it was settled', async () => {
    const apart = arraySource(dense(data.map(({ x, y }) => ({ x: [y * 50 + x[0]!, x[1]!], y }))));
    const { state, report } = await trained(apart, {});
    expect(report.stop).toBe('separated');
    expect((state.learner as { scalars?: Float64Array }).scalars).toContain(300 * report.passes);
  });

  it('counts its own examples; the model records all passes', async () => {
    const first = await trained(source(), { passes: 2, order: 'cyclic' });
    const { report, model } = await train(source(), { kernels, from: first.state, passes: 1, order: 'cyclic' });
    expect(report).toMatchObject({ passes: 1, bracket: { updates: null }, progressive: { examples: 300 } });
    expect(report.updates).toBe(report.updatesPerPass[0]);
    expect(report.progressive!.errors).toBe(report.updates);
    expect(model.training).toMatchObject({ passes: 3, updates: first.report.updates + report.updates });
  });

  it('may have examples of one class only', async () => {
    const { state } = await trained(source(), { passes: 2 });
    const ones = arraySource(dense(data.filter(({ y }) => y === 1)));
    const { report } = await train(ones, { kernels, from: state, classWeights: 'balanced' });
    expect(report.classExamples).toEqual([0, report.examples]);
  });

  it.each<[string, RunOptions]>([
    ['the state\'s rule, "averaged"; got "perceptron"', { rule: 'perceptron' }],
    ['the state\'s updateWhen, "at-most-zero"; got "below-zero"', { updateWhen: 'below-zero' }],
    ['the state\'s bias, "separate"; got "none"', { bias: 'none' }],
    ['the state\'s start, "zero"; got "random"', { start: 'random' }],
    ["the state's stop.quiet, null; got 5", { stop: { quiet: 5 } }],
    ['aggressiveness is for the rule passive-aggressive; got the rule averaged', { aggressiveness: 1 }],
    ['as is for a run from the beginning; got one that continues', { as: 'foda' }],
    ['marginGap is for a run from the beginning', { marginGap: 0.1 }],
    ['positive is for a run from the beginning', { positive: '1' }],
  ])('refuses what differs: %s', async (message, options) => {
    const { state } = await trained(source(), { passes: 1 });
    await expect(train(source(), { kernels, from: state, ...options })).rejects.toMatchObject({
      code: 'option-invalid',
      message: expect.stringContaining(message),
    });
  });

  it('refuses other classes and other features', async () => {
    const { state } = await trained(source(), { passes: 1 });
    const renamed = arraySource(dense(data), ['no', 'yes']);
    await expect(train(renamed, { kernels, from: state })).rejects.toMatchObject({
      code: 'label-classes',
      message: 'examples: expected the classes of the state, -1, 1; got no, yes',
    });
    const narrow = arraySource(dense(data.map(({ x, y }) => ({ x: x.slice(1), y }))));
    await expect(train(narrow, { kernels, from: state })).rejects.toMatchObject({
      code: 'option-invalid',
      message: expect.stringContaining('expected features encoded as in the state'),
    });
  });

  it('is not for runs that choose or study', async () => {
    const { state } = await trained(source(), { passes: 1 });
    for (const options of [{ rule: 'auto' }, { calibrate: 'platt' }, { folds: 3 }, { curves: true }] as const)
      await expect(trainWith(kernels, source(), { ...options, from: state })).rejects.toMatchObject({
        code: 'option-invalid',
        message: expect.stringMatching(/^from is for a (rule that is named|run without calibrate)/),
      });
    await expect(train(source(), { kernels, rule: 'tree', keepState: true })).rejects.toMatchObject({
      code: 'option-invalid',
      message: 'keepState is for rules that learn in passes; got the rule tree',
    });
  });

  it('gives the state of a chosen rule and of a studied run', async () => {
    const chosen = await trainWith(kernels, source(), { keepState: true });
    expect(chosen.state!.rule).toBe(chosen.model.rule);
    expect(chosen.state!.passes).toBe(chosen.report.passes);
    const studied = await trainWith(kernels, source(), {
      rule: 'averaged',
      order: 'cyclic',
      calibrate: 'platt',
      keepState: true,
    });
    expect(studied.state!.learner).toEqual((await trained(source(), { order: 'cyclic' })).state.learner);
    expect('state' in (await train(source(), { kernels }))).toBe(false);
  });
});

describe('a run over text that continues', () => {
  const read = (text: string, format: TextSource | ReturnType<typeof libsvmFormat>) =>
    new TextSource({ name: 'x', open: () => [bytesSource(text, 'x')], format: format as never, kernels });
  const options: RunOptions = { order: 'cyclic', stop: { cleanPass: false }, passes: 1 };

  it('adds new features to those of the state', async () => {
    const [early, late] = ['1 1:1 3:2\n-1 2:1\n', '1 2:1 7:1\n-1 0:2\n'];
    const first = await trained(read(early, libsvmFormat(kernels)), options);
    const before = first.state.features as IndexedEncoding;
    const grown = read(late, libsvmFormat(kernels, undefined, before));
    const second = await trained(grown, { ...options, from: first.state });
    const both = await trained(read(early + late, libsvmFormat(kernels)), options);
    expect(second.state.learner).toEqual(both.state.learner);
    expect(second.state.features).toEqual({ kind: 'indexed', dimension: 8, firstIndex: 0 });
  });

  it('gives new features beyond 2²² the positions after those of the state', async () => {
    const encodingAfter = async (text: string, before?: IndexedEncoding) => {
      const source = read(text, libsvmFormat(kernels, undefined, before));
      for await (const _ of source.batches());
      return source.encoding() as IndexedEncoding;
    };
    const [early, late] = ['1 1:1\n-1 2:1 5000000:1\n', '1 2:1 7:1\n-1 6000000:2\n1 5000000:3\n'];
    const grown = await encodingAfter(late, await encodingAfter(early));
    expect(grown.far!.indices).toEqual([5000000, 6000000]);
    expect(grown).toEqual(await encodingAfter(early + late));
  });

  it('gives new names numbers after those of the state', async () => {
    const [early, late] = ['1 | a b\n-1 | c:2\n', '-1 | d a\n1 | e:3 b\n'];
    const first = await trained(read(early, vwFormat(kernels)), options);
    const before = first.state.features as NamedEncoding;
    const second = await trained(read(late, vwFormat(kernels, { first: before })), { ...options, from: first.state });
    const both = await trained(read(early + late, vwFormat(kernels)), options);
    expect((second.state.features as NamedEncoding).names).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(second.state.learner).toEqual(both.state.learner);
  });

  it('refuses a label that is no class of the state, with its row', async () => {
    const { state } = await trained(read('1 1:1\n-1 2:1\n', libsvmFormat(kernels)), options);
    const other = read('1 1:1\n3 2:1\n', libsvmFormat(kernels, undefined, state.features as IndexedEncoding));
    await expect(train(other, { kernels, from: state })).rejects.toMatchObject({
      code: 'label-classes',
      message: 'x, row 2: expected a label of -1 or 1; got 3',
    });
  });
});

describe('the file of a state', () => {
  const state = async (options: RunOptions = {}) =>
    (
      await trained(
        arraySource(
          dense([
            { x: [1, 2], y: 1 },
            { x: [0, -1], y: -1 },
          ]),
        ),
        options,
      )
    ).state;
  const signed = (text: string, change: (body: Record<string, unknown>) => void) => {
    const { digest: _, ...body } = JSON.parse(text) as Record<string, unknown>;
    change(body);
    return JSON.stringify({ ...body, digest: digestOf(body) });
  };

  it('is read as it was written', async () => {
    for (const rule of learnedByExample) {
      const text = encodeTrainState(await state({ rule }));
      expect(encodeTrainState(decodeTrainState(text))).toBe(text);
    }
  });

  it('is refused if it was cut or edited, or is of another kind, by its name', async () => {
    const text = encodeTrainState(await state());
    for (const wrong of [text.slice(0, -9), text.replace('averaged', 'perceptron'), '{}', 'null', '', '[1]'])
      expect(() => decodeTrainState(wrong, 'my.state'), wrong).toThrow(
        expect.objectContaining({ code: 'model-invalid', message: expect.stringMatching(/^my\.state: expected /) }),
      );
  });

  it.each<[string, (body: Record<string, unknown>) => void]>([
    ['version', (body) => Object.assign(body, { version: 2 })],
    ['options', (body) => Object.assign(body, { options: {} })],
    ['classes', (body) => Object.assign(body, { classes: ['a', 'b', 'c'] })],
    ['multiclass', (body) => Object.assign(body, { multiclass: 'kesler' })],
    ['learner', (body) => Object.assign(body, { features: { kind: 'indexed', dimension: 1, firstIndex: 0 } })],
    ['learner', (body) => Object.assign(body, { rule: 'perceptron' })],
    ['divisor', (body) => Object.assign(body, { divisor: 2 })],
    ['random', (body) => Object.assign(body, { random: [0, 0, 0, 0] })],
    ['passes', (body) => Object.assign(body, { passes: -1 })],
    ['rule', (body) => Object.assign(body, { rule: 'tree' })],
  ])('is refused, though signed, if its parts do not fit: %s', async (part, change) => {
    const text = signed(encodeTrainState(await state()), change);
    expect(() => decodeTrainState(text)).toThrow(
      expect.objectContaining({ code: 'model-invalid', message: expect.stringContaining(part) }),
    );
  });
});
