import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { guessDialect, splitRecords } from '../../src/table/dialect.ts';
import { readHead } from '../../src/table/head.ts';
import { findHeader } from '../../src/table/header.ts';
import { findFixedWidth } from '../../src/table/shapes/fixed-width.ts';
import { openTextTable, type TextTable } from '../../src/table/text-table.ts';
import { openedRows } from '../support/tables.ts';

/** Cuts text into pieces; readers of files use the same memory for every piece. */
async function* cut(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const piece = new Uint8Array(length);
  for (let at = 0; at < bytes.length; at += length) {
    const part = bytes.subarray(at, at + length);
    piece.set(part);
    yield piece.subarray(0, part.length);
  }
}

async function opened(text: string, length = 1 << 16): Promise<TextTable> {
  const open = () => cut(text, length);
  return openTextTable('t', await readHead(open(), 't'), open, { tabs: false });
}

/** Returns the names and the rows of a table. */
async function read(text: string, length?: number): Promise<readonly (readonly (string | null)[])[]> {
  const table = await opened(text, length);
  const all: (readonly (string | null)[])[] = [table.columns.map(({ name }) => name)];
  for await (const rows of table.rows(false))
    for (const { cells, rejected } of rows) {
      if (rejected !== null) throw rejected().error;
      all.push(cells);
    }
  return all;
}

