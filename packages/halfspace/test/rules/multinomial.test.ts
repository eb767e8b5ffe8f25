import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { exponential, power } from '../../src/kernels/exponential.ts';
import { decodeModel } from '../../src/model/decode.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { MulticlassModel } from '../../src/model/multiclass/model.ts';
import { Random } from '../../src/random.ts';
import { Multinomial } from '../../src/rules/multinomial.ts';
import { createLearner, createMulticlassLearner } from '../../src/rules/registry.ts';
import { completeSgd, type SgdOptions } from '../../src/rules/sgd-options.ts';
import { planTraining } from '../../src/train/options.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import type { Labelled } from '../oracles/classes.ts';
import { multinomial } from '../oracles/classes.ts';
import { inFourLanes } from '../oracles/oracle.ts';
import { decimal, dense } from '../support/examples.ts';
import { implementations, wasm } from '../support/kernels.ts';
import { denseSeveral, importanceOf, jointOptions, severalOf, sparseSeveral } from '../support/several.ts';

const optionsOf = (given: SgdOptions): SgdOptions => ({ loss: 'multinomial', ...given });
const l1RatioOf = ({ penalty }: SgdOptions) => (penalty === 'elastic-net' ? 0.15 : 0);
const numbersOf = (learner: Multinomial) =>
  learner.functions().map(({ weights, bias }) => [...weights, bias].map((number) => number + 0));

describe.each(implementations)('the multinomial loss, in %s kernels,', (_, create) => {
  const kernels = create();
  const weighted = severalOf(decimal).chain((several) =>
    fc.record({
      several: fc.constant(several),
      importance: importanceOf(fc.constantFrom(0, 0.3, 1, 1, 2.5), several),
    }),
  );

  it('has the weights of the oracle after each example, to the bit', () => {
    forAll(
      60,
      weighted,
      fc.constantFrom<SgdOptions>(...jointOptions),
      fc.constantFrom(denseSeveral, sparseSeveral),
      ({ several: { data, classes }, importance }, given, layout) => {
        const passes = 3;
        const options = optionsOf(given);
        const complete = completeSgd(options);
        const batch = layout(data, importance);
        const learner = new Multinomial(kernels, options, classes);
        const { alpha = 0, schedule, rate, power: p = 0, answer } = complete as Record<string, never>;
        const oracle = { alpha, schedule, rate, power: p, l1Ratio: l1RatioOf(options), exp: exponential, pow: power };
        let t = 0;
        for (const moment of multinomial(data, { ...oracle, inner: inFourLanes, passes, classes, importance })) {
          learner.learn(batch, t % data.length, (t % data.length) + 1);
          t++;
          expect(numbersOf(learner)).toEqual(
            moment.map(({ last, mean }) => (answer === 'mean' ? mean : last).map((w) => w + 0)),
          );
        }
        expect(learner.progress).toMatchObject({ examples: t });
        learner.free();
      },
    );
  });
});

describe('a step of the multinomial loss', () => {
  const kernels = wasm();

  it('is −η·h times the gradient of −ln p_y, by central differences', () => {
    forAll(
      30,
      severalOf(decimal, { rows: 8, features: 4, least: 3 }),
      fc.constantFrom(0.5, 1, 3),
      ({ data, classes }, h) => {
        const rate = 0.25;
        const options: SgdOptions = { ...optionsOf({ penalty: 'none', schedule: 'constant', rate }), answer: 'last' };
        const learner = new Multinomial(kernels, options, classes);
        learner.learn(denseSeveral(data));
        const before = numbersOf(learner);
        const { x, y } = data[0]!;
        const loss = (W: readonly (readonly number[])[]) => {
          const scores = W.map((w) => [...x, 1].reduce((sum, value, j) => sum + value * w[j]!, 0));
          const most = Math.max(...scores);
          return Math.log(scores.reduce((sum, score) => sum + Math.exp(score - most), 0)) + most - scores[y]!;
        };
        learner.learn(denseSeveral([data[0]!], [h]));
        const after = numbersOf(learner);
        const width = 1e-5;
        before.forEach((own, k) => {
          own.forEach((_, j) => {
            const at = (shift: number) =>
              loss(before.map((w, r) => w.map((weight, i) => (r === k && i === j ? weight + shift : weight))));
            const slope = (at(width) - at(-width)) / (2 * width);
            // Differences of this width are right to about 1e-6 of the values here.
            expect((after[k]![j]! - own[j]!) / (-rate * h)).toBeCloseTo(slope, 4);
          });
        });
        learner.free();
      },
    );
  });

  it('keeps the sum of all classes’ weights at 0, and for two classes has the difference of the logistic loss', () => {
    forAll(30, severalOf(decimal, { least: 3 }), ({ data, classes }) => {
      const options: SgdOptions = { penalty: 'none', schedule: 'constant', rate: 0.25, answer: 'last' };
      const several = new Multinomial(kernels, optionsOf(options), classes);
      several.learn(denseSeveral(data));
      const W = numbersOf(several);
      W[0]!.forEach((_, j) => {
        expect(W.reduce((sum, w) => sum + w[j]!, 0)).toBeCloseTo(0, 9);
      });
      several.free();

      const two = data.map(({ x, y }): Labelled => ({ x, y: y % 2 }));
      const joint = new Multinomial(kernels, optionsOf(options), 2);
      joint.learn(denseSeveral(two));
      const logistic = createLearner(kernels, 'sgd', { ...options, rate: 0.5 });
      logistic.learn(dense(two.map(({ x, y }) => ({ x: [...x], y: y === 1 ? 1 : -1 }))));
      const [first, second] = numbersOf(joint);
      const [{ weights, bias }] = logistic.functions() as [{ weights: Float64Array; bias: number }];
      [...weights, bias].forEach((w, j) => {
        expect(second![j]! - first![j]!).toBeCloseTo(w, 9);
      });
      joint.free();
      logistic.free();
    });
  });
});

