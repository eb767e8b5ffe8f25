import { describe, expect, it } from 'vitest';
import { HalfspaceError } from '../../src/errors.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { type CsvOptions, csvSource, type TextInput } from '../../src/table/csv.ts';
import { trainOnce } from '../../src/train/train-once.ts';

async function modelOf(input: TextInput, options: CsvOptions = {}): Promise<string> {
  const source = await csvSource(input, options);
  const { model } = await trainOnce(source, { rule: 'averaged', passes: 5 });
  return encodeModel(model);
}

async function faultOf(input: TextInput, options: CsvOptions = {}): Promise<HalfspaceError> {
  try {
    await csvSource(input, options);
  } catch (error) {
    if (error instanceof HalfspaceError) return error;
  }
  throw new Error('expected a HalfspaceError');
}

const text =
  'größe,ok,when,farbe,y\n1.5,true,2024-01-02,"rot, hell",an\n-2,no,2024-02-29,grün,aus\n"7",f,,"say ""hi""",an\n0,t,2023-05-05,rot,aus\n';
const bytes = new TextEncoder().encode(text);

async function* pieces<T>(all: Iterable<T>): AsyncGenerator<T> {
  yield* all;
}

describe('delimited text', () => {
  it('makes one model, however the text is given', async () => {
    const expected = await modelOf(text);
    expect(JSON.parse(expected).features.columns.map(({ name, kind }: never) => [name, kind])).toEqual([
      ['größe', 'number'],
      ['ok', 'boolean'],
      ['when', 'date'],
      ['farbe', 'category'],
    ]);
    for (const input of [
      bytes,
      new Blob([text]),
      new File([text], 'a.csv'),
      pieces(text),
      pieces(Array.from(bytes, (byte) => Uint8Array.of(byte))),
      `\uFEFF${text}`,
      text.replaceAll('\n', '\r\n'),
    ])
      expect(await modelOf(input)).toBe(expected);
    const tabs = text.replace('"rot, hell"', 'rot hell').replaceAll(',', '\t');
    expect(JSON.parse(await modelOf(tabs, { format: 'tsv' })).features.format).toBe('tsv');
  });

  it('is read for a model with its columns in any order', async () => {
    const { model } = await trainOnce(await csvSource('a,b,y\n1,2,0\n3,1,1\n2,2,0\n5,1,1\n'), { rule: 'averaged' });
    const { encoding } = { encoding: model.features as NonNullable<CsvOptions['encoding']> };
    const source = await csvSource('y,b,c,a\n0,2,x,1\n', { encoding });
    for await (const batch of source.batches()) expect([...batch.labels.subarray(0, 1)]).toEqual([-1]);
    expect(source.encoding()).toBe(encoding);
  });

  it('is fitted without the rows that are held out', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => `${i},${i % 2}\n`).join('');
    const whole = (await csvSource(`x,y\n${rows}`)).encoding();
    const part = (await csvSource(`x,y\n${rows}`, { holdout: { fraction: 0.5, seed: 3 } })).encoding();
    expect(part).not.toEqual(whole);
  });

  it('is refused with the place of the fault', async () => {
    expect((await faultOf('x,y\n1,a\n2,b,c\n', { name: 't.csv' })).message).toBe('t.csv:3: expected 2 cells; got 3');
    expect((await faultOf('x,y\n1,a\n2,\n3,b\n')).where).toEqual({ source: 'text', row: 2, field: 'y' });
    expect((await faultOf(new File(['x,y\n1,a\n"2,b\n'], 'f.csv'))).where).toEqual({ source: 'f.csv', line: 3 });
    expect((await faultOf(Uint8Array.of(120, 44, 121, 10, 0xe9, 44, 97, 10))).code).toBe('source-corrupt');
    expect((await faultOf('')).code).toBe('source-empty');
    expect((await faultOf('x,y\n1,a\n', { label: 'z' })).code).toBe('column-unknown');
    expect((await faultOf('x,y\n1,a\n', { labels: 'z' } as never)).code).toBe('option-invalid');
  });
});
