import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { openedRows } from '../support/tables.ts';

type Value = number | string | boolean | null;

/** Returns the columns that are named as leaks among one with these values and a useless one. */
async function leaksOf(values: readonly Value[], labels: readonly string[]): Promise<readonly string[]> {
  const rows = values.map((value, i) => ({ x: value, other: i % 3, label: labels[i]! }));
  return (await openedRows(rows, { label: 'label' })).leaks;
}

/** 40 rows of two classes, in no order. */
const labels = Array.from({ length: 40 }, (_, i) => ((i * 7) % 40 < 15 ? 'yes' : 'no'));
const isYes = (i: number) => labels[i] === 'yes';
const valuesBy = (value: (i: number) => Value) => labels.map((_, i) => value(i));

describe('a column that alone gives the class', () => {
  it('is named: as a number, a code, a category, a truth, or by being missing', async () => {
    const given: Record<string, (i: number) => Value> = {
      threshold: (i) => (isYes(i) ? 100 + i : i),
      code: (i) => (isYes(i) ? 1 : 2),
      levels: (i) => (isYes(i) ? 'won' : ['lost', 'drawn'][i % 2]!),
      truth: isYes,
      death: (i) => (isYes(i) ? 50 + i : null),
    };
    for (const [name, value] of Object.entries(given))
      expect([name, await leaksOf(valuesBy(value), labels)]).toEqual([name, ['x']]);
  });

  it('is told with a note, and how to leave it out', async () => {
    const rows = labels.map((label, i) => ({ answer: label === 'yes' ? 1 : 0, other: i % 3, label }));
    expect((await openedRows(rows, { label: 'label' })).notes).toEqual([
      'column answer alone gives the class of all 40 rows: a likely leak, if it is known only with the class (--column answer=drop leaves it out)',
    ]);
  });

  it('is none if one row contradicts it, if its levels hardly repeat, or if rows are few', async () => {
    const contradicted = valuesBy((i) => (isYes(i) && i !== labels.indexOf('yes') ? 'won' : 'lost'));
    expect(await leaksOf(contradicted, labels)).toEqual([]);
    expect(
      await leaksOf(
        valuesBy((i) => `name ${i % 9} of ${labels[i]}`),
        labels,
      ),
    ).toEqual([]);
    for (const rows of [19, 20]) {
      const some = Array.from({ length: rows }, (_, i) => (i % 4 === 0 ? 'yes' : 'no'));
      expect(
        await leaksOf(
          some.map((label) => (label === 'yes' ? 1 : 0)),
          some,
        ),
      ).toEqual(rows < 20 ? [] : ['x']);
    }
    const rare = labels.map((_, i) => (i < 4 ? 'yes' : 'no'));
    expect(
      await leaksOf(
        rare.map((label) => (label === 'yes' ? 1 : 0)),
        rare,
      ),
    ).toEqual([]);
  });

  it('has numbers of each class in an interval of its own', async () => {
    const row = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom('a', 'b', 'c'));
    const sorted = fc.integer({ min: 0, max: 9 }).map((x): [number, string] => [x, x < 3 ? 'a' : x < 7 ? 'b' : 'c']);
    const table = fc.oneof(
      fc.array(row, { minLength: 60, maxLength: 60 }),
      fc.array(sorted, { minLength: 60, maxLength: 60 }),
      fc.tuple(fc.array(sorted, { minLength: 59, maxLength: 59 }), row).map(([all, last]) => [...all, last]),
    );
    await forAllAsync(table, async (rows) => {
      const classes = [...new Set(rows.map(([, label]) => label))];
      const of = (name: string) => rows.filter(([, label]) => label === name).map(([x]) => x);
      const most = Math.max(...classes.map((name) => of(name).length));
      fc.pre(classes.length > 1 && rows.length - most >= 5);
      const apart = classes.every((a) =>
        classes.every(
          (b) => a === b || Math.max(...of(a)) < Math.min(...of(b)) || Math.min(...of(a)) > Math.max(...of(b)),
        ),
      );
      // The ten values are levels, too: a column that is wrong in one row of 60 nearly gives the class.
      const wrong = Array.from({ length: 10 }, (_, x) => {
        const own = classes.map((name) => of(name).filter((value) => value === x).length);
        return own.reduce((sum, count) => sum + count, 0) - Math.max(...own);
      }).reduce((sum, count) => sum + count, 0);
      const near = wrong <= 1 && wrong * 5 <= rows.length - most;
      expect(
        await leaksOf(
          rows.map(([x]) => x),
          rows.map(([, label]) => label),
        ),
      ).toEqual(apart || near ? ['x'] : []);
    });
  });
});

