import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { type StoredBatch, sparseBatch } from '../../src/batch.ts';
import { arraySource, bytesSource } from '../../src/data/in-memory.ts';
import type { ExampleSource } from '../../src/data/source.ts';
import { TextSource } from '../../src/data/text.ts';
import { libsvmFormat, vwFormat } from '../../src/data/text-format.ts';
import type { FeatureEncoding } from '../../src/features/encoding.ts';
import { decodeModel } from '../../src/model/decode.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { evaluateWith } from '../../src/model/judge.ts';
import { createScorer } from '../../src/model/kinds.ts';
import type { Model } from '../../src/model/model.ts';
import type { MulticlassModel } from '../../src/model/multiclass/model.ts';
import { Predictor } from '../../src/model/predictor.ts';
import type { RawRow } from '../../src/model/raw-features.ts';
import type { Row } from '../../src/table/object-table.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import { inSequence } from '../oracles/oracle.ts';
import { bits } from '../rules/conformance.ts';
import { dyadic } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { calibrated, indexed, models, multiclass, training } from '../support/models.ts';
import { denseSeveral, severalOf, sparseSeveral } from '../support/several.ts';
import { openedRows } from '../support/tables.ts';
import { libsvmSource } from '../support/text.ts';

const kernels = wasm();
const isDeep = process.env.TEST_DEEP === '1';
const penguins: Row[] = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../../node_modules/vega-datasets/data/penguins.json'), 'utf8'),
);

/** Scores of all rows of a source, row by row. */
async function scoresOf(source: ExampleSource, model: Model): Promise<{ scores: Float64Array[]; labels: number[] }> {
  const scorer = createScorer(kernels, model);
  const scores: Float64Array[] = [];
  const labels: number[] = [];
  for await (const batch of source.batches()) {
    const out = new Float64Array(batch.rows * scorer.outputs);
    scorer.scoreInto(batch, out);
    for (let i = 0; i < batch.rows; i++) scores.push(out.slice(i * scorer.outputs, (i + 1) * scorer.outputs));
    labels.push(...batch.labels.subarray(0, batch.rows));
  }
  scorer.free();
  return { scores, labels };
}

const vwSource = (text: string, format = vwFormat(kernels)) =>
  new TextSource({
    name: 'data.vw',
    open: () => [bytesSource(text)],
    format,
    kernels,
  });

/** Every row asked for alone gives what batches give. */
async function expectAlike(source: ExampleSource, model: Model, rows: readonly RawRow[]): Promise<void> {
  const read = decodeModel(encodeModel(model));
  const predictor = new Predictor(read);
  const { scores } = await scoresOf(source, read);
  expect(scores).toHaveLength(rows.length);
  rows.forEach((row, i) => {
    expect(bits(predictor.scores(row))).toEqual(bits(scores[i]!));
    const highest = [...scores[i]!].indexOf(Math.max(...scores[i]!));
    expect(predictor.predict(row)).toBe(read.classes[highest]);
  });
}

