import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeModel, HalfspaceError } from 'halfspace';
import { afterAll, describe, expect, it, test } from 'vitest';
import { fc, forAll } from '../../../test/support/properties.ts';
import { shapes, signed } from '../../halfspace/test/support/models.ts';
import { changeAt } from '../../halfspace/test/support/tables.ts';
import { inspectionJson, inspectionText } from '../src/commands/inspect.ts';
import { halfspace } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-inspect-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rows = Array.from({ length: 60 }, (_, i) => ({
  'Order ID': `C${355_000 + 811 * Math.min(i, 58)}`,
  size: i % 7 === 0 ? '' : i / 8,
  rooms: 1 + (i % 3),
  closed: i % 2 === 0 ? `2024-03-${10 + (i % 20)}` : '',
  y: i % 2 === 0 ? 'left' : 'stays',
}));
const names = ['Order ID', 'size', 'rooms', 'closed', 'y'] as const;
writeFileSync(
  join(folder, 'orders.csv'),
  [names, ...rows.map((row) => names.map((name) => row[name]))].map((row) => `${row.join(',')}\n`).join(''),
);
writeFileSync(join(folder, 'orders.json'), JSON.stringify(rows));
const inspected = (...given: string[]) => JSON.parse(halfspace(folder, ['inspect', ...given, '--json']).out);

