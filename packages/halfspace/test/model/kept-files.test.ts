import { PGlite } from '@electric-sql/pglite';
import sqlite from 'node-sqlite3-wasm';
import { afterAll, describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { sparseBatch } from '../../src/batch.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { featureNamer } from '../../src/features/names.ts';
import { decodeModel } from '../../src/model/decode.ts';
import { canonicalJson, digestOf } from '../../src/model/digest.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { FileContents } from '../../src/model/file-contents.ts';
import { createScorer } from '../../src/model/kinds.ts';
import { eachWeight, weightCount } from '../../src/model/linear/sparse-weights.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { OnlineClassifier } from '../../src/online/classifier.ts';
import { asJsonb, files, load, online, rewritten } from '../support/kept.ts';
import { wasm } from '../support/kernels.ts';
import { dual, models, multiclass, signed } from '../support/models.ts';

/** The members of a file in one order. */
const contentsOf = (text: string) => canonicalJson(JSON.parse(text));

describe.each(files)('%s', (_, text, again) => {
  it('is read from the bytes of its text, with and without a byte order mark', () => {
    const bytes = new TextEncoder().encode(text);
    const marked = Uint8Array.of(0xef, 0xbb, 0xbf, ...bytes);
    const utf16 = Uint8Array.of(0xff, 0xfe, ...Buffer.from(text, 'utf16le'));
    const odd = new Uint8Array(bytes.length + 3).subarray(3);
    odd.set(bytes);
    const all: FileContents[] = [bytes, bytes.buffer, Buffer.from(text), odd, marked, `\uFEFF${text}`, utf16];
    for (const contents of all) expect(again(contents)).toBe(text);
  });

  it('is read from its parsed JSON, which is not kept', () => {
    const parsed = JSON.parse(text) as Record<string, unknown>;
    expect(again(parsed)).toBe(text);
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)));
  });

  it('is the same in any order of members and with any white space', () => {
    forAll(20, rewritten(text), (other) => {
      expect(contentsOf(again(other))).toBe(contentsOf(text));
      expect(contentsOf(again(JSON.parse(other)))).toBe(contentsOf(text));
    });
  });

  it('comes back from a column jsonb', () => {
    expect(contentsOf(again(asJsonb(text)))).toBe(contentsOf(text));
  });

  it('is refused after any change of a member', () => {
    const body = JSON.parse(text) as Record<string, unknown>;
    for (const name of Object.keys(body).filter((each) => each !== 'format' && each !== 'version'))
      for (const changed of [
        { ...body, [name]: 'changed' },
        { ...body, [name]: undefined },
        { ...body, strange: 1 },
      ])
        expect(() => again(changed)).toThrow(/edited or damaged/);
  });
});

describe('a saved classifier', () => {
  it('is written again with the same bytes, whatever the order in which it came back', () => {
    for (const [name, text] of files.filter(([each]) => each.startsWith('a classifier')))
      expect(load(asJsonb(text)), name).toBe(text);
  });

  it('may be a member of other JSON', () => {
    const classifier = OnlineClassifier.load(files.find(([name]) => name.startsWith('a classifier'))![1]);
    const { nested } = JSON.parse(JSON.stringify({ nested: classifier }));
    expect(OnlineClassifier.load(nested).save()).toBe(classifier.save());
    expect(`${JSON.stringify(classifier)}\n`).toBe(classifier.save());
  });
});

describe('the digest of a file', () => {
  it('is that of its canonical JSON, RFC 8785', () => {
    const value = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27],
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    const names = { '€': 0, '\r': 1, '\ufb33': 2, 1: 3, '😀': 4, '\u0080': 5, ö: 6 };
    expect(canonicalJson(names)).toBe('{"\\r":1,"1":3,"\u0080":5,"ö":6,"€":0,"😀":4,"\ufb33":2}');
    expect(digestOf({ b: [1, { d: 1, c: undefined }], a: 'x' })).toBe(digestOf({ a: 'x', b: [1, { d: 1 }] }));
  });
});

describe('other contents are refused by name:', () => {
  const plain = models['plain weights'];
  const nothing = 'expected the text of a model file, its bytes or its parsed JSON; got';
  const cases: [contents: unknown, message: string][] = [
    [null, `${nothing} null`],
    [undefined, `${nothing} nothing`],
    [7, `${nothing} 7`],
    [[], `${nothing} []`],
    [new Uint8Array(0), 'expected a model file (JSON); got other text'],
    [Uint8Array.of(0x7b, 0xff), 'expected a model file (JSON); got bytes that are not UTF-8 text'],
    [plain, 'expected a model file ("format": "halfspace-model"); got other JSON: encodeModel writes such files'],
    [JSON.parse(online({})), 'expected a model file ("format": "halfspace-model"); got "format": "halfspace-online"'],
    [
      { ...JSON.parse(encodeModel(plain)), bias: 1n },
      'expected the parsed JSON of a model file; got an object that JSON cannot hold',
    ],
  ];
  it.each(cases)('%#', (contents, message) => {
    const refused = expect(() => decodeModel(contents as FileContents));
    refused.toThrow(HalfspaceError);
    refused.toThrow(message);
  });
});

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

