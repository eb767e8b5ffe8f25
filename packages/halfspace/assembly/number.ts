// Converts decimal text to the nearest double, like Number().
//
// The common case is exact in one operation (W. D. Clinger, "How to read floating point numbers accurately", 1990): a
// significand up to 2⁵³ and a power of ten up to 10²² are both doubles, so one division or product rounds once. The
// host, whose parser rounds correctly, converts all other numbers.

import * as layout from '../src/kernels/layout';

// @ts-ignore: decorator
@external("host", "parseDecimal")
declare function parseDecimal(from: usize, to: usize): f64;

const powers = memory.data<f64>([
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
]);

/** Returns 10^exponent, exponent in [0, 22]. */
// @ts-ignore: decorator
@inline
export function tenTo(exponent: i32): f64 {
  return load<f64>(powers + ((<usize>exponent) << 3));
}

/** The end of the number that parseNumber read last, or the byte at fault. */
export let numberEnd: usize = 0;
/** 0, or the status of the refusal by the last parseNumber. */
export let numberFault: i32 = 0;

// @ts-ignore: decorator
@inline
export function isDigit(c: u32): bool {
  return c - 48 < 10;
}

// Returns true for a byte that may follow a number: blank, tab, line feed, carriage return, '#', ':' or '|'.
// @ts-ignore: decorator
@inline
function endsNumber(c: u32): bool {
  return c == 32 || c == 10 || c == 9 || c == 13 || c == 35 || c == 58 || c == 124;
}

/** Reads [+-] digits [. digits] [e [+-] digits], followed by a byte that may follow a number. */
export function parseNumber(from: usize): f64 {
  let p = from;
  let c: u32 = load<u8>(p);
  const negative = c == 45;
  if (negative || c == 43) c = load<u8>(++p);

  let significand: u64 = 0;
  let digits: usize = p;
  while (isDigit(c)) {
    significand = significand * 10 + (c - 48);
    c = load<u8>(++p);
  }
  digits = p - digits;
  let exponent: i32 = 0;
  if (c == 46) {
    const point = ++p;
    c = load<u8>(p);
    while (isDigit(c)) {
      significand = significand * 10 + (c - 48);
      c = load<u8>(++p);
    }
    exponent = -(<i32>(p - point));
    digits += p - point;
  }
  if (digits == 0) return refuse(from, p);
  if ((c | 32) == 101) {
    c = load<u8>(++p);
    const below = c == 45;
    if (below || c == 43) c = load<u8>(++p);
    if (!isDigit(c)) return refuse(from, p);
    let e: i32 = 0;
    while (isDigit(c)) {
      if (e < 100000) e = e * 10 + <i32>(c - 48);
      c = load<u8>(++p);
    }
    exponent += below ? -e : e;
  }
  if (!endsNumber(c)) return refuse(from, p);

  numberEnd = p;
  numberFault = 0;
  let value: f64;
  if (digits <= 19 && significand <= 9007199254740992 && exponent >= -22 && exponent <= 22) {
    value = <f64><i64>significand;
    if (exponent < 0) value /= tenTo(-exponent);
    else if (exponent > 0) value *= tenTo(exponent);
    return negative ? -value : value;
  }
  value = parseDecimal(from, p);
  if (!isFinite(value)) numberFault = layout.statusNotFinite;
  return value;
}

// "nan" and "inf" in any case have a separate message.
function refuse(from: usize, at: usize): f64 {
  let p = from;
  if (load<u8>(p) == 45 || load<u8>(p) == 43) p++;
  const word = (<u32>load<u8>(p) | 32) | ((<u32>load<u8>(p, 1) | 32) << 8) | ((<u32>load<u8>(p, 2) | 32) << 16);
  numberEnd = at;
  numberFault = load<u8>(at) < 9 ? layout.statusBinary : word == 0x6e616e || word == 0x666e69 ? layout.statusNotFinite : layout.statusNumber;
  return 0;
}
