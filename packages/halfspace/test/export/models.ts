import { type Model, rows, type TrainOptions, train } from 'halfspace';
import { Random } from 'halfspace/runs';
import { cellReader } from '../../src/export/cell-reader.ts';
import type { TableEncoding } from '../../src/features/table-encoding.ts';

/** Every field that a column can be made of, and values that do not fit. */
const cells = {
  weight: (r: Random) =>
    oddly(r, [r.uniform() * 10, 0, -3.5, '4.25', ' 7 ', '1e3', '', null, Number.NaN, 'heavy', 12n, Infinity, true]),
  price: (r: Random) =>
    oddly(r, [
      `$${Math.floor(r.uniform() * 9) + 1},${100 + r.below(900)}.50`,
      '$12.00',
      '$1.1 K',
      '3 M',
      '(3.50)',
      17,
      'cheap',
      null,
      '1.234,5',
    ]),
  height: (r: Random) => oddly(r, [Math.floor(r.uniform() * 50) / 4, 3, undefined, '2', 'tall', Number.NaN]),
  ripe: (r: Random) => oddly(r, [true, false, 'yes', 'NO', 1, 0, 2, null, 'perhaps']),
  day: (r: Random) =>
    oddly(r, [`2024-0${1 + r.below(9)}-1${r.below(9)}`, '2024-02-29T12:30:00Z', new Date(1e12), '2024-13-01', null, 5]),
  seen: (r: Random) => oddly(r, [`1${r.below(9)}/0${1 + r.below(9)}/2023`, '31.12.22', 20230801, 'soon', null]),
  epoch: (r: Random) => oddly(r, [1.6e9 + r.below(1e7), '1600000000', 'x', null]),
  clock: (r: Random) => oddly(r, [`${r.below(24)}:${10 + r.below(50)}`, '1:44 pm', 'noon', '27:10', null]),
  colour: (r: Random) =>
    oddly(r, ['red', 'green', 'blue', 'constructor', '__proto__', 'NA', '', null, 3, true, 'mauve', Number.NaN, {}]),
  shop: (r: Random) => oddly(r, [`s${r.below(40)}`, 's1', undefined, null]),
  note: (r: Random) => oddly(r, [words(r), 'free prize £ now', 'übel 東京 now', '', null, 'free free free', [1]]),
  tags: (r: Random) =>
    oddly(r, ['a', 'b;c', 'c ; a;', [], ['c', 'new', null], '["a", "b"]', "['d']", '{a,b}', '', null, 3, {}, [[1]]]),
} as const;
export type Field = keyof typeof cells;

const usual: Record<Field, number> = {
  weight: 6,
  price: 3,
  height: 4,
  ripe: 6,
  day: 2,
  seen: 2,
  epoch: 2,
  clock: 2,
  colour: 6,
  shop: 3,
  note: 4,
  tags: 4,
};

function oddly<T>(r: Random, values: readonly T[]): T {
  return values[r.below(values.length)]!;
}

function words(r: Random): string {
  const list = ['free', 'prize', 'lunch', 'now', 'call', 'mum', 'at', 'six', 'win', 'tea'];
  return Array.from({ length: 2 + r.below(6) }, () => oddly(r, list)).join(' ');
}

/** Returns some of a few tags, as text. */
function tagsOf(weight: number, i: number): string {
  const bits = Math.floor(weight * 8) + i;
  return (
    ['a', 'b', 'c', 'd', `rare${i}`].filter((_, t) => (t === 4 ? i % 50 === 7 : (bits >> t) % 2 === 1)).join(';') ||
    '[]'
  );
}

/** Rows that no reader refuses, with a class that a few fields decide. */
export function goodRows(count: number, seed: number, classes: readonly string[]): Record<string, unknown>[] {
  const r = new Random(seed);
  return Array.from({ length: count }, (_, i) => {
    const note = words(r);
    const weight = Math.round(r.uniform() * 80) / 8;
    const colour = oddly(r, ['red', 'green', 'blue', 'red', 'constructor', '__proto__']);
    const sum = weight + (colour === 'red' ? 4 : 0) + (note.includes('free') ? 3 : 0) + r.uniform();
    return {
      weight: r.below(10) === 0 ? null : weight,
      price: `${i % 5 === 0 ? '~' : ''}$${1 + r.below(9)},${100 + r.below(900)}.50${i % 7 === 0 ? 'K' : ''}`,
      height: r.below(12) === 0 ? null : r.below(50) / 4,
      ripe: r.below(9) === 0 ? null : r.below(2) === 1,
      day: `2024-${String(1 + r.below(12)).padStart(2, '0')}-${10 + r.below(18)}T${10 + r.below(12)}:30:00Z`,
      seen: r.below(8) === 0 ? null : `${13 + r.below(15)}/0${1 + r.below(9)}/2023`,
      epoch: 1.6e9 + r.below(1e7),
      clock: i % 15 === 9 ? null : `${Math.floor(weight * 2.4) % 24}:${10 + ((weight * 8) % 50)}`,
      colour: r.below(15) === 0 ? null : i % 97 === 0 ? `rare${i}` : colour,
      shop: `s${r.below(40)}`,
      note: r.below(15) === 0 ? null : note,
      tags: i % 11 === 3 ? null : tagsOf(weight, i),
      class: classes[Math.min(classes.length - 1, Math.floor((sum / 18) * classes.length))],
    };
  });
}

