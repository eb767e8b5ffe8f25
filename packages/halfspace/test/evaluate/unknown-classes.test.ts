import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { arrays } from '../../src/data/arrays.ts';
import type { Source } from '../../src/data/source.ts';
import { libsvm, vw } from '../../src/data/text-sources.ts';
import { evaluate } from '../../src/model/judge.ts';
import { perClass } from '../../src/model/metrics.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { CalibrationTally } from '../../src/model/probabilities.ts';
import { rankScores } from '../../src/model/ranking.ts';
import { train } from '../../src/select/train.ts';
import { csv } from '../../src/table/csv.ts';
import { ndjson } from '../../src/table/ndjson.ts';
import { rows } from '../../src/table/rows.ts';

interface Labelled {
  readonly x: number;
  readonly y: string;
}

/** Every kind of source, of the same rows. Labels are numbers, as some kinds need them. */
const sources: Readonly<Record<string, (rows: readonly Labelled[]) => Source>> = {
  csv: (all) => csv(`x,y\n${all.map(({ x, y }) => `${x},${y}\n`).join('')}`, { features }),
  ndjson: (all) => ndjson(all.map((row) => `${JSON.stringify(row)}\n`).join(''), { label: 'y', features }),
  rows: (all) => rows(all as unknown as readonly Readonly<Record<string, unknown>>[], { label: 'y', features }),
  arrays: (all) =>
    arrays(
      all.map(({ x }) => [x]),
      all.map(({ y }) => y),
    ),
  libsvm: (all) => libsvm(all.map(({ x, y }) => `${y} 1:${x}\n`).join('')),
  vw: (all) => vw(all.map(({ x, y }) => `${y} | x:${x}\n`).join('')),
};
const features = { columns: { x: { kind: 'number' } } } as const;
const known: readonly Labelled[] = [
  [-3, '1'],
  [-2, '1'],
  [2, '2'],
  [3, '2'],
  [9, '3'],
  [11, '3'],
].map(([x, y]) => ({ x: x as number, y: y as string }));
const models = { two: known.slice(0, 4), several: known };

