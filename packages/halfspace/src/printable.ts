/*
 * Escapes words of data before a person sees them: names of classes, columns, levels, features and files.
 *
 * Escaped as in JSON strings (\n, \r, \t, else \uXXXX):
 *   controls             U+0000–001F, DEL and U+0080–009F (C1), because a terminal obeys them
 *   format characters    change the direction of text (U+202E), or are invisible (U+200B, U+FEFF, U+00AD, tags)
 *   ignorable            other characters that Unicode calls invisible, such as the Hangul fillers
 *   line separators      U+2028 and U+2029
 *   lone surrogates      are not characters
 *
 * Not escaped, because ordinary words need them: joiners (U+200C, U+200D) between letters of joined scripts and inside
 * an emoji; variation selectors behind a character that they can vary; and the visible signs below numbers in Arabic,
 * Syriac and Kaithi, although Unicode calls them format characters. Sources: Unicode Standard Annex 31, section 2.3
 * (joiners); Boucher & Anderson, "Trojan Source", 2021 (direction).
 */

const unsafe = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]';
/**
 * Matches a character to keep, or in group 1 a character to escape. Made for the first word that has one, because
 * making it takes milliseconds.
 */
let pattern: RegExp | undefined;

function makePattern(): RegExp {
  const scripts = [
    ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
    ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
  ].map((name) => `\\p{Script=${name}}`);
  // A visible letter or mark of a joined script.
  const joined = `(?=[\\p{L}\\p{M}])(?!\\p{Default_Ignorable_Code_Point})[${scripts.join('')}]`;
  const left = [
    `(?<=${joined})[\\u200c\\u200d](?=${joined})`,
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=[\\p{L}\\p{N}\\p{P}\\p{S}])[\\ufe00-\\ufe0f]',
    '(?<=\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]',
    '(?<=(?=\\p{L})\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]',
    '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]',
  ].join('|');
  return new RegExp(`${left}|(${unsafe})`, 'gu');
}

const anyInWord = new RegExp(unsafe, 'u');
const anyInLines = new RegExp(`(?![\n\t])${unsafe}`, 'u');
const plainLines = /^[\n\t -~]*$/;

/**
 * Returns a word that is safe on a terminal or a page, on one line. Ordinary words and results of this function come
 * back unchanged. A backslash stays: it occurs in paths.
 */
export function printable(word: string): string {
  if (!anyInWord.test(word)) return word;
  pattern ??= makePattern();
  return word.replace(pattern, (sign, found) => (found === undefined ? sign : escapeOf(sign)));
}

/** Does the same as {@link printable} for a text of several lines: line feeds and tabs stay. */
export function printableLines(text: string): string {
  // Fast path for plain text.
  if (plainLines.test(text) || !anyInLines.test(text)) return text;
  pattern ??= makePattern();
  return text.replace(pattern, (sign, found) =>
    found === undefined || sign === '\n' || sign === '\t' ? sign : escapeOf(sign),
  );
}

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Returns the escape of a character; above U+FFFF two escapes, as in JSON. */
function escapeOf(sign: string): string {
  if (Object.hasOwn(short, sign)) return short[sign]!;
  let text = '';
  for (let i = 0; i < sign.length; i++) text += `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return text;
}
