import { libsvm, type Model, Predictor, rows, type TrainOptions, train, vw } from 'halfspace';
import { scoreBound, toOnnx } from 'halfspace/export';
import { Random } from 'halfspace/runs';
import { env, InferenceSession, Tensor } from 'onnxruntime-web';
import { expect, test } from 'vitest';
import { missingWordsIn } from '../../src/features/table-cell.ts';
import type { TableEncoding } from '../../src/features/table-encoding.ts';
import { anyRow, goodRows, rawCells, tableModels } from './models.ts';

env.wasm.numThreads = 1;

interface Answers {
  readonly labels: readonly string[];
  readonly scores: Float64Array;
  readonly probabilities: Float64Array | null;
}

async function run(model: Model, feeds: Record<string, Tensor>): Promise<Answers> {
  const session = await InferenceSession.create(toOnnx(model));
  const { label, scores, probabilities } = await session.run(feeds);
  await session.release();
  return {
    labels: label!.data as unknown as string[],
    scores: scores!.data as Float64Array,
    probabilities: (probabilities?.data as Float64Array | undefined) ?? null,
  };
}

/** The inputs of a table: one tensor per column. A missing category is empty or another word for it. */
function columnsOf(
  encoding: TableEncoding,
  asked: readonly Record<string, unknown>[],
  random: Random,
): Record<string, Tensor> {
  const cells = asked.map((row) => rawCells(encoding, row));
  return Object.fromEntries(
    encoding.columns.map(({ name, kind }, c) => {
      const words = missingWordsIn(encoding, name);
      const own = cells.map((row) => row[c]!);
      const tensor =
        kind === 'category'
          ? new Tensor(
              'string',
              own.map((cell) => String(cell ?? words[random.below(words.length)])),
              [own.length, 1],
            )
          : new Tensor('float64', Float64Array.from(own as number[]), [own.length, 1]);
      return [name, tensor];
    }),
  );
}

/** Rows of anything that Predictor answers. */
function answerable(predictor: Predictor, count: number): Record<string, unknown>[] {
  const random = new Random(5);
  const asked: Record<string, unknown>[] = [];
  while (asked.length < count) {
    const row = anyRow(random);
    try {
      predictor.scores(row);
      asked.push(row);
    } catch {}
  }
  return asked;
}

/** Compares a model with its file, row by row. */
async function compare(name: string, model: Model, rowCount: number): Promise<void> {
  const predictor = new Predictor(model);
  const asked = answerable(predictor, rowCount);
  const { labels, scores, probabilities } = await run(
    model,
    columnsOf(model.features as TableEncoding, asked, new Random(1)),
  );
  const bound = scoreBound(model)?.usual ?? 0;
  expect(probabilities !== null, name).toBe(model.calibration !== null);
  asked.forEach((row, i) => {
    const place = `${name}, row ${i}`;
    const expected = [...predictor.scores(row)];
    expected.forEach((score, k) => {
      expect(Math.abs(scores[i * expected.length + k]! - score), place).toBeLessThanOrEqual(bound);
    });
    const [best, second] = expected.length === 1 ? [Math.abs(expected[0]!), 0] : expected.toSorted((a, b) => b - a);
    if (best! - second! > 2 * bound || bound === 0) expect(labels[i], place).toBe(predictor.predict(row));
    if (probabilities === null) return;
    predictor.probabilities(row).forEach((p, k) => {
      expect(Math.abs(probabilities[i * model.classes.length + k]! - p), place).toBeLessThan(1e-12);
    });
  });
}

test('ONNX Runtime gives the classes of Predictor, its scores within the bound, and its probabilities', async () => {
  const models = await tableModels({ text: false });
  for (const [name, model] of models) await compare(name, model, process.env.TEST_DEEP ? 10_000 : 100);
  expect(models.size).toBeGreaterThan(9);
});

