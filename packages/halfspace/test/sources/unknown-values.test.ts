import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { bytesSource } from '../../src/data/in-memory.ts';
import { TextSource } from '../../src/data/text.ts';
import { vwFormat } from '../../src/data/text-format.ts';
import { arrays, csv, evaluate, libsvm, type Model, rows, train, vw } from '../../src/index.ts';
import { implementations } from '../support/kernels.ts';

const options = { rule: { name: 'perceptron' }, passes: 2 } as const;
const modelOf = async (source: Parameters<typeof train>[0]): Promise<Model> => (await train(source, options)).model;

/** Rows of words, each word once in a row. */
const rowsOfWords = (words: readonly string[]) =>
  fc.array(fc.uniqueArray(fc.constantFrom(...words), { minLength: 1 }), { minLength: 1, maxLength: 30 });

/** Counts the words that are not known, in the plainest way. */
function counted(given: readonly (readonly string[])[], known: ReadonlySet<string>) {
  const unknown = given.flat().filter((word) => !known.has(word));
  return { values: given.flat().length, unknown: unknown.length, different: new Set(unknown).size };
}

describe('values that a model does not know', () => {
  const words = ['a', 'b', 'c', 'd', 'e', '7', '12', 'f'];
  const known = new Set(['a', 'b', '7']);

  it('are counted in Vowpal Wabbit text, however it is cut', async () => {
    const model = await modelOf(vw('1 |n a b\n-1 |n 7\n'));
    await forAllAsync(60, rowsOfWords(words), async (given) => {
      const text = given.map((each, i) => `${i % 2 === 0 ? 1 : -1} |n ${each.join(' ')}\n`).join('');
      expect((await evaluate(model, vw(text))).unknown).toEqual(counted(given, known));
      for (const [, create] of implementations) {
        const kernels = create();
        const format = vwFormat(kernels, { known: model.features as never });
        const small = { textBytes: 128, batchValues: 8, batchRows: 3 };
        const source = new TextSource({ name: 'x', format, kernels, open: () => [bytesSource(text)], ...small });
        const kept: number[] = [];
        for await (const batch of source.batches()) kept.push((batch as { offsets: Uint32Array }).offsets[batch.rows]!);
        expect(format.unknown).toEqual(counted(given, known));
        const { values, unknown } = counted(given, known);
        expect(kept.reduce((sum, n) => sum + n, 0)).toBe(values - unknown);
      }
    });
  });

  it('are counted in libsvm text, far indices and index 0 included', async () => {
    for (const [training, known, indices] of [
      ['1 1:1 2:1\n-1 3:1\n', ['1', '2', '3'], ['0', '1', '2', '3', '4', '9', '4294967295']],
      ['1 0:1 2:1\n-1 3:1\n', ['0', '1', '2', '3'], ['0', '1', '2', '3', '4', '9', '4294967295']],
      ['1 1:1 3:1\n-1 5000000:1\n', ['1', '3', '5000000'], ['0', '1', '3', '5000000', '6000000']],
    ] as const) {
      const model = await modelOf(libsvm(training));
      await forAllAsync(40, rowsOfWords(indices), async (given) => {
        const sorted = given.map((row) => [...row].sort((a, b) => Number(a) - Number(b)).map((j) => `${j}:1`));
        const text = sorted.map((row, i) => `${i % 2 === 0 ? 1 : -1} ${row.join(' ')}\n`).join('');
        expect((await evaluate(model, libsvm(text))).unknown).toEqual(counted(given, new Set(known)));
      });
    }
  });

  it('are counted among categories and words of tables, of text and of objects', async () => {
    const training = [
      { c: 'a', t: 'good day', y: 'yes' },
      { c: 'b', t: 'bad day', y: 'no' },
      { c: '7', t: 'day', y: 'no' },
    ];
    const features = { columns: { c: { kind: 'category' }, t: { kind: 'text' } } } as const;
    const model = await modelOf(rows(training, { label: 'y', features }));
    const knownWords = new Set(['good', 'bad', 'day']);
    await forAllAsync(
      60,
      rowsOfWords(words),
      rowsOfWords(['good', 'bad', 'day', 'night', 'sea']),
      async (levels, texts) => {
        const given = levels.map(([c], i) => ({
          c: c!,
          t: texts[i % texts.length]!.join(' '),
          y: i % 2 ? 'no' : 'yes',
        }));
        const ofLevels = counted(
          given.map(({ c }) => [c]),
          known,
        );
        const ofWords = counted(
          given.map(({ t }) => t.split(' ')),
          knownWords,
        );
        const expected = {
          values: ofLevels.values + ofWords.values,
          unknown: ofLevels.unknown + ofWords.unknown,
          different: ofLevels.different + ofWords.different,
        };
        expect((await evaluate(model, rows(given, { label: 'y' }))).unknown).toEqual(expected);
        const text = `c,t,y\n${given.map(({ c, t, y }) => `${c},${t},${y}\n`).join('')}`;
        expect((await evaluate(model, csv(text, { label: 'y' }))).unknown).toEqual(expected);
      },
    );
  });

  it('are told apart up to 65,536 different ones, in bounded memory', async () => {
    const model = await modelOf(vw('1 |n a b\n-1 |n c\n'));
    const lines = (different: number) =>
      Array.from({ length: different }, (_, k) => `1 |n a u${k} u${(k * 7) % different}\n`).join('');
    const few = await evaluate(model, vw(lines(65_536)));
    expect(few.unknown?.different).toBe(65_536);
    for (const different of [65_537, 150_000]) {
      const { unknown, notes } = await evaluate(model, vw(lines(different)));
      const twice = Array.from({ length: different }, (_, k) => (k * 7) % different).filter((j, k) => j === k).length;
      const ignored = 2 * different - twice;
      expect(unknown).toEqual({ values: different + ignored, unknown: ignored, different: null });
      expect(notes.join()).toContain('more than 65,536 different: n^u0, n^u1, ');
    }
  });

  it('do not exist where features are hashed, and in arrays', async () => {
    const hashed = await modelOf(vw('1 |n a b\n-1 |n c\n', { bits: 10 }));
    expect(await evaluate(hashed, vw('1 |n z\n-1 |n a\n'))).toMatchObject({
      unknown: { values: 2, unknown: 0 },
      notes: [],
    });
    const listed = await modelOf(arrays([[1], [2]], ['a', 'b']));
    expect(await evaluate(listed, arrays([[1], [2]], ['a', 'b']))).toMatchObject({ unknown: null, notes: [] });
  });
});

