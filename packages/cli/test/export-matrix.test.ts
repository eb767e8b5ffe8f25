import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { csv, encodeModel, HalfspaceError, libsvm, type Model, Predictor, rows, train, vw } from 'halfspace';
import { toC, toJavaScript, toLiblinear, toOnnx, toScikitLearn, toSql, toTypeScript } from 'halfspace/export';
import { Random } from 'halfspace/runs';
import { beforeAll, describe, expect, test } from 'vitest';
import { anyRow, goodRows } from '../../halfspace/test/export/models.ts';
import { halfspace, root, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

const write: Readonly<Record<string, (model: Model) => string | Uint8Array>> = {
  javascript: toJavaScript,
  typescript: toTypeScript,
  c: toC,
  sql: toSql,
  onnx: toOnnx,
  liblinear: toLiblinear,
  'scikit-learn': toScikitLearn,
};

/** The table of docs/export.md: for each kind of model, what it says about each target. */
function documented(): Map<string, Map<string, string>> {
  const text = readFileSync(join(root, 'docs/export.md'), 'utf8');
  const lines = text.slice(text.indexOf('| model |')).split('\n\n')[0]!.split('\n');
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [, ...targets] = cells(lines[0]!);
  return new Map(
    lines.slice(2).map((line) => {
      const [kind, ...said] = cells(line);
      const each = targets.flatMap((names, k) =>
        names.split(', ').map((name) => [name.toLowerCase(), said[k]!] as const),
      );
      return [kind!, new Map(each)];
    }),
  );
}

/** A model, and rows for it as the text of a file; empty without deep tests, because they take long to draw. */
interface Case {
  readonly model: Model;
  readonly ending: 'csv' | 'svm' | 'vw';
  readonly data: string;
}

const rowCount = 10_000;
const ifDeep = (text: () => string) => (process.env.TEST_DEEP ? text() : '');

const classNames = { 2: ['no', 'yes'], 3: ['large', 'middling', "O'Neill"] } as const;
const names = ['weight', 'price', 'height', 'ripe', 'day', 'seen', 'epoch', 'clock', 'colour', 'shop', 'note', 'tags'];

/** Models of tables with some of the fields, of two and of three classes. */
async function tables(
  columns: Readonly<Record<string, object>>,
  options: object = {},
  { crosses = [] as readonly (readonly [string, string])[], sizes = [2, 3] as readonly (2 | 3)[] } = {},
): Promise<Case[]> {
  const dropped = Object.fromEntries(
    names.filter((name) => !(name in columns)).map((name) => [name, { kind: 'drop' }]),
  );
  const features = { columns: { ...columns, ...dropped }, ...(crosses.length === 0 ? {} : { crosses }) };
  return Promise.all(
    sizes.map(async (size) => {
      const source = rows(goodRows(process.env.TEST_DEEP ? 300 : 100, 7, classNames[size]), {
        label: 'class',
        features,
      } as never);
      const { model } = await train(source, { seed: 1, rule: 'averaged', passes: 2, ...options } as never);
      return { model, ending: 'csv', data: ifDeep(() => tableText(model)) } as const;
    }),
  );
}

/** Random rows of anything that the model answers, as CSV. */
function tableText(model: Model): string {
  const predictor = new Predictor(model);
  const random = new Random(5);
  const columns = model.features.kind === 'table' ? model.features.columns.map(({ name }) => name) : [];
  const lines = [columns.join(',')];
  while (lines.length <= rowCount) {
    const row = anyRow(random);
    const cells = columns.map((name) => cellOf(row[name]));
    try {
      predictor.scores(Object.fromEntries(columns.map((name, c) => [name, cells[c]])));
    } catch {
      continue;
    }
    lines.push(cells.map((cell) => (cell === null ? '' : `"${cell.replaceAll('"', '""')}"`)).join(','));
  }
  return `${lines.join('\n')}\n`;
}

function cellOf(value: unknown): string | null {
  if (value === undefined || value === null || Number.isNaN(value)) return null;
  if (Array.isArray(value)) return JSON.stringify(value);
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Random libsvm text; some features are far beyond the others. */
function numbersText(labels: readonly string[], count: number, seed: number): string {
  const r = new Random(seed);
  const lines = Array.from({ length: count }, () => {
    const k = r.below(labels.length);
    const at = [1 + k, 5 + r.below(4), 10 + r.below(9)];
    return `${labels[k]} ${at.map((j) => `${j}:${(r.uniform() * 3 - 1).toFixed(3)}`).join(' ')}`;
  });
  return `${lines.join('\n')}\n`;
}

const named = (text: string) => text.replace(/^(\S+) /gm, '$1 | ').replace(/(\d+):/g, 'n$1:');

async function numbers(ending: 'svm' | 'vw', options: object = {}): Promise<Case[]> {
  const wordsOf = (labels: readonly string[], count: number, seed: number) => {
    const text = numbersText(labels, count, seed);
    return ending === 'svm' ? text : named(text);
  };
  const { bits, ...own } = options as { bits?: number };
  return Promise.all(
    [['-1', '1'], ...(ending === 'svm' ? [['1', '2', '7']] : [])].map(async (labels) => {
      const text = wordsOf(labels, 300, 1);
      const source = ending === 'svm' ? libsvm(text) : vw(text, bits === undefined ? {} : { bits });
      const { model } = await train(source, { seed: 1, rule: 'averaged', passes: 2, ...own } as never);
      return { model, ending, data: ifDeep(() => wordsOf(labels, rowCount, 2)) } as const;
    }),
  );
}

/** CSV with a word that recurs among the numbers of a column. */
function wordedText(count: number, seed: number): string {
  const r = new Random(seed);
  const lines = Array.from({ length: count }, () => {
    const size = r.below(100) / 4;
    return `${r.below(5) === 0 ? 'varies' : size},${r.below(50)},${size > 12 ? 'big' : 'small'}`;
  });
  return `size,weight,class\n${lines.join('\n')}\n`;
}

const plain = { weight: {}, height: {}, ripe: {}, colour: { rare: 3 }, shop: { kind: 'category' } };
const cases: Readonly<Record<string, (target: string) => Promise<Case[]>>> = {
  'tables of numbers, booleans, categories': () => tables(plain),
  'intervals of numbers': async () => [
    ...(await tables({ ...plain, height: { bins: 5 } })),
    ...(await tables(plain, { rule: 'logistic', passes: undefined, bend: 20 })),
  ],
  dates: () =>
    tables({
      day: { kind: 'date', parts: ['month', 'weekday', 'hour'] },
      seen: { kind: 'date', format: 'dmy' },
    }),
  crosses: () =>
    tables(
      { ...plain, height: { bins: 5 } },
      {},
      {
        crosses: [
          ['height', 'colour'],
          ['shop', 'colour'],
        ],
      },
    ),
  text: () => tables({ note: { kind: 'text', words: [1, 2], characters: [3, 3] }, weight: {} }),
  sets: () => tables({ tags: { kind: 'set' }, weight: {} }),
  'numbers such as $1,234.50, 2.5K': () => tables({ price: { kind: 'number' }, weight: {} }),
  'words among numbers': async () => {
    const { model } = await train(csv(wordedText(300, 1), { label: 'class' }), {
      seed: 1,
      rule: 'averaged',
      passes: 2,
    });
    return [{ model, ending: 'csv', data: ifDeep(() => wordedText(rowCount, 2)) }];
  },
  'features by index (libsvm text)': () => numbers('svm'),
  'features by name (Vowpal Wabbit text)': () => numbers('vw'),
  'hashed text (`--bits`)': () => numbers('vw', { bits: 10 }),
  probabilities: async (target) =>
    target === 'liblinear'
      ? numbers('svm', { calibrate: 'platt' })
      : [...(await tables(plain, { calibrate: 'platt' })), ...(await tables(plain, { calibrate: 'isotonic' }))],
  trees: () =>
    tables(
      { ...plain, height: { bins: 5 }, day: { kind: 'date', parts: ['month'] } },
      { rule: 'tree', passes: undefined },
    ),
  'kernels, `voted`': async () => [
    ...(await tables(plain, { rule: { name: 'kernel', kernel: 'rbf', gamma: 0.1 } })),
    ...(await tables(plain, { rule: 'voted', passes: 1 }, { sizes: [2] })),
    ...(await numbers('svm', { rule: 'kernel' })),
  ],
};

const table = documented();

test('the table of docs/export.md has the kinds of models and the targets that are tested', () => {
  expect([...table.keys()]).toEqual(Object.keys(cases));
  for (const said of table.values()) expect([...said.keys()]).toEqual(Object.keys(write));
});

describe.each([...table])('%s', (kind, said) => {
  const made = new Map<boolean, Case[]>();
  beforeAll(async () => {
    made.set(true, await cases[kind]!('liblinear'));
    made.set(false, kind === 'probabilities' ? await cases[kind]!('javascript') : made.get(true)!);
  });

  test.each([...said])('as %s: %s', (target, promise) => {
    for (const { model, ending, data } of made.get(target === 'liblinear')!) {
      if (promise === 'no') {
        expect(() => write[target]!(model)).toThrow(HalfspaceError);
        expect(() => write[target]!(model)).toThrow(/^expected .+; got .+/);
        continue;
      }
      expect(write[target]!(model).length).toBeGreaterThan(0);
      if (!process.env.TEST_DEEP) continue;
      writeFileSync(join(folder, 'm.json'), encodeModel(model));
      writeFileSync(join(folder, `rows.${ending}`), data);
      const words = ['export', 'm.json', '--to', target, '--output', 'out', '--check', `rows.${ending}`];
      const { status, out, err } = halfspace(folder, words);
      if (status === 4) {
        console.warn(`not run: ${out.trim()}`);
        continue;
      }
      expect(status, `${out}${err}`).toBe(0);
      expect(out).toMatch(/holds for 10,000 rows/);
    }
  });
});