const most = 2 ** 28;
const bytes = (numbers: Float64Array | Uint32Array) => Buffer.from(numbers.buffer).toString('base64');
/** Weights 1 and −2 at positions 3 and 2²⁸ − 2 of 2²⁸. */
const two = {
  length: most,
  float64: bytes(Float64Array.of(1, -2)),
  positions: bytes(Uint32Array.of(3, most - 2)),
};
const claimed = (model: Parameters<typeof signed>[0], features: object, weights: unknown) =>
  signed(model, (body) => ({ ...body, features, weights, bias: 0 }));
const indexed = { kind: 'indexed', dimension: most, firstIndex: 1 };

/** Returns the bytes of typed arrays that a call allocates. */
function bytesOf<T>(act: () => T): [result: T, bytes: number] {
  const before = process.memoryUsage();
  const result = act();
  const after = process.memoryUsage();
  return [result, after.arrayBuffers + after.external - before.arrayBuffers - before.external];
}

describe('a small file of a model with very many features', () => {
  it.each<[string, string]>([
    ['numbered', claimed(models['plain weights'], indexed, two)],
    ['hashed', claimed(models.hashes, { kind: 'hashed', bits: 28 }, two)],
  ])('%s takes memory for the weights that are there', (kind, text) => {
    const [scores, taken] = bytesOf(() => {
      const model = decodeModel(text);
      if (model.kind !== 'linear') throw new Error('expected a linear model');
      expect(weightCount(model)).toBe(most);
      const found: number[][] = [];
      eachWeight(model, (weight, j) => found.push([j, weight]));
      expect(found).toEqual([
        [3, 1],
        [most - 2, -2],
      ]);
      expect(JSON.parse(encodeModel(model))).toEqual(JSON.parse(text));
      const row = { indices: [1, 3, most - 2], values: [9, 5, 0.5] };
      if (kind === 'numbered') expect(new Predictor(model).score(row)).toBe(4);
      const scorer = createScorer(wasm(), model);
      const out = new Float64Array(3);
      scorer.scoreInto(sparseBatch([row, { indices: [], values: [] }, row], [1, 1, 1]), out);
      scorer.free();
      return out;
    });
    expect([...scores]).toEqual([4, 0, 4]);
    expect(taken).toBeLessThan(2 ** 24);
  });

  it('with many classes needs no more', () => {
    const classes = Array.from({ length: 128 }, (_, k) => `c${String(k).padStart(3, '0')}`);
    const weights = classes.map(() => ({ ...two, length: 2 ** 22, positions: bytes(Uint32Array.of(3, 7)) }));
    const text = signed(multiclass['several classes']!, (body) => ({
      ...body,
      classes,
      biases: classes.map(() => 0),
      weights,
      features: { ...indexed, dimension: 2 ** 22 },
    }));
    const [scores, taken] = bytesOf(() => new Predictor(decodeModel(text)).scores({ indices: [3, 7], values: [4, 1] }));
    expect(scores).toEqual(new Float64Array(128).fill(1));
    expect(taken).toBeLessThan(2 ** 24);
  });

  it('in dual form needs no more', () => {
    const far = signed(dual['few mistakes']!, (body) => {
      const functions = body.functions as { support: { dimension: number; indices: number[] } }[];
      for (const { support } of functions) {
        support.dimension = most;
        support.indices = support.indices.map((j) => (j === 4 ? most - 1 : j));
      }
      return { ...body, features: indexed };
    });
    const [score, taken] = bytesOf(() =>
      new Predictor(decodeModel(far)).score({ indices: [0, 2, most - 1], values: [1, 2, 3] }),
    );
    expect(score).toBe(new Predictor(dual['few mistakes']!).score({ indices: [0, 2, 4], values: [1, 2, 3] }));
    expect(taken).toBeLessThan(2 ** 24);
  });

  it('makes only the requested names of features', () => {
    const name = featureNamer({ kind: 'hashed', bits: 28 });
    expect(name(most - 1)).toBe(`#${most - 1}`);
  });
});
