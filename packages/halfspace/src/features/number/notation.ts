import { levelCell } from '../table-cell.ts';
import type { NumberNotation } from '../table-encoding.ts';
import { isFactor, wordKey } from './words.ts';

/** The parts of a number as people write it: `-$1,234.50`, `1 234,50 €`, `(12 %)`, `~2.5K+`, `3 sq. ft. (est.)`. */
export interface NumberParts {
  readonly isNegative: boolean;
  /** True if parentheses mark it as negative, as accountants write it. */
  readonly isEnclosed: boolean;
  /** The words before and behind the digits. */
  readonly words: readonly NumberWord[];
  /** Digits and the marks between them; blanks are ' ' and apostrophes "'". */
  readonly digits: string;
  /** The exponent of ten; 0: none. */
  readonly exponent: number;
}

/** A word beside the digits of a number. */
export interface NumberWord {
  readonly text: string;
  /** See {@link wordKey}. */
  readonly key: string;
  /** `mark`: a sign such as ~ or *, or a remark in parentheses; `factor`: such as K or million; else `unit`. */
  readonly role: 'mark' | 'factor' | 'unit';
  /** True if it stands before the digits. */
  readonly isBefore: boolean;
  /** True if a blank separates it from the digits. */
  readonly isApart: boolean;
}

