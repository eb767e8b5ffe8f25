import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { valueCell } from '../../src/features/table-cell.ts';
import { type ColumnKind, comesAsWords, type TableEncoding } from '../../src/features/table-encoding.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { Model } from '../../src/model/model.ts';
import { Predictor } from '../../src/model/predictor.ts';
import type { RawRow } from '../../src/model/raw-features.ts';
import { OnlineClassifier } from '../../src/online/classifier.ts';
import { Random } from '../../src/random.ts';
import { csv } from '../../src/table/csv.ts';
import { wasm } from '../support/kernels.ts';
import { csvOf } from '../table/conformance.ts';

/** Values of fields whose kind the first one does not show. */
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('12345', '7', 3, -2.5, '$5', '1,5 €') },
  { weight: 2, arbitrary: fc.constantFrom('yes', 'no', true, false) },
  { weight: 2, arbitrary: fc.constantFrom('2024-02-29', '1/2/2024', '13/2/2024', '20220801') },
  { weight: 2, arbitrary: fc.constantFrom('ok lol', 'see you at noon then', 'A-12', 'New York', 'red', '0012') },
  { weight: 1, arbitrary: fc.constantFrom(null, '', '?') },
);
/** Fields that mostly have values of one kind each. */
const numbers = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -9, max: 99 }) }, { weight: 1, arbitrary: value });
const words = fc.oneof(fc.constantFrom('ok lol', 'ok', 'call me', 'win a prize now', 'see you', 'yes'), value);
const row = fc.record(
  { age: fc.integer({ min: 0, max: 90 }), n: numbers, w: words, x: value },
  { requiredKeys: ['age'] },
);
const step = fc.record({
  row,
  label: fc.constantFrom('b', 'a', 'c'),
  importance: fc.constantFrom(1, 1, 1, 0.25, 3, 0),
});
type Step = { readonly row: object; readonly label: string; readonly importance: number };

function modelOf(online: OnlineClassifier): Model | null {
  try {
    return online.model();
  } catch (error) {
    expect(error).toBeInstanceOf(HalfspaceError);
    return null;
  }
}

/** Learns steps; some of their rows may be refused. Returns those that were learned. */
function learn(online: OnlineClassifier, steps: readonly Step[], after: (step: Step, i: number) => void = () => {}) {
  return steps.filter((each, i) => {
    try {
      online.learn(each.row as RawRow, each.label, { importance: each.importance });
    } catch (error) {
      expect(error).toMatchObject({ code: 'row-malformed' });
      return false;
    }
    after(each, i);
    return true;
  });
}

/** Returns a row without the values that do not fit the kinds of fields. */
const fittingOf = (row: object, kinds: Readonly<Record<string, ColumnKind>>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => {
      const kind = kinds[name] ?? 'category';
      return [name, !comesAsWords(kind) && !Number.isFinite(valueCell(kind, cell)) ? null : cell];
    }),
  );

/** Everything that was learned, without the accuracy of the answers before. */
const learnedOf = (model: Model) =>
  encodeModel({ ...model, training: { ...model.training, progressiveAccuracy: null } } as Model);

