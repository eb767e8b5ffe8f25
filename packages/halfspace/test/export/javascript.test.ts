import { gzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';
import { decodeModel, encodeModel, HalfspaceError, libsvm, type Model, Predictor, rows, train, vw } from 'halfspace';
import { toJavaScript, toTypeScript } from 'halfspace/export';
import { Random } from 'halfspace/runs';
import { beforeAll, expect, test } from 'vitest';
import { anyRow, goodRows, tableModels } from './models.ts';

interface Program {
  readonly classes: readonly string[];
  readonly predict: (row: unknown) => string;
  readonly score?: (row: unknown) => number;
  readonly scores?: (row: unknown) => number[];
  readonly probabilities?: (row: unknown) => number[];
}

function load(model: Model): Program {
  const module = { exports: {} as Program };
  new Function('module', toJavaScript(model, { form: 'commonjs' }))(module);
  return module.exports;
}

/** Everything that the model answers about a row; 'refused' if it throws. */
function answers(of: { classes: readonly string[]; calibrated: boolean }, ask: Program, row: unknown) {
  try {
    return {
      class: ask.predict(row),
      scores: of.classes.length === 2 ? [ask.score!(row)] : [...ask.scores!(row)],
      probabilities: of.calibrated ? ask.probabilities!(row) : null,
    };
  } catch {
    return 'refused';
  }
}

/** Rows for each model. */
const rowCount = process.env.TEST_DEEP ? 10_000 : 150;

let models: Map<string, Model>;
beforeAll(async () => {
  models = await tableModels();
});

test('an exported program answers every row with the bits of Predictor, or refuses it as Predictor does', () => {
  for (const [name, model] of models) {
    expect(encodeModel(decodeModel(encodeModel(model))), name).toBe(encodeModel(model));
    const random = new Random(11);
    const program = load(model);
    const predictor = new Predictor(model) as unknown as Program;
    const of = { classes: model.classes, calibrated: model.calibration !== null };
    let refused = 0;
    for (let i = 0; i < rowCount; i++) {
      const row = anyRow(random);
      const expected = answers(of, predictor, row);
      expect(
        answers(of, program, row),
        `${name}: ${JSON.stringify(row, (_, v) => (typeof v === 'bigint' ? `${v}n` : v))}`,
      ).toStrictEqual(expected);
      if (expected === 'refused') refused++;
    }
    expect(refused, name).toBeGreaterThan(0);
    expect(refused, name).toBeLessThan(rowCount * 0.85);
  }
});

test('the threshold that costs decided is part of the program', () => {
  const plain = load(models.get('two classes')!);
  const decided = load(models.get('threshold by costs')!);
  const rows = goodRows(200, 3, plain.classes);
  const shifts = rows.map((row) => decided.score!(row) - plain.score!(row));
  expect(Math.abs(shifts[0]!)).toBeGreaterThan(0.1);
  for (const shift of shifts) expect(shift).toBeCloseTo(shifts[0]!, 9);
  // A missed "yes" costs eight times as much, so the program says "yes" more often.
  const yes = ({ predict }: Program) => rows.filter((row) => predict(row) === 'yes').length;
  expect(yes(decided)).toBeGreaterThan(yes(plain));
});

test('rows of numbers and of named features are answered with the bits of Predictor', async () => {
  const text = Array.from(
    { length: 60 },
    (_, i) => `${i % 3 ? 1 : -1} ${1 + (i % 5)}:${(i % 7) / 3} ${9 + (i % 3)}:1 ${i % 9 ? 40 : 4e6}:2`,
  );
  const names = text.map((line) => line.replace(/ /, ' | ').replace(/(\d+):/g, 'n$1:'));
  const { model: numbered } = await train(libsvm(`${text.join('\n')}\n`), { rule: 'averaged', passes: 2 });
  const { model: named } = await train(vw(`${names.join('\n')}\n`), { rule: 'averaged', passes: 2 });
  const { model: near } = await train(libsvm(text.map((line) => line.replace(' 4000000:', ' 12:')).join('\n')), {
    rule: 'averaged',
  });
  const list = Array.from({ length: 41 }, (_, j) => j - 2.5);
  for (const [model, rows] of [
    [near, [list, Float32Array.from(list), { indices: [9, 1, 9], values: [1, 2, 0.5] }]],
    [numbered, [{ indices: [4e6, 77], values: [3, 1] }]],
  ] as const) {
    const program = load(model);
    const predictor = new Predictor(model);
    for (const row of rows) expect(program.score!(row)).toBe(predictor.score(row));
    for (const row of [
      ...[[], [4], list.slice(1), [...list, 0], Float64Array.of(1, 2, 3), list.with(3, Number.NaN)],
      ...[{ indices: [-1], values: [1] }, { indices: [1], values: [] }, null, 5],
    ]) {
      expect(() => program.score!(row), String(row)).toThrow(TypeError);
      expect(() => predictor.score(row as never), String(row)).toThrow(HalfspaceError);
    }
  }
  const byName = load(named);
  const asked = new Predictor(named);
  for (const row of [{ n1: 1, n9: -2.5, n40: 1 }, {}, { n2: 3, other: 'x' }, { other: 1 }])
    expect(byName.score!(row)).toBe(asked.score(row));
  expect(() => byName.score!({ n1: 'x' })).toThrow(TypeError);
  const ofTable = models.get('two classes')!;
  expect(load(ofTable).score!({ other: 1 })).toBe(new Predictor(ofTable).score({}));
  for (const row of [[1], null, 'x', new Map([['n1', 1]]), Promise.resolve({ n1: 1 }), Float64Array.of(1)])
    for (const program of [byName, load(ofTable)]) expect(() => program.score!(row)).toThrow(TypeError);
});

test('a kernel model of more rows than a program can hold is refused', () => {
  const model = models.get('voted') as Extract<Model, { kind: 'dual' }>;
  const [one] = model.functions as readonly [(typeof model.functions)[number]];
  const offsets = Uint32Array.from({ length: 2002 }, (_, j) => Math.min(j, one.support.values.length));
  const large = { ...model, functions: [{ ...one, support: { ...one.support, offsets } }] };
  expect(() => toJavaScript(large)).toThrow('expected a kernel model of at most 2000 rows and 200000 values');
});

test('names and words of data stay data in every form', async () => {
  const nasty = [
    '*/ throw 1; /*',
    '</script>',
    '\n\u2028`$' + '{1}`',
    "'\\",
    '__proto__',
    'constructor',
    'sigmoid',
    'a',
  ];
  const data = Array.from({ length: 40 }, (_, i) => ({
    ...Object.fromEntries(nasty.slice(0, -1).map((name, k) => [`${name}x`, nasty[(i + k) % nasty.length]!])),
    ['__proto__']: i,
    constructor: i % 7,
    class: i % 3 ? nasty[0] : nasty[1],
  }));
  const { model } = await train(rows(data, { label: 'class' }), { rule: 'averaged', passes: 2 });
  const predictor = new Predictor(model);
  const bare = new Function(`${toJavaScript(model, { form: 'function', name: 'it' })} return it;`)() as Program;
  const module = `data:text/javascript,${encodeURIComponent(toJavaScript(model))}`;
  const imported = (await import(/* @vite-ignore */ module)) as Program;
  expect(toJavaScript(model)).not.toContain('</script');
  for (const program of [load(model), bare, imported])
    for (const row of data) expect(program.score!(row)).toBe(predictor.score(row));
  expect(() => toJavaScript(model, { form: 'function', name: 'a b' })).toThrow('the name of a constant');
});

test('a program of 30 columns of numbers has at most 1,100 bytes of code', async () => {
  const random = new Random(1);
  const data = Array.from({ length: 200 }, (_, i) => ({
    ...Object.fromEntries(Array.from({ length: 30 }, (_, j) => [`x${j}`, random.uniform() * 9 + (i % 2) * j])),
    class: i % 2 ? 'yes' : 'no',
  }));
  const { model } = await train(rows(data, { label: 'class' }), { rule: 'averaged', passes: 2 });
  const size = (code: string) =>
    gzipSync(transformSync(code, { minify: true, format: 'esm' }).code, { level: 9 }).length;
  const code = toJavaScript(model);
  // The statements of data: names, means, deviations and weights.
  const withoutData = code.replace(/\[[^\]\n]{100,}\]/g, '[]');
  expect(size(code) - size(withoutData)).toBeGreaterThan(500);
  expect(size(withoutData)).toBeLessThanOrEqual(1100);
});

test('TypeScript has the types of the row and of the classes', () => {
  const code = toTypeScript(models.get('Platt')!);
  expect(code).toContain('"colour"?: string | number | boolean | bigint | null | undefined;');
  expect(code).toContain('const predictTyped: (row: Row) => "no" | "yes" = predictRow;');
  const { code: plain } = transformSync(code, { loader: 'ts', format: 'cjs' });
  const module = { exports: {} as Program };
  new Function('module', plain)(module);
  expect(module.exports.score!({ weight: 3 })).toBe(new Predictor(models.get('Platt')!).score({ weight: 3 }));
});
