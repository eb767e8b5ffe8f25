/*
 * One rule for words of data on their way to a person: names of classes, columns, levels, features and files.
 *
 * Escaped as in JSON strings (\n, \r, \t, else \uXXXX):
 *   controls             U+0000–001F, DEL and U+0080–009F (C1), which a terminal obeys
 *   format characters    they change the direction of text (U+202E), or are not seen (U+200B, U+FEFF, U+00AD, tags)
 *   ignorable ones       all others that Unicode says are not seen, such as the Hangul fillers
 *   line separators      U+2028 and U+2029
 *   lone surrogates      they are no characters
 *
 * Left as they are, because ordinary words need them: joiners (U+200C, U+200D) between letters of scripts that are joined, and inside an
 * emoji; a variation selector behind what it varies; and the signs that stand below numbers in Arabic, Syriac and Kaithi, which Unicode
 * calls format characters although they are seen.
 * Sources: Unicode Standard Annex 31, section 2.3 (joiners); Boucher & Anderson, "Trojan Source", 2021 (direction).
 */

const scripts = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
].map((name) => `\\p{Script=${name}}`);
/** A letter or mark that is seen, of a script that is joined. */
const joined = `(?=[\\p{L}\\p{M}])(?!\\p{Default_Ignorable_Code_Point})[${scripts.join('')}]`;
const left = [
  `(?<=${joined})[\\u200c\\u200d](?=${joined})`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=[\\p{L}\\p{N}\\p{P}\\p{S}])[\\ufe00-\\ufe0f]',
  '(?<=\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]',
  '(?<=(?=\\p{L})\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]',
  '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]',
].join('|');
const unsafe = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]';

/** Matches what is left as it is, or in group 1 what is escaped. */
const pattern = new RegExp(`${left}|(${unsafe})`, 'gu');
const anyInWord = new RegExp(unsafe, 'u');
const anyInLines = new RegExp(`(?![\n\t])${unsafe}`, 'u');
const plainLines = /^[\n\t -~]*$/;

/**
 * Returns a word as it can be shown on a terminal or in a page, on one line. Ordinary words come back unchanged, and so does what this
 * function returned before. A backslash is left alone: it stands in paths.
 */
export function printable(word: string): string {
  if (!anyInWord.test(word)) return word;
  return word.replace(pattern, (sign, found) => (found === undefined ? sign : escapeOf(sign)));
}

/** {@link printable} for a text of several lines: line feeds and tabs stay. */
export function printableLines(text: string): string {
  // Plain text, which most is, takes half a nanosecond a character.
  if (plainLines.test(text) || !anyInLines.test(text)) return text;
  return text.replace(pattern, (sign, found) =>
    found === undefined || sign === '\n' || sign === '\t' ? sign : escapeOf(sign),
  );
}

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A character beyond U+FFFF becomes two escapes, as in JSON. */
function escapeOf(sign: string): string {
  if (Object.hasOwn(short, sign)) return short[sign]!;
  let text = '';
  for (let i = 0; i < sign.length; i++) text += `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return text;
}
