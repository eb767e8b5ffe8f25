import { BitWriter } from './bit-writer.ts';
import { codeLengths, type PrefixCode, prefixCode } from './prefix-code.ts';

/*
 * DEFLATE (RFC 1951) with dynamic codes. The compressors of runtimes give different bytes; a ledger must have the same
 * bytes everywhere, so it is compressed here. Any inflater reads it.
 *
 * A match is the longest among the last `mostTried` positions with the same three bytes. If a longer match begins one
 * byte later, the byte is written as a literal (lazy matching, section 4 of the RFC).
 */

const leastMatch = 3;
const longestMatch = 258;
const window = 1 << 15;
const mostTried = 128;
/** Number of literals and matches in a block: small enough for codes that fit its contents. */
const blockSymbols = 1 << 14;
const endOfBlock = 256;

/** First length or distance of each symbol, and its number of extra bits. RFC 1951, 3.2.5. */
const lengths = bases(3, 29, (k) => (k < 8 ? 0 : (k >> 2) - 1));
lengths.first[28] = longestMatch;
lengths.extra[28] = 0;
const distances = bases(1, 30, (k) => (k < 4 ? 0 : (k >> 1) - 1));
/** The order in which the lengths of the code length code are written. RFC 1951, 3.2.7. */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function bases(least: number, count: number, bits: (k: number) => number) {
  const first = new Uint16Array(count);
  const extra = new Uint8Array(count);
  for (let k = 0, next = least; k < count; k++) {
    first[k] = next;
    extra[k] = bits(k);
    next += 1 << extra[k]!;
  }
  return { first, extra };
}

/** Returns the symbol whose range contains `value`. */
function symbolOf({ first }: typeof lengths, value: number): number {
  let low = 0;
  for (let high = first.length; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if (first[middle]! <= value) low = middle;
    else high = middle;
  }
  return low;
}

/** Compresses bytes. Equal bytes give equal results in every runtime. */
export function deflate(bytes: Uint8Array): Uint8Array {
  const out = new BitWriter();
  let symbols: number[] = [];
  // A literal is its byte; a match is 256 + distance · 512 + length.
  const emit = (symbol: number) => {
    if (symbols.length === blockSymbols) {
      writeBlock(out, symbols, false);
      symbols = [];
    }
    symbols.push(symbol);
  };
  const matches = new MatchFinder(bytes);
  for (let at = 0; at < bytes.length; ) {
    let found = matches.longest(at);
    if (found === 0) emit(bytes[at++]!);
    else {
      for (let next = matches.longest(at + 1); (next & 511) > (found & 511); next = matches.longest(at + 1)) {
        emit(bytes[at++]!);
        found = next;
      }
      emit(256 + found);
      at += found & 511;
    }
  }
  writeBlock(out, symbols, true);
  return out.take();
}

/** Finds earlier positions with the same three bytes, the latest first. */
class MatchFinder {
  readonly #bytes: Uint8Array;
  readonly #heads = new Int32Array(1 << 15).fill(-1);
  /** For each position in the window, the previous position with the same hash. */
  readonly #before = new Int32Array(window);
  #entered = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns the longest match at a position, as distance · 512 + length, or 0. Call it for rising positions. */
  longest(at: number): number {
    const bytes = this.#bytes;
    const most = Math.min(longestMatch, bytes.length - at);
    if (most < leastMatch) return 0;
    this.#enterUpTo(at);
    let length = leastMatch - 1;
    let distance = 0;
    let candidate = this.#heads[this.#hash(at)]!;
    for (let tried = 0; tried < mostTried && candidate >= 0 && at - candidate < window; tried++) {
      if (bytes[candidate + length] === bytes[at + length]) {
        let same = 0;
        while (same < most && bytes[candidate + same] === bytes[at + same]) same++;
        if (same > length) {
          length = same;
          distance = at - candidate;
          if (same === most) break;
        }
      }
      candidate = this.#before[candidate % window]!;
    }
    return distance === 0 ? 0 : distance * 512 + length;
  }

