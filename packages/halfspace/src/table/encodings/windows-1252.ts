/** The characters of the bytes 0x80 to 0x9f in windows-1252, which stands for Latin-1 in the Encoding standard. */
const windows1252 =
  '\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178';

/** Returns the character of a byte in windows-1252, from 0x80. */
export function windows1252Character(byte: number): string {
  return byte < 0xa0 ? windows1252[byte - 0x80]! : String.fromCharCode(byte);
}

/** Decodes windows-1252. Some versions of Node decode it as ISO 8859-1. */
export function decodeWindows1252(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    text += byte < 0x80 ? String.fromCharCode(byte) : windows1252Character(byte);
  }
  return text;
}
