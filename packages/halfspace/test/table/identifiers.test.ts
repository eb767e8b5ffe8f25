import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openedRows } from '../support/opened-rows.ts';

/** Returns the reason why a column is left out beside another one; null: it is not. */
async function reasonOf(
  name: string,
  values: readonly (number | string | null)[],
  options = {},
): Promise<string | null> {
  const rows = values.map((value, i) => ({ [name]: value, other: i % 3, label: i % 2 }));
  const source = await openedRows(rows, { label: 'label', ...options });
  return source.encoding().leftOut[0]?.reason ?? null;
}

describe('columns that name the rows', () => {
  const whole = fc.integer({ min: -3, max: 40 });

  it('are the running numbers and the identifiers whose values all differ, and no others', async () => {
    const numbers = fc.oneof(
      fc.tuple(fc.integer({ min: -1, max: 2 }), fc.integer({ min: 4, max: 30 })).map(([from, count]) => {
        return Array.from({ length: count }, (_, i) => from + i);
      }),
      fc.array(whole, { minLength: 4, maxLength: 30 }),
      fc.uniqueArray(whole, { minLength: 4, maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(numbers, fc.constantFrom('x', 'user_id'), fc.option(fc.nat(29)), async (values, name, gap) => {
        const cells = values.map((value, i) => (i === gap ? null : value));
        const there = cells.filter((value) => value !== null);
        const isNamed = name === 'user_id';
        const isRunning = (cells[0] === 0 || cells[0] === 1) && cells.every((value, i) => value === cells[0]! + i);
        const differ = isNamed && new Set(there).size === there.length && there.length >= 5;
        const runs = isRunning && cells.length >= (isNamed ? 5 : 10);
        const [least, most] = [Math.min(...there), Math.max(...there)];
        const counts = (least === 0 || least === 1) && most - least < there.length * 1.02;
        const isCount = counts && there.length >= 20 && new Set(there).size === there.length;
        const expected = runs ? 'running-number' : differ || isCount ? 'identifier' : null;
        // Rows held out count, too.
        for (const options of [{}, { holdout: { fraction: 0.3, seed: 7 } }]) {
          const reason = await reasonOf(name, cells, options);
          expect(reason === 'constant' || reason === 'empty' ? null : reason).toBe(expected);
        }
      }),
    );
  });

  it('stay if their kind is named, and if there is no other column', async () => {
    const count = Array.from({ length: 20 }, (_, i) => i);
    expect(await reasonOf('user_id', count, { features: { columns: { user_id: { kind: 'number' } } } })).toBeNull();
    const alone = (name: string) =>
      openedRows(
        count.map((i) => ({ [name]: i, label: i % 2 })),
        { label: 'label' },
      );
    expect((await alone('x')).encoding().columns.map(({ name }) => name)).toEqual(['x']);
    expect((await alone('x')).notes).toEqual([]);
    await expect(alone('id')).rejects.toThrow(
      'expected a column to learn from; got id (running number); to keep id, name its kind (--column id=number)',
    );
  });

  it('are texts with the name of an identifier that all differ', async () => {
    const names = Array.from({ length: 24 }, (_, i) => `Mazda RX${i} of the year ${1950 + i}`);
    expect(await reasonOf('rownames', names)).toBe('identifier');
    expect(await reasonOf('rownames', [...names, names[3]!])).toBeNull();
    expect(await reasonOf('car', names)).toBeNull();
    expect(await reasonOf('user_id', ['a', 'b', 'c', 'd', 'e', null])).toBe('identifier');
    expect(await reasonOf('user_id', ['a', 'b', 'c', 'd', 'd'])).toBeNull();
  });

  const spread = (count: number, of: (k: number) => number | string | null) =>
    Array.from({ length: count }, (_, k) => of(k));
  const shuffled = (k: number, count: number) => (k * 37) % count;

  it('are codes that do not repeat, hardly or not at all', async () => {
    const given = {
      letters: spread(60, (k) => `C${100 + shuffled(k, 61)}`),
      groups: spread(60, (k) => `DE-${4000 + k}-${k % 7}`),
      hashes: spread(60, (k) => (0x9f86d081 + k * 65_537).toString(16)),
    };
    for (const [name, values] of Object.entries(given)) {
      expect([name, await reasonOf('x', values)]).toEqual([name, 'identifier']);
      expect([name, await reasonOf('x', [...values.slice(0, 59), values[0]!])]).toEqual([name, 'identifier']);
      expect([name, await reasonOf('x', [...values.slice(0, 57), ...values.slice(0, 3)])]).toEqual([name, null]);
    }
  });
});
