import { parseDecimal } from '../../../src/kernels/decimal.ts';
import { splitReciprocal } from '../../../src/kernels/decimal-places.ts';
import * as layout from '../../../src/kernels/layout.ts';

/** A number read from text: its value and end, or the fault and the byte at fault. */
export interface NumberResult {
  value: number;
  end: number;
  fault: number;
}

export function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

/** Reads `[+-] digits [. digits] [e [+-] digits]` at `from`, followed by a blank, a line end, `#`, `:` or `|`. */
export function parseNumberInto(text: Uint8Array, from: number, out: NumberResult): void {
  let p = from;
  if (text[p] === 45 || text[p] === 43) p++;
  const whole = p;
  while (isDigit(text[p]!)) p++;
  let digits = p - whole;
  if (text[p] === 46) {
    const point = ++p;
    while (isDigit(text[p]!)) p++;
    digits += p - point;
  }
  if (digits > 0 && (text[p]! | 32) === 101) {
    p++;
    if (text[p] === 45 || text[p] === 43) p++;
    if (!isDigit(text[p]!)) digits = 0;
    while (digits > 0 && isDigit(text[p]!)) p++;
  }
  out.end = p;
  out.value = 0;
  if (digits === 0 || !endsNumber(text[p]!)) {
    out.fault = refusal(text, from, p);
    return;
  }
  out.value = parseDecimal(text, from, p);
  out.fault = Number.isFinite(out.value) ? 0 : layout.statusNotFinite;
}

function endsNumber(c: number): boolean {
  return c === 32 || c === 10 || c === 9 || c === 13 || c === 35 || c === 58 || c === 124;
}

/** Refuses a number; "nan" and "inf" in any case have a separate fault. */
function refusal(text: Uint8Array, from: number, at: number): number {
  const start = text[from] === 45 || text[from] === 43 ? from + 1 : from;
  const word = String.fromCharCode(text[start]! | 32, text[start + 1]! | 32, text[start + 2]! | 32);
  if (text[at]! < 9) return layout.statusBinary;
  return word === 'nan' || word === 'inf' ? layout.statusNotFinite : layout.statusNumber;
}

const { high, low } = splitReciprocal(layout.parsedPlaces);

/** Returns the 32-bit integer that stands for `value` among compact values of text, to the bit; or null. */
export function millionths(value: number): number | null {
  const m = Math.round(value * 10 ** layout.parsedPlaces) | 0;
  return Object.is(m * high + m * low, value) ? m : null;
}
