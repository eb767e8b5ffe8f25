import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HalfspaceError } from '../../src/errors.ts';
import { decodeModel } from '../../src/model/decode.ts';
import { canonicalJson, digestOf } from '../../src/model/digest.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { FileContents } from '../../src/model/file-contents.ts';
import { OnlineClassifier } from '../../src/online/classifier.ts';
import { asJsonb, rewritten } from '../support/databases.ts';
import { files, load, online } from '../support/kept.ts';
import { models } from '../support/models.ts';

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
    fc.assert(
      fc.property(rewritten(text), (other) => {
        expect(contentsOf(again(other))).toBe(contentsOf(text));
        expect(contentsOf(again(JSON.parse(other)))).toBe(contentsOf(text));
      }),
      { numRuns: 20 },
    );
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