describe('the note on values that a model does not know', () => {
  const noteOf = async (model: Model, source: Parameters<typeof evaluate>[1]) => (await evaluate(model, source)).notes;

  it('tells values from features', async () => {
    const model = await modelOf(libsvm('1 1:1\n-1 2:1\n'));
    expect(await noteOf(model, libsvm('1 1:1 9:1\n'.repeat(622)))).toEqual([
      'the model does not know 622 of 1,244 features (50 %), 1 different: 9; the features of training were others, or numbered otherwise',
    ]);
    expect(await noteOf(model, libsvm('1 1:1 2:1\n'))).toEqual([]);
  });

  it('says that indices begin elsewhere', async () => {
    const one = await modelOf(libsvm('1 1:1 2:1\n-1 2:1 3:1\n'));
    const zero = await modelOf(libsvm('1 0:1 1:1\n-1 1:1 2:1\n'));
    const shifted = (here: number, there: number) =>
      `the indices begin at ${here} here and at ${there} in training, so every feature is taken for its neighbour`;
    expect((await noteOf(one, libsvm('1 0:1 1:1\n-1 1:1 2:1\n')))[0]).toContain(
      `1 of 4 features (25 %), 1 different: 0; ${shifted(0, 1)}`,
    );
    expect((await noteOf(zero, libsvm('1 1:1 2:1\n-1 2:1 3:1\n')))[0]).toContain(
      `1 different: 3; likely, ${shifted(1, 0)}`,
    );
    await expect(evaluate(one, arrays([[1, 1, 0]], ['1'], { classes: ['-1', '1'] }))).rejects.toThrow(
      'expected rows of 4 numbers, as many as the model has features; got 3; the features of training begin at index 1, so put a 0 before each row',
    );
  });

  it('says that namespaces differ, or the writing of categories', async () => {
    const model = await modelOf(vw('1 |words a b\n-1 |words c\n'));
    expect((await noteOf(model, vw('1 | a b\n')))[0]).toContain(
      'the namespaces are others: a here is words^a in training',
    );
    const table = await modelOf(csv('c,y\nred,1\nblue,0\nred,1\nblue,0\n'));
    expect(await noteOf(table, csv('c,y\nRed,1\nblue,0\n'))).toEqual([
      'the model does not know 1 of 2 values of column c (50 %), 1 different: Red; "Red" here is "red" in training',
    ]);
  });

  it('says which columns came instead', async () => {
    const model = await modelOf(csv('a,b,y\n1,2,1\n3,5,0\n2,2,1\n4,5,0\n'));
    expect(await noteOf(model, csv('a,bb,y\n1,2,1\n3,5,0\n'))).toEqual([
      'text has no column b: its values count as missing; training did not have bb',
    ]);
  });

  it('counts levels that may be rare ones of training only if there are more of them', async () => {
    const lines = (levels: readonly string[]) => `c,y\n${levels.map((c, i) => `${c},${i % 2}\n`).join('')}`;
    const model = await modelOf(csv(lines([...Array.from({ length: 60 }, (_, i) => 'ab'[i % 2]!), 'r', 's'])));
    expect(model.features).toMatchObject({ columns: [{ rare: { levels: 2 } }] });
    expect(await noteOf(model, csv(lines(['a', 'r', 's', 's'])))).toEqual([]);
    expect((await noteOf(model, csv(lines(['a', 'r', 's', 't']))))[0]).toContain(
      '3 of 4 values of column c (75 %), 3 different',
    );
  });
});