describe('a single row has the scores of batches, to the bit, and the class of the highest:', () => {
  const numbered = Array.from({ length: 30 }, (_, i) => ({
    y: i % 3,
    indices: [1 + (i % 4), 6 + (i % 5), i % 7 === 0 ? 4294967295 : 70 + i],
    values: [0.1 * (i % 3), 1 / (1 + i), 0.7],
  }));
  const text = numbered.map(
    ({ y, indices, values }) => `${y} ${indices.map((j, k) => `${j}:${values[k]}`).join(' ')}\n`,
  );

  // Far features take seconds: the deep suite tries both strategies.
  const strategies = process.env.TEST_DEEP ? (['one-vs-rest', 'kesler'] as const) : (['one-vs-rest'] as const);
  it.each(strategies)('numbered features, far ones too, as indices and values; %s', async (how) => {
    for (const scaling of isDeep ? (['none', 'max-norm'] as const) : (['max-norm'] as const)) {
      const source = libsvmSource(kernels, text.join(''));
      const { model } = await trainOnce(source, { kernels, multiclass: how, scaling });
      if (model.features.kind !== 'indexed') throw new TypeError('libsvm features are indexed');
      const format = libsvmFormat(kernels, model.features);
      await expectAlike(libsvmSource(kernels, text.join(''), { format }), model, numbered);
    }
  });

  it('numbered features, as lists', async () => {
    const data = Array.from({ length: 20 }, (_, i) => ({ x: [i % 3, 0.1 * i, 1 / (i + 1), i % 2, 0.3], y: i % 4 }));
    const source = arraySource(denseSeveral(data), ['a', 'b', 'c', 'd']);
    const { model } = await trainOnce(source, { kernels });
    await expectAlike(
      source,
      model,
      data.map(({ x }) => x),
    );
  });

  it('named features', async () => {
    const rows = numbered.map(({ indices, values }) =>
      Object.fromEntries(indices.map((j, k) => [`f^n${j}`, values[k]] as const)),
    );
    const lines = numbered.map(
      ({ y, indices, values }) => `${y} |f ${indices.map((j, k) => `n${j}:${values[k]}`).join(' ')}\n`,
    );
    const { model } = await trainOnce(vwSource(lines.join('')), { kernels });
    if (model.features.kind !== 'named') throw new TypeError('the features have names');
    const format = vwFormat(kernels, { known: model.features });
    const again = vwSource(lines.join(''), format);
    await expectAlike(again, model, rows);
  });

  it.each(['one-vs-rest', 'kesler'] as const)('tables, of penguins; %s', async (how) => {
    const source = await openedRows(penguins, { label: 'Species' });
    expect(source.classes).toEqual(['Adelie', 'Chinstrap', 'Gentoo']);
    const { model, report } = await trainOnce(source, { kernels, multiclass: how });
    expect(report).toMatchObject({ stop: 'separated', train: { accuracy: 1 } });
    await expectAlike(source, model, penguins);
    const predictor = new Predictor(model);
    for (const row of penguins) expect(predictor.predict(row)).toBe(row.Species);
    if (model.features.kind !== 'table') throw new TypeError('expected a table');
    const again = await openedRows(penguins, { label: 'Species', encoding: model.features });
    expect(await evaluateWith(kernels, model, again)).toMatchObject({ examples: 344, errors: 0 });
  });
});

describe('a predictor', () => {
  const several = multiclass['several classes']!;

  it('has no single score for several classes', () => {
    const predictor = new Predictor(several);
    const refused = expect.objectContaining({
      code: 'option-invalid',
      message: 'expected a model of two classes, which have one score; got one of 3',
    });
    expect(() => predictor.score([1, 2])).toThrow(refused);
    expect(() => predictor.scores([0, Number.NaN])).toThrow('expected a finite number; got NaN');
  });

  it('refuses rows for hashed text', () => {
    const hashed: MulticlassModel = { ...several, features: { kind: 'hashed', bits: 1 } };
    expect(() => new Predictor(hashed)).toThrow('got one of hashed text');
  });

  it('returns a new array of scores on every call', () => {
    const predictor = new Predictor(several);
    const first = predictor.scores([1, 0]);
    const before = [...first];
    predictor.scores([9, 9]);
    expect([...first]).toEqual(before);
  });
});

describe('probabilities', () => {
  it('of a calibrated model are one per class, and add up to 1', () => {
    forAll(
      fc.constantFrom(...Object.values(calibrated)),
      fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 5, maxLength: 5 }),
      (model, x) => {
        const small: Model =
          model.kind === 'linear' ? { ...model, weights: Float64Array.of(1, -2), features: indexed(2) } : model;
        const given = new Predictor(decodeModel(encodeModel(small))).probabilities(x.slice(0, 2));
        expect(given).toHaveLength(model.classes.length);
        for (const probability of given) expect(probability >= 0 && probability <= 1).toBe(true);
        expect(given.reduce((sum, probability) => sum + probability, 0)).toBeCloseTo(1, 12);
      },
    );
  });

  it('are computed from the score by the calibration', () => {
    const two = new Predictor(calibrated['two classes, calibrated']!).probabilities({ indices: [], values: [] });
    const positive = 1 / (1 + Math.exp(-(1.5 * -4.5 - 0.25)));
    expect(two[1]).toBeCloseTo(positive, 12);
    expect(two[0]).toBeCloseTo(1 - positive, 12);
  });

  it('are all equal if all are 0', () => {
    const none = { kind: 'isotonic-leads', leads: [0], probabilities: [0] } as const;
    const model = { ...multiclass['several classes']!, calibration: [none] as const };
    expect(new Predictor(model).probabilities([1, 2])).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });

  it('do not exist for a model without calibration', () => {
    for (const model of [multiclass['several classes']!, models.names])
      expect(() => new Predictor(model).probabilities({} as never)).toThrow(
        expect.objectContaining({
          code: 'option-invalid',
          message: 'expected a model trained with calibrate; got one without',
        }),
      );
  });
});

