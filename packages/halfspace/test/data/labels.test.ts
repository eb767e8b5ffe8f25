import { describe, expect, it } from 'vitest';
import { arraySource } from '../../src/data/in-memory.ts';
import { Random } from '../../src/random.ts';
import type { RunOptions } from '../../src/train/options.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import type { Example } from '../oracles/oracle.ts';
import { train } from '../support/arithmetic.ts';
import { dense, example, run, sparse, xor } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { spillDouble } from '../support/spill.ts';
import { libsvmSource, smallBuffers, textOf } from '../support/text.ts';

const kernels = wasm();

describe('labels of text', () => {
  const points = [
    [4, 1],
    [-3, 1],
    [5, 0],
    [-4, 2],
    [2, -1],
  ];
  const positive = [true, false, true, false, true];
  const labelled = (negativeLabel: string, positiveLabel: string) =>
    textOf(points.map((x, i) => ({ x, y: positive[i]! ? positiveLabel : negativeLabel })));
  const modelOf = async (text: string, options: RunOptions = {}) => {
    const { model } = await train(libsvmSource(kernels, text, smallBuffers), { kernels, ...options });
    return model;
  };

  it.each([
    ['-1', '+1', ['-1', '1']],
    ['0', '1', ['0', '1']],
    ['2', '4', ['2', '4']],
    ['-7', '3.5', ['-7', '3.5']],
    ['1e2', '1e3', ['100', '1000']],
    ['-0', '1', ['0', '1']],
  ] as const)('may be any two numbers (%s and %s): the larger one is positive', async (negative, larger, classes) => {
    const expected = await modelOf(labelled('-1', '1'));
    const model = await modelOf(labelled(negative, larger));
    expect(model.classes).toEqual(classes);
    expect({ ...model, classes: null }).toEqual({ ...expected, classes: null });
  });

  it('may come in either order first', async () => {
    const lines = labelled('2', '4').split('\n').slice(0, -1);
    for (const first of [0, 1]) {
      const turned = [lines[first]!, ...lines.filter((_, i) => i !== first)].join('\n');
      expect((await modelOf(turned)).classes).toEqual(['2', '4']);
    }
  });

  it('may be of one class for long: these rows wait, and are then learned from in order', async () => {
    const random = new Random(5);
    const data = Array.from({ length: 400 }, (_, i): Example => {
      const y = i < 300 ? -1 : random.below(2) === 0 ? -1 : 1;
      return { x: [random.uniform() * 2 + y, random.uniform() - y / 3, random.uniform()], y };
    });
    // Labels that are not what they become, so that one that was forgotten shows.
    const text = textOf(data.map(({ x, y }) => ({ x, y: y === 1 ? '4' : '2' })));
    for (const order of ['cyclic', 'shuffled', 'random'] as const)
      for (const store of [{}, { memoryBudget: 1000, spill: spillDouble().open }])
        for (const passes of [1, 4])
          for (const holdout of [undefined, 0.2]) {
            const options = { kernels, order, passes, store, holdout };
            const known = await train(arraySource(sparse(data, { zeros: true }), ['2', '4']), options);
            const found = await train(libsvmSource(kernels, text, { textBytes: 500 }), options);
            expect(found.report).toEqual(known.report);
            expect(found.model.weights).toEqual(Float64Array.of(0, ...known.model.weights));
            expect(found.model.bias).toBe(known.model.bias);
          }
  });

  it('of three or more classes give classes in rising order, also if the third class comes late', async () => {
    const classesOf = async (text: string, options: RunOptions = {}) =>
      (await trainOnce(libsvmSource(kernels, text, smallBuffers), { kernels, ...options })).model.classes;
    expect(await classesOf('3 1:1\n1 1:2\n2 1:3\n')).toEqual(['1', '2', '3']);
    expect(await classesOf('10 1:1\n9 1:2\n-0.5 1:3\n-0 1:1\n')).toEqual(['-0.5', '0', '9', '10']);
    const late = `${labelled('1', '2').repeat(50)}3 1:1\n`;
    for (const order of ['cyclic', 'shuffled', 'random'] as const)
      expect(await classesOf(late, { order })).toEqual(['1', '2', '3']);
  });

  it('of more than a thousand classes are refused; the message lists the first twenty in order', async () => {
    const text = (count: number) => Array.from({ length: count }, (_, i) => `${count - i} 1:1\n`).join('');
    const { model } = await trainOnce(libsvmSource(kernels, text(1000)), { kernels, passes: 1 });
    expect(model.classes).toEqual(Array.from({ length: 1000 }, (_, i) => `${i + 1}`));
    const listed = Array.from({ length: 20 }, (_, i) => 982 + i).join(', ');
    await expect(modelOf(text(1001))).rejects.toMatchObject({
      code: 'label-classes',
      message: `data.svm: expected at most 1000 classes of labels, or one class named as the positive one; got ${listed}, …`,
    });
  });

  it('of a third class are refused if a single pass has discarded the first examples', async () => {
    const features = Array.from({ length: 1000 }, (_, j) => ` ${j + 1}:1`).join('');
    const large = `2${features}\n1${features}\n`.repeat(800);
    const single = { kernels, passes: 1 };
    const { report } = await trainOnce(libsvmSource(kernels, large), single);
    expect([report.examples, report.train]).toEqual([1600, null]);
    await expect(trainOnce(libsvmSource(kernels, `${large}3 1:1\n`), single)).rejects.toMatchObject({
      code: 'label-classes',
      message:
        'data.svm: expected two classes for a single pass, which does not keep all examples; got 1, 2, 3: allow more passes, or name the positive class',
    });
    // What the sentence advises.
    const more = await trainOnce(libsvmSource(kernels, `${large}3 1:1\n`), { kernels, passes: 2 });
    expect(more.report.classExamples).toEqual([800, 800, 1]);
    const one = await trainOnce(libsvmSource(kernels, `${large}3 1:1\n`), { ...single, positive: '3' });
    expect(one.model.classes).toEqual(['not 3', '3']);
  });

  it('of one class only are refused', async () => {
    await expect(modelOf('1 1:1\n1 1:2\n')).rejects.toMatchObject({
      code: 'label-classes',
      message: 'data.svm: expected two classes of labels; got only 1',
    });
    await expect(run([example(1, 1), example(1, 2)])).rejects.toMatchObject({
      code: 'label-classes',
      message: 'examples: expected examples of both classes to learn from; got none of -1',
    });
  });

  it('that are missing are refused with the row', async () => {
    await expect(modelOf('1 1:1\n# a comment\n1:2\n2 1:3\n')).rejects.toMatchObject({
      code: 'label-missing',
      message: 'data.svm, row 2: expected a label; got none',
    });
    const batch = { ...dense(xor), labels: Float64Array.of(1, -1, Number.NaN, 1) };
    await expect(train(arraySource(batch), { kernels })).rejects.toMatchObject({
      code: 'label-missing',
      message: 'examples, row 3: expected a label; got none',
    });
  });

  it('become one class against all others with `positive`', async () => {
    const three = '1 1:1 2:1\n2 1:-1\n3 2:3\n2 2:1\n';
    const model = await modelOf(three, { positive: '2' });
    expect(model.classes).toEqual(['not 2', '2']);
    const expected = await modelOf('-1 1:1 2:1\n1 1:-1\n-1 2:3\n1 2:1\n');
    expect(model.weights).toEqual(expected.weights);
    expect(await modelOf(three, { positive: '2.0' })).toEqual(model);
  });

  it('of two classes are swapped by `positive`, and keep their names', async () => {
    const model = await modelOf(labelled('2', '4'), { positive: '2' });
    const turned = await modelOf(labelled('1', '-1'));
    expect(model.classes).toEqual(['4', '2']);
    expect(model.weights).toEqual(turned.weights);
  });

  it('a positive class is found among many other labels', async () => {
    const text = `${Array.from({ length: 60 }, (_, i) => `${i} 1:${i}\n`).join('')}77 1:-5\n`;
    const model = await modelOf(text, { positive: '77' });
    expect(model.classes).toEqual(['not 77', '77']);
  });

  it('a positive class that is absent or not a number is refused', async () => {
    await expect(modelOf('1 1:1\n2 1:1\n', { positive: '5' })).rejects.toMatchObject({
      code: 'label-classes',
      message: 'data.svm: expected examples of the positive class 5; got only labels 1, 2',
    });
    for (const positive of ['spam', ''])
      await expect(modelOf('1 1:1\n2 1:1\n', { positive })).rejects.toMatchObject({
        code: 'option-invalid',
        message: `the positive class of numeric labels must be a number; got ${JSON.stringify(positive)}`,
      });
  });

  it('an empty source is refused', async () => {
    const empty = { code: 'source-empty', message: 'data.svm: expected examples; got none' };
    await expect(modelOf('# only this\n')).rejects.toMatchObject(empty);
    await expect(train(arraySource([]), { kernels })).rejects.toMatchObject({ code: 'source-empty' });
  });
});
