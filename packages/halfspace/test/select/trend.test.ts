import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { toJavaScript } from '../../src/export/index.ts';
import {
  compareRules,
  decodeModel,
  encodeModel,
  OnlineClassifier,
  Predictor,
  rows,
  type TrainOptions,
  train,
} from '../../src/index.ts';
import { Random } from '../../src/random.ts';

/** Rows of three numbers, one sometimes missing, whose classes follow no trend. */
function table(count: number, seed: number, classes = ['no', 'yes']) {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => {
    const [x, y, z] = [random.below(40) / 4, random.uniform() * 9, random.uniform()];
    const label = Math.floor(Math.abs(Math.sin(x) + y / 9 + random.uniform()) * 2) % classes.length;
    return { x, y: i % 13 === 0 ? null : y, z, label: classes[label]! };
  });
}

const features = { columns: { x: { trend: 'rising' }, y: { kind: 'number', trend: 'falling' } } } as const;
const given = (count: number, seed: number, classes?: string[]) =>
  rows(table(count, seed, classes), { label: 'label', features });

describe('a number that must rise or fall', () => {
  it('does so for every two numbers, straight, bent and chosen, in a model file and an exported program', async () => {
    const course = fc.constantFrom<TrainOptions>({ rule: 'logistic' }, { rule: 'logistic', bend: 20 }, {});
    await forAllAsync(6, course, fc.nat(1000), async (options, seed) => {
      const { model } = await train(given(120, seed), { ...options, calibrate: 'platt' });
      expect(model.rule).toBe('logistic');
      const predictor = new Predictor(decodeModel(encodeModel(model)));
      const program = new Function(`${toJavaScript(model, { form: 'function' })} return model;`)();
      const random = new Random(seed);
      for (let i = 0; i < 200; i++) {
        const [low, high] = [random.uniform() * 12 - 1, random.uniform() * 12 - 1].sort((a, b) => a - b);
        const rest = { y: random.below(5) === 0 ? null : random.uniform() * 9, z: random.uniform() };
        for (const { score } of [{ score: (row: object) => predictor.score(row as never) }, program]) {
          expect(score({ ...rest, x: high })).toBeGreaterThanOrEqual(score({ ...rest, x: low }));
          expect(score({ ...rest, x: 3, y: high })).toBeLessThanOrEqual(score({ ...rest, x: 3, y: low }));
        }
      }
    });
  });

  it('changes no model that does so anyway', async () => {
    const all = table(200, 3).map((row) => ({ ...row, label: row.x > 5 ? 'yes' : 'no' }));
    const rule = { name: 'logistic', alpha: 0.1 } as const;
    const weights = async (trend?: 'rising') => {
      const columns = { x: trend === undefined ? {} : { trend }, y: { kind: 'drop' }, z: { kind: 'drop' } } as const;
      const { model } = await train(rows(all, { label: 'label', features: { columns } }), { rule, bend: 9 });
      return model.kind === 'linear' ? [...model.weights] : [];
    };
    const free = await weights();
    (await weights('rising')).forEach((weight, k) => {
      expect(weight).toBeCloseTo(free[k]!, 5);
    });
  });

  it('is refused where it cannot be kept, with the reason', async () => {
    const refused = (message: string) => ({ code: 'option-invalid', message: expect.stringContaining(message) });
    const alone = 'expected the rule logistic, without passes, for a rising number; got averaged';
    await expect(train(given(50, 1), { rule: 'averaged' })).rejects.toMatchObject(refused(alone));
    await expect(train(given(50, 1), { passes: 3 })).rejects.toMatchObject(refused(alone));
    await expect(train(given(50, 1), { rule: 'tree' })).rejects.toMatchObject(refused('got tree'));
    await expect(compareRules(given(50, 1), { candidates: ['logistic', 'sgd'] })).rejects.toMatchObject(
      refused('got sgd'),
    );
    for (const rule of ['auto', 'logistic'] as const)
      await expect(train(given(90, 1, ['a', 'b', 'c']), { rule })).rejects.toMatchObject(
        refused('expected two classes (positive makes two of them) for a rising number; got 3'),
      );
    const crosses = [['x', 'z']] as const;
    const columns = { x: { bins: 3, trend: 'rising' }, z: { bins: 3 } } as const;
    const crossed = rows(table(50, 1), { label: 'label', features: { columns, crosses } });
    await expect(train(crossed, { rule: 'logistic' })).rejects.toMatchObject(refused('got "x", a rising number'));
    expect(() => new OnlineClassifier({ columns: { x: 'number:rising' as never } })).toThrow(
      'only train keeps a trend',
    );
    const { model } = await train(given(50, 1), { rule: 'logistic' });
    expect(() => OnlineClassifier.from(model, { rule: 'averaged' })).toThrow('got a trend of x');
  });
});
