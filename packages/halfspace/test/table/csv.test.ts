import { describe, expect, it } from 'vitest';
import type { TextInput } from '../../src/data/input/input.ts';
import type { OpenSourceOptions } from '../../src/data/source.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { evaluate } from '../../src/model/judge.ts';
import type { Model } from '../../src/model/model.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { type CsvOptions, csv } from '../../src/table/csv.ts';
import { modelOf } from '../sources/runs.ts';

const kernels = createKernels();

const opened = (input: TextInput, options: CsvOptions = {}, run: Partial<OpenSourceOptions> = {}) =>
  csv(input, options).open({ kernels, ...run });

async function faultOf(input: TextInput, options: CsvOptions = {}): Promise<HalfspaceError> {
  try {
    await opened(input, options);
  } catch (error) {
    if (error instanceof HalfspaceError) return error;
  }
  throw new Error('expected a HalfspaceError');
}

const text =
  'größe,ok,when,farbe,y\n1.5,true,2024-01-02,"rot, hell",an\n-2,no,2024-02-29,grün,aus\n"7",f,,"say ""hi""",an\n0,t,2023-05-05,rot,aus\n';

describe('delimited text', () => {
  it('has columns of the kinds that its cells show, whatever its line ends', async () => {
    const model = await modelOf(csv(text));
    if (model.features.kind !== 'table') throw new Error('expected a table');
    expect(model.features.columns.map(({ name, kind }) => [name, kind])).toEqual([
      ['größe', 'number'],
      ['ok', 'boolean'],
      ['when', 'date'],
      ['farbe', 'category'],
    ]);
    for (const input of [`\uFEFF${text}`, text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r')])
      expect(encodeModel(await modelOf(csv(input)))).toBe(encodeModel(model));
  });

  it('is cut at tabs where the option or the name says so', async () => {
    const tabs = text.replace('"rot, hell"', 'rot hell').replaceAll(',', '\t');
    for (const source of [
      csv(tabs, { format: 'tsv' }),
      csv(tabs, { name: 'x.TSV.gz' }),
      csv(new File([tabs], 'a.tab')),
    ])
      expect((await modelOf(source)).features).toMatchObject({ format: 'tsv' });
    const table = csv(text, { name: 'x.tsv', format: 'csv' });
    expect((await modelOf(table)).features).toMatchObject({ format: 'csv' });
  });

  it('is read for a model with its columns in any order, and ignores others', async () => {
    const { features: encoding } = await modelOf(csv('a,b,y\n1,2,0\n3,1,1\n2,2,0\n5,1,1\n'));
    const source = await opened('y,b,c,a\n0,2,x,1\n', {}, { encoding });
    for await (const batch of source.batches()) expect([...batch.labels.subarray(0, 1)]).toEqual([-1]);
    expect(source.encoding()).toBe(encoding);
    const lacking = await opened('y,b\n0,2\n', {}, { encoding });
    expect(lacking.notes).toEqual(['text has no column a: its values count as missing']);
  });

  it('is fitted without the rows that are held out', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => `${i},${i % 2}\n`).join('');
    const whole = (await opened(`x,y\n${rows}`)).encoding();
    const part = (await opened(`x,y\n${rows}`, {}, { holdout: { fraction: 0.5, seed: 3 } })).encoding();
    expect(part).not.toEqual(whole);
  });

  it('takes options of columns, which imply a kind', async () => {
    const features = { columns: { größe: { bins: 2 }, y: undefined as never } };
    expect((await opened(text, { label: 'ok', features })).encoding()).toMatchObject({
      columns: [{ name: 'größe', kind: 'number', edges: [expect.any(Number)] }, {}, {}, { name: 'y' }],
    });
  });

  it('notes which column is taken for the label', async () => {
    expect((await opened('x,z\n1,a\n2,b\n')).notes).toEqual([
      'the last column, z, is taken for the label; label names another (--label of the command)',
    ]);
  });

  it('names the column of few classes if the last one cannot be the label', async () => {
    const words = Array.from({ length: 1200 }, (_, i) => `${i % 2 ? 'ham' : 'spam'},${i % 3},word${i} of it\n`);
    const hint = 'column kind has 2 classes; label: "kind" takes it (--label kind of the command)';
    for (const last of [words, words.map((line) => line.replace(/,[^,]*$/, ',same\n'))]) {
      const table = `kind,n,words\n${last.join('')}`;
      expect((await faultOf(table)).message.endsWith(hint)).toBe(true);
      expect((await faultOf(table, { label: 'words' })).message).not.toContain('column kind');
    }
  });

  it('is refused with the place of the fault', async () => {
    expect((await faultOf('x,y\n1,a\n2,b,c\n', { name: 't.csv' })).message).toBe(
      't.csv:3: expected 2 cells; got 3; onReject skips such rows (--on-error skip of the command)',
    );
    expect((await faultOf('x,y\n1,a\n2,\n3,b\n')).where).toEqual({ source: 'text', row: 2, field: 'y' });
    expect((await faultOf(new File(['x,y\n1,a\n"2,b\n'], 'f.csv'))).where).toEqual({ source: 'f.csv', line: 3 });
    expect((await faultOf(Uint8Array.of(120, 44, 121, 10, 0xe9, 44, 97, 10))).code).toBe('source-corrupt');
    expect((await faultOf('')).code).toBe('source-empty');
    expect((await faultOf('x,y\n1,a\n', { label: 'z' })).code).toBe('column-unknown');
  });

  it.each([
    [{ label: 3 }, 'label must be a name or a function; got 3'],
    [{ positive: {} }, 'positive must be the name of a class; got {}'],
    [{ scale: 'all' }, 'scale must be none or standard; got "all"'],
    [{ format: 'json' }, 'format must be csv or tsv; got "json"'],
    [{ encoding: 'latin-one' }, 'encoding must be the name of a character encoding, such as latin1'],
    [{ missing: '-' }, 'missing must be a list of words, none, or an object with none for some columns; got "-"'],
    [
      { missing: ['-', ' '] },
      'missing must be a list of words, none, or an object with none for some columns; got ["-"," "]',
    ],
    [{ header: 'yes' }, 'header must be true or false; got "yes"'],
    [{ features: { columns: { a: { bin: 3 } } } }, 'in "columns.a"; got "bin"; did you mean "bins"?'],
  ])('refuses the options %j', (options, message) => {
    expect(() => csv(text, options as never)).toThrow(message);
  });
});