describe('a column that nearly gives the class', () => {
  const count = 400;
  const churned = (i: number) => (i * 7) % 20 < 9;
  const classOf = (i: number): string => (churned(i) ? 'churned' : 'kept');
  const isOdd = (i: number) => i === 33 || i === 66;
  /** Returns the notes on column x of a table of 400 rows, or of 25 times as many, in this order or sorted by class. */
  async function notesOn(value: (i: number) => Value, label = classOf): Promise<string[]> {
    const told = new Set<string>();
    for (const [length, sorted] of [
      [count, false],
      [count, true],
      [25 * count, false],
      [25 * count, true],
    ] as const) {
      const rows = Array.from({ length }, (_, i) => ({
        x: value(i % count),
        other: (i * i) % 31,
        label: label(i % count),
      }));
      if (sorted) rows.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
      const { notes, leaks } = await openedRows(rows, { label: 'label', features: { columns: { x: {} } } });
      const found = notes.filter((note) => /leak/.test(note));
      expect([length, sorted, leaks]).toEqual([length, sorted, found.length > 0 ? ['x'] : []]);
      if (length === count) for (const note of found) told.add(note);
    }
    return [...told];
  }
  const advice = 'a likely leak, if it is known only with the class (--column x=drop leaves it out)';

  it('is named with its share, whatever its kind', async () => {
    const given: Record<string, (i: number) => Value> = {
      number: (i) => (churned(i) !== isOdd(i) ? 100 + i / 7 : i / 7),
      code: (i) => (churned(i) !== isOdd(i) ? 3 : (i % 2) * 7),
      word: (i) => (churned(i) !== isOdd(i) ? 'left' : ['stays', 'new'][i % 2]!),
      date: (i) => (churned(i) !== isOdd(i) ? `2024-03-${10 + (i % 20)}` : null),
    };
    for (const [name, value] of Object.entries(given)) {
      const [note, ...others] = await notesOn(value);
      // A gap of dates may give one of the odd rows, too.
      expect([name, note?.replace(/399 of 400 rows \(99.8/, '398 of 400 rows (99.5'), others]).toEqual([
        name,
        `column x alone gives the class of 398 of 400 rows (99.5 %): ${advice}`,
        [],
      ]);
    }
  });

  it('is named if one word of its text gives the class', async () => {
    const text = (i: number) =>
      `the customer ${churned(i) ? 'left us' : 'is happy'} on day ${i} of ${(i * 31) % 97} weeks`;
    expect(await notesOn(text)).toEqual([`column x alone gives the class of all 400 rows: ${advice}`]);
    const words = ['won', 'lost', 'drawn'];
    const three = (i: number) => words[(i * 7) % 3]!;
    expect(
      await notesOn((i) => `match ${i} of ${(i * 31) % 97} was ${three(i)} by ${i % 7} goals`, three),
    ).toHaveLength(1);
    expect(
      await notesOn((i) => `the customer ${i % 3 ? 'left us' : 'is happy'} on day ${i} of ${(i * 31) % 97}`),
    ).toEqual([]);
  });

  it('is named if it is filled for one class only, of several', async () => {
    const three = (i: number) => ['a', 'b', 'c'][(i * 7) % 3]!;
    const reason = (i: number) => (three(i) === 'b' && i % 3 !== 0 ? ['late', 'rude'][i % 2]! : null);
    const filled = Array.from({ length: count }, (_, i) => reason(i)).filter((each) => each !== null).length;
    expect(await notesOn(reason, three)).toEqual([
      `column x is filled only for the class b, in ${filled} of ${filled} cells: ${advice}`,
    ]);
    expect(
      await notesOn(
        (i) => (i % 3 === 0 ? 'late' : null),
        (i) => ['a', 'b', 'c'][((i * 31) % 7) % 3]!,
      ),
    ).toEqual([]);
  });

  it('is none if always one class is hardly worse, or if it is right less often', async () => {
    const rare = (i: number) => (i % 50 === 0 ? 'fraud' : 'fair');
    expect(await notesOn((i) => (i % 100 === 0 ? 'x' : 'y'), rare)).toEqual([]);
    expect(await notesOn((i) => (churned(i) !== (i % 30 === 0) ? 'left' : 'stays'))).toEqual([]);
    expect(await notesOn((i) => (churned(i) ? 5 : 0) + (i % 7))).toEqual([]);
  });
});
