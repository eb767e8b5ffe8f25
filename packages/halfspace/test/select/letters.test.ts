import { describe, expect, it } from 'vitest';
import { some } from '../../../../test/support/quick.ts';
import { toJavaScript } from '../../src/export/index.ts';
import type { TableEncoding, TextColumn } from '../../src/features/table-encoding.ts';
import { csv, decodeModel, encodeModel, evaluate, Predictor, rows, type TrainOptions, train } from '../../src/index.ts';
import { Random } from '../../src/random.ts';

const random = new Random(5);
const letter = () => 'abcdefghijklmnoprstuvw'[random.below(22)]!;
const stem = () => Array.from({ length: 4 + random.below(3) }, letter).join('');

/** Texts of new words, whose ends tell the class. */
function endings(count: number) {
  return Array.from({ length: count }, (_, i) => {
    const end = ['ing', 'ed', 'ous'][i % 3]!;
    return {
      text: `${['the', 'a', 'my', 'his'][i % 4]} ${stem()} ${stem()}${end} of ${stem()} ${stem()}${end}`,
      label: `c${i % 3}`,
    };
  });
}

/** Texts of few words, one of which tells the class. */
function keywords(count: number) {
  const some = Array.from({ length: 12 }, stem);
  return Array.from({ length: count }, (_, i) => {
    const others = Array.from({ length: 4 }, () => some[random.below(12)]!);
    return { text: [...others, ['yes', 'no'][i % 2]!].join(' '), size: random.uniform(), label: `c${i % 2}` };
  });
}

const columnOf = ({ features }: { features: unknown }) => (features as TableEncoding).columns[0] as TextColumn;

describe('letters of short texts', () => {
  it('are chosen where words do not do, and are read from rows as in training', async () => {
    const { model, search, report, notes } = await train(rows(endings(300), { label: 'label' }), { holdout: 0.2 });
    const chosen = search.tried[search.taken]!;
    expect(chosen.shape).toBe('letters');
    const best = search.tried.find(({ shape }) => shape === 'straight')!;
    expect(chosen.accuracy).toBeGreaterThan(best.accuracy + 0.3);
    expect(report.holdout!.accuracy).toBeGreaterThan(0.9);
    expect(columnOf(model)).toMatchObject({ words: [1, 2], characters: [2, 5] });
    expect(notes.some((note) => note.includes('letters'))).toBe(true);
    const fresh = endings(150);
    const judged = await evaluate(model, rows(fresh, { label: 'label' }));
    const predictor = new Predictor(decodeModel(encodeModel(model)));
    const errors = fresh.filter((row) => predictor.predict(row) !== row.label).length;
    expect(errors).toBe(judged.errors);
    const { predict } = await import(
      `data:text/javascript,${encodeURIComponent(toJavaScript(decodeModel(encodeModel(model))))}`
    );
    for (const row of fresh) expect(predict(row)).toBe(predictor.predict(row));
  });

  it('leave no trace where words do as well', async () => {
    const all = keywords(200);
    const text = ['text,size,label', ...all.map((row) => Object.values(row).join())].join('\n');
    const without = { columns: { text: { characters: null } } } as const;
    const runs: TrainOptions[] = [{}, { folds: 3, means: true, holdout: 0.2 }, { metric: 'log-loss' }];
    for (const options of some(runs, 3)) {
      const tried = await train(csv(text), options);
      const plain = await train(csv(text, { features: without }), options);
      expect(encodeModel(tried.model)).toEqual(encodeModel(plain.model));
    }
  });

  it('are for a chosen rule: a named one has the words alone', async () => {
    const { model } = await train(rows(endings(60), { label: 'label' }), { rule: 'averaged' });
    expect(columnOf(model)).toMatchObject({ words: [1, 2], characters: null });
  });
});
