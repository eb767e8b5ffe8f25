import { describe, expect, it } from 'vitest';
import type { OpenSourceOptions } from '../../src/data/source.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { evaluate } from '../../src/model/judge.ts';
import type { Model } from '../../src/model/model.ts';
import { csv } from '../../src/table/csv.ts';
import { type NdjsonOptions, ndjson } from '../../src/table/ndjson.ts';
import { rows } from '../../src/table/rows.ts';
import { modelOf } from '../sources/runs.ts';

const objects = [
  { größe: 1.5, ok: true, when: '2024-01-02', farbe: 'rot, hell', tags: [['a']], y: 'an' },
  { größe: -2, ok: false, when: '2024-02-29', farbe: 'grün', tags: null, y: 'aus' },
  { größe: '7', ok: false, when: null, farbe: 'say "hi"', tags: [], y: 'an' },
  { größe: 0, ok: true, when: '2023-05-05', farbe: 'rot', y: 'aus' },
];
const linesOf = (list: readonly unknown[]) => list.map((each) => `${JSON.stringify(each)}\n`).join('');
const text = linesOf(objects);

const opened = (input: string, options: NdjsonOptions = {}, run: Partial<OpenSourceOptions> = {}) =>
  ndjson(input, options).open({ kernels: createKernels(), ...run });

/** A model without the format of its table and its digest, which is over the format too. */
const plain = (model: Model) => ({ ...model, features: { ...model.features, format: null, header: null } });

describe('objects, one a line', () => {
  it('give the model of the parsed objects, and of the same table as delimited text', async () => {
    const model = await modelOf(ndjson(text, { label: 'y' }));
    expect(model.features).toMatchObject({ format: 'ndjson', leftOut: [{ name: 'tags', reason: 'nested' }] });
    expect(plain(await modelOf(rows(objects, { label: 'y' })))).toEqual(plain(model));
    const cells = objects.map(
      ({ größe, ok, when, farbe, y }) => `${größe};${ok};${when ?? ''};"${farbe.replaceAll('"', '""')}";${y}\n`,
    );
    const table = await modelOf(csv(`größe;ok;when;farbe;y\n${cells.join('')}`, { label: 'y' }));
    expect({ ...plain(table), features: { ...plain(table).features, leftOut: [] } }).toEqual({
      ...plain(model),
      features: { ...plain(model).features, leftOut: [] },
    });
  });

  it('are labelled by a function of the parsed object, in training and in evaluation', async () => {
    const label = ({ größe, tags }: Readonly<Record<string, unknown>>) => Number(größe) > 0 || Array.isArray(tags);
    const model = await modelOf(ndjson(text, { label }));
    expect(model.classes).toEqual(['false', 'true']);
    expect(plain(await modelOf(rows(objects, { label })))).toEqual(plain(model));
    const others = '{"größe":4}\n{"größe":-4}\n';
    expect((await evaluate(model, ndjson(others, { label }))).examples).toBe(2);
    const named = await modelOf(ndjson(text, { label: 'y' }));
    const judgement = await evaluate(named, ndjson(others, { label: ({ größe }) => (größe === 4 ? 'an' : 'aus') }));
    expect(judgement.examples).toBe(2);
  });

  it('hand a function null for NaN and infinities, which are no JSON', async () => {
    const seen: unknown[] = [];
    const source = await opened('{"a":NaN,"b":"NaN \\" -Infinity","c":1}\n{"a":-Infinity,"b":"x","c":2}\n', {
      label: (row) => {
        seen.push(row);
        return row.c as number;
      },
      features: { columns: { a: { kind: 'drop' } } },
    });
    expect(source.classes).toEqual(['1', '2']);
    expect(seen.slice(0, 2)).toEqual([
      { a: null, b: 'NaN " -Infinity', c: 1 },
      { a: null, b: 'x', c: 2 },
    ]);
  });

  it('are refused with the line', async () => {
    await expect(opened(`${text}{"größe":1,\n`)).rejects.toMatchObject({ code: 'row-malformed', where: { line: 5 } });
    await expect(opened(`${text}[1]\n`)).rejects.toThrow('text:5: expected an object per row; got "[1]"');
    await expect(opened(`${text}{"y":1,"y":2}\n`)).rejects.toThrow(
      'expected every key of an object once; got "y" twice',
    );
    await expect(opened('x,y\n')).rejects.toMatchObject({ code: 'source-corrupt' });
    await expect(opened('')).rejects.toMatchObject({ code: 'source-empty' });
    await expect(opened(`${text}{"größe":2}\n`, { label: 'y' })).rejects.toThrow(
      'row 5, column "y": expected a label; got none',
    );
  });

  it('may lack fields that a model knows, which a note says', async () => {
    const { features: encoding } = await modelOf(ndjson(text, { label: 'y' }));
    const source = await opened('{"größe":1,"y":"an"}\n', {}, { encoding });
    for await (const { rows } of source.batches()) expect(rows).toBe(1);
    expect(source.notes).toEqual(['text has no column ok, when, farbe: their values count as missing']);
  });

  it('are the same for the same text', async () => {
    const models = await Promise.all([modelOf(ndjson(text)), modelOf(ndjson(text, { label: 'y' }))]);
    expect(encodeModel(models[0]!)).toBe(encodeModel(models[1]!));
  });
});
