import { describe, expect, test } from 'vitest';
import { arrays } from '../../src/data/arrays.ts';
import { libsvm } from '../../src/data/text-sources.ts';
import { decodeModel } from '../../src/model/decode.ts';
import { digestOf } from '../../src/model/digest.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { train } from '../../src/select/train.ts';
import { rows } from '../../src/table/rows.ts';

const towns = ['Lima', 'Oslo', 'Rome'];
const flats = Array.from({ length: 90 }, (_, i) => ({
  rooms: i % 7 === 0 ? null : (i % 5) + 1,
  town: towns[i % 3]!,
  dear: (i % 5) + (i % 3) > 3 ? 'yes' : 'no',
}));
const source = (given: readonly object[] = flats) => rows(given as typeof flats, { label: 'dear' });

describe('the means of a model', () => {
  test('are those of the training rows, whatever the run is', async () => {
    for (const options of [{ rule: 'averaged' }, { rule: 'averaged', passes: 1, order: 'cyclic' }, {}] as const) {
      const { model } = await train(source(), { ...options, means: true });
      const numbers = flats.flatMap(({ rooms }) => (rooms === null ? [] : [rooms]));
      const shares = towns.map((town) => flats.filter((flat) => flat.town === town).length / flats.length);
      const expected = [0, (flats.length - numbers.length) / flats.length, ...shares];
      expect(model.means!.length).toBe(expected.length);
      for (const [j, mean] of expected.entries()) expect(model.means![j]).toBeCloseTo(mean, 12);
      const { isMean, meanScore } = new Predictor(model).explain({ rooms: 2, town: 'Rome' });
      expect(isMean).toBe(true);
      const scores = flats.map((flat) => new Predictor(model).score(flat));
      expect(meanScore).toBeCloseTo(scores.reduce((a, b) => a + b) / flats.length, 9);
    }
  });

  test('count rows by their importance, and no held-out ones', async () => {
    const x = [
      [1, 0],
      [3, 1],
      [5, 0],
      [100, 7],
    ];
    const weighted = arrays(x, ['a', 'b', 'a', 'b'], { importance: [1, 2, 1, 0] });
    const { model } = await train(weighted, { rule: 'perceptron', means: true });
    expect([...model.means!]).toEqual([(1 + 6 + 5) / 4, 0.5]);
    const { report, model: part } = await train(source(), { rule: 'averaged', holdout: 0.5, means: true });
    const [share] = [...part.means!].slice(2).map((mean) => mean * report.examples);
    expect(share! % 1).toBeCloseTo(0, 9);
    expect(report.examples).toBe(45);
  });

  test('follow classes and features that join while rows are read', async () => {
    const text = ['1 1:2', '-1 2:1 9:4', '1 1:4', '3 3:1 400:2'].join('\n');
    const { model } = await train(libsvm(`${text}\n`), { rule: 'averaged', means: true });
    expect(model.classes.length).toBe(3);
    const named = new Predictor(model).explain({ indices: [], values: [] }, { class: '3' });
    const at = (j: number) => [...model.means!][j];
    expect([at(1), at(2), at(3), at(9)]).toEqual([1.5, 0.25, 0.25, 1]);
    expect(named.isMean).toBe(true);
  });

  test('stand in the file only on request, and change nothing else', async () => {
    const plain = (await train(source(), { rule: 'averaged' })).model;
    const asked = (await train(source(), { rule: 'averaged', means: true })).model;
    const { means, ...rest } = asked;
    expect(encodeModel(rest as typeof asked)).toBe(encodeModel(plain));
    const file = encodeModel(asked);
    expect(encodeModel(decodeModel(file))).toBe(file);
    expect(decodeModel(file).means).toEqual(means);
    for (const wrong of [[1], { float64: 'AA==' }, 'x', [...means!].map(() => 'x')]) {
      const { digest: _, ...body } = JSON.parse(file);
      body.means = wrong;
      expect(() => decodeModel(JSON.stringify({ ...body, digest: digestOf(body) }))).toThrow(
        expect.objectContaining({ code: 'model-invalid', message: expect.stringContaining('means') }),
      );
    }
  });

  test('are refused where there is no hyperplane', async () => {
    const refused = (options: object, message: string) =>
      expect(train(source(), { means: true, ...options } as object)).rejects.toThrow(message);
    await refused({ rule: 'tree' }, 'means is for rules that learn a hyperplane; got the rule tree');
    await refused({ rule: 'voted' }, 'means is for rules that learn a hyperplane; got the rule voted');
    await refused({ rule: 'averaged', means: 1 }, 'means must be true or false; got 1');
  });
});