const word = fc.stringMatching(/^[a-zé]{1,6}$/);
const cell = fc.oneof(
  word,
  fc.stringMatching(/^[a-z,'"%{} ]{0,5}[a-z]$/),
  fc.integer({ max: 99, min: -9 }).map(String),
);
/** Names and rows, which no reader takes for another kind of line. */
const tables = fc
  .integer({ min: 2, max: 5 })
  .chain((width) =>
    fc.tuple(
      fc.uniqueArray(word, { minLength: width, maxLength: width }),
      fc.array(
        fc.array(
          cell.map((text) => text.trim()),
          { minLength: width, maxLength: width },
        ),
        { minLength: 3, maxLength: 8 },
      ),
    ),
  )
  .map(([names, rows]) => [names.map((name) => `${name}_n`), ...rows.map((row, r) => [`r${r}`, ...row.slice(1)])]);

const quotedCell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const asCsv = (table: readonly (readonly string[])[]) =>
  table.map((row) => `${row.map(quotedCell).join(',')}\n`).join('');

const inArff = (text: string) => (/^[\w.-]+$/.test(text) ? text : `'${text.replace(/[\\']/g, '\\$&')}'`);
function asArff([names, ...rows]: readonly (readonly string[])[], isSparse: boolean): string {
  const types = names!.map((_, c) => `{${['absent', ...new Set(rows.map((row) => row[c]!))].map(inArff).join(',')}}`);
  const lines = rows.map((row) =>
    isSparse ? `{${row.map((text, c) => `${c} ${inArff(text)}`).join(', ')}}` : row.map(inArff).join(','),
  );
  const head = names!.map((name, c) => `@attribute ${inArff(name)} ${types[c]}`);
  return ['% printed', '@relation r', '', ...head, '@data', ...lines, ''].join('\n');
}

function padded(table: readonly (readonly string[])[], left: string, between: string, right: string): string[] {
  const widths = table[0]!.map((_, c) => Math.max(...table.map((row) => row[c]!.length)));
  return table.map((row, r) => {
    const cells = row.map((text, c) =>
      r > 0 && /^[\d-]/.test(text) ? text.padStart(widths[c]!) : text.padEnd(widths[c]!),
    );
    return `${left}${cells.join(between)}${right}`;
  });
}

const ruleOf = (line: string, mark = '+') => line.replace(/[^|]/g, '-').replaceAll('|', mark);
const asMarkdown = ([names, ...rows]: readonly (readonly string[])[]) =>
  [names!, names!.map((_, c) => (c % 2 === 0 ? '---' : ':-:')), ...rows]
    .map((row) => `| ${row.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |\n`)
    .join('');
function asPsql(table: readonly (readonly string[])[]): string {
  const [names, ...rows] = padded(table, ' ', ' | ', ' ') as [string, ...string[]];
  return [names, ruleOf(names), ...rows.map((row) => row.trimEnd()), `(${rows.length} rows)`, ''].join('\n');
}
function asMySql(table: readonly (readonly string[])[]): string {
  const [names, ...rows] = padded(table, '| ', ' | ', ' |') as [string, ...string[]];
  const rule = ruleOf(names);
  return [rule, names, rule, ...rows, rule, `${rows.length} rows in set (0.01 sec)`, ''].join('\n');
}

function asFixedWidth(table: readonly (readonly string[])[]): string {
  const [names, ...rows] = padded(table, '', '   ', '') as [string, ...string[]];
  const rule = table[0]!.map((_, c) => '-'.repeat(Math.max(2, ...table.map((row) => row[c]!.length)))).join('   ');
  return [names, rule, ...rows.map((row) => row.trimEnd()), ''].join('\n');
}

const prints: Readonly<Record<string, (table: readonly (readonly string[])[]) => string>> = {
  ARFF: (table) => asArff(table, false),
  'sparse ARFF': (table) => asArff(table, true),
  Markdown: asMarkdown,
  psql: asPsql,
  MySQL: asMySql,
  'fixed width with a rule': asFixedWidth,
};

describe('a table in another shape', () => {
  test.each(Object.entries(prints))('reads as its CSV does: %s', async (_, print) => {
    await forAllAsync(
      tables,
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 60 }),
      async (table, end, length) => {
        const text = print(table).replaceAll('\n', end);
        const wanted = await read(asCsv(table));
        expect(await read(text)).toEqual(wanted);
        expect(await read(text, length)).toEqual(wanted);
      },
    );
  });

  test('in columns of fixed width without a rule is read as its CSV does, or is not sure', async () => {
    let sure = 0;
    await forAllAsync(400, tables, async (table) => {
      const widths = table[0]!.map((_, c) => Math.max(...table.map((row) => row[c]!.length)));
      const lines = table.map((row) => row.map((text, c) => text.padEnd(widths[c]!)).join('  '));
      const translate = findFixedWidth(lines)?.translator();
      if (translate === undefined) return;
      sure++;
      const csv = lines.map(
        (line) => `${translate(line, (message) => new HalfspaceError('row-malformed', message))}\n`,
      );
      expect(await read(csv.join(''))).toEqual(await read(asCsv(table)));
    });
    expect(sure).toBeGreaterThan(1);
  });

  test('is found behind declarations that are longer than the beginning', async () => {
    const width = 9000;
    const names = Array.from({ length: width }, (_, c) => `an_attribute_with_a_long_name_${c}`);
    const text = `@relation r\n${names.map((name) => `@attribute ${name} real\n`).join('')}@data\n{3 1.5}\n{}\n`;
    const [columns, first, second] = await read(text);
    expect(columns).toEqual(names);
    expect(first!.filter((each) => each !== '0')).toEqual(['1.5']);
    expect(new Set(second)).toEqual(new Set(['0']));
  });
});

const headed = (lines: readonly string[]) =>
  findHeader(
    lines.map((line) => line.split(',')),
    lines[0]!.split(',').length,
    undefined,
  ).present;

