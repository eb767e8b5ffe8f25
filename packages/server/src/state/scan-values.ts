/*
 * Reading the list of values in a record. `JSON.parse` takes most of the time of a replay, so lists of plain values are
 * read here: numbers by Clinger's fast path ("How to read floating point numbers accurately", 1990), and texts that
 * came before from a cache. Everything else is left to `JSON.parse`, which gives the same values.
 */

const [quote, comma, minus, dot, zero, nine, closing, backslash] = [34, 44, 45, 46, 48, 57, 93, 92];

/** A whole number below 10¹⁵ and these powers are doubles exactly, so their quotient is the nearest double. */
const mostDigits = 15;
const powers = Float64Array.from({ length: mostDigits + 1 }, (_, k) => Number(`1e${k}`));

/** With more numbers of more digits, `JSON.parse` takes less time. It then reads the next lists, too. */
const mostLongNumbers = 3;
const listsToSkip = 63;
let skipped = 0;

/** Texts that were read, by a hash of their bytes. It changes no value, only the time. */
const cached: string[] = new Array(4096).fill('');
const longestCached = 32;

/**
 * Reads a JSON list of numbers, texts, truths and nulls.
 *
 * @param bytes the list is from `from` to `to`, as `JSON.stringify` writes it.
 * @param values receives the values. Others behind them stay.
 * @returns the number of values; −1 if the list is to be read by `JSON.parse`: then `values` is undefined.
 */
export function scanValues(bytes: Buffer, from: number, to: number, values: unknown[]): number {
  if (skipped > 0) {
    skipped--;
    return -1;
  }
  let count = 0;
  let longNumbers = 0;
  let at = from + 1;
  const last = to - 1;
  if (bytes[at] === closing && at === last) return 0;
  while (at < last) {
    const begin = at;
    const first = bytes[at]!;
    if (first === quote) {
      let hash = 0;
      let isAscii = 0;
      let byte = bytes[++at]!;
      for (; byte !== quote; byte = bytes[++at]!) {
        if (byte === backslash || at >= last) return -1;
        hash = (Math.imul(hash, 31) + byte) | 0;
        isAscii |= byte;
      }
      values[count++] = isAscii < 128 ? textOf(bytes, begin + 1, at, hash) : bytes.toString('utf8', begin + 1, at);
      at++;
    } else if (first === minus || (first >= zero && first <= nine)) {
      if (first === minus) at++;
      let digits = 0;
      let digitsBefore = -1;
      let number = 0;
      let byte = bytes[at]!;
      for (; byte !== comma && byte !== closing; byte = bytes[++at]!) {
        if (byte === dot) digitsBefore = digits;
        else if (byte >= zero && byte <= nine) {
          number = 10 * number + (byte - zero);
          digits++;
        } else {
          digits = mostDigits + 1; // an exponent
          if (at >= last) return -1;
        }
      }
      if (digits > mostDigits) {
        if (++longNumbers > mostLongNumbers) {
          skipped = listsToSkip;
          return -1;
        }
        number = Number(bytes.toString('latin1', begin, at));
      } else {
        if (digitsBefore >= 0) number /= powers[digits - digitsBefore]!;
        if (first === minus) number = -number;
      }
      values[count++] = number;
    } else {
      while (at < last && bytes[at] !== comma) at++;
      const word = bytes.toString('latin1', begin, at);
      if (word === 'true') values[count++] = true;
      else if (word === 'false') values[count++] = false;
      else if (word === 'null') values[count++] = null;
      else return -1;
    }
    if (at < last && bytes[at] !== comma) return -1;
    at++;
  }
  return at === to ? count : -1;
}

/** Returns ASCII bytes as text. */
function textOf(bytes: Buffer, from: number, to: number, hash: number): string {
  const length = to - from;
  if (length > longestCached) return bytes.toString('latin1', from, to);
  const place = (hash ^ (hash >>> 12)) & 4095;
  const found = cached[place]!;
  if (found.length === length) {
    let k = 0;
    while (k < length && found.charCodeAt(k) === bytes[from + k]) k++;
    if (k === length) return found;
  }
  const text = bytes.toString('latin1', from, to);
  cached[place] = text;
  return text;
}
