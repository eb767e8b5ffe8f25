import fc from 'fast-check';
import { bytesOf } from './text.ts';

const name = fc.constantFrom(
  'a',
  'b',
  'c',
  'long_name_of_more_than_sixteen_bytes',
  'é',
  '日本',
  '7',
  '12345678',
  'a\x0bb',
);
const value = fc.constantFrom('', '', ':1', ':0.25', ':-3e2', ':1e308', ':1e400', ':x', '::', ':nan');
const feature = fc.tuple(name, value).map((parts) => parts.join(''));
const space = fc
  .tuple(fc.constantFrom('', '', 'x', 'straße', 'y:2', 'z:1e308', 'w:'), fc.array(feature, { maxLength: 6 }))
  .map(([head, features]) => `|${[head, ...features].join(' ')}`);
const head = fc.constantFrom(
  '',
  '1 ',
  '-1 2 ',
  "1 'tag ",
  '1 2 tag',
  '0 1 0 ',
  'x ',
  '1 -2 ',
  '1 2 3 ',
  "1 2 0 'a b ",
  '1e999 ',
);
const line = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(head, fc.array(space, { minLength: 1, maxLength: 3 })).map(([h, s]) => h + s.join(' ')),
  },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\r', '1', '|', '\t|a') },
);

const bytes = fc.constantFrom(...bytesOf("0123456789:.+-e# \t\r\n|'axé日"), 0, 1, 8, 11, 12, 127, 128, 0xc3, 255);
const edit = fc.record({ at: fc.nat(), kind: fc.constantFrom('replace', 'insert', 'remove'), byte: bytes });

/** Vowpal Wabbit text with faults of every kind, and with bytes that were replaced, added or removed. */
export const damagedVw: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 8 }),
    fc.constantFrom('\n', '\n', '\r\n'),
    fc.array(edit, { maxLength: 5 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([lines, end, edits, ended, marked]) => {
    const text = [...bytesOf((marked ? '\ufeff' : '') + lines.join(end) + (ended ? end : ''))];
    for (const { at, kind, byte } of edits) {
      const place = at % (text.length + 1);
      if (kind === 'replace') text.splice(place, 1, byte);
      else if (kind === 'insert') text.splice(place, 0, byte);
      else text.splice(place, 1);
    }
    return Uint8Array.from(text);
  });