describe('a function that labels rows of delimited text', () => {
  const label: CsvOptions['label'] = ({ größe, farbe }) => Number(größe) > 0 && farbe !== 'rot';

  it('gets the cells of a row as text by column, and gives the classes', async () => {
    const seen = new Set<string>();
    const model = await modelOf(csv(text, { label: (row) => seen.add(JSON.stringify(row)).size > 0 && label(row) }));
    expect(model.classes).toEqual(['false', 'true']);
    expect([...seen].map((row) => JSON.parse(row))[2]).toEqual({
      größe: '7',
      ok: 'f',
      when: '',
      farbe: 'say "hi"',
      y: 'an',
    });
  });

  it('leaves all columns features, unless they are dropped', async () => {
    const columnsOf = async (features: CsvOptions['features']) => {
      const encoding = (await modelOf(csv(text, { label, features }))).features;
      if (encoding.kind !== 'table') throw new Error('expected a table');
      expect(encoding.label.column).toBe('label');
      return encoding.columns.map(({ name }) => name);
    };
    expect(await columnsOf(undefined)).toEqual(['größe', 'ok', 'when', 'farbe', 'y']);
    expect(await columnsOf({ columns: { größe: { kind: 'drop' } } })).toEqual(['ok', 'when', 'farbe', 'y']);
  });

  it('is the same as a column with its results', async () => {
    const lines = text.trimEnd().split('\n');
    const results = ['label', true, false, true, false];
    const written = lines.map((line, i) => `${line},${results[i]}\n`).join('');
    const { labelType, ...derived } = await modelOf(csv(text, { label }));
    expect(encodeModel(derived as Model)).toBe(encodeModel(await modelOf(csv(written, { label: 'label' }))));
    expect(labelType).toBe('boolean');
  });

  it('judges a model on other rows, whatever the label of the model was', async () => {
    const other = 'größe,ok,when,farbe,y\n3,true,,grün,?\n-3,true,,grün,?\n';
    const derived = await modelOf(csv(text, { label }));
    expect((await evaluate(derived, csv(other, { label }))).examples).toBe(2);
    const named = await modelOf(csv(text));
    const { examples, accuracy } = await evaluate(
      named,
      csv(other, { label: (row) => new Predictor(named).predict({ ...row, größe: Number(row.größe) }) }),
    );
    expect([examples, accuracy]).toEqual([2, 1]);
    // Without a function, the column that the function stood for is missing.
    await expect(evaluate(derived, csv(other))).rejects.toThrow('expected a column "label"; got größe, ok, when');
  });

  it('gets a name that no column has', async () => {
    const source = await opened('label,label_2,x\na,b,1\nc,d,2\n', { label: ({ x }) => x! });
    expect(source.encoding()).toMatchObject({ label: { column: 'label_3', classes: ['1', '2'] } });
  });

  it('is refused with row and field where it gives no class', async () => {
    const message = async (value: unknown) =>
      (await faultOf(text, { label: ({ ok }) => (ok === 'f' ? value : ok) as never })).message;
    const advice = 'onReject skips such rows (--on-error skip of the command)';
    const refused = `text, row 3, column "label": expected a label; got none; ${advice}`;
    expect(await message(null)).toBe(refused);
    expect(await message(undefined)).toBe(refused);
    expect((await faultOf('x,label\n1,a\n2,\n3,b\n4,NA\n5,a\n', {})).message).toBe(
      `text, row 2, column "label": expected a label; got none in 2 of 5 rows, here first; ${advice}`,
    );
    expect(await message(Number.NaN)).toBe('text, row 3, column "label": expected a finite number; got NaN');
    expect(await message([1])).toBe('text, row 3, column "label": expected a value; got [1]');
    const seen: string[] = [];
    const source = csv(text, {
      label: ({ ok }) => (ok === 'f' ? null : ok),
      onReject: ({ error, text }) => seen.push(error.message, text),
    });
    expect((await modelOf(source)).training.examples).toBe(3);
    expect(seen).toEqual(['text, row 3, column "label": expected a label; got none', '"7",f,,"say ""hi""",an']);
    await expect(
      opened(text, {
        label: () => {
          throw new RangeError('mine');
        },
      }),
    ).rejects.toThrow(RangeError);
  });

  it('is without the classes that only skipped rows have, and notes them', async () => {
    const skipping = { features: { columns: { x: { kind: 'number' } } }, onReject: () => {} } as const;
    const classesOf = async (rows: string, options: CsvOptions = {}) => {
      const source = await opened(`x,y\n${rows}`, { ...skipping, ...options });
      let examples = 0;
      for await (const { rows } of source.batches()) examples += rows;
      return [source.classes, examples, (source.notes ?? []).filter((note) => note.startsWith('every'))];
    };
    const good = '1,a\n2,b\n3,b\n';
    expect(await classesOf(`${good}oops,b\n`)).toEqual([['a', 'b'], 3, []]);
    expect(await classesOf(`oops,c\n${good}oops,c\n`)).toEqual([
      ['a', 'b'],
      3,
      ['every row of the class c (2 rows) was bad and is skipped: the model does not know it'],
    ]);
    // A line of types below the header.
    expect(await classesOf(`float,string\n${good}nan?,c\n`)).toEqual([
      ['a', 'b'],
      3,
      ['every row of the class c (1 row) was bad and is skipped: the model does not know it'],
    ]);
    // Of numbers, and where the class is one of "not a".
    expect((await classesOf('float,class\n1,0\n2,1\n3,2.0\n'))[0]).toEqual(['0', '1', '2.0']);
    expect(await classesOf(`oops,c\n${good}`, { positive: 'a' })).toEqual([['b', 'a'], 3, expect.anything()]);
    await expect(classesOf('1,a\n2,a\noops,b\n')).rejects.toThrow(
      'expected two classes; got one, "a" (2); label names another column (--label of the command); every row of the class b (1 row) was bad and is skipped',
    );
    await expect(classesOf(`oops,c\n${good}`, { positive: 'c' })).rejects.toThrow(
      /expected the positive class to be one of .*; got "c"; every row of the class c \(1 row\) was bad and is skipped/,
    );
  });
});