describe('a judgement of several classes', () => {
  const modelOf = (
    functions: readonly { w: readonly number[]; bias: number }[],
    divisor: number,
    features: FeatureEncoding = indexed(functions[0]!.w.length),
  ): MulticlassModel => ({
    ...{ kind: 'multiclass', strategy: 'kesler', rule: 'perceptron', options: {}, as: null, calibration: null },
    ...{ features, training, classes: functions.map((_, k) => `${k + 1}`) },
    functions: functions.map(({ w, bias }) => ({ weights: Float64Array.from(w), bias, biasConstant: 1, divisor })),
  });

  it('counts examples by true and predicted class, the first of equal scores', async () => {
    const eighth = fc.integer({ min: -16, max: 16 }).map((eighths) => eighths / 8);
    await forAllAsync(
      80,
      severalOf(dyadic, { least: 3, rows: 30 }),
      fc.array(fc.array(eighth, { minLength: 10, maxLength: 10 }), { minLength: 5, maxLength: 5 }),
      fc.constantFrom(1, 2),
      async ({ data, classes }, numbers, divisor) => {
        const d = data[0]!.x.length;
        const functions = numbers.slice(0, classes).map((row) => ({ w: row.slice(0, d), bias: row[9]! }));
        const model = modelOf(functions, divisor);
        const confusion = functions.map(() => functions.map(() => 0));
        for (const { x, y } of data) {
          const scores = functions.map(({ w, bias }) => inSequence(w, x) / divisor + bias);
          confusion[y]![scores.indexOf(Math.max(...scores))]!++;
        }
        const right = confusion.reduce((sum, row, k) => sum + row[k]!, 0);
        const seen: number[][] = [];
        const cut = data.length >> 1;
        for (const layout of [denseSeveral, sparseSeveral]) {
          const batches = [layout(data.slice(0, cut)), layout(data.slice(cut))].filter(({ rows }) => rows > 0);
          const source = arraySource(batches, model.classes);
          const judged = await evaluateWith(kernels, model, source, {
            onScores: ({ scores, labels }) => seen.push([scores.length, labels.length]),
          });
          const errors = data.length - right;
          expect(judged).toMatchObject({ examples: data.length, errors, accuracy: right / data.length, confusion });
        }
        for (const [scores, labels] of seen) expect(scores).toBe(labels! * classes);
      },
    );
  });

  it('maps numeric labels of text to the classes in any order', async () => {
    const model = modelOf(
      [1, -1, 0].map((w) => ({ w: [0, w], bias: 0 })),
      1,
    );
    const judge = (text: string, of: Model = model) => evaluateWith(kernels, of, libsvmSource(kernels, text));
    expect(await judge('3 1:0\n2 1:-2\n1 1:5\n2 1:1\n')).toMatchObject({
      examples: 4,
      errors: 2,
      accuracy: 0.5,
      // Score 0 for all gives class 1, the first.
      confusion: [
        [1, 0, 0],
        [1, 1, 0],
        [1, 0, 0],
      ],
    });
    await expect(judge('1 1:1\n1:1\n')).rejects.toMatchObject({ code: 'label-missing' });
    await expect(judge('0 1:1\n', { ...model, classes: ['a', 'b', 'c'] })).rejects.toMatchObject({
      code: 'label-classes',
    });
  });

  it('is refused if the source has another number of classes', async () => {
    const several = modelOf(
      [1, -1, 0].map((w) => ({ w: [w], bias: 0 })),
      1,
    );
    const two = sparseBatch([{ indices: [0], values: [1] }], [1]);
    await expect(evaluateWith(kernels, several, arraySource(two))).rejects.toMatchObject({
      code: 'label-classes',
      message: "examples: expected examples of the model's 3 classes; got a source of 2",
    });
    const three = arraySource(sparseSeveral([{ x: [1], y: 2 }]), ['a', 'b', 'c']);
    await expect(evaluateWith(kernels, models.names, three)).rejects.toMatchObject({
      message: "examples: expected examples of the model's 2 classes; got a source of 3",
    });
  });
});

it('a scorer writes row by row, and no more than there are', () => {
  const scorer = createScorer(kernels, multiclass['several classes']!);
  const batch: StoredBatch = sparseSeveral([
    { x: [2, 4], y: 0 },
    { x: [0, 8], y: 1 },
  ]);
  const out = new Float64Array(8).fill(77);
  scorer.scoreInto(batch, out);
  // Biases −½, ½, 1½ and a divisor of 2.
  expect([...out]).toEqual([2, -0.5, 2, 3.5, 0.5, 2.5, 77, 77]);
  scorer.free();
});
