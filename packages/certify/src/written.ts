import type { FeatureEncoding } from 'halfspace';
import { columnWidth, dimensionOf } from 'halfspace/models';
import { decimalParts } from './exact/values.ts';

/**
 * Returns 1 for each feature whose values are numbers as the data have them, and 0 for features that are computed:
 * levels, intervals, dates, weighted words. Returns the reason instead if the encoding computes with all numbers; it is
 * empty for standardised columns, see `changesOf`.
 */
export function decimalFeatures(features: FeatureEncoding): Uint8Array | string {
  const decimal = new Uint8Array(dimensionOf(features));
  if (features.kind === 'hashed') return 'hashed features may be sums';
  if (features.kind !== 'table') return decimal.fill(1);
  if (features.scale === 'standard') return '';
  let first = 0;
  for (const column of features.columns) {
    if (column.kind === 'number' && column.edges === undefined) {
      if (column.notation !== undefined) return `the numbers of ${column.name} have marks or units`;
      decimal[first] = 1;
    }
    // Missing ones are filled with the share of those that are true, as the encoding has it.
    if (column.kind === 'boolean') decimal[first] = 1;
    first += columnWidth(column);
  }
  return decimal;
}

const digit = 1;
const part = 2;

/** Bytes that can be in a number: digits, and `. e E + - _`. */
const kinds = new Uint8Array(256);
for (const letter of '0123456789') kinds[letter.charCodeAt(0)] = digit;
for (const letter of '.eE+-_') kinds[letter.charCodeAt(0)] = part;

/** Decimals of at most so many digits are read as different doubles, so each is the shortest decimal of its double. */
const safeDigits = 15;

/** Longer runs are left in doubt; the decimals of doubles are at most 310 digits long. */
const longestRun = 1100;

/**
 * Looks through the text of data for numbers that are not the shortest decimals of the doubles that they are read as,
 * such as 0.1000000000000000055. If there is none, the doubles stand for all numbers as they are written.
 *
 * A number of a table or of libsvm text is a longest run of bytes that can be in a number. So this needs no reader:
 * other runs, such as dates or names, are looked at too, which can only find too much.
 */
export class WrittenNumbers {
  /** The first such number; null: none so far. */
  found: string | null = null;
  readonly #format: string;
  readonly #kinds = kinds.slice();
  #run = '';
  /** The end of the text so far: of JSON as much as an escape, of Vowpal Wabbit text the last line. */
  #end = '';

  /** @param format of the text: `csv`, `tsv`, `json`, `ndjson`, `libsvm` or `vw`. */
  constructor(format: string) {
    this.#format = format;
    // A backslash in a cell can stand before any character of a number.
    if (format === 'csv' || format === 'tsv') this.#kinds[0x5c] = part;
  }

  /** @param bytes the next ones of the text, in UTF-8 or another encoding in which ASCII is ASCII. */
  add(bytes: Uint8Array): void {
    if (this.found !== null) return;
    if (this.#format === 'json' || this.#format === 'ndjson') this.#refuseEscapes(bytes);
    if (this.#format === 'vw') this.#refuseSums(bytes);
    const kinds = this.#kinds;
    const { length } = bytes;
    let start = -1;
    let digits = 0;
    let short = this.#run === '';
    for (let at = 0; at < length; at++) {
      const kind = kinds[bytes[at]!]!;
      if (kind !== 0) {
        if (start < 0) start = at;
        if (kind === digit) digits++;
        else if (bytes[at]! !== 0x2e && bytes[at]! !== 0x2d) short = false;
        continue;
      }
      if (start >= 0 || this.#run !== '') {
        if (this.#run !== '' || (digits > 0 && (!short || digits > safeDigits)))
          this.#judge(this.#run + latin(bytes.subarray(start < 0 ? at : start, at)));
        this.#run = '';
      }
      start = -1;
      digits = 0;
      short = true;
    }
    if (start < 0) return;
    this.#run += latin(bytes.subarray(start, length));
    if (this.#run.length > longestRun) this.#judge(this.#run);
  }

  /** Ends the text. */
  finish(): void {
    if (this.#run !== '') this.#judge(this.#run);
    this.#run = '';
    if (this.#format === 'vw') this.#refuseSumsIn(this.#end);
  }

  #judge(run: string): void {
    if (run.length > longestRun) {
      this.found ??= `${run.slice(0, 40)}…`;
      return;
    }
    const digits = run.replace(/\D/g, '');
    if (digits === '') return;
    if (run.includes('\\')) this.found ??= run;
    const plain = run.replaceAll('_', '').replace(/^\+/, '');
    const number = /^-?(\d*)\.?(\d*)(?:[eE][+-]?\d+)?$/.exec(plain);
    if (number === null || (number[1] === '' && number[2] === '')) {
      // No number of any format; but of so many digits that it is left in doubt.
      if (digits.length > safeDigits) this.found ??= run;
    } else if (!isShortest(plain)) this.found ??= run;
  }

  /**
   * The value of a feature of Vowpal Wabbit text is a product if its namespace has a weight, and a sum if the feature
   * is repeated.
   */
  #refuseSums(bytes: Uint8Array): void {
    const lines = (this.#end + latin(bytes)).split('\n');
    this.#end = lines.pop()!;
    for (const line of lines) this.#refuseSumsIn(line);
  }

  #refuseSumsIn(line: string): void {
    const names = new Set<string>();
    for (const section of line.split('|').slice(1)) {
      const [space = '', ...features] = section.trimEnd().split(/\s+/);
      if (space.includes(':')) this.found ??= `a weight of a namespace, |${space}`;
      for (const feature of features) {
        const name = `${space}^${feature.split(':')[0]}`;
        if (names.has(name)) this.found ??= `the feature ${name} twice in a line`;
        names.add(name);
      }
    }
  }

  /** In JSON, \u0031 is a digit, so runs would not show whole numbers. */
  #refuseEscapes(bytes: Uint8Array): void {
    const text = this.#end + latin(bytes);
    const digit = /\\u00(?:2[bBdDeE]|3\d|45|5[fF]|65)/.exec(text);
    if (digit !== null) this.found ??= digit[0];
    this.#end = text.slice(-5);
  }
}

/** Tests if the decimal in a text equals the shortest decimal of the double that it is read as. */
function isShortest(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text)!;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return true;
  const kept = digits.replace(/0+$/, '');
  // digits·10^-places, without zeros at the end of the digits.
  const places = fraction.length - Number(exponent) - (digits.length - kept.length);
  if (value === 0 || Math.abs(places) > 1100) return false;
  const shortest = decimalParts(value);
  const own = String(shortest.mantissa < 0n ? -shortest.mantissa : shortest.mantissa);
  const bare = own.replace(/0+$/, '');
  return (sign === '-') === value < 0 && bare === kept && shortest.places - (own.length - bare.length) === places;
}

function latin(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}
