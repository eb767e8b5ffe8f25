import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../../test/support/properties.ts';
import { csv } from '../../../src/index.ts';
import { latin1 } from '../../../src/table/byte-text.ts';
import { evidenceOf } from '../../../src/table/encodings/evidence.ts';
import { decodeWindows1252 } from '../../../src/table/encodings/windows-1252.ts';
import { notUtf8, transcoded } from '../../../src/table/transcode.ts';
import { encoded, wordsOfLanguages } from './words.ts';

async function* cut(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** Returns the text as UTF-8, and the notes on it. */
async function read(bytes: Uint8Array, length = 1000): Promise<{ text: Uint8Array; notes: string[] }> {
  const notes: string[] = [];
  const parts: number[] = [];
  for await (const piece of transcoded(cut(bytes, length), 't', { onFound: (note) => notes.push(note) }))
    parts.push(...piece);
  return { text: Uint8Array.from(parts), notes };
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const isUtf8 = (bytes: Uint8Array) => new TextDecoder().decode(bytes).includes('\uFFFD') === false;
const tableOf = (words: readonly string[]) => `id,word,y\n${words.map((word, i) => `${i},${word},a\n`).join('')}`;

const pairs = wordsOfLanguages.flatMap(({ encodings, words }) => encodings.map((encoding) => ({ encoding, words })));
const someWords = fc.constantFrom(...pairs).chain(({ encoding, words }) =>
  fc.record({
    encoding: fc.constant(encoding),
    some: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 30 }),
  }),
);

