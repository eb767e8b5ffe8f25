import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openedRows } from '../support/opened-rows.ts';

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
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const classes = [...new Set(rows.map(([, label]) => label))];
        const of = (name: string) => rows.filter(([, label]) => label === name).map(([x]) => x);
        const most = Math.max(...classes.map((name) => of(name).length));
        fc.pre(classes.length > 1 && rows.length - most >= 5);
        const apart = classes.every((a) =>
          classes.every(
            (b) => a === b || Math.max(...of(a)) < Math.min(...of(b)) || Math.min(...of(a)) > Math.max(...of(b)),
          ),
        );
        expect(
          await leaksOf(
            rows.map(([x]) => x),
            rows.map(([, label]) => label),
          ),
        ).toEqual(apart ? ['x'] : []);
      }),
    );
  });
});