describe('rows of classes that the model does not have', () => {
  it.each(Object.entries(sources))('are errors, counted and named: %s', async (kind, sourceOf) => {
    for (const learned of Object.values(models))
      for (const rule of ['averaged', 'tree', 'kernel'] as const) {
        const { model } = await train(sourceOf(learned), { rule });
        const predictor = new Predictor(model);
        const rowOf = (x: number) =>
          kind === 'arrays' ? [x] : kind === 'libsvm' ? { indices: [1], values: [x] } : { x };
        await forAllAsync(
          6,
          fc.array(fc.record({ x: fc.integer({ min: -9, max: 20 }), y: fc.constantFrom('1', '2', '3', '8', '7') }), {
            minLength: 1,
            maxLength: 12,
          }),
          async (more) => {
            const all: readonly Labelled[] = [known[1]!, ...more];
            const judged = await evaluate(model, sourceOf(all));
            const { notes } = judged;
            const unknown = [...new Set(all.map(({ y }) => y))].filter((y) => !model.classes.includes(y));
            const names = [...model.classes, ...unknown];
            const confusion = names.map(() => names.map(() => 0));
            for (const { x, y } of all)
              confusion[names.indexOf(y)]![names.indexOf(String(predictor.predict(rowOf(x))))]!++;
            const right = confusion.reduce((sum, row, k) => sum + row[k]!, 0);
            expect(judged).toMatchObject({
              examples: all.length,
              errors: all.length - right,
              accuracy: right / all.length,
              confusion,
              perClass: perClass(confusion, names),
            });
            expect(judged.unknownClasses ?? []).toEqual(unknown);
            const rows = (name: string) => all.filter(({ y }) => y === name).length;
            const listed = unknown.map((name) => `${name} (${rows(name)} ${rows(name) === 1 ? 'row' : 'rows'})`);
            const told = notes.filter((note) => note.includes('the model does not have'));
            expect(told).toHaveLength(Number(unknown.length > 0));
            for (const each of told) expect(each).toContain(`${listed.join(', ')}; train with such rows, too`);
          },
        );
      }
  });

  const few: readonly Labelled[] = [
    { x: -2, y: '1' },
    { x: 4, y: '9' },
    { x: 3, y: '2' },
    { x: -1, y: '9' },
    { x: 5, y: '8' },
  ];

  it('count with onReject too, which takes bad rows only', async () => {
    const { model } = await train(sources.csv!(models.two), { rule: 'averaged' });
    const rejected: string[] = [];
    const text = 'x,y\n-2,1\noops,9\n3,2\n4,new\n1,\n';
    const judged = await evaluate(model, csv(text, { onReject: ({ error }) => rejected.push(error.code) }));
    expect(rejected).toEqual(['number-invalid', 'label-missing']);
    expect([judged.examples, judged.errors, judged.unknownClasses]).toEqual([3, 1, ['new']]);
  });

  it('are negative for a model of one class against all others', async () => {
    const { model } = await train(csv('x,y\n1,a\n2,b\n3,c\n', { positive: 'c' }), { rule: 'averaged' });
    const judged = await evaluate(model, csv('x,y\n1,new\n9,new\n3,c\n'));
    expect([judged.examples, judged.errors, judged.unknownClasses, judged.notes]).toEqual([3, 1, undefined, []]);
  });

  it('are never the most probable class, have the largest log loss, and are negative in rankings', async () => {
    const noisy = Array.from({ length: 60 }, (_, i) => ({ x: (i % 6) + Number(i % 7 === 0), y: String(1 + (i % 3)) }));
    for (const learned of [noisy.filter(({ y }) => y !== '3'), noisy]) {
      const { model } = await train(sources.csv!(learned), { rule: 'averaged', calibrate: 'platt', passes: 2 });
      const judgedBy = async (all: readonly Labelled[]) => {
        const tally = new CalibrationTally(model);
        const given: number[] = [];
        const { accuracy } = await evaluate(model, sources.csv!(all), {
          onScores({ scores, labels }) {
            tally.add(scores, labels);
            given.push(...labels);
            if (model.classes.length === 2)
              expect(rankScores(scores.slice(), labels)).toMatchObject({ positives: 1, negatives: all.length - 1 });
          },
        });
        return { ...tally.judgement!, accuracy, given };
      };
      const own = few.filter(({ y }) => y < '3');
      const [all, rest] = [await judgedBy(few), await judgedBy(own)];
      expect(all.given).toEqual(model.classes.length === 2 ? [-1, -3, 1, -3, -5] : [0, 3, 1, 3, 4]);
      expect([all.examples, all.errors]).toEqual([5, rest.errors + 3]);
      expect(all.scoreAccuracy).toBe(all.accuracy);
      expect(all.logLoss).toBeCloseTo((rest.logLoss * 2 + 3 * 52 * Math.LN2) / 5, 12);
      const predictor = new Predictor(model);
      const squares = few.map(({ x, y }) => {
        const p = predictor.probabilities({ x });
        const sum = p.reduce((total, each, k) => total + (each - Number(model.classes[k] === y)) ** 2, 0);
        return (sum + Number(!model.classes.includes(y))) / 2;
      });
      expect(all.brierScore).toBeCloseTo(squares.reduce((sum, each) => sum + each) / 5, 12);
    }
  });

  it('count in the validation of a training, but are refused where a run learns from them', async () => {
    const { report, state } = await train(sources.csv!(models.two), {
      ...{ rule: 'averaged', validation: sources.csv!(few), keepState: true },
    });
    expect(report.validation).toMatchObject({ examples: 5, errors: 3, unknownClasses: ['9', '8'] });
    await expect(train(sources.csv!(few), { rule: 'averaged', from: state })).rejects.toThrow(
      'expected "1" or "2"; got "9"',
    );
  });

  it('of importance 0 are absent', async () => {
    const importance = [1, 0, 1, 0, 1];
    const of = (all: readonly Labelled[]) => [all.map(({ x }) => [x]), all.map(({ y }) => y)] as const;
    const { model } = await train(arrays(...of(models.two)), { rule: 'averaged' });
    const judged = await evaluate(model, arrays(...of(few), { importance }));
    expect([judged.examples, judged.errors, judged.unknownClasses]).toEqual([3, 1, ['8']]);
    expect(judged.confusion).toHaveLength(3);
  });

  it('are refused if they are all, or of more than a thousand classes', async () => {
    for (const [kind, sourceOf] of Object.entries(sources)) {
      const { model } = await train(sourceOf(models.two), { rule: 'averaged' });
      await expect(evaluate(model, sourceOf(few.slice(3))), kind).rejects.toThrow(
        "expected labels of the model's classes, 1, 2; got only 9, 8",
      );
      const many = Array.from({ length: 1500 }, (_, i) => ({ x: i, y: `${i + 1}` }));
      await expect(evaluate(model, sourceOf(many)), kind).rejects.toThrow(
        "expected labels of the model's 2 classes; got more than 1000 others, such as 3, 4, 5",
      );
    }
  });
});
