import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifierName } from '../../src/table/identifier-names.ts';
import { openedRows } from '../support/opened-rows.ts';

/** Names by what they say, each as people write it. */
const names = {
  index: ['', 'Unnamed: 0', 'index', 'rownames', 'row', 'Row.names', 'row_number', 'RowNo'],
  identifier: [
    ...['id', 'ID', 'Id', 'customer_id', 'customerId', 'PassengerID', 'order id', 'UUID', 'sessionGuid', 'id2', 'ids'],
    ...['SK_ID_CURR', 'IDpol', 'Id_client', 'ID_code', 'id_student', 'userid', 'customerid', 'memberID', 'user-id'],
    ...[
      'CLIENTNUM',
      'ACCTNUM',
      'kundennr',
      'invoiceno',
      'ssn',
      'msisdn',
      'barcode',
      'Unique Key',
      'matricula',
      'region_id',
    ],
  ],
  number: [
    ...[
      'EmployeeNumber',
      'employee_number',
      'policy_number',
      'account_no',
      'AccountNo',
      'patient_nbr',
      'SNo',
      'Sr. No.',
    ],
    ...['S.No', '#', 'No.', 'Nr.', 'Emp No', 'Phone Number', 'Sample code number', 'sample_code', 'Rechnungsnummer_Nr'],
  ],
  none: [
    ...['paid', 'acid', 'grid', 'idea', 'id_count', 'arrow', 'index_price', 'row_height', 'Unnamed', 'number_of_rooms'],
    ...[
      'num_pages',
      'NumberOfDependents',
      'no_of_seats',
      'zip_code',
      'postal_code',
      'keyboard',
      'monkey',
      'piano',
      'unpaid',
    ],
    ...['liquid', 'hybrid', 'platinum', 'price', 'nose', 'age', 'key_press', 'codes', 'height no', 'decode', 'Preis'],
  ],
};

describe('the name of a column', () => {
  it('says by its parts if it is one of an index, an identifier or a number', () => {
    for (const [says, all] of Object.entries(names))
      for (const name of all) expect([name, identifierName(name) ?? 'none']).toEqual([name, says]);
  });
});

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

  it('are whole numbers that only name: counts in any order, many digits, doubles that cannot tell them apart', async () => {
    const given = {
      counts: spread(101, (k) => shuffled(k, 101)),
      'counts from 1, one of them twice': spread(101, (k) => (shuffled(k, 101) === 50 ? 52 : 1 + shuffled(k, 101))),
      'counts that begin with many digits': spread(60, (k) => 4_000_000 + k),
      'nine digits': spread(60, (k) => 100_000_000 + ((k * 77_777_777) % 899_999_999)),
      'beyond the doubles': spread(60, (k) => `${570_306_133_677_760_000n + BigInt(k)}`),
    };
    for (const [name, values] of Object.entries(given))
      expect([name, await reasonOf('x', values)]).toEqual([name, 'identifier']);
  });

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

  it('are no measurements, however many values they have', async () => {
    const given: Record<string, (k: number) => number | string> = {
      'rounded prices of many digits': (k) => 120_000_000 + k * 1000,
      'seconds since 1970': (k) => 1_577_836_800 + k * 3600,
      'milliseconds since 1970': (k) => 1_577_836_800_123 + k * 77_777,
      years: (k) => 1950 + k,
      'decimal weights': (k) => 70 + k / 7,
      'times with decimals': (k) => 1_577_836_800.5 + k,
      'sizes over several magnitudes': (k) => 3 * 2 ** Math.floor(k / 2) + k,
      'numbers below 0': (k) => k - 30,
      'whole prices': (k) => 20_000 + ((k * 7919) % 79_999),
    };
    for (const [name, value] of Object.entries(given))
      expect([name, await reasonOf('x', spread(60, value))]).toEqual([name, null]);
    for (const name of ['population', 'timestamp', 'AnnualRevenue', 'rank'])
      expect([
        name,
        await reasonOf(
          name,
          spread(60, (k) => 100_000_000 + ((k * 77_777_777) % 899_999_999)),
        ),
      ]).toEqual([name, null]);
  });

  it('are an index of several tables, one after the other', async () => {
    expect(
      await reasonOf(
        'Unnamed: 0',
        spread(90, (k) => k % 30),
      ),
    ).toBe('identifier');
    expect(
      await reasonOf(
        'x',
        spread(90, (k) => k % 30),
      ),
    ).toBeNull();
  });

  it('are never called constant if their values differ', async () => {
    const alike = spread(40, (k) => `57030613367776051${k % 2}`);
    expect(await reasonOf('x', alike)).toBeNull();
    expect(
      await reasonOf(
        'x',
        spread(40, () => '570306133677760513'),
      ),
    ).toBe('constant');
  });
});
