import { PGlite } from '@electric-sql/pglite';
import fc from 'fast-check';
import sqlite from 'node-sqlite3-wasm';
import { afterAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/model/digest.ts';
import type { FileContents } from '../../src/model/file-contents.ts';
import { OnlineClassifier } from '../../src/online/classifier.ts';
import { asJsonb } from '../support/databases.ts';
import { files } from '../support/kept.ts';

const contentsOf = (text: string) => canonicalJson(JSON.parse(text));

describe('PostgreSQL', async () => {
  const database = await PGlite.create();
  afterAll(() => database.close());
  await database.exec('create table kept (place int, t text, b bytea, j json, c jsonb)');

  it('returns every file from text, bytea, json and jsonb', async () => {
    for (const [place, [name, text, again]] of files.entries()) {
      const values = [place, text, new TextEncoder().encode(text), text, text];
      await database.query('insert into kept values ($1, $2, $3, $4, $5)', values);
      const { rows } = await database.query<Record<string, FileContents>>(
        'select t, b, j, c, c::text as written from kept where place = $1',
        [place],
      );
      const { t, b, j, c, written } = rows[0]!;
      for (const column of [t!, b!, j!]) expect(again(column), name).toBe(text);
      for (const column of [c!, written!]) expect(contentsOf(again(column)), name).toBe(contentsOf(text));
      expect(typeof c, name).toBe('object');
      // So the other tests know how PostgreSQL writes.
      expect(written, name).toBe(asJsonb(text));
    }
  });

  it('keeps every double of JSON in jsonb', async () => {
    const numbers = [
      ...fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), 300),
      5e-324,
      1.7976931348623157e308,
      1e21,
      0.1,
    ];
    const { rows } = await database.query<{ c: number[] }>('select $1::jsonb as c', [JSON.stringify(numbers)]);
    // JSON.stringify writes −0 as 0, and no file has one.
    expect(rows[0]!.c).toEqual(numbers.map((each) => each + 0));
  });

  it('refuses names in jsonb that it cannot hold, and keeps them as text', async () => {
    for (const name of ['a\u0000b', 'a\ud800', '\udc00']) {
      const classifier = new OnlineClassifier();
      classifier.learn({ [name]: 1 }, 'yes');
      const state = classifier.save();
      await expect(database.query('select $1::jsonb', [state])).rejects.toThrow(
        /unsupported Unicode|invalid input syntax/,
      );
      const { rows } = await database.query<{ t: string }>('select $1::text as t', [state]);
      expect(OnlineClassifier.load(rows[0]!.t).save()).toBe(state);
    }
  });
});

it('SQLite returns every file from text, from a blob, and from its function json', () => {
  const database = new sqlite.Database();
  for (const [name, text, again] of files) {
    const kept = database.get('select ? as t, ? as b, json(?) as j', [text, new TextEncoder().encode(text), text])!;
    for (const column of [kept.t, kept.b, kept.j]) expect(again(column as FileContents), name).toBe(text);
  }
  database.close();
});
