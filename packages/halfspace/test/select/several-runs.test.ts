import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { some } from '../../../../test/support/quick.ts';
import { denseBatch, sparseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { ExampleStore } from '../../src/data/store.ts';
import { crossFittedProbabilities, fitCalibrations } from '../../src/evaluate/fit-calibration.ts';
import { FoldedExamples } from '../../src/evaluate/folded-examples.ts';
import { brierScore, logLoss } from '../../src/evaluate/losses.ts';
import { scoreOutOfFold } from '../../src/evaluate/out-of-fold.ts';
import { fitPlatt } from '../../src/evaluate/platt.ts';
import { probabilityOf, sigmoid } from '../../src/model/calibration.ts';
import { classProbabilities } from '../../src/model/class-probabilities.ts';
import { decodeModel } from '../../src/model/decode.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { classProbabilitiesOf, judgeProbabilities } from '../../src/model/probabilities.ts';
import { Random } from '../../src/random.ts';
import { completeRuleOptions, type RuleName } from '../../src/rules/registry.ts';
import { train, trainWith } from '../../src/select/train.ts';
import { ClassWeighing } from '../../src/train/class-weights.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import type { Example } from '../oracles/oracle.ts';
import { dense } from '../support/examples.ts';
import { reference, wasm } from '../support/kernels.ts';

/** Points about a line, the labels the less sure the nearer they are to it. */
function blurred(rows: number, seed: number): Example[] {
  const random = new Random(seed);
  return Array.from({ length: rows }, () => {
    const x = Array.from({ length: 3 }, () => 4 * random.uniform() - 2);
    return { x, y: random.uniform() < sigmoid(2 * (x[0]! - x[1]!) + 0.5) ? 1 : -1 };
  });
}

/** Heaps along a line that overlap, more examples of the first. */
function blurredHeaps(rows: number, classes: number): { x: number[]; y: number }[] {
  const random = new Random(classes);
  return Array.from({ length: rows }, (_, i) => {
    const y = i < 6 * classes ? i % classes : Math.floor(classes * random.uniform() ** 2);
    return { x: [y + 3 * random.uniform(), random.uniform(), 1], y };
  });
}

describe('out-of-fold scores', () => {
  it('never come from a model that learned from the row', async () => {
    const kernels = wasm();
    await forAllAsync(
      60,
      fc.array(fc.boolean(), { minLength: 12, maxLength: 40 }),
      fc.constantFrom<RuleName>('averaged', 'perceptron', 'margin', 'arow', 'sgd', 'passive-aggressive'),
      fc.nat(1000),
      async (positive, rule, seed) => {
        // Row i has the feature i alone, so anything but the bias of its fold's run would come from its own label.
        const labels = positive.map((each, i) => ((i < 2 ? i === 0 : each) ? 1 : -1));
        const store = new ExampleStore(kernels);
        store.append(
          sparseBatch(
            labels.map((_, i) => ({ indices: [i], values: [1] })),
            labels,
          ),
        );
        const dealt = new FoldedExamples(kernels, store, { folds: 3, repeat: 0, seed });
        const candidate = { rule, options: completeRuleOptions(rule, {}), multiclass: 'one-vs-rest' } as const;
        const { scores, folds } = await scoreOutOfFold(
          candidate,
          {
            kernels,
            classes: 2,
            weighing: new ClassWeighing(null),
            async breathe() {},
            encoding: () => ({ kind: 'indexed', firstIndex: 0, dimension: labels.length }),
          },
          dealt,
          {
            passes: 3,
          },
        );
        expect(scores).toHaveLength(labels.length);
        for (let i = 1; i < scores.length; i++) if (folds[i] === folds[i - 1]) expect(scores[i]).toBe(scores[i - 1]);
        dealt.free();
        store.free();
      },
    );
  });
});

describe('a calibration by cross-validation', () => {
  it('keeps the model of plain training and adds one calibration, the same by every kernel', async () => {
    const data = dense(blurred(300, 4));
    for (const [rule, given] of [
      ['averaged', {}],
      ['sgd', { passes: 4 }],
      ['averaged', { patience: 2 }],
      ['averaged', { passes: 1, order: 'cyclic' }],
    ] as const) {
      const options = { order: 'auto', ...given, rule } as const;
      const plain = await trainOnce(arraySource(data), { ...options, kernels: wasm() });
      const one = await trainWith(wasm(), arraySource(data), { ...options, calibrate: 'platt' });
      expect(encodeModel({ ...one.model, calibration: null })).toBe(encodeModel(plain.model));
      expect(one.report).toEqual({ ...plain.report });
      expect(one.model.calibration).toMatchObject([{ kind: 'platt' }]);
      const other = await trainWith(reference(), arraySource(data), { ...options, calibrate: 'platt' });
      expect(encodeModel(other.model)).toBe(encodeModel(one.model));
      expect(decodeModel(encodeModel(one.model)).calibration).toEqual(one.model.calibration);
    }
  });

  it.each(['platt', 'isotonic'] as const)('by %s gives better probabilities than squashed scores', async (kind) => {
    const { scores, calibration } = await trainWith(wasm(), arraySource(dense(blurred(1500, 6))), {
      rule: 'averaged',
      passes: 5,
      calibrate: kind,
      holdout: 0.3,
    });
    expect(scores!.of).toBe('holdout');
    const squashed = Float64Array.from(scores!.scores, sigmoid);
    for (const judged of [calibration!.holdout!, calibration!.outOfFold!]) {
      // A step of an isotonic curve may be 0 or 1, and one example on its wrong side costs 36 nats.
      if (kind === 'platt') expect(judged.logLoss).toBeLessThan(logLoss(squashed, scores!.labels));
      expect(judged.brierScore).toBeLessThan(brierScore(squashed, scores!.labels));
    }
  });

  it('is judged on each fold by a calibration fitted on the other folds', () => {
    const random = new Random(3);
    const labels = Float64Array.from({ length: 90 }, (_, i) => (i % 3 === 0 ? 1 : -1));
    const scores = labels.map((y) => y + 4 * random.uniform() - 2);
    const folds = Uint32Array.from(labels, (_, i) => Math.floor(i / 30));
    const probabilities = scores.map((score, i) => {
      const others = (values: Float64Array) => values.filter((_, k) => folds[k] !== folds[i]);
      return probabilityOf(fitPlatt(others(scores), others(labels)), score);
    });
    const scored = { outputs: 1, scores, labels, folds };
    const crossFitted = crossFittedProbabilities('platt', scored);
    expect(crossFitted.filter((_, at) => at % 2 === 1)).toEqual(probabilities);
    const judged = judgeProbabilities(crossFitted, scored)!;
    expect(judged.examples).toBe(90);
    expect(judged.brierScore).toBeCloseTo(brierScore(probabilities, labels), 12);
    expect(judged.logLoss).toBeCloseTo(logLoss(probabilities, labels), 12);
  });

  it('of several classes is one calibration for all scores, judged by the probability of the true class', () => {
    const random = new Random(2);
    const labels = Float64Array.from({ length: 120 }, (_, i) => i % 3);
    const scores = Float64Array.from(
      { length: 360 },
      (_, at) => (at % 3 === Math.floor(at / 3) % 3 ? 1 : -1) + 3 * random.uniform() - 1.5,
    );
    const scored = { outputs: 3, scores, labels };
    const fitted = fitCalibrations('platt', scored);
    expect(fitted).toMatchObject([{ kind: 'softmax' }]);
    let log = 0;
    let brier = 0;
    labels.forEach((own, i) => {
      const p = classProbabilities(fitted, scores, 3 * i, 3);
      log -= Math.log(p[own]!) / 120;
      brier += p.reduce((sum, each, k) => sum + (each - (k === own ? 1 : 0)) ** 2, 0) / 240;
    });
    const judged = judgeProbabilities(classProbabilitiesOf(fitted, scored), scored)!;
    expect(judged.logLoss).toBeCloseTo(log, 12);
    expect(judged.brierScore).toBeCloseTo(brier, 12);
  });

  it('names the most probable class, whatever the rule and the number of classes', async () => {
    const kernels = wasm();
    const rules: [RuleName, object][] = [
      ['perceptron', {}],
      ['sgd', {}],
      ['arow', {}],
      ['perceptron', { multiclass: 'kesler' }],
      ['kernel', {}],
      ['voted', {}],
      ['tree', { passes: undefined }],
    ];
    for (const classes of [2, 3, 5])
      for (const [rule, options] of some(rules, 3))
        for (const calibrate of ['platt', 'isotonic'] as const) {
          const rows = blurredHeaps(150, classes);
          const batch = denseBatch(
            rows.map(({ x }) => x),
            rows.map(({ y }) => (classes === 2 ? 2 * y - 1 : y)),
            null,
            classes,
          );
          const names = classes === 2 ? undefined : rows.slice(0, classes).map((_, k) => `c${k}`);
          const source = arraySource(batch, names);
          const { model, calibration } = await trainWith(kernels, source, { rule, passes: 3, ...options, calibrate });
          const predictor = new Predictor(decodeModel(encodeModel(model)));
          for (const { x } of rows) {
            const [name, probabilities] = [predictor.predict(x, 'probability'), predictor.probabilities(x)];
            expect(probabilities[predictor.labels.indexOf(name)]).toBe(Math.max(...probabilities));
            if (classes > 2) expect(name).toBe(predictor.predict(x));
          }
          const { outOfFold, isLessRight } = calibration!;
          expect(isLessRight).toBe(outOfFold.accuracy < outOfFold.scoreAccuracy);
          if (classes > 2) expect(outOfFold.accuracy).toBe(outOfFold.scoreAccuracy);
        }
  });

  it('works with a chosen rule, with curves, and with a validation source', async () => {
    const data = dense(blurred(200, 9));
    const { model, search, calibration, scores, curves, report } = await train(arraySource(data), {
      rule: 'auto',
      // Else a rule without passes is chosen.
      passes: 4,
      metric: 'accuracy',
      calibrate: 'isotonic',
      curves: true,
      validation: arraySource(dense(blurred(80, 10))),
    });
    expect(search.tried.length).toBeGreaterThan(1);
    expect(model.calibration).toMatchObject([{ kind: 'isotonic' }]);
    expect(report.validation.examples).toBe(80);
    expect(calibration).toMatchObject({
      folds: 5,
      outOfFold: { examples: 200 },
      holdout: null,
      validation: { examples: 80 },
    });
    expect(scores).toMatchObject({ of: 'validation', outputs: 1 });
    expect(curves.learning!.points.at(-1)!.examples).toBe(160);
    expect(curves.validation!.points.some(({ passes }) => passes === report.passes)).toBe(true);
  });

  it("is refused if cross-validation would train other runs than the model's, or has too few examples", async () => {
    const source = () => arraySource(dense(blurred(40, 1)));
    const refused = (options: object, message: string) =>
      expect(train(source(), { calibrate: 'platt', ...options })).rejects.toThrow(message);
    await refused({ calibrate: 'beta' }, 'calibrate must be one of platt, isotonic; got "beta"');
    await refused({ as: 'lecture-9' }, 'calibrate is not for the variant tie 1');
    await refused({ rule: 'averaged', scaling: 'max-norm' }, 'calibrate is not for the variant scaling max-norm');
    await refused({ rule: 'averaged', order: 'random' }, 'calibrate is not for the variant order random');
    const few = arraySource(dense([...blurred(40, 1).map(({ x }) => ({ x, y: 1 as const })), { x: [1, 2, 3], y: -1 }]));
    await expect(train(few, { calibrate: 'platt' })).rejects.toThrow(
      'expected at least 2 examples of each of two classes to calibrate by cross-validation; got one such class',
    );
  });

  it('is not needed for curves of a lecture that scales its examples', async () => {
    const source = arraySource(dense(blurred(60, 1)));
    const { curves, scores } = await train(source, { as: 'lecture-9', curves: true });
    expect(scores!.of).toBe('train');
    expect(curves).toEqual({ learning: null, validation: null });
  });
});