describe('the first rows', () => {
  it.each(['averaged', 'arow'] as const)(
    'are learned as if the kinds that they show were known from the start, to the bit: %s',
    (rule) => {
      forAll(100, fc.array(step, { minLength: 2, maxLength: 40 }), fc.boolean(), (steps, calibrate) => {
        const online = new OnlineClassifier({ rule, calibrate });
        const learned = learn(online, steps).filter(({ importance }) => importance > 0);
        const model = modelOf(online);
        if (model === null) return;
        const { columns } = model.features as TableEncoding;
        // The option names kinds, not the ways in which numbers and dates are written.
        if (columns.some((column) => 'notation' in column || 'format' in column)) return;
        const kinds = Object.fromEntries(columns.map(({ name, kind }) => [name, kind]));
        const told = new OnlineClassifier({ rule, calibrate, columns: kinds });
        const fitting = learned.map(({ row, ...rest }) => ({ row: fittingOf(row, kinds), ...rest }));
        expect(learn(told, fitting)).toEqual(fitting);
        expect(learnedOf(told.model())).toBe(learnedOf(model));
      });
    },
  );

  it('have the kinds of a table of them', async () => {
    await forAllAsync(100, fc.array(step, { minLength: 2, maxLength: 45 }), async (steps) => {
      const online = new OnlineClassifier();
      const rows = steps.map((each) => ({ ...each, importance: 1 }));
      const learned = learn(online, rows).map(({ row, label }) => ({ ...row, label }) as Record<string, unknown>);
      const text = csvOf(
        ['n', 'w', 'x', 'label'],
        learned.map((each) => ['n', 'w', 'x', 'label'].map((name) => (each[name] == null ? null : String(each[name])))),
      );
      const shown = new Map(online.columns.map(({ name, kind }) => [name, kind]));
      let columns: TableEncoding['columns'];
      try {
        columns = ((await csv(text).open({ kernels: wasm() })).encoding() as TableEncoding).columns;
      } catch (error) {
        // A word among numbers is an error there, and there is nothing to learn from a single class.
        expect(error).toBeInstanceOf(HalfspaceError);
        return;
      }
      // Values of several types are no text.
      const isText = (name: string) => learned.every((each) => typeof each[name] !== 'boolean');
      for (const { name, kind } of columns)
        if (isText(name) && shown.has(name)) expect([name, shown.get(name)]).toEqual([name, kind]);
    });
  });

  it('are answered as learned from, and like a model of the rows before them', () => {
    forAll(60, fc.array(step, { minLength: 3, maxLength: 70 }), (steps) => {
      const online = new OnlineClassifier();
      for (const each of steps) {
        const model = modelOf(online);
        const asked = online.examples === 0 ? null : predicted(() => online.predict(each.row as RawRow));
        if (model !== null && asked !== null) {
          const alone = predicted(() => new Predictor(model).predict(each.row as RawRow));
          if (alone !== null) expect(asked).toBe(alone);
        }
        learn(
          {
            learn: (...given: Parameters<OnlineClassifier['learn']>) => {
              const answer = online.learn(...given);
              if (asked !== null) expect(answer.class).toBe(asked);
              return answer;
            },
          } as OnlineClassifier,
          [each],
        );
      }
    });
  });

  it('give the same bits if the state is saved and loaded at any of them, and later', () => {
    forAll(40, fc.array(step, { minLength: 2, maxLength: 75 }), fc.infiniteStream(fc.boolean()), (steps, saves) => {
      const online = new OnlineClassifier({ calibrate: true, drift: 'adwin' });
      let other = new OnlineClassifier({ calibrate: true, drift: 'adwin' });
      learn(online, steps);
      for (const each of steps) {
        learn(other, [each]);
        // A database may give the members of JSON in another order.
        if (saves.next().value) other = OnlineClassifier.load(JSON.stringify(turned(JSON.parse(other.save()))));
      }
      expect(other.save()).toBe(online.save());
    });
  });
});

/** Returns JSON with the members of objects in the opposite order. */
function turned(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(turned);
  if (typeof json !== 'object' || json === null) return json;
  const members = Object.entries(json).map(([name, member]) => [name, turned(member)]);
  return Object.fromEntries(members.reverse());
}

function predicted<L>(ask: () => L | null): L | null {
  try {
    return ask();
  } catch (error) {
    expect(error).toBeInstanceOf(HalfspaceError);
    return null;
  }
}