/** A longer text is no number. The limit keeps the patterns quick. */
const longest = 64;
/** A point behind a letter ends an abbreviation, as in `Rs.5`. */
const digitsPattern = /(?:\d|(?<!\p{L})[.,](?=\d))(?:[\d.,' ]*\d)?[.,]?/u;
/** As in 1e5, or in 1×10^5. */
const exponentPattern = /^(?:[eE]| ?[x×·*] ?10\^)([+-]?\d{1,4})(?![\p{L}\d])/u;
const beforePattern = /^(\()? ?([+\-\u2212])? ?(.*?) ?(\()? ?([+\-\u2212])? ?$/u;
const marksBefore = /^(?:[~≈<>≤≥±]=?|(?:ca|circa|approx|approximately|about|around)(?![\p{L}])\.?) ?/iu;
const marksBehind = /^(?:[+*†‡?!]+|\([^()\d]*\)|\[\w{1,3}\]) ?/u;
const factorBehind = /^([\p{L}]+)\.?(?= |$|[+*/(%\p{Sc}])/u;
const unitBehind = /^[^+*†‡?!()[\]]+/u;
/** Characters that no unit has. */
const noUnit = /[:;=_@#№&|\\,<>~]|^[-.]|^\/(?! ?\p{L})/u;
const unitWithDigits = /^[a-z]{1,2}[23]$|\/ ?100 ?\p{L}+$/u;
/** The end of a scale, as in 4/5 and 4.5 out of 5 stars. */
export const scaleEnd = /^(?:\/ ?(?:5|10|20|100)|out of \d{1,3})(?= \p{L}|$)/u;

/** Splits a text into the parts of a number; null if it is none. */
export function numberParts(given: string): NumberParts | null {
  if (given.length > longest) return null;
  const text = plainMarks(given);
  if (/\d {2,}\d/.test(text)) return null;
  const match = digitsPattern.exec(text);
  if (match === null) return null;
  const [digits] = match;
  let after = text.slice(match.index + digits.length);
  const [shift, exponent = '0'] = exponentPattern.exec(after) ?? [''];
  after = after.slice(shift.length);
  const [, outer, first, prefix, inner, last] = beforePattern.exec(text.slice(0, match.index))!;
  const isEnclosed = (outer ?? inner) !== undefined;
  const sign = first ?? last;
  if ((first && last) || (outer && inner) || (isEnclosed && (sign || !after.endsWith(')')))) return null;
  if (isEnclosed) after = after.slice(0, -1);
  const words: NumberWord[] = [];
  const isApartBefore = text[match.index - 1] === ' ';
  const fits = wordsBefore(prefix!, isApartBefore, words) && wordsBehind(after, words);
  if (!fits || new Set(words.map(({ key }) => key)).size < words.length) return null;
  return { isNegative: isEnclosed || sign === '-', isEnclosed, words, digits, exponent: Number(exponent) };
}

/** Returns a text with digits, marks and blanks of ASCII, and one blank where there are several. */
function plainMarks(text: string): string {
  const blanks = text.trim().replace(/\s+/g, (blank) => (blank.length > 1 ? '  ' : ' '));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII.
  if (/^[\x00-\x7f]*$/.test(blanks)) return blanks;
  return blanks
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll('\u2212', '-')
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',')
    .replaceAll('\u066a', '%')
    .replaceAll('’', "'");
}

/** Adds the words before the digits. @returns false if there is something else. */
function wordsBefore(prefix: string, isApart: boolean, words: NumberWord[]): boolean {
  let rest = prefix;
  for (let mark = marksBefore.exec(rest); mark !== null; mark = marksBefore.exec(rest)) {
    words.push(wordOf(mark[0], 'mark', true, isApart));
    rest = rest.slice(mark[0].length);
  }
  if (rest === '') return true;
  words.push(wordOf(rest, 'unit', true, isApart));
  return !noUnit.test(rest.replace(/[:=]$/, '')) && !/[()\d[\]]/.test(rest);
}

/** Adds the words behind the digits: a factor, a unit, and marks. @returns false if there is something else. */
function wordsBehind(after: string, words: NumberWord[]): boolean {
  const isApart = after.startsWith(' ');
  let rest = after.trim();
  const factor = factorBehind.exec(rest);
  if (factor !== null && isFactor(wordKey(factor[0]))) {
    words.push(wordOf(factor[0], 'factor', false, isApart));
    rest = rest.slice(factor[0].length).trim();
  }
  let hasUnit = false;
  while (rest !== '') {
    const mark = marksBehind.exec(rest);
    const [found] = mark ?? unitBehind.exec(rest) ?? [''];
    if (found === '' || (mark === null && (hasUnit || !isUnit(found)))) return false;
    hasUnit ||= mark === null;
    words.push(wordOf(found, mark === null ? 'unit' : 'mark', false, isApart));
    rest = rest.slice(found.length).trim();
  }
  return true;
}

function isUnit(text: string): boolean {
  if (scaleEnd.test(text.trim())) return true;
  return !noUnit.test(text) && (!/\d/.test(text) || unitWithDigits.test(text.trim()));
}

/** Tests if a text can be a word beside a number. */
export function isNumberWord(text: string): boolean {
  return [`5 ${text}`, `${text} 5`].some((cell) => {
    const words = numberParts(cell)?.words;
    return words?.length === 1 && words[0]!.text === text;
  });
}

function wordOf(text: string, role: NumberWord['role'], isBefore: boolean, isApart: boolean): NumberWord {
  const own = text.trim();
  return { text: own, key: wordKey(own), role, isBefore, isApart };
}

const groups = /^[1-9]\d{0,2}([.,' ])\d{3}(?:\1\d{3})*$|^[1-9]\d?(?:,\d\d)+,\d{3}$/;

/**
 * Returns the value of the parts of a number; null if they are written in another way. Without `group` in the notation,
 * digits may be grouped by any mark that cannot be meant for the decimal mark.
 *
 * @param factor of the words of the number.
 */
export function partsValue(parts: NumberParts, { decimal, group }: NumberNotation, factor = 1): number | null {
  const { digits, exponent } = parts;
  const at = digits.indexOf(decimal);
  const whole = at === -1 ? digits : digits.slice(0, at);
  const fraction = at === -1 ? '' : digits.slice(at + 1);
  if (/\D/.test(fraction) || (fraction === '' && (decimal === ',' ? at !== -1 : whole === ''))) return null;
  const mark = /\D/.exec(whole)?.[0];
  if (mark !== undefined) {
    if (!groups.test(whole)) return null;
    // 1.234 may be meant for a little more than 1.
    const isDoubtful = decimal === ',' && mark === '.' && at === -1 && whole.indexOf(mark) === whole.lastIndexOf(mark);
    if (group === undefined ? isDoubtful : mark !== group) return null;
  }
  // A power of ten moves the point: 1.1 million is 1100000, which 1.1 * 1e6 is not.
  const tens = /^10*$/.test(String(factor)) ? String(factor).length - 1 : 0;
  const value = Number(`${whole.replace(/\D/g, '')}.${fraction}0e${exponent + tens}`) * (tens > 0 ? 1 : factor);
  return parts.isNegative ? -value : value;
}

/**
 * Returns a reader of numbers in a notation. It returns null for a text that is none, NaN for a number in another unit
 * and for a word that is missing, and a {@link levelCell} for a word that has a feature. The unit and other words may
 * lack.
 */
export function notatedNumbers(notation: NumberNotation): (text: string) => number | null {
  const factors = new Map((notation.words ?? []).map(({ text, factor }) => [wordKey(text), factor]));
  if (notation.unit !== undefined) factors.set(wordKey(notation.unit), 1);
  const instead = new Map((notation.missing ?? []).map((word) => [word, Number.NaN]));
  notation.levels?.forEach((word, k) => {
    instead.set(word, levelCell(k));
  });
  return (text) => {
    const meant = instead.get(text);
    if (meant !== undefined) return meant;
    const parts = numberParts(text);
    if (parts === null) return null;
    let factor = 1;
    for (const { key } of parts.words) {
      const own = factors.get(key);
      if (own === undefined) return null;
      factor = own === null ? Number.NaN : factor * own;
    }
    const value = partsValue(parts, notation, factor);
    return Number.isNaN(factor) && value !== null ? Number.NaN : value;
  };
}
