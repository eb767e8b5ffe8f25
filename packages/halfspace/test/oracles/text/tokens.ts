import type { Block } from '../../../src/kernels/block.ts';
import { parseDecimal } from '../../../src/kernels/decimal.ts';
import { splitReciprocal } from '../../../src/kernels/decimal-places.ts';
import { compactArrays, type NameEntries, type NameTableMemory, type RowBlocks } from '../../../src/kernels/kernels.ts';
import * as layout from '../../../src/kernels/layout.ts';
import { ReferenceKernels } from '../../../src/kernels/reference.ts';
import { parseLibsvmReference } from './libsvm.ts';
import { parseVwReference } from './vw.ts';

/** The kernels in plain TypeScript, with readers of text by the definition of the formats. */
export class TextReferenceKernels extends ReferenceKernels {
  override parseLibsvm(
    text: Block<Uint8Array>,
    rows: RowBlocks,
    report: Block<Float64Array>,
    compactly = false,
  ): number {
    return parseLibsvmReference(text.array, rows, report.array, compactly);
  }

  override parseVw(
    text: Block<Uint8Array>,
    rows: RowBlocks,
    names: NameTableMemory | null,
    bits: number,
    report: Block<Float64Array>,
    compactly = false,
  ): number {
    return parseVwReference(text.array, rows, names, bits, report.array, compactly);
  }

  override internNames(
    { block, from, count }: NameEntries,
    names: NameTableMemory,
    numbers: Block<Uint32Array>,
    at: number,
  ): void {
    const table = new ReferenceNames(names);
    const { array } = block;
    const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
    let p = from;
    for (let i = 0; i < count; i++) {
      const end = p + layout.nameHeaderBytes + view.getUint32(p + 4, true);
      numbers.array[at + i] = table.intern(array.subarray(p + layout.nameHeaderBytes, end));
      p = end;
    }
  }
}

/** Result of `internName`: the table must be enlarged first. */
export const noRoom = -2;

/** Bytes before a name in the arena: its number, its length, and an unused word. */
const headerBytes = layout.nameHeaderBytes;

/** The name table of the kernels in plain TypeScript. Its hash differs, which does not affect the numbers of names. */
export class ReferenceNames {
  readonly #slots: Uint32Array;
  readonly #mask: number;
  readonly #arena: Uint8Array;
  readonly #state: Uint32Array;

  constructor(names: NameTableMemory) {
    this.#slots = names.slots.array;
    this.#mask = names.slots.length / 2 - 1;
    this.#arena = names.arena.array;
    this.#state = names.state.array;
    this.#state[layout.nameLacking] = 0;
  }

  get size(): number {
    return this.#state[layout.nameCount]!;
  }

  /** Returns the position of the next name in the arena. */
  get end(): number {
    return this.#state[layout.nameBytes]!;
  }

  intern(name: Uint8Array): number {
    const slots = this.#slots;
    const hash = hashOf(name);
    let at = hash & this.#mask;
    while (slots[2 * at + 1] !== 0) {
      const begin = slots[2 * at + 1]! - 1;
      if (slots[2 * at] === hash && this.#isAt(begin, name)) return this.#wordAt(begin);
      at = (at + 1) & this.#mask;
    }

    const { size, end } = this;
    if (2 * (size + 1) > this.#mask + 1) return this.#lacks(1);
    if (end + headerBytes + name.length > this.#arena.length) return this.#lacks(2);
    for (let i = 0; i < 4; i++) {
      this.#arena[end + i] = size >>> (8 * i);
      this.#arena[end + 4 + i] = name.length >>> (8 * i);
    }
    this.#arena.set(name, end + headerBytes);
    slots.set([hash, end + 1], 2 * at);
    this.#state[layout.nameCount] = size + 1;
    this.#state[layout.nameBytes] = end + headerBytes + name.length;
    return size;
  }

  /** Removes the names from number `kept` on; the first of them is at `begin` in the arena. */
  forget(kept: number, begin: number): void {
    for (let p = begin; p < this.end; ) {
      const end = p + headerBytes + this.#wordAt(p + 4);
      let at = hashOf(this.#arena.subarray(p + headerBytes, end)) & this.#mask;
      while (this.#slots[2 * at + 1] !== p + 1) at = (at + 1) & this.#mask;
      this.#slots[2 * at + 1] = 0;
      p = end;
    }
    this.#state[layout.nameCount] = kept;
    this.#state[layout.nameBytes] = begin;
  }

  #wordAt(p: number): number {
    const arena = this.#arena;
    return (arena[p]! | (arena[p + 1]! << 8) | (arena[p + 2]! << 16) | (arena[p + 3]! << 24)) >>> 0;
  }

  #isAt(p: number, name: Uint8Array): boolean {
    if (this.#wordAt(p + 4) !== name.length) return false;
    for (let i = 0; i < name.length; i++) if (this.#arena[p + headerBytes + i] !== name[i]) return false;
    return true;
  }

  #lacks(what: number): number {
    this.#state[layout.nameLacking] = what;
    return noRoom;
  }
}

/** FNV-1a (Fowler, Noll and Vo), 32 bits. */
function hashOf(name: Uint8Array): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name[i]!, 0x01000193);
  return h >>> 0;
}

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

/** Returns the first byte of [p, to) that does not begin valid UTF-8, or `to` (The Unicode Standard, table 3-7). */
export function utf8Fault(text: Uint8Array, p: number, to: number): number {
  while (p < to) {
    const c = text[p]!;
    const more = c < 0x80 ? 0 : c < 0xc2 ? -1 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf5 ? 3 : -1;
    if (more < 0 || p + more >= to) return p;
    if (more > 0) {
      const second = text[p + 1]!;
      const least = c === 0xe0 ? 0xa0 : c === 0xf0 ? 0x90 : 0x80;
      const most = c === 0xed ? 0x9f : c === 0xf4 ? 0x8f : 0xbf;
      if (second < least || second > most) return p;
      for (let i = 2; i <= more; i++) if ((text[p + i]! & 0xc0) !== 0x80) return p;
    }
    p += more + 1;
  }
  return to;
}

/** Returns the arrays of indices and values that a parser fills. */
export function storedArrays(rows: RowBlocks, compactly: boolean) {
  return compactly ? compactArrays(rows) : { indices: rows.indices.array, values: rows.values.array };
}

/** Counts of a reader of lines, and the bytes of its fault. */
type Read = { readonly [name in 'rows' | 'stored' | 'dimension' | 'faultFrom' | 'faultTo']: number };

/** Writes the report of a parser. */
export function reportTo(
  report: Float64Array,
  { rows, stored, dimension, faultFrom, faultTo }: Read,
  {
    consumed,
    lines,
    weighted,
    zeroIndex,
  }: { readonly [name in 'consumed' | 'lines' | 'weighted' | 'zeroIndex']: number },
): void {
  report[layout.reportConsumed] = consumed;
  report[layout.reportRows] = rows;
  report[layout.reportStored] = stored;
  report[layout.reportLines] = lines;
  report[layout.reportDimension] = dimension;
  report[layout.reportFaultFrom] = faultFrom;
  report[layout.reportFaultTo] = faultTo;
  report[layout.reportWeighted] = weighted;
  report[layout.reportZeroIndex] = zeroIndex;
}
