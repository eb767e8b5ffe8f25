/**
 * Cuts text into tokens. A token is
 *
 * - a run of letters, digits and marks (Unicode's L, N and M): `free`, `2nd`, `übel`;
 * - one character of a script without blanks between words (Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar), where
 *   pairs of tokens stand for words;
 * - any other character that is not white space, control or format: `£`, `!`, an emoji. In cross-validation they help
 *   to tell spam from ham.
 *
 * The runtime's Unicode version decides what a letter is; runtimes differ only in characters that are new.
 */
export class TextTokens {
  /** Tokens of the last text: [starts[t], ends[t]) for t < count, in UTF-16 units. Valid until the next cut. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  count = 0;

  cut(text: string): void {
    const { starts, ends } = this;
    const { length } = text;
    let count = 0;
    let start = -1; // of the current run; −1 between runs
    for (let i = 0; i < length; ) {
      const unit = text.charCodeAt(i);
      let size = 1;
      let kind = classes[unit]!;
      if (kind === unknown) {
        const point = text.codePointAt(i)!;
        if (point > 0xffff) size = 2;
        kind = classOf(String.fromCodePoint(point));
        if (size === 1) classes[unit] = kind;
      }
      if (kind === partOfWord) {
        if (start < 0) start = i;
      } else {
        if (start >= 0) {
          starts[count] = start;
          ends[count++] = i;
          start = -1;
        }
        if (kind === token) {
          starts[count] = i;
          ends[count++] = i + size;
        }
      }
      i += size;
    }
    if (start >= 0) {
      starts[count] = start;
      ends[count++] = length;
    }
    this.count = count;
  }
}

const unknown = 0;
const partOfWord = 1;
const token = 2;
const separator = 3;

/** Classes of UTF-16 units, computed when first needed. Surrogates stay unknown. */
const classes = new Uint8Array(0x1_0000);

const ownToken =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const wordCharacter = /[\p{L}\p{N}\p{M}]/u;
const separates = /[\p{Z}\p{C}\s]/u;

function classOf(character: string): number {
  if (separates.test(character)) return separator;
  // A mark of these scripts becomes part of whatever it follows, so test the scripts first.
  if (ownToken.test(character)) return token;
  return wordCharacter.test(character) ? partOfWord : token;
}

/** Counts words: runs without white space, and single characters of scripts that write without blanks. */
export function countWords(text: string): number {
  let words = 0;
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 32 || (unit < 33 && unit >= 9)) inside = false;
    else if (unit > 0xe00 && ownToken.test(text[i]!)) {
      words++;
      inside = false;
    } else if (!inside) {
      words++;
      inside = true;
    }
  }
  return words;
}
