import type { NumberNotation } from '../table-encoding.ts';

/** The parts of a number as people write it: `-$1,234.50`, `1 234,50 €`, `(12 %)`. */
export interface NumberParts {
  readonly isNegative: boolean;
  /** True if parentheses mark it as negative, as accountants write it. */
  readonly isEnclosed: boolean;
  /** '' if there is none. */
  readonly unit: string;
  /** Digits and the marks between them; blanks are ' ' and apostrophes "'". */
  readonly digits: string;
  /** An exponent such as `e-3`, or ''. */
  readonly exponent: string;
}

/** A longer text is no number. The limit keeps the pattern quick. */
const longest = 64;
const unitPattern = "[^\\d\\s.,'()+\\-\\u2212]*";
const numberPattern = new RegExp(
  `^(\\()? ?([+\\-\\u2212])? ?(${unitPattern}) ?(\\()? ?([+\\-\\u2212])? ?([\\d.,](?:[\\d.,' ]*[\\d.,])?)([eE][+-]?\\d+)? ?(${unitPattern}) ?(\\))?$`,
);

/** Tests if a text can be a unit: it has no digits, blanks, signs and marks of numbers. */
export function isUnit(text: string): boolean {
  return text !== '' && text.length <= longest && new RegExp(`^${unitPattern}$`).test(text);
}

/**
 * Splits a text into the parts of a number; null if it is none. A sign and a unit may stand before or behind the
 * digits.
 */
export function numberParts(text: string): NumberParts | null {
  if (text.length > longest || !/\d/.test(text) || /\d\s{2,}\d/.test(text)) return null;
  const parts = numberPattern.exec(text.trim().replace(/\s+/g, ' ').replaceAll('’', "'"));
  if (parts === null) return null;
  const [, outer, before, prefix, inner, after, digits, exponent = '', suffix, end] = parts;
  const isEnclosed = end !== undefined;
  const sign = before ?? after;
  if ((before && after) || (prefix && suffix) || (outer && inner)) return null;
  if (isEnclosed !== (outer !== undefined || inner !== undefined) || (isEnclosed && sign)) return null;
  const isNegative = isEnclosed || sign === '-' || sign === '−';
  return { isNegative, isEnclosed, unit: prefix || suffix!, digits: digits!, exponent };
}

const groups = /^[1-9]\d{0,2}([.,' ])\d{3}(?:\1\d{3})*$|^[1-9]\d?(?:,\d\d)+,\d{3}$/;

/**
 * Returns the value of the parts of a number; null if they are written in another way. Without `group` in the notation,
 * digits may be grouped by any mark that cannot be meant for the decimal mark.
 */
export function partsValue(parts: NumberParts, { decimal, group }: NumberNotation): number | null {
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
  const value = Number(`${whole.replace(/\D/g, '')}.${fraction}0${exponent}`);
  return parts.isNegative ? -value : value;
}

/** Returns the number in a text that is no plain one; null if it is not in this notation. The unit may lack. */
export function notatedNumber(text: string, notation: NumberNotation): number | null {
  const parts = numberParts(text);
  if (parts === null || (parts.unit !== '' && parts.unit !== notation.unit)) return null;
  return partsValue(parts, notation);
}