  /** Adds all positions before `end` to the hash chains. */
  #enterUpTo(end: number): void {
    for (; this.#entered < end; this.#entered++) {
      const hash = this.#hash(this.#entered);
      this.#before[this.#entered % window] = this.#heads[hash]!;
      this.#heads[hash] = this.#entered;
    }
  }

  #hash(at: number): number {
    const bytes = this.#bytes;
    return Math.imul(bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16), 0x9e3779b1) >>> 17;
  }
}

function writeBlock(out: BitWriter, symbols: readonly number[], last: boolean): void {
  const literalCounts = new Uint32Array(286);
  const distanceCounts = new Uint32Array(30);
  literalCounts[endOfBlock] = 1;
  for (const symbol of symbols)
    if (symbol < 256) literalCounts[symbol]!++;
    else {
      literalCounts[257 + symbolOf(lengths, (symbol - 256) & 511)]!++;
      distanceCounts[symbolOf(distances, (symbol - 256) >>> 9)]!++;
    }
  const literals = prefixCode(codeLengths(literalCounts, 15));
  const places = prefixCode(codeLengths(distanceCounts, 15));
  out.write(last ? 1 : 0, 1);
  out.write(2, 2);
  writeCodes(out, literals.lengths, places.lengths);
  for (const symbol of symbols)
    if (symbol < 256) writeSymbol(out, literals, symbol);
    else {
      writeRanged(out, literals, 257, lengths, (symbol - 256) & 511);
      writeRanged(out, places, 0, distances, (symbol - 256) >>> 9);
    }
  writeSymbol(out, literals, endOfBlock);
}

function writeSymbol(out: BitWriter, { codes, lengths }: PrefixCode, symbol: number): void {
  out.write(codes[symbol]!, lengths[symbol]!);
}

function writeRanged(out: BitWriter, code: PrefixCode, base: number, ranges: typeof lengths, value: number): void {
  const symbol = symbolOf(ranges, value);
  writeSymbol(out, code, base + symbol);
  out.write(value - ranges.first[symbol]!, ranges.extra[symbol]!);
}

/** Writes the lengths of both codes, run-length encoded. RFC 1951, 3.2.7. */
function writeCodes(out: BitWriter, literals: Uint8Array, places: Uint8Array): void {
  const literalCount = Math.max(257, used(literals));
  const placeCount = Math.max(1, used(places));
  const runs = runsOf([...literals.subarray(0, literalCount), ...places.subarray(0, placeCount)]);
  const counts = new Uint32Array(19);
  for (const { symbol } of runs) counts[symbol]!++;
  const code = prefixCode(codeLengths(counts, 7));
  let written = 19;
  while (written > 4 && code.lengths[lengthOrder[written - 1]!] === 0) written--;
  out.write(literalCount - 257, 5);
  out.write(placeCount - 1, 5);
  out.write(written - 4, 4);
  for (let k = 0; k < written; k++) out.write(code.lengths[lengthOrder[k]!]!, 3);
  for (const { symbol, extra, bits } of runs) {
    writeSymbol(out, code, symbol);
    out.write(extra, bits);
  }
}

function used(lengths: Uint8Array): number {
  let count = lengths.length;
  while (count > 0 && lengths[count - 1] === 0) count--;
  return count;
}

/** Returns lengths as symbols: 16 repeats the previous one 3 to 6 times; 17 and 18 are 3 to 10 and 11 to 138 zeros. */
function runsOf(all: readonly number[]): { symbol: number; extra: number; bits: number }[] {
  const runs: { symbol: number; extra: number; bits: number }[] = [];
  for (let at = 0; at < all.length; ) {
    const value = all[at]!;
    let run = 1;
    while (at + run < all.length && all[at + run] === value) run++;
    at += run;
    if (value !== 0) {
      runs.push({ symbol: value, extra: 0, bits: 0 });
      run--;
    }
    while (run >= 3) {
      const [symbol, most, bits] = value !== 0 ? [16, 6, 2] : run > 10 ? [18, 138, 7] : [17, 10, 3];
      const take = Math.min(run, most);
      runs.push({ symbol, extra: take - (symbol === 18 ? 11 : 3), bits });
      run -= take;
    }
    for (; run > 0; run--) runs.push({ symbol: value, extra: 0, bits: 0 });
  }
  return runs;
}