describe('a run of the multinomial loss', () => {
  const kernels = wasm();
  const random = new Random(5);
  const heaps = Array.from({ length: 150 }, (_, i): Labelled => {
    const y = i % 3;
    return { x: [0, 1].map((j) => (j === y ? 1 : 0) + random.uniform() - 0.5), y };
  });
  const several = () => arraySource(denseSeveral(heaps), ['a', 'b', 'c']);

  it('is joint, and gives a model that survives its file', async () => {
    const { model, report } = await trainOnce(several(), { rule: 'sgd', loss: 'multinomial', passes: 20, kernels });
    expect(model).toMatchObject({ kind: 'multiclass', strategy: 'joint', options: { loss: 'multinomial' } });
    expect((model as MulticlassModel).functions).toHaveLength(3);
    expect(report.train!.accuracy).toBeGreaterThan(0.8);
    expect(decodeModel(encodeModel(model))).toEqual(model);
  });

  it('nearly minimises its objective: no direction lowers it by much', async () => {
    const alpha = 0.01;
    const { model } = await trainOnce(several(), { rule: 'sgd', loss: 'multinomial', alpha, passes: 400, kernels });
    const W = (model as MulticlassModel).functions.map(({ weights, bias }) => [...weights, bias]);
    const objective = (at: readonly (readonly number[])[]) => {
      let sum = 0;
      for (const { x, y } of heaps) {
        const scores = at.map((w) => x.reduce((total, value, j) => total + value * w[j]!, w[2]!));
        sum += Math.log(scores.reduce((total, score) => total + Math.exp(score), 0)) - scores[y]!;
      }
      const squares = at.flatMap((w) => w.slice(0, 2)).reduce((total, w) => total + w * w, 0);
      return sum / heaps.length + (alpha * squares) / 2;
    };
    const least = objective(W);
    for (let k = 0; k < 3; k++)
      for (let j = 0; j < 3; j++)
        for (const shift of [0.05, -0.05])
          expect(objective(W.map((w, r) => w.map((v, i) => (r === k && i === j ? v + shift : v))))).toBeGreaterThan(
            least - 1e-4,
          );
  });

  it('of two classes is that of the logistic loss', async () => {
    const two = () => arraySource(dense(heaps.map(({ x, y }) => ({ x: [...x], y: y === 0 ? 1 : -1 }))), ['n', 'p']);
    const [multi, logistic] = await Promise.all(
      (['multinomial', 'logistic'] as const).map((loss) => trainOnce(two(), { rule: 'sgd', loss, passes: 5, kernels })),
    );
    expect({ ...multi!.model, options: null }).toEqual({ ...logistic!.model, options: null });
  });

  it('refuses a strategy other than joint, which no other loss has', () => {
    for (const [options, message] of [
      [
        { rule: 'sgd', loss: 'multinomial', multiclass: 'one-vs-rest' },
        'multiclass must be joint, or absent, for the loss multinomial, which learns all classes together; got one-vs-rest',
      ],
      [{ rule: 'averaged', multiclass: 'joint' }, 'multiclass joint is for the rule sgd with the loss multinomial'],
      [{ rule: 'sgd', multiclass: 'joint' }, 'multiclass joint is for the rule sgd with the loss multinomial'],
    ] as const)
      expect(() => planTraining(options)).toThrow(message);
    expect(() => createMulticlassLearner(kernels, 'sgd', 'one-vs-rest', { loss: 'multinomial' })).toThrow(
      'multiclass must be joint',
    );
  });
});