/** A row of anything: values that fit, that are missing, unknown or wrong; fields that are absent or unknown. */
export function anyRow(r: Random): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [name, cell] of Object.entries(cells)) {
    if (r.below(12) === 0) continue;
    // Mostly values that fit, so that most rows are answered.
    row[name] = r.below(6) === 0 ? cell(r) : (goodRows(1, r.below(1e9), ['a', 'b'])[0]![name] ?? null);
  }
  if (r.below(20) === 0) row.further = 'unknown';
  return row;
}

export { usual };

const features = {
  columns: {
    height: { bins: 5 },
    price: { kind: 'number' },
    seen: { kind: 'date', format: 'dmy' },
    epoch: { kind: 'date', format: 'epoch' },
    clock: { kind: 'date', format: 'time' },
    day: { kind: 'date', parts: ['month', 'weekday', 'hour'] },
    shop: { kind: 'category' },
    colour: { kind: 'category', rare: 3 },
    note: { kind: 'text', words: [1, 2], characters: [3, 3] },
    tags: { kind: 'set', separator: ';' },
  },
  crosses: [
    ['height', 'colour'],
    ['shop', 'colour'],
  ],
} as const;

const two = ['no', 'yes'];
const three = ['small', 'middling', 'large'];

const made = new Map<boolean, Promise<Map<string, Model>>>();

/** Models of tables of every kind of column, with what a test calls them. Test files share them. */
export function tableModels({ text = true } = {}): Promise<Map<string, Model>> {
  if (!made.has(text)) made.set(text, makeTableModels(text));
  return made.get(text)!;
}

async function makeTableModels(text: boolean): Promise<Map<string, Model>> {
  const models = new Map<string, Model>();
  const { note, tags, ...others } = features.columns;
  const left = { kind: 'drop' };
  const table = {
    label: 'class',
    features: { ...features, columns: { ...others, note: text ? note : left, tags: text ? tags : left } },
  };
  const add = async (name: string, classes: readonly string[], options: TrainOptions, given: object = table) => {
    const { model } = await train(rows(goodRows(300, 7, classes), given), { seed: 1, ...options });
    models.set(name, model);
  };
  await add('two classes', two, { rule: 'averaged', passes: 2 });
  await add('Platt', two, { rule: 'averaged', passes: 2, calibrate: 'platt' });
  await add('isotonic', two, { rule: 'averaged', passes: 2, calibrate: 'isotonic' });
  await add('threshold by costs', two, {
    rule: 'averaged',
    passes: 2,
    cost: { falsePositive: 1, falseNegative: 8 },
    threshold: 'best',
  });
  await add('unit ball', two, { rule: 'perceptron', passes: 2, scaling: 'unit-ball' });
  await add('three classes, softmax', three, { rule: 'averaged', passes: 2, calibrate: 'platt' });
  await add('three classes, leads', three, { rule: 'averaged', passes: 2, calibrate: 'isotonic' });
  await add('three classes, joint', three, {
    rule: { name: 'sgd', loss: 'multinomial' },
    passes: 2,
    multiclass: 'joint',
  });
  await add(
    'dense, missing words',
    two,
    { rule: 'averaged', passes: 2 },
    {
      ...table,
      missing: ['-', 'tall'],
      features: {
        columns: {
          ...Object.fromEntries(
            ['seen', 'epoch', 'clock', 'colour', 'shop', 'note', 'tags', 'day'].map((name) => [name, { kind: 'drop' }]),
          ),
        },
      },
    },
  );
  // Two numbers that matter together only, so that the choice bends and crosses them.
  const together = goodRows(400, 11, two).map((row) => ({
    ...row,
    class: two[Number((row.weight as number) > 5 !== (row.height as number) > 6)],
  }));
  const dropped = ['note', 'tags', 'price', 'shop', 'seen', 'epoch', 'day', 'ripe'];
  const crossed = { columns: Object.fromEntries(dropped.map((name) => [name, left])) };
  const { model, search } = await train(rows(together, { label: 'class', features: crossed }), { seed: 1 });
  if (search.tried[search.taken]!.shape !== 'crossed') throw new Error('expected crossed numbers');
  models.set('crossed numbers', model);
  await add('bent numbers of three classes', three, { rule: 'logistic', bend: 20, calibrate: 'platt' });
  await add('NA as a value', two, { rule: 'averaged', passes: 2 }, { ...table, missing: 'none' });
  if (text)
    await add(
      'hashed text',
      two,
      { rule: 'averaged', passes: 2 },
      {
        label: 'class',
        features: { columns: { note: { kind: 'text', bits: 8, weighting: 'counts' }, shop: { kind: 'drop' } } },
      },
    );
  // Kernel models, like text, are for JavaScript only.
  if (text) {
    await add('kernel', two, { rule: { name: 'kernel', aggregate: 'averaged', gamma: 0.1 }, passes: 2 });
    await add('radial kernel', three, {
      rule: { name: 'kernel', kernel: 'rbf', gamma: 0.05, aggregate: 'last' },
      passes: 2,
      calibrate: 'platt',
    });
    await add('voted', two, { rule: 'voted', passes: 1, scaling: 'unit-ball' });
  }
  const columns = { note: { kind: 'drop' }, tags: { kind: 'drop' }, price: { kind: 'number' }, shop: { kind: 'drop' } };
  await add('tree', two, { rule: 'tree' }, { label: 'class', features: { columns } });
  await add(
    'tree of three classes',
    three,
    { rule: 'tree' },
    { label: 'class', features: { columns: { ...columns, height: { bins: 4 } } } },
  );
  return models;
}

/** Reads a row as programs in other languages take it. @throws for what Predictor refuses. */
export const rawCells = (encoding: TableEncoding, row: Record<string, unknown>): (number | string | null)[] =>
  encoding.columns.map((column) => cellReader(column, encoding)(row as never));
