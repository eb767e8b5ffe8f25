import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TextInput } from '../../src/data/input/input.ts';
import type { Source } from '../../src/data/source.ts';
import { libsvm, vw } from '../../src/data/text-sources.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { train } from '../../src/select/train.ts';
import { csv } from '../../src/table/csv.ts';
import { ndjson } from '../../src/table/ndjson.ts';
import { inputKinds, Places } from './inputs.ts';
import { accuracyOf, modelOf } from './runs.ts';

const places = new Places();
beforeAll(() => places.open());
afterAll(() => places.close());

const words = ['grün', 'rot', '日本', '😀 wide'];
const rows = Array.from({ length: 60 }, (_, i) => ({
  x: ((i * 37) % 23) / 4 - 2,
  farbe: words[(i * i) % 4]!,
  y: (i * 37) % 23 > 11 ? 'an' : 'aus',
}));

/** The sources of text, each with a text. */
const sources: Readonly<Record<string, { of(input: TextInput): Source; readonly text: string }>> = {
  csv: {
    of: (input) => csv(input, { label: 'y' }),
    text: `\uFEFFx,farbe,y\r\n${rows.map(({ x, farbe, y }) => `${x},"${farbe}",${y}\r\n`).join('')}`,
  },
  ndjson: {
    of: (input) => ndjson(input, { label: 'y' }),
    text: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  },
  libsvm: {
    of: (input) => libsvm(input),
    text: rows
      .map(({ x, farbe, y }) => `${y === 'an' ? 1 : 0} 1:${x} ${words.indexOf(farbe) + 2}:1 # ${farbe}\n`)
      .join(''),
  },
  vw: {
    of: (input) => vw(input),
    text: rows.map(({ x, farbe, y }) => `${y === 'an' ? 1 : -1} |a x:${x} ${farbe}\n`).join(''),
  },
};

describe.each(Object.keys(sources))('%s', (name) => {
  const { of, text } = sources[name]!;
  const kinds = inputKinds(places);

  test.each(Object.keys(kinds))('gives the same model from %s', async (kind) => {
    const { make, once } = kinds[kind]!;
    const expected = await modelOf(of(text));
    const source = of(make(text, name));
    expect(encodeModel(await modelOf(source))).toBe(encodeModel(expected));
    if (once === true)
      await expect(modelOf(source)).rejects.toMatchObject({
        code: 'source-unreadable',
        message: 'stream: expected data that can be read again; got a stream that was read already: pass a new stream',
      });
    else expect(encodeModel(await modelOf(source))).toBe(encodeModel(expected));
    // The same examples are read for the model.
    expect(await accuracyOf(expected, of(make(text, name)))).toBe(expected.training.trainAccuracy);
  });

  test('reads nothing before it is opened', async () => {
    const missing = of(`${places.folder}/missing.txt`);
    await expect(modelOf(missing)).rejects.toMatchObject({ code: 'source-unreadable' });
    let isRead = false;
    const pieces = {
      async *[Symbol.asyncIterator]() {
        isRead = true;
        yield text;
      },
    };
    const source = of(pieces);
    await new Promise((resolve) => setTimeout(resolve));
    expect(isRead).toBe(false);
    await modelOf(source);
    expect(isRead).toBe(true);
  });

  test('refuses a file that changed since it was opened, and reads it when it is opened again', async () => {
    const path = places.file(text, name);
    const source = of(path);
    const kernels = createKernels();
    const opened = await source.open({ kernels });
    appendFileSync(path, text.replace('\uFEFFx,farbe,y\r\n', ''));
    const read = async () => {
      for await (const _ of opened.batches());
    };
    await expect(read()).rejects.toMatchObject({ code: 'source-changed', where: { source: path } });
    expect((await modelOf(source)).training.examples).toBe(2 * rows.length);
  });

  test('passes its notes on to the result of train', async () => {
    const { notes } = await train(of(text), { rule: 'averaged', passes: 1 });
    // A table names a column that gives the class away; the other formats have no columns.
    const isTable = name === 'csv' || name === 'ndjson';
    expect(notes).toEqual(isTable ? [expect.stringContaining('alone gives the class of all')] : []);
    if (name !== 'csv') return;
    const guessed = await train(csv('a,b,c\n1,x,p\n2,x,q\n'), { rule: 'averaged', passes: 1 });
    expect(guessed.notes).toEqual([
      'the last column, c, is taken for the label; label names another (--label of the command)',
      'left out: b (constant)',
    ]);
  });

  test('refuses an option that it does not have, at once', () => {
    const make = { csv, ndjson, libsvm, vw }[name]! as (input: string, options: object) => Source;
    expect(() => make(text, { lable: 'y' })).toThrow(`expected options that ${name} has`);
    expect(() => make(text, null as never)).toThrow(`expected the options of ${name} as an object; got null`);
  });

  test.each([undefined, null, 5, {}, true])('refuses %j as its input, at once', (input) => {
    expect(() => of(input as never)).toThrow('expected text, a path, a URL, a Blob, bytes or a stream of them');
  });

  test('refuses a URL as text, with advice', () => {
    expect(() => of('https://example.org/a.csv')).toThrow(
      'expected a path; got a URL as text, "https://example.org/a.csv": pass new URL(…)',
    );
  });

  test('refuses what it cannot fetch', async () => {
    await expect(modelOf(of(places.url(undefined)))).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:\d+\/\d+\.txt: expected a readable URL; got the status 404/,
      ),
    });
    await expect(modelOf(of(new URL('http://127.0.0.1:1/')))).rejects.toMatchObject({ code: 'source-unreadable' });
  });

  test('refuses pieces that are no text', async () => {
    await expect(modelOf(of([1, 2] as never))).rejects.toThrow('stream: expected pieces of text or bytes; got 1');
  });

  test('passes on the error of a stream', async () => {
    const failing = async function* () {
      yield text;
      throw new Error('cut off');
    };
    await expect(modelOf(of(failing()))).rejects.toThrow('cut off');
  });

  test.each(Object.keys(sources).filter((other) => other !== name))('refuses a model of %s rows', async (other) => {
    const tables = ['csv', 'ndjson'];
    const model = await modelOf(sources[other]!.of(sources[other]!.text));
    const reading = accuracyOf(model, of(text));
    if (tables.includes(name) && tables.includes(other)) expect(await reading).toBe(model.training.trainAccuracy);
    // Objects are read as bags for a model of named features, and here have other classes.
    else
      await expect(reading).rejects.toMatchObject({
        code: name === 'ndjson' && other === 'vw' ? 'label-classes' : 'row-malformed',
      });
  });

  test('skips bad rows and reports them, if asked', async () => {
    const make = { csv, ndjson, libsvm, vw }[name]! as (input: string, options: object) => Source;
    const lines = text.split('\n');
    const bad = { csv: '1,2,3,4,5,6', ndjson: '{"x":', libsvm: '1 x:y', vw: '1 |a x:y' }[name]!;
    const broken = [...lines.slice(0, 30), bad, ...lines.slice(30)].join('\n');
    const label = name === 'csv' || name === 'ndjson' ? { label: 'y' } : {};
    const seen: unknown[] = [];
    const onReject = ({ error, text }: { error: Error; text: string }) => seen.push([error.message, text]);
    expect(encodeModel(await modelOf(make(broken, { ...label, onReject })))).toBe(encodeModel(await modelOf(of(text))));
    expect(seen).toEqual([[expect.stringMatching(/^text:31/), bad]]);
    await expect(modelOf(make(broken, label))).rejects.toMatchObject({ where: { source: 'text', line: 31 } });
  });
});
