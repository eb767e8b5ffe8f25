import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HalfspaceError } from '../../src/errors.ts';
import { readHead } from '../../src/table/head.ts';
import { findFixedWidth } from '../../src/table/shapes/fixed-width.ts';
import { openTextTable, type TextTable } from '../../src/table/text-table.ts';

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
    await fc.assert(
      fc.asyncProperty(
        tables,
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 60 }),
        async (table, end, length) => {
          const text = print(table).replaceAll('\n', end);
          const wanted = await read(asCsv(table));
          expect(await read(text)).toEqual(wanted);
          expect(await read(text, length)).toEqual(wanted);
        },
      ),
    );
  });

  test('in columns of fixed width without a rule is read as its CSV does, or is not sure', async () => {
    let sure = 0;
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const widths = table[0]!.map((_, c) => Math.max(...table.map((row) => row[c]!.length)));
        const lines = table.map((row) => row.map((text, c) => text.padEnd(widths[c]!)).join('  '));
        const translate = findFixedWidth(lines)?.translator();
        if (translate === undefined) return;
        sure++;
        const csv = lines.map(
          (line) => `${translate(line, (message) => new HalfspaceError('row-malformed', message))}\n`,
        );
        expect(await read(csv.join(''))).toEqual(await read(asCsv(table)));
      }),
      { numRuns: 400 },
    );
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