test('trees of crosses and parts of dates, and all calibrations, are the same too', async () => {
  const columns = {
    price: { kind: 'drop' },
    clock: { kind: 'drop' },
    note: { kind: 'drop' },
    tags: { kind: 'drop' },
    weight: { bins: 3 },
    day: { kind: 'date', parts: ['month', 'weekday', 'hour'] },
    colour: { kind: 'category', rare: 3 },
  } as const;
  const trained = async (
    classes: readonly string[],
    rule: TrainOptions['rule'],
    crosses: readonly (readonly [string, string])[],
  ) => {
    const given = { label: 'class', features: { columns, crosses } };
    const data = rows(goodRows(200, 3, classes), given as object);
    return (await train(data, { rule, seed: 1, passes: rule === 'averaged' ? 2 : undefined })).model;
  };
  const pairs = [['weight', 'colour']] as const;
  const tree = await trained(['a', 'b', 'c'], { name: 'tree', maxDepth: 12 }, pairs);
  const grown = (tree as Extract<Model, { kind: 'tree' }>).tree;
  const used = new Set(grown.nodes.map(({ split }) => (split === null ? '' : grown.columns[split.column]!.name)));
  for (const part of ['day weekday', 'day month', 'epoch hour']) expect([...used].join()).toContain(part);
  await compare('tree', tree, 200);
  // Trees seldom need crosses, so this one is made by hand.
  const column = grown.columns.findLastIndex(({ name }) => name.includes('colour=red'));
  const split = { kind: 'number', column, threshold: 0.5, missing: 0, children: [1, 2] } as const;
  const leaf = (counts: number[]) => ({ counts, split: null });
  const nodes = [{ counts: [4, 2, 5], split }, leaf([4, 1, 1]), leaf([0, 1, 4])];
  await compare('tree of a cross', { ...tree, tree: { ...grown, nodes } } as Model, 200);
  const linear = await trained(['a', 'b'], 'averaged', []);
  const several = await trained(['a', 'b', 'c'], 'averaged', []);
  const platt = { kind: 'platt', slope: 0.5, intercept: -1 } as const;
  const clipped = { kind: 'clipped-platt', slope: 2, intercept: 0.25, low: -1.5, high: 2 } as const;
  const isotonic = { kind: 'isotonic', scores: [-2, 0, 1], probabilities: [0, 0.25, 1] } as const;
  const steps = { kind: 'isotonic-leads', leads: [-1], probabilities: [0] } as const;
  for (const [model, calibration] of [
    [linear, [clipped]],
    [linear, [{ ...platt, slope: 0 }]],
    [linear, [isotonic]],
    [several, [{ kind: 'softmax', slope: 0.5, reach: 3 }]],
    [several, [steps]],
  ] as const)
    await compare(JSON.stringify(calibration), { ...model, calibration } as Model, 100);
});

test('features by index and by name are one input, with a divisor too', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `${i % 3 ? 1 : -1} 1:${i % 5} 2:${(i % 7) / 3} 4:${i % 2}`);
  const names = lines.map((line) => line.replace(/ /, ' | ').replace(/(\d+):/g, 'n$1:'));
  const one = lines.map((line, i) => `${line.split(' ')[0]} 1:${i / 7}`);
  const random = new Random(3);
  for (const source of [libsvm(`${lines.join('\n')}\n`), vw(`${names.join('\n')}\n`), libsvm(`${one.join('\n')}\n`)])
    for (const scaling of ['none', 'unit-ball'] as const) {
      const { model } = await train(source, { rule: 'perceptron', passes: 2, scaling });
      const { features } = model as { features: { dimension: number; names?: string[] } };
      const width = features.names?.length ?? features.dimension;
      const values = Float64Array.from({ length: 50 * width }, () => random.uniform() * 2 - 1);
      const { scores, labels } = await run(model, { features: new Tensor('float64', values, [50, width]) });
      const predictor = new Predictor(model);
      for (let i = 0; i < 50; i++) {
        const list = [...values.subarray(i * width, (i + 1) * width)];
        const row = features.names ? Object.fromEntries(features.names.map((name, j) => [name, list[j]])) : list;
        const score = predictor.score(row);
        expect(Math.abs(scores[i]! - score)).toBeLessThanOrEqual(scoreBound(model)!.usual);
        expect(labels[i]).toBe(predictor.predict(row));
      }
    }
});

