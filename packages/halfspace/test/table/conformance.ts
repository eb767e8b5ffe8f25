import { describe, expect, it } from 'vitest';
import type { SparseBatch } from '../../src/batch.ts';
import type { ColumnKind, TableEncoding } from '../../src/features/table-encoding.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { csvCell } from '../../src/table/cells.ts';
import { csv } from '../../src/table/csv.ts';
import type { OpenTablesOptions } from '../../src/table/open.ts';
import type { ScannedChunk, ScanOptions, Table } from '../../src/table/table.ts';

type Cell = string | null;
export type Cells = readonly (readonly Cell[])[];

/** A source of tables. What it cannot do is an exception with a reason. */
export interface TablesUnderTest {
  /** Opens a table with these cells; null is no value. */
  open(names: readonly string[], rows: Cells): Promise<Table>;
  /** Opens text as it stands. Absent: the tables are no text. */
  openText?(text: string | Uint8Array, tabs?: boolean): Promise<Table>;
  /** The library's function, or its built copy. */
  openTables(
    tables: readonly Table[],
    name: string,
    options: OpenTablesOptions,
  ): Promise<{ encoding(): TableEncoding; readonly notes: readonly string[]; batches(): AsyncIterable<unknown> }>;
  /** Makes an empty list of words. */
  list(): Parameters<Table['scan']>[0][number]['list'];
  /** Claims that do not hold, each with the reason. */
  readonly exceptions?: Readonly<Partial<Record<'kinds' | 'notes' | 'faults of kinds', string>>>;
}

const names = ['n', 'ok', 'when', 'word', 'tags', 'y'];
/** A table with every kind of column, missing values, and cells that need quotes in text. */
const rows: Cells = Array.from({ length: 60 }, (_, i) => [
  i % 7 === 3 ? null : `${(i * 37) % 11}.${i}`,
  i % 5 === 0 ? '?' : i % 2 === 0 ? 'true' : 'No',
  i % 9 === 0 ? null : `2024-0${1 + (i % 9)}-1${i % 10}`,
  ['red', 'light, blue', 'say "hi"', 'größer 😀', 'NA', 'two\nlines'][i % 6]!,
  ['a', 'b, 2', 'ö "x"', 'C/C++'].filter((_, t) => ((i * 7 + 3) >> t) % 2 === 1).join('; ') || null,
  i % 3 === 0 ? 'yes' : 'no',
]);

/** Values that a scan returns: NaN for a missing double, null for a missing word. */
async function valuesOf(
  table: Table,
  kinds: Readonly<Record<string, ColumnKind>>,
  under: TablesUnderTest,
  options: ScanOptions = { tolerant: false },
  look: (chunk: ScannedChunk) => void = () => {},
): Promise<(number | Cell)[][]> {
  const wanted = Object.entries(kinds).map(([name, kind]) => ({
    column: table.columns.find((column) => column.name === name) ?? null,
    kind,
    list: under.list(),
  }));
  const all: (number | Cell)[][] = [];
  for await (const chunk of table.scan(wanted, null, options).chunks()) {
    expect(chunk.first).toBe(all.length);
    look(chunk);
    for (let i = 0; i < chunk.rows; i++)
      all.push(
        chunk.columns.map((cells) => {
          if (cells === null) return null;
          return cells instanceof Float64Array ? cells[i]! : cells.words[cells.codes[i]!] || null;
        }),
      );
  }
  return all;
}

/** Writes cells as CSV. */
export function csvOf(names: readonly string[], rows: Cells): string {
  return [names, ...rows].map((cells) => `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\n`).join('');
}

/** The label and the features of every row, which are sparse. */
async function examplesOf(source: { batches(): AsyncIterable<unknown> }): Promise<number[][]> {
  const all: number[][] = [];
  for await (const batch of source.batches() as AsyncIterable<SparseBatch>)
    for (let i = 0; i < batch.rows; i++) {
      const [from, to] = [batch.offsets[i]!, batch.offsets[i + 1]!];
      all.push([batch.labels[i]!, ...batch.indices.subarray(from, to), ...batch.values.subarray(from, to)]);
    }
  return all;
}

/** The encoding without what names the format. */
function plain({ format: _, header: __, ...rest }: TableEncoding): unknown {
  return rest;
}