describe('a field', () => {
  it('of messages is text, whatever the first one looks like', () => {
    const messages = ['win a free prize now', 'see you at noon', 'claim your free money', 'lunch at home today'];
    for (const first of ['ok lol', 'ok', '12345', 'yes', '2024-02-29', '$5']) {
      const online = new OnlineClassifier();
      online.learn({ text: first }, 'ham');
      for (let k = 0; k < 12; k++)
        online.learn({ text: messages[k % 4]! + (k > 3 ? ` ${k}` : '') }, k % 2 === 0 ? 'spam' : 'ham');
      expect(online.columns).toEqual([{ name: 'text', kind: 'text', decided: false }]);
      expect(online.predict({ text: 'a free prize, claim it' })).toBe('spam');
    }
  });

  it('of numbers takes words among its first 50 values, and refuses them later with the remedy', () => {
    for (const at of [1, 2, 30, 50, 120]) {
      const online = new OnlineClassifier({ rule: 'passive-aggressive' });
      for (let k = 0; k < at; k++) online.learn({ code: String(12345 + 7 * k) }, k % 2);
      const before = online.save();
      if (at < 50) {
        for (const code of ['A-12', 'B-7', 'C-1', 'A-12']) online.learn({ code }, 1);
        expect(online.columns[0]!.kind).toBe('category');
        expect(online.predict({ code: 'A-12' })).toBe(1);
        continue;
      }
      expect(online.columns).toEqual([{ name: 'code', kind: 'number', decided: true }]);
      expect(() => online.learn({ code: 'A-12' }, 1)).toThrow(
        'column "code": expected a number; got "A-12": the field is read as number; columns: { "code": "category" } of a new classifier reads words (--column code=category of the command)',
      );
      expect(online.save()).toBe(before);
    }
  });

  it('of measured numbers counts a word among its first values as missing, and says so', () => {
    for (const at of [0, 1, 2, 7, 48]) {
      const online = new OnlineClassifier();
      for (let k = 0; k < 50; k++) online.learn({ price: k === at ? 'n/k' : `${k}.5`, n: k }, Number(k > 25));
      expect(online.columns.find(({ name }) => name === 'price')).toMatchObject({ kind: 'number', decided: true });
      expect(online.notes).toEqual([
        'column price is read as numbers: 1 of its first 50 values count as missing, as they are none, such as "n/k" (--column price=category keeps the words)',
      ]);
      expect(online.predict({ price: 2.25, n: 2 })).toBe(0);
      expect(OnlineClassifier.load(online.save()).save()).toBe(online.save());
    }
  });

  it('that comes late is decided by its own first values, and the model knows it as it is', () => {
    const random = new Random(3);
    const online = new OnlineClassifier();
    for (let k = 0; k < 80; k++) online.learn({ age: random.below(50) }, k % 2);
    const late = ['12345', 'A-12', '77', 'B-3', 'see you there', 'A-12'];
    for (let k = 0; k < 120; k++) {
      const code = late[k % late.length]!;
      const row = k % 3 === 0 ? { age: random.below(50) } : { age: random.below(50), code };
      expect(online.learn(row, code === 'A-12' ? 1 : 0).scores).toHaveLength(1);
      const asked = { age: random.below(50), code: 'A-12' };
      const model = online.model();
      const column = (model.features as TableEncoding).columns.find(({ name }) => name === 'code');
      if (column !== undefined && column.kind !== 'number')
        expect(online.scores(asked)).toEqual(new Predictor(model).scores(asked));
      const loaded = OnlineClassifier.load(online.save());
      expect(loaded.save()).toBe(online.save());
    }
    expect(online.columns).toEqual([
      { name: 'age', kind: 'number', decided: true },
      { name: 'code', kind: 'category', decided: true },
    ]);
    expect(online.predict({ age: 20, code: 'A-12' })).toBe(1);
  });

  it('has no kind by a text without a word', () => {
    const online = new OnlineClassifier();
    expect(() => online.learn({ note: '\u200b' }, 'a')).toThrow('expected at least one field');
    for (const note of ['see you at noon', '\u200b', 'ok lol']) online.learn({ age: 3, note }, 'a');
    expect(online.columns.map(({ kind }) => kind)).toEqual(['number', 'text']);
  });

  it('has a note if its first 50 values may not be what was meant', () => {
    const online = new OnlineClassifier();
    for (let k = 0; k < 60; k++) {
      const price = k === 7 ? 'n/k' : `${k}.5`;
      online.learn({ id: `u-${k}`, zip: `0${1000 + k}`, price, money: `$${k}`, age: k, word: 'ab'[k % 2] }, k % 2);
      if (k < 49) expect(online.notes).toEqual([]);
    }
    expect(online.notes).toEqual([
      'column id is read as categories, and each of its 50 values occurs once, so new rows have others (--column id=drop leaves it out, =text reads its words, =category keeps it without this note)',
      'column zip is read as categories: "01000" begins with a 0 (--column zip=number reads numbers)',
      'column zip is read as categories, and each of its 50 values occurs once, so new rows have others (--column zip=drop leaves it out, =text reads its words, =category keeps it without this note)',
      'column price is read as numbers: 1 of its first 50 values count as missing, as they are none, such as "n/k" (--column price=category keeps the words)',
      'column money is read as numbers: "$10" is 10 (--column money=category keeps the words)',
    ]);
  });

  it('keeps no value once it is decided, nor the classifier a row after the first 50', () => {
    const online = new OnlineClassifier();
    for (let k = 0; k < 50; k++) online.learn({ text: `a secret word ${k}`, n: k }, k % 2);
    expect(JSON.parse(online.save()).state.members.first).toBeNull();
    expect(online.save()).not.toContain('a secret word 7');
  });
});
