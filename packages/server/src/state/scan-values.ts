/*
 * Reading the list of values in a record. `JSON.parse` takes most of the time of a replay, so lists of plain values are
 * read here. Texts that came before come from a cache. Numbers of up to 18 digits are read as whole numbers and divided
 * by a power of ten, as in Clinger's "How to read floating point numbers accurately", 1990, section 3, with a second
 * step where the whole number is no double. Everything else is left to JavaScript, which gives the same values.
 */

const [quote, comma, minus, dot, zero, nine, closing, backslash] = [34, 44, 45, 46, 48, 57, 93, 92];

/** Powers of ten that are doubles exactly. */
const powers = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
/** A number is read as its first 9 digits and the others. */
const headDigits = 9;
/** Whole numbers of up to 15 digits are doubles exactly. */
const exactDigits = 15;
const mostDigits = 18;

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
  let count = 0;
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
      let head = 0;
      let tail = 0;
      let point = -1;
      let byte = bytes[at]!;
      for (; byte !== comma && byte !== closing; byte = bytes[++at]!) {
        if (byte >= zero && byte <= nine) {
          if (digits < headDigits) {
            head = 10 * head + (byte - zero);
            // Zeros at the begin do not count.
            if (head > 0) digits++;
          } else {
            tail = 10 * tail + (byte - zero);
            digits++;
          }
        } else if (byte === dot) point = at;
        else {
          digits = mostDigits + 1; // an exponent
          if (at >= last) return -1;
        }
      }
      const places = point < 0 ? 0 : at - point - 1;
      let number = Number.NaN;
      if (digits <= mostDigits && places < powers.length) number = decimal(head, tail, digits, places);
      values[count++] = Number.isNaN(number)
        ? Number(bytes.toString('latin1', begin, at))
        : first === minus
          ? -number
          : number;
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

/** Returns the double that is nearest to a number with these digits; NaN if this cannot tell it. */
function decimal(head: number, tail: number, digits: number, places: number): number {
  if (digits <= headDigits) return head / powers[places]!;
  // A double exactly: 9 digits have 30 bits, and 5⁹ has 21.
  const upper = head * powers[digits - headDigits]!;
  const whole = upper + tail;
  if (digits <= exactDigits) return whole / powers[places]!;
  // The whole number is `whole + rest`, exactly; then it is `quotient · power + remainder`.
  const rest = tail - (whole - upper);
  const power = powers[places]!;
  const quotient = whole / power;
  const remainder = whole - quotient * power - errorOfProduct(quotient, power) + rest;
  const missing = remainder / power;
  // Sums and quotients above err by less than 2⁻⁵⁰ of the missing part: enough if both ends are rounded alike.
  const nearest = quotient + missing * (1 - unsure);
  return nearest === quotient + missing * (1 + unsure) ? nearest : Number.NaN;
}

const unsure = 2 ** -50;
const splitter = 2 ** 27 + 1;

/** Returns a·b − fl(a·b), exactly (Dekker, "A floating-point technique for extending the precision", 1971). */
function errorOfProduct(a: number, b: number): number {
  const wideA = splitter * a;
  const wideB = splitter * b;
  const highA = wideA - (wideA - a);
  const highB = wideB - (wideB - b);
  const lowA = a - highA;
  const lowB = b - highB;
  return lowA * lowB - (a * b - highA * highB - lowA * highB - highA * lowB);
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