/** Checks that tables keep the contract of table.ts. */
export function conformTables(title: string, under: TablesUnderTest): void {
  const { exceptions = {} } = under;
  const claim = (name: keyof typeof exceptions, text: string, test: () => Promise<void>) =>
    it.skipIf(exceptions[name] !== undefined)(exceptions[name] ?? text, test);
  const opened = (table: Table, options: Partial<OpenTablesOptions> = {}) =>
    under.openTables([table], table.name, { format: 'csv', ...options });

  describe(`tables of ${title}`, () => {
    it('give cells as doubles and as words', async () => {
      const table = await under.open(names, rows);
      expect(table.columns.map(({ name, position }) => [name, position])).toEqual(names.map((name, c) => [name, c]));
      const values = await valuesOf(table, { n: 'number', ok: 'boolean', when: 'date', word: 'category' }, under);
      expect(values).toHaveLength(60);
      expect(values[1]).toEqual([4.1, 0, (Date.UTC(2024, 1, 11) / 864e5) | 0, 'light, blue']);
      expect(values[3]).toEqual([Number.NaN, 0, (Date.UTC(2024, 3, 13) / 864e5) | 0, 'größer 😀']);
      expect(values[0]!.slice(1, 3)).toEqual([Number.NaN, Number.NaN]);
      expect(values[5]![3]).toBe('two\nlines');
      const words = await valuesOf(table, { n: 'category', word: 'text' }, under);
      expect(words[8]).toEqual(['10.8', 'say "hi"']);
    });

    it('mark cells that are no value of the kind, and show them as they stood', async () => {
      const table = await under.open(
        ['x', 'y'],
        [
          ['1', 'a'],
          ['1e999', 'a'],
          ['oops', 'b'],
          ['-2', 'b'],
        ],
      );
      const shown: unknown[] = [];
      const values = await valuesOf(table, { x: 'number' }, under, { tolerant: false }, (chunk) =>
        shown.push(chunk.cell(0, 1), chunk.cell(0, 2)),
      );
      expect(values).toEqual([[1], [Number.POSITIVE_INFINITY], [Number.NEGATIVE_INFINITY], [-2]]);
      expect(shown).toEqual(['1e999', 'oops']);
    });

    it('read no more rows than asked for, and none for a column that is absent', async () => {
      const table = await under.open(names, rows);
      const values = await valuesOf(table, { n: 'number', none: 'number' }, under, { tolerant: false, limit: 5 });
      expect(values.map(([, absent]) => absent)).toEqual([null, null, null, null, null]);
      expect((await valuesOf(table, { n: 'number' }, under)).slice(0, 5)).toEqual(values.map(([n]) => [n]));
    });

    it('can be scanned again, and show whole rows', async () => {
      const table = await under.open(
        ['x', 'y'],
        [
          ['1', 'a'],
          ['2', 'b'],
        ],
      );
      const texts: string[] = [];
      const look = (chunk: ScannedChunk) => {
        for (let i = 0; i < chunk.rows; i++) texts.push(chunk.text(i));
      };
      for (let k = 0; k < 2; k++) await valuesOf(table, { x: 'number' }, under, { tolerant: true }, look);
      expect(texts).toHaveLength(4);
      expect(texts[1]).toMatch(/2.*b/);
    });

    claim('kinds', 'have the kinds that their cells show, and give the same encoding and examples', async () => {
      const source = await opened(await under.open(names, rows), { label: 'y', positive: 'yes' });
      const encoding = source.encoding();
      expect(encoding.columns.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
        'n: number',
        'ok: boolean',
        'when: date',
        'word: category',
        'tags: set',
      ]);
      const given = csv(csvOf(names, rows), { label: 'y', positive: 'yes' });
      const reference = await given.open({ kernels: createKernels('reference') });
      expect(plain(encoding)).toEqual(plain(reference.encoding() as TableEncoding));
      expect(await examplesOf(source)).toEqual(await examplesOf(reference));
    });

    claim('notes', 'name a column of categories whose cells are mostly numbers', async () => {
      const codes = Array.from({ length: 30 }, (_, i) => [i % 9 === 0 ? 'rotary' : `${4 + (i % 3)}`, `${i % 2}`]);
      const { notes } = await opened(await under.open(['cyl', 'y'], codes));
      expect(notes).toEqual(['column cyl is read as categories: 26 of 30 values are numbers, but not "rotary"']);
    });

    claim('kinds', 'read codes with leading zeros as categories, and times of day as numbers', async () => {
      const cells = Array.from({ length: 60 }, (_, i) => [
        `${(i % 20) * 4111}`.padStart(5, '0'),
        `${i % 24}`.padStart(2, '0') + `${i}`.padStart(2, '0'),
        i === 7 ? '007' : `${i * i}`,
        `0.${i}`,
        `${i % 2}`,
      ]);
      const source = await opened(await under.open(['zip', 'time', 'slip', 'share', 'y'], cells));
      expect(source.encoding().columns.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
        'zip: category',
        'time: number',
        'slip: number',
        'share: number',
      ]);
      const notes = 'column zip is read as categories: "00000" begins with a 0 (--column zip=number reads numbers)';
      if (exceptions.notes === undefined) expect(source.notes).toEqual([notes]);
    });

    claim('kinds', 'leave out running numbers and identifiers', async () => {
      const cells = Array.from({ length: 60 }, (_, i) => [
        `${i}`,
        `${1950 + i}`,
        `${(i * 37) % 61}`,
        `u-${(i * 7) % 60}`,
        `${(i * 7) % 50}`,
        `${i % 2}`,
      ]);
      const wanted = ['nr', 'year', 'user_id', 'uuid', 'shop_id', 'y'];
      const source = await opened(await under.open(wanted, cells));
      const { columns, leftOut } = source.encoding();
      expect(columns.map(({ name }) => name)).toEqual(['year', 'shop_id']);
      expect(leftOut.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
        'nr: running-number',
        'user_id: identifier',
        'uuid: identifier',
      ]);
      expect(source.notes).toEqual([
        'left out: nr (running number), user_id (identifier), uuid (identifier); to keep nr, name its kind (--column nr=number)',
      ]);
      const features = { columns: { nr: { kind: 'number' }, user_id: { kind: 'number' } } } as const;
      const kept = await opened(await under.open(wanted, cells), { features });
      expect(kept.encoding().columns.map(({ name }) => name)).toEqual(['nr', 'year', 'user_id', 'shop_id']);
    });

    claim(
      'notes',
      'name numbers that are not written plainly, and words for being written in different ways',
      async () => {
        const cells = Array.from({ length: 60 }, (_, i) => [`${i},5`, i % 2 === 0 ? `$${i}` : `${i} €`, `${i % 2}`]);
        const { notes } = await opened(await under.open(['price', 'tax', 'y'], cells));
        expect(notes).toEqual([
          'column price is read as numbers: "10,5" is 10.5 (--column price=category keeps the words)',
          'column tax is read as categories: its numbers are in several units, such as "$0" and "1 €", and none is converted (write all in one unit to read numbers)',
          'left out: tax (all different); to keep tax, name its kind (--column tax=category)',
        ]);
      },
    );

    claim('notes', 'name categories whose levels never repeat, which the user may choose', async () => {
      const cells = Array.from({ length: 60 }, (_, i) => [`a${i}`, i < 12 ? `b${i}` : null, `${i % 2}`, `${i % 2}`]);
      const { notes } = await opened(await under.open(['code', 'few', 'x', 'y'], cells));
      expect(notes[0]).toContain('column few is read as categories, and each of its 12 values occurs once');
      expect(notes[0]).toContain('--column few=drop');
      expect(notes[1]).toBe('left out: code (identifier); to keep code, name its kind (--column code=category)');
      const features = { columns: { code: { kind: 'category' }, few: { kind: 'category' } } } as const;
      const chosen = await opened(await under.open(['code', 'few', 'x', 'y'], cells), { features });
      expect(chosen.notes.filter((note) => /code|few/.test(note))).toEqual([]);
      expect(chosen.encoding().columns.map(({ name }) => name)).toContain('code');
    });

    claim('kinds', 'read numbers as people write them, also where the first rows do not show it', async () => {
      // More rows than the sample has.
      const cells = Array.from({ length: 2500 }, (_, i) => [
        i < 2400 ? `${i % 1000}` : `${1 + (i % 9)},${100 + (i % 800)}`,
        i === 2450 ? '1.234,5' : i % 3 === 0 ? `${i % 50},25` : null,
        `${i % 2 === 0 ? '' : '−'}${i % 100}.5 %`,
        i % 2 === 0 ? `($1,${200 + (i % 700)}.50)` : `$${i % 100}`,
        `${i % 7}`,
        `${i % 2}`,
      ]);
      const columns = ['thousands', 'comma', 'share', 'account', 'plain', 'y'];
      const source = await opened(await under.open(columns, cells), {
        features: { columns: { plain: { kind: 'category' } } },
      });
      const encoding = source.encoding();
      expect(encoding.columns.map((column) => (column.kind === 'number' ? column.notation : column.kind))).toEqual([
        { decimal: '.', group: ',' },
        { decimal: ',', group: '.' },
        { decimal: '.', unit: '%' },
        { decimal: '.', group: ',', unit: '$' },
        'category',
      ]);
      const options = { label: 'y', features: { columns: { plain: { kind: 'category' } } } } as const;
      const reference = await csv(csvOf(columns, cells), options).open({ kernels: createKernels('reference') });
      expect(plain(encoding)).toEqual(plain(reference.encoding() as TableEncoding));
      const examples = await examplesOf(source);
      expect(examples).toEqual(await examplesOf(reference));
      // The same for a model that is asked.
      const asked = await opened(await under.open(columns, cells), { encoding });
      expect(await examplesOf(asked)).toEqual(examples);
    });

    claim('kinds', 'read dates as people write them, also where the first rows do not show it', async () => {
      const cells = Array.from({ length: 2500 }, (_, i) => [
        `${1 + (i % 12)}/${i < 2400 ? 1 + (i % 7) : 13}/${(i % 20) + 2000} ${i % 24}:05`,
        `${i < 2400 ? 12 : 13}/11/2020`,
        i % 9 === 0 ? null : `Jun ${1 + (i % 28)}, 1998`,
        `${1 + (i % 12)}:30 ${i % 2 === 0 ? 'AM' : 'PM'}`,
        `${1_600_000_000 + i * 86_000}`,
        `202208${10 + (i % 20)}`,
        i === 2450 ? '20229999' : '20220801',
        `${i === 2450 ? '13/12' : i === 2460 ? '12/13' : `0${1 + (i % 9)}/0${1 + (i % 5)}`}/2022`,
        `0${1 + (i % 9)}/01/2022`,
        `${i % 2}`,
      ]);
      const columns = ['us', 'late', 'named', 'time', 'timestamp', 'day', 'date', 'mixed', 'asked', 'y'];
      const features = { columns: { asked: { kind: 'date', format: 'dmy' } } } as const;
      const source = await opened(await under.open(columns, cells), { features });
      const encoding = source.encoding();
      expect(encoding.columns.map((column) => (column.kind === 'date' ? column.format : column.kind))).toEqual(
        ['mdy', 'dmy', 'named', 'time', 'epoch', 'ymd', 'number', 'category', 'dmy'], // biome-ignore format: one line
      );
      expect(source.notes.filter((note) => /^column (us|time|timestamp|mixed|asked) is read/.test(note))).toEqual([
        'column us is read as dates: "1/13/2000 0:05" is 2000-01-13 00:05 (--column us=category keeps the words)',
        'column time is read as times of day: "1:30 AM" is 01:30 (--column time=category keeps the words)',
        'column timestamp is read as dates: "1600000000" is 2020-09-13 12:26:40 (--column timestamp=number keeps the numbers)',
        'column mixed is read as words: some of its dates have the day, some the month first, as "13/12/2022" (write all in one order to read dates)',
      ]);
      const options = { label: 'y', features } as const;
      const reference = await csv(csvOf(columns, cells), options).open({ kernels: createKernels('reference') });
      expect(plain(encoding)).toEqual(plain(reference.encoding() as TableEncoding));
      const examples = await examplesOf(source);
      expect(examples).toEqual(await examplesOf(reference));
      const asked = await opened(await under.open(columns, cells), { encoding });
      expect(await examplesOf(asked)).toEqual(examples);
    });

    claim(
      'faults of kinds',
      'refuse a day that is on no calendar, and dates that are asked for in an open order',
      async () => {
        const days = (stray: string) =>
          Array.from({ length: 60 }, (_, i) => [i === 41 ? stray : `${1 + (i % 28)}.02.2022`, `${i % 2}`]);
        const table = await under.open(['d', 'y'], days('31.02.2022'));
        await expect(opened(table)).rejects.toMatchObject({
          code: 'number-invalid',
          message: expect.stringContaining('"31.02.2022"'),
          where: { source: table.name, row: 42, field: 'd' },
        });
        const open = await under.open(
          ['d', 'y'],
          [
            ['01/02/2022', 'a'],
            ['02/03/2022', 'b'],
          ],
        );
        await expect(opened(open, { features: { columns: { d: { kind: 'date' } } } })).rejects.toMatchObject({
          code: 'option-invalid',
          message: expect.stringContaining('format must be dmy or mdy (--column d=date:dmy or --column d=date:mdy'),
        });
      },
    );

    claim('faults of kinds', 'refuse a stray word among measurements, with its place', async () => {
      const cells = Array.from({ length: 60 }, (_, i) => [i === 41 ? 'oops' : `${i}.5`, `${i % 2}`]);
      const table = await under.open(['x', 'y'], cells);
      await expect(opened(table)).rejects.toMatchObject({
        code: 'number-invalid',
        where: { source: table.name, row: 42, field: 'x' },
      });
    });

    it('refuse a row without a label, and a table without the column, with the place', async () => {
      const table = await under.open(
        ['x', 'y'],
        [
          ['1', 'a'],
          ['2', null],
          ['3', 'b'],
        ],
      );
      const { name: source } = table;
      await expect(opened(table)).rejects.toMatchObject({
        code: 'label-missing',
        where: { source, row: 2, field: 'y' },
      });
      await expect(opened(table, { label: 'z' })).rejects.toMatchObject({ code: 'column-unknown', where: { source } });
    });

    const { openText } = under;
    if (openText === undefined) return;

    const cellsOf = async (text: string | Uint8Array, tabs?: boolean) => {
      const table = await openText(text, tabs);
      const kinds = Object.fromEntries(table.columns.map(({ name }) => [name, 'text' as const]));
      return [table.columns.map(({ name }) => name), ...(await valuesOf(table, kinds, under))];
    };

    it.each([
      ['LF', 'a,b\n1,x\n2,y\n'],
      ['CRLF', 'a,b\r\n1,x\r\n2,y\r\n'],
      ['no end at the last line', 'a,b\n1,x\n2,y'],
      ['a byte order mark', '\uFEFFa,b\n1,x\n2,y\n'],
      ['blank lines', 'a,b\n\n1,x\n\n2,y\n\n'],
      ['quotes', '"a","b"\n"1","x"\n2,"y" \n'],
      ['semicolons', 'a;b\n1;x\n2;y\n'],
      ['bars', 'a|b\n1|x\n2|y\n'],
      ['delimiters at the end of a line', 'a,b\n1,x,\n2,y,,\n'],
    ])('have the same cells with %s', async (_, text) => {
      expect(await cellsOf(text)).toEqual([
        ['a', 'b'],
        ['1', 'x'],
        ['2', 'y'],
      ]);
    });

    it('keep letters, blanks, and quotes that are letters', async () => {
      expect(await cellsOf('a,b\n" ä, ""1""\n",x\n1"2, y \n')).toEqual([
        ['a', 'b'],
        [' ä, "1"\n', 'x'],
        ['1"2', ' y '],
      ]);
      expect(await cellsOf('a\tb\nthe "x" of\t1\n"\t2\n', true)).toEqual([
        ['a', 'b'],
        ['the "x" of', '1'],
        ['"', '2'],
      ]);
    });

    it('name columns that have no name of their own', async () => {
      const table = await openText('x,x,,x\n1,p,u,2\n2,q,v,3\n');
      expect(table.columns.map(({ name }) => name)).toEqual(['x', 'x_2', 'column2', 'x_3']);
      const bare = await openText('1,2,a\n3,4,b\n');
      expect([bare.header, bare.columns.map(({ name }) => name)]).toEqual([false, ['column0', 'column1', 'column2']]);
      expect(bare.notes.join()).toContain('the first line looks like data');
    });

    it.each([
      ['a line with too few cells', 'a,b\n1,x\n2\n', 3, 'row-malformed', 'expected 2 cells; got 1'],
      ['a line with too many cells', 'a,b\n1,x\n"2\n2",y,z\n', 3, 'row-malformed', 'expected 2 cells; got 3'],
      ['text behind a closing quote', 'a,b\n1,x\n"2"3,y\n', 3, 'row-malformed', 'expected a quoted cell to end'],
      [
        'other bytes than UTF-8',
        Uint8Array.of(97, 44, 98, 10, 49, 44, 120, 10, 0xe9, 44, 121, 10),
        3,
        'source-corrupt',
        'expected UTF-8',
      ],
    ])('refuse %s, with its place, or mark the row', async (_, text, line, code, message) => {
      const table = await openText(text);
      const scan = valuesOf(table, { a: 'category', b: 'category' }, under);
      await expect(scan).rejects.toMatchObject({
        code,
        where: { source: table.name, line },
        message: expect.stringContaining(message),
      });
      const rejected: unknown[] = [];
      await valuesOf(table, { a: 'category' }, under, { tolerant: true }, (chunk) => {
        for (let i = 0; i < chunk.rows; i++) if (chunk.damaged?.[i] === 1) rejected.push(chunk.rejected(i).error.where);
      });
      expect(rejected).toEqual([{ source: table.name, line }]);
    });
  });
}