describe('inspect of a table', () => {
  test('shows each column with its kind, its cells, the evidence and the flags, for CSV and JSON alike', () => {
    for (const file of ['orders.csv', 'orders.json']) {
      const { rows: count, label, columns } = inspected(file);
      expect([count, label]).toEqual([60, { column: 'y', classes: ['left', 'stays'] }]);
      expect(columns).toMatchObject([
        {
          name: 'Order ID',
          kind: 'left out',
          examples: ['C355000', 'C355811', 'C356622'],
          missing: 0,
          different: 59,
          exact: true,
          flags: ["--column 'Order ID=category'"],
        },
        { name: 'size', kind: 'number', missing: 9, different: 51, leak: false },
        { name: 'rooms', kind: 'number', missing: 0, different: 3, flags: ['--column rooms=category'] },
        { name: 'closed', kind: 'date', missing: 30, different: 10, leak: true, flags: ['--column closed=drop'] },
      ]);
    }
  });

  test('is a table that fits a terminal, and takes the flags of train', () => {
    const { out } = halfspace(folder, ['inspect', 'orders.csv', '--column', 'Order ID=category', '--label', 'rooms']);
    for (const line of out.split('\n')) expect([...line].length).toBeLessThanOrEqual(80);
    expect(out).toContain('the label is rooms: 3 classes, 1, 2, 3');
    expect(out).toMatch(/Order ID +category +0 +59 +C355000/);
  });

  test('is what train prints, but for the numbers of different cells; a wide table is folded', () => {
    const printed = (...given: string[]) => halfspace(folder, given).out.split('\n');
    const part = (lines: readonly string[]) =>
      lines.slice(
        lines.findIndex((line) => line.startsWith('Columns')),
        lines.findIndex((line) => /^Lear|^$/.test(line)),
      );
    const train = ['train', 'orders.csv', '--label', 'y', '--rule', 'averaged', '--model', 'm.json'];
    const whole = part(printed('inspect', 'orders.csv', '--label', 'y'));
    const cells = (lines: readonly string[]) => lines.slice(0, 5).map((line) => line.slice(11).split(/ {2,}/));
    const short = cells(whole).map((line) => line.filter((_, c) => c !== 3));
    const [titles, ...columns] = cells(part(printed(...train)));
    expect(titles).toEqual(['name', 'kind', 'missing', 'examples']);
    // Only columns that are used have their missing cells counted.
    const told = (lines: readonly string[][]) =>
      lines.map(([name, kind, missing]) => [name, kind, kind === 'left out' ? '' : missing]);
    expect(told(columns)).toEqual(told(short.slice(1)));
    expect(columns.map((line) => line.at(-1))).toEqual([
      'C355000, C355811, C356622',
      '0.125, 0.25, 0.375',
      '1, 2, 3',
      expect.stringContaining('2024-03-10'),
    ]);
    expect(part(printed(...train)).join('\n')).toContain('likely leak, it alone tells the class');
    const wide = Array.from({ length: 60 }, (_, i) => Array.from({ length: 50 }, (_, c) => (i * (c + 3)) % 61));
    writeFileSync(
      join(folder, 'wide.csv'),
      `${wide[0]!.map((_, c) => `c${c}`).join()},y\n${wide.map((row, i) => `${row.join()},${i % 2}\n`).join('')}`,
    );
    const folded = part(printed('train', 'wide.csv', '--rule', 'averaged', '--model', 'm.json'));
    expect(folded.filter((line) => /^ {11}c\d+ +number/.test(line))).toHaveLength(19);
    expect(folded).toContain(`${' '.repeat(11)}and 31 more: 31 × number`);
    expect(
      halfspace(folder, [
        'train',
        'orders.csv',
        '--column',
        'y=drop',
        '--label',
        'rooms',
        '--column',
        'size=drop',
        '--column',
        'closed=drop',
        '--model',
        'm.json',
      ]).err,
    ).toContain('expected a column to learn from');
  });

  test('takes the flags that it names, and they do what it says', () => {
    for (const { name, flags } of inspected('orders.csv').columns)
      for (const flag of flags as string[]) {
        const [, wanted] = /^--column '?(.*?)'?$/.exec(flag)!;
        const kind = wanted!.slice(wanted!.lastIndexOf('=') + 1);
        const { columns } = inspected('orders.csv', '--column', wanted!);
        const found = columns.find((column: { name: string }) => column.name === name);
        expect([flag, found.kind, found.leak]).toEqual([flag, kind === 'drop' ? 'left out' : kind, false]);
      }
  });

  test('shows the columns of a table that train refuses, with what stops it', () => {
    const table = (name: string, cell: (i: number) => string) =>
      writeFileSync(
        join(folder, name),
        `size,colour,last\n${rows.map((_, i) => `${i / 8},${['red', 'blue'][i % 2]},${cell(i)}\n`).join('')}`,
      );
    const stops = {
      'many.csv': [(i: number) => `${i / 7}`, 'expected at most 10 classes of numbers'],
      'empty.csv': [() => '', 'expected a label; got none in 60 of 60 rows'],
      'gaps.csv': [(i: number) => ['a', 'b', ''][i % 3]!, 'expected a label; got none in 20 of 60 rows'],
      'one.csv': [() => 'a', 'expected two classes'],
    } as const;
    for (const [name, [cell, stop]] of Object.entries(stops)) {
      table(name, cell);
      const { rows: count, columns, notes } = inspected(name);
      expect([name, count]).toEqual([name, 60]);
      expect(columns).toMatchObject([
        { name: 'size', kind: 'number', missing: 0, different: 60 },
        { name: 'colour', kind: 'category', missing: 0, different: 2 },
      ]);
      expect(notes).toContainEqual(expect.stringMatching(`^train stops here: .*${stop}`));
      expect(halfspace(folder, ['train', name, '--model', 'm.json']).err).toContain(stop);
    }
    expect(halfspace(folder, ['inspect', 'many.csv']).out).toContain('the label is last: no classes as it stands');
  });

  test('names flags that a shell takes, in notes too', () => {
    const lines = rows.map((_, i) => `"${i},5","${String(i * 13).padStart(5, '0')}",${i % 2}\n`);
    writeFileSync(join(folder, 'notes.csv'), `unit price,the zip's code,y\n${lines.join('')}`);
    const notes: string[] = inspected('notes.csv').notes;
    expect(notes.join('\n')).toContain("--column 'unit price=category'");
    expect(inspected('notes.csv', '--column', 'unit price=category').notes.join('\n')).not.toContain(
      'unit price is read as numbers',
    );
  });

  test('names flags of words and of any column that a shell takes, and they change the reading', () => {
    const word = "it's unknown";
    const lines = (cell: (i: number) => string, mark: string) =>
      Array.from({ length: 50 }, (_, i) => `${cell(i)}${mark}${i % 2}\n`).join('');
    writeFileSync(join(folder, 'word.csv'), `x,y\n${lines((i) => (i === 3 ? word : `${i / 8}`), ',')}`);
    writeFileSync(
      join(folder, 'points.csv'),
      `the shop's price;y\n${lines((i) => (i === 7 ? '1.234' : `${i * 3}`), ';')}`,
    );
    /** Runs a line as a shell does. */
    const shell = (line: string) =>
      execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
        .split('\0')
        .slice(0, -1);
    const { err } = halfspace(folder, ['inspect', 'word.csv']);
    const missing = /\((--missing .*) of the command\)/.exec(err)![1]!;
    expect(inspected('word.csv', ...shell(missing)).columns).toMatchObject([{ name: 'x', kind: 'number', missing: 1 }]);
    const [note] = inspected('points.csv').notes as string[];
    const comma = /\((--column .*) reads/.exec(note!)![1]!;
    expect(shell(comma)).toEqual(['--column', "the shop's price=number:decimal-comma"]);
    const [{ flags }] = inspected('points.csv').columns;
    expect(flags).toContain(comma);
    expect(inspected('points.csv', ...shell(comma)).notes).not.toContain(note);
  });

  test('shows columns that leave nothing to learn from, and still reads models', () => {
    writeFileSync(join(folder, 'ids.csv'), `id,y\n${rows.map((_, i) => `${i * 13},${i % 2}\n`).join('')}`);
    expect(inspected('ids.csv').columns).toMatchObject([
      { name: 'id', kind: 'left out', flags: ['--column id=number'] },
    ]);
    halfspace(folder, ['train', 'orders.csv', '--rule', 'perceptron', '--model', 'm.json']);
    expect(inspected('m.json')).toMatchObject({ kind: 'linear', rule: 'perceptron' });
    expect(halfspace(folder, ['inspect', 'm.json', '--column', 'size=drop']).err).toContain('--column is for DATA');
    expect(halfspace(folder, ['inspect', 'orders.csv', '--drawing', 't.svg']).err).toContain(
      '--drawing is for a model',
    );
  });
});

describe('a model that was changed and signed again', () => {
  it('is refused when it is read, or inspected without a fault', () => {
    const values = fc.oneof(
      fc.constantFrom<unknown>(0, 1, -1, 2, 255, 4096, 2 ** 20, 2 ** 24, 2 ** 28, 5e-324, 1e308, -1e308),
      fc.constantFrom<unknown>(null, '', 'x', [], {}, true, [0], 'table', 'hashed'),
    );
    const change = fc.tuple(fc.array(fc.nat(400), { minLength: 1, maxLength: 5 }), values);
    let inspected = 0;
    forAll(1500, fc.constantFrom(...shapes), change, ([, model], [path, value]) => {
      const text = signed(model, (body) => changeAt(body, path, value, ['format', 'version']));
      let read: ReturnType<typeof decodeModel>;
      try {
        read = decodeModel(text);
      } catch (error) {
        if (error instanceof HalfspaceError) return;
        throw error;
      }
      inspected++;
      expect(inspectionText(read, 'model.json', 20)).toContain('model.json');
      expect(JSON.stringify(inspectionJson(read, 20))).toContain(read.rule === '' ? '{' : '"rule"');
    });
    expect(inspected).toBeGreaterThan(4);
  });
});