describe('a line of names', () => {
  it.each<[string, string[]]>([
    ['words above numbers', ['a,b', '1,2']],
    ['words that do not stand below', ['colour,shape', 'red,round', 'blue,square']],
    ['no name above row numbers', [',x', '0,1']],
    ['running numbers and a word', ['0,1,2,target', '5,1,2,a', '3,2,2,b', '4,4,1,a', '1,2,3,b']],
    ['running numbers only', ['0,1,2,3', '5,1,2,1', '3,2,2,0', '4,4,1,1']],
    ['years', ['2019,2020,2021,label', '100,130,128,a', '90,80,10,b']],
    ['years of unequal distance', ['1990,2000,2015,label', '100,130,128,a', '90,80,10,b']],
    ['two running numbers above fractions', ['0,1,label', '0.5,1.2,a', '0.1,1.3,b']],
    ['wavelengths', ['400.5,402.5,404.5,class', '0.5,0.52,0.51,a', '0.6,0.2,0.5,b']],
    ['words and rising numbers', ['id,label,1,10,50', '3,a,0,3,2', '4,b,1,2,0']],
    ['words above dates and amounts', ['date,price', '01/08/2022,$1.00', '02/08/2022,$3.00']],
    ['words above codes', ['code,label', 'A-1,x', 'B-2,y', 'C-3,x']],
    [
      'a name that is a value of one column of four',
      ['a,b,c,d', ...Array(9).fill('x,y,z,d'), ...Array(9).fill('p,q,r,s')],
    ],
    ['stray words among few fractions', ['x,label', '1.5,a', 'bad,b', '2.5,a', '1e999,b', '0.5,b']],
    ['a stray word among the numbers below', ['age,label', '?,a', '-,b', ...Array(20).fill('31,a')]],
  ])('may have %s', (_, lines) => {
    expect(headed(lines)).toBe(true);
  });
});

describe('a line of data', () => {
  it.each<[string, string[]]>([
    ['numbers above numbers', ['1,2,x', '3,4,y', '5,6,x']],
    ['numbers that rise as all rows do', ['1,2,3', '4,5,6', '7,8,9']],
    ['numbers that rise in the first row only by chance', ['0,1,1', '0,0,0', '1,0,1', '1,1,0']],
    ['a missing cell', ['?,setosa', 'x,virginica']],
    ['words that stand below', ['p,x', 'e,y', 'p,z']],
    ['the same word twice', ['a,a', 'b,c']],
    ['a date above dates', ['2020-01-01,x', '2020-01-02,y']],
    ['dates and amounts of the same shape as below', ['01/08/2022,$1.00', '02/08/2022,$3.00']],
    ['a stray word before measurements', ['unknown,5.1,3.5,a', '12,4.9,3.0,a', '14,4.7,3.1,b']],
    ['a stray word that stands below again', ['-,red', '12,blue', '-,green', ...Array(30).fill('7,red')]],
  ])('may have %s', (_, lines) => {
    expect(headed(lines)).toBe(false);
  });
});

const folder = fileURLToPath(new URL('../../../../node_modules/vega-datasets/data', import.meta.url));

describe('real tables', () => {
  const tables = readdirSync(folder)
    .filter((name) => /\.[ct]sv$/.test(name))
    .map((name): [string, string[][]] => {
      const text = readFileSync(join(folder, name), 'utf8').slice(0, 20_000);
      return [name, splitRecords(text, guessDialect(text, false, name.endsWith('.tsv')), false, 60).records];
    });

  it.each(tables)('have a line of names, and no other row is one: %s', (_, records) => {
    const width = records[0]!.length;
    for (const length of [2, 3, 10, records.length])
      expect(findHeader(records.slice(0, length), width, undefined).present).toBe(true);
    for (let k = 1; k < records.length - 3; k++)
      expect(findHeader(records.slice(k), width, undefined).present, records[k]!.join()).toBe(false);
  });

  it.each(tables.filter(([, records]) => records[0]!.length > 4))('may number their columns: %s', (_, records) => {
    for (const from of [0, 1, 2001]) {
      const names = records[0]!.map((__, c) => String(from + c));
      expect(findHeader([names, ...records.slice(1)], names.length, undefined).names).toEqual(names);
    }
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
    await forAllAsync(numbers, fc.constantFrom('x', 'user_id'), fc.option(fc.nat(29)), async (values, name, gap) => {
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
    });
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