test('words for missing values count in numbers too, and columns may have the names of outputs', async () => {
  const data = Array.from({ length: 80 }, (_, i) => ({
    label: i % 9 === 0 ? -999 : (i * 7) % 31,
    scores: i % 5,
    class: i % 31 > 12 ? 'up' : 'down',
  }));
  const given = { label: 'class', missing: ['-999', 'gone'], features: { columns: { scores: { bins: 3 } } } } as const;
  const { model } = await train(rows(data, given), { rule: 'averaged', passes: 3 });
  const session = await InferenceSession.create(toOnnx(model));
  expect(session.outputNames).toEqual(['halfspace_label', 'halfspace_scores']);
  const asked = [-999, 3, null, 30].flatMap((label) => [-999, 0, 2, null].map((scores) => ({ label, scores })));
  const column = (values: (number | null)[]) =>
    new Tensor(
      'float64',
      Float64Array.from(values, (value) => value ?? Number.NaN),
      [values.length, 1],
    );
  const answers = await session.run({
    label: column(asked.map(({ label }) => label)),
    scores: column(asked.map(({ scores }) => scores)),
  });
  const predictor = new Predictor(model);
  asked.forEach((row, i) => {
    const score = answers.halfspace_scores!.data[i] as number;
    expect(Math.abs(score - predictor.score(row)), JSON.stringify(row)).toBeLessThanOrEqual(scoreBound(model)!.usual);
  });
});

test('names and levels of data stay data', async () => {
  const levels = ['*/ throw', '\u2028`$' + '{1}`', "'\\", '__proto__', 'constructor', 'a"b', 'übel 東京 😀', 'label'];
  const names = [...levels, 'constant_1', 'gather_2', 'sub_12', 'labelencoder_9', 'N', 'halfspace_label'];
  const data = Array.from({ length: 60 }, (_, i) => {
    const cell = (k: number) => (k % 2 ? levels[(i + k) % levels.length]! : (i * 7 + k) % 13);
    return Object.fromEntries([...names.map((name, k) => [name, cell(k)]), ['class', levels[i % 3]!]]);
  });
  const { model } = await train(rows(data, { label: 'class' }), { rule: 'averaged', passes: 2 });
  const predictor = new Predictor(model);
  const session = await InferenceSession.create(toOnnx(model));
  expect(session.inputNames).toEqual(names);
  expect(session.outputNames).toEqual(['halfspace_halfspace_label', 'scores']);
  const feeds = columnsOf(model.features as TableEncoding, data, new Random(1));
  const answers = await session.run(feeds);
  data.forEach((row, i) => {
    expect(answers.halfspace_halfspace_label!.data[i]).toBe(predictor.predict(row));
    predictor.scores(row).forEach((score, k) => {
      const got = answers.scores!.data[3 * i + k] as number;
      expect(Math.abs(got - score)).toBeLessThanOrEqual(scoreBound(model)!.usual);
    });
  });
});

test('what ONNX cannot hold is refused with the reason', async () => {
  const notes = Array.from({ length: 40 }, (_, i) => ({
    note: `${i % 3 ? 'free' : 'call'} lunch at ${i % 5}`,
    class: i % 3 ? 'a' : 'b',
  }));
  const columns = { note: { kind: 'text' } } as const;
  const { model: text } = await train(rows(notes, { label: 'class', features: { columns } }), { rule: 'averaged' });
  const blank = [0, 1, 2, 3].map((x) => ({ '': x, class: x > 1 ? 'a' : 'b' }));
  const { model: nameless } = await train(rows(blank, { label: 'class' }), { rule: 'averaged' });
  const halves = [0, 1, 2, 3].map((x) => ({ 'a\ud800': x, class: x > 1 ? 'a' : 'b' }));
  const { model: odd } = await train(rows(halves, { label: 'class' } as object), { rule: 'averaged' });
  const { model: kernel } = await train(libsvm('1 1:1\n-1 2:1\n'), { rule: { name: 'kernel', kernel: 'rbf' } });
  const { model: near } = await train(libsvm('1 1:1 3:1\n-1 2:1\n'), { rule: 'averaged' });
  const far = { ...near, features: { ...near.features, far: { direct: 3, indices: [4e9] } } } as Model;
  for (const [model, reason] of [
    [text, 'got one with the text note: ONNX has no operator that splits it into words'],
    [nameless, 'expected columns with names; got one without a name'],
    [odd, 'expected classes, names and levels without NUL and halves of characters; got "a\\ud800"'],
    [kernel, 'expected a linear model or a tree; got one with a kernel'],
    [far, 'expected indices that are positions in a row; got very large ones'],
  ] as const)
    expect(() => toOnnx(model)).toThrow(reason);
});