describe('text in an unknown encoding', () => {
  it('is read with its own words, or not at all', async () => {
    await forAllAsync(300, someWords, fc.integer({ min: 1, max: 2000 }), async ({ encoding, some }, length) => {
      const bytes = encoded(tableOf(some), encoding);
      fc.pre(!isUtf8(bytes));
      const { text, notes } = await read(bytes, length);
      expect(text).toEqual(notes.length === 0 ? bytes : utf8(tableOf(some)));
    });
  });

  it.each(pairs.map((pair) => [pair.encoding, pair.words[1]!, pair.words] as const))(
    'in %s is told by thirty words such as %s: the likeliest encoding reads all of them',
    (encoding, _, words) => {
      const bytes = encoded(tableOf(words.slice(0, 30)), encoding);
      const [best] = evidenceOf(bytes).candidates;
      const isWestern = /latin1|windows-1252/.test(best!.encoding);
      expect(isWestern ? decodeWindows1252(bytes) : new TextDecoder(best!.encoding).decode(bytes)).toBe(
        tableOf(words.slice(0, 30)),
      );
    },
  );

  it('of languages beyond Latin letters is read if there are many words', async () => {
    for (const { encoding, words } of pairs)
      if (!words.some((word) => /[a-z]/.test(word))) {
        const { text, notes } = await read(encoded(tableOf(words), encoding));
        expect(text, encoding).toEqual(utf8(tableOf(words)));
        expect(notes, encoding).toEqual([expect.stringMatching(/^t is read as .*, as its words show, ".*--encoding/)]);
      }
  });

  it('of languages with Latin letters is never guessed', async () => {
    for (const { encoding, words } of pairs)
      if (words.some((word) => /[a-z]/.test(word))) {
        const bytes = encoded(tableOf(words), encoding);
        expect(await read(bytes), encoding).toEqual({ text: bytes, notes: [] });
      }
  });

  it('stays as it is if it is UTF-8 with faults, or no words', async () => {
    const mixed = Uint8Array.from([...utf8(tableOf(['Köln', 'Zürich', 'город', '東京'])), 0xe9, 10]);
    expect(await read(mixed)).toEqual({ text: mixed, notes: [] });
    await forAllAsync(
      200,
      fc.array(fc.integer({ min: 0x80, max: 0xff }), { minLength: 3, maxLength: 60 }),
      async (noise) => {
        const bytes = Uint8Array.from([
          ...utf8('x,y\n'),
          ...noise.flatMap((byte, i) => (i % 6 === 5 ? [10, byte] : [byte])),
        ]);
        fc.pre(!isUtf8(bytes));
        expect((await read(bytes)).notes).toEqual([]);
      },
    );
  });

  it('of two or four bytes for each character is read by its zeros', async () => {
    const text = tableOf(['ciudad', 'León', 'Málaga', '東京', '😀', 'город']);
    const wide = text.split('').map((unit) => unit.charCodeAt(0));
    const points = Array.from(text, (character) => character.codePointAt(0)!);
    const bytes = {
      'utf-16le': wide.flatMap((unit) => [unit & 255, unit >> 8]),
      'utf-16be': wide.flatMap((unit) => [unit >> 8, unit & 255]),
      'utf-32le': points.flatMap((point) => [point & 255, (point >> 8) & 255, point >> 16, 0]),
      'utf-32be': points.flatMap((point) => [0, point >> 16, (point >> 8) & 255, point & 255]),
    };
    for (const [encoding, all] of Object.entries(bytes))
      for (const length of [1, 7, 1000]) {
        const found = await read(Uint8Array.from(all), length);
        expect(found.text, encoding).toEqual(utf8(text));
        expect(found.notes, encoding).toEqual([expect.stringContaining(`read as ${encoding}, as its zero bytes show`)]);
      }
  });

  it('of Japanese mail is read by its escapes', async () => {
    const bytes = Uint8Array.from([
      ...utf8('x,y\n'),
      27,
      0x24,
      0x42,
      0x45,
      0x6c,
      0x35,
      0x7e,
      27,
      0x28,
      0x42,
      ...utf8(',a\n'),
    ]);
    expect(new TextDecoder().decode((await read(bytes)).text)).toBe('x,y\n東京,a\n');
  });

  it('is refused with the encodings that make words of it, each with words, but no others', () => {
    const message = (words: readonly string[], encoding: string) =>
      notUtf8(latin1(encoded(words.join('\n'), encoding)), { source: 't', line: 2 }).message;
    expect(message(['Köln', 'Zürich'], 'windows-1252')).toBe(
      't:2: expected UTF-8 text; got the byte 0xf6, ö in Latin-1; encoding: "latin1" reads it (--encoding latin1 of the command)',
    );
    const czech = message(['město', 'Plzeň', 'Žďár'], 'windows-1250');
    expect(czech).toContain(
      'encoding: "windows-1250" reads "město, Plzeň, Žďár" (--encoding windows-1250 of the command)',
    );
    expect(czech).not.toContain('latin1');
    expect(message(['東京', '大阪'], 'shift_jis')).toContain('"shift_jis" reads "東京, 大阪"');
  });

  it('that was decoded wrongly once and saved again is read by none; a blank of a Mac is no letter', () => {
    const remedyOf = (bytes: number[], before = 'Rub') =>
      notUtf8(latin1(Uint8Array.from([...utf8(before), ...bytes, ...utf8('n Garc, 1\n')])), { source: 't' }).message;
    expect(remedyOf([0xcc, 0x5f, 0xe5, 0xa9])).toContain('no encoding that is known here makes words of it');
    expect(remedyOf([0x89, 0xdb, 0xd2], 'Zu')).toContain('no encoding that is known here makes words of it');
    expect(remedyOf([0xca], 'knowledge')).toContain('encoding: "macintosh" reads "knowledge\xA0n"');
  });

  it('of one row is told by the rows above it', async () => {
    const words = ['Łódź', 'Gdańsk', 'Poznań', 'źle', 'styczeń', 'mężczyzna', 'Kraków'];
    const bytes = encoded(`n,word,y\n1,x,b\n${words.map((word) => `1,${word},a\n`).join('')}`, 'windows-1250');
    await expect(csv(bytes, { name: 't' }).open({} as never)).rejects.toThrow(
      /^t:3: .*"windows-1250" reads "Łódź, Gdańsk, Poznań"/,
    );
  });
});
