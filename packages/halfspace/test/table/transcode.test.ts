import { describe, expect, test } from 'vitest';
import { characterEncoding, transcoded } from '../../src/table/transcode.ts';

async function* cut(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  // Readers of files use the same memory for every piece.
  const piece = new Uint8Array(length);
  for (let at = 0; at < bytes.length; at += length) {
    const part = bytes.subarray(at, at + length);
    piece.set(part);
    yield piece.subarray(0, part.length);
  }
}

async function decoded(bytes: Uint8Array, encoding: string | undefined, length: number): Promise<string> {
  const parts: number[] = [];
  for await (const piece of transcoded(cut(bytes, length), 't', { encoding: characterEncoding(encoding) }))
    parts.push(...piece);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(parts));
}

const utf16 = (text: string) =>
  new Uint8Array(Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)).buffer);
const words = 'a,größe\n1,😀 x\n';
const little = utf16(words);
const big = utf16(words).map((_, i, all) => all[i ^ 1]!);

describe('text in another encoding', () => {
  test.each([1, 2, 3, 5, 1000])('becomes UTF-8, in pieces of %i bytes', async (length) => {
    const bytes = new TextEncoder().encode(words);
    expect(await decoded(bytes, undefined, length)).toBe(words);
    expect(await decoded(bytes, 'utf8', length)).toBe(words);
    expect(await decoded(little, 'utf-16le', length)).toBe(words);
    expect(await decoded(big, 'utf-16be', length)).toBe(words);
    expect(await decoded(Uint8Array.of(0xff, 0xfe, ...little), undefined, length)).toBe(words);
    expect(await decoded(Uint8Array.of(0xfe, 0xff, ...big), undefined, length)).toBe(words);
    expect(await decoded(Uint8Array.of(0x82, 0xa0), 'shift_jis', length)).toBe('あ');
    expect(await decoded(Uint8Array.of(65), undefined, length)).toBe('A');
    expect(await decoded(new Uint8Array(0), undefined, length)).toBe('');
  });

  test('has every byte of windows-1252, as latin1 and ISO 8859-1 are in the Encoding standard', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    const text = await decoded(bytes, 'latin1', 7);
    expect(text.length).toBe(256);
    expect(text.slice(0, 128)).toBe(String.fromCharCode(...bytes.subarray(0, 128)));
    expect(text.slice(0x80, 0xa1)).toBe('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ\xa0');
    expect(text.slice(0xa0)).toBe(String.fromCharCode(...bytes.subarray(0xa0)));
    expect(await decoded(bytes, 'iso-8859-1', 99)).toBe(text);
  });

  test('is refused where it is cut, and under a name that nobody knows', async () => {
    await expect(decoded(little.subarray(0, little.length - 1), 'utf-16le', 8)).rejects.toThrow(
      'expected utf-16le text; got other bytes',
    );
    for (const label of ['latin-one', '', 5])
      expect(() => characterEncoding(label)).toThrow('encoding must be the name of a character encoding');
  });
});
