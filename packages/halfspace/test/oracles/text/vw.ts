import { murmur3 } from '../../../src/features/text/hash.ts';
import type { NameTableMemory, RowBlocks } from '../../../src/kernels/kernels.ts';
import * as layout from '../../../src/kernels/layout.ts';
import {
  isDigit,
  millionths,
  type NumberResult,
  noRoom,
  parseNumberInto,
  ReferenceNames,
  reportTo,
  storedArrays,
  utf8Fault,
} from './tokens.ts';

const lineFeed = 10;
const quote = 39;
const colon = 58;
const bar = 124;

/**
 * Does the same as `Kernels.parseVw` in plain TypeScript: one line at a time, head, namespaces and features in turn.
 */
export function parseVwReference(
  text: Uint8Array,
  rows: RowBlocks,
  names: NameTableMemory | null,
  bits: number,
  report: Float64Array,
  compactly: boolean,
): number {
  const from = report[layout.reportFrom]!;
  let to = report[layout.reportTo]!;
  if (report[layout.reportLast] === 0) while (to > from && text[to - 1] !== lineFeed) to--;
  const behind = text[to]!;
  text[to] = lineFeed;

  const reader = new LineReader(text, rows, names, bits, compactly);
  let line = from;
  let lines = 0;
  let result: number = layout.statusDone;
  while (line < to) {
    result = reader.read(line);
    if (result !== layout.statusDone) break;
    line = Math.min(to, text.indexOf(lineFeed, line) + 1);
    lines++;
  }

  text[to] = behind;
  reportTo(report, reader, { consumed: line, lines, weighted: reader.weighted, zeroIndex: 0 });
  return result;
}

class LineReader {
  readonly #text: Uint8Array;
  readonly #offsets: Uint32Array;
  readonly #indices: Uint32Array | Uint16Array;
  readonly #values: Float64Array | Int32Array;
  readonly #compactly: boolean;
  readonly #capacity: number;
  readonly #labels: Float64Array;
  readonly #importance: Float64Array;
  readonly #names: ReferenceNames | null;
  readonly #mask: number;
  readonly #number: NumberResult = { value: 0, end: 0, fault: 0 };
  rows = 0;
  stored = 0;
  dimension = 0;
  weighted = 0;
  faultFrom = 0;
  faultTo = 0;

  // The current line.
  #p = 0;
  #label = 0;
  #weight = 0;
  #scale = 1;
  #space = new Uint8Array(0);
  #spaceHash = 0;
  #ordinal = 0;
  #features = 0;
  /** Its features, repeated ones included. */
  readonly #row: { readonly index: number; readonly value: number }[] = [];

  constructor(text: Uint8Array, rows: RowBlocks, names: NameTableMemory | null, bits: number, compactly: boolean) {
    this.#text = text;
    this.#offsets = rows.offsets.array;
    const { indices, values } = storedArrays(rows, compactly);
    this.#indices = indices;
    this.#values = values;
    this.#compactly = compactly;
    this.#capacity = rows.values.length;
    this.#labels = rows.labels.array;
    this.#importance = rows.importance.array;
    this.#names = names === null ? null : new ReferenceNames(names);
    this.#mask = 2 ** bits - 1;
    this.#offsets[0] = 0;
  }

  /** Reads the line at `line`, or refuses it and keeps the rows before. */
  read(line: number): number {
    this.#p = line;
    this.#skipBlanks();
    if (this.#text[this.#p] === lineFeed) return layout.statusDone;
    if (this.rows === this.#labels.length) return layout.statusFull;
    const names = this.#names?.size ?? 0;
    const bytes = this.#names?.end ?? 0;
    const result = this.#readHead() || this.#readFeatures() || this.#store();
    if (result !== layout.statusDone) {
      this.#names?.forget(names, bytes);
      return result;
    }
    if (this.#weight !== 1) this.weighted = 1;
    this.#labels[this.rows] = this.#label;
    this.#importance[this.rows] = this.#weight;
    this.#offsets[++this.rows] = this.stored;
    return layout.statusDone;
  }

  /** Reads label, importance, base and tag, up to the first bar. */
  #readHead(): number {
    const text = this.#text;
    const number = this.#number;
    const wrong = [layout.statusLabel, layout.statusImportance, layout.statusBase, layout.statusBar];
    this.#label = Number.NaN;
    this.#weight = 1;
    for (let count = 0; ; count++) {
      this.#skipBlanks();
      const p = this.#p;
      if (text[p] === bar) return layout.statusDone;
      if (text[p] === lineFeed) return this.#refuse(layout.statusBar, p, p);
      const end = this.#wordEnd(p);
      if (text[end]! < 9) return this.#refuse(layout.statusBinary, end, end + 1);
      if (text[p] === quote) {
        this.#p = end;
        this.#skipBlanks();
        if (text[this.#p] === bar) return layout.statusDone;
        return this.#refuseWord(layout.statusBar, this.#p);
      }
      if (text[end] === bar) {
        this.#p = end;
        return layout.statusDone;
      }

      if (count === 3) return this.#refuse(layout.statusBar, p, end);
      parseNumberInto(text, p, number);
      if (number.fault === layout.statusNotFinite) return this.#refuse(layout.statusNotFinite, p, end);
      if (number.fault !== 0 || number.end !== end) return this.#refuse(wrong[count]!, p, end);
      if (count === 0) this.#label = number.value;
      else if (count === 1 && number.value >= 0) this.#weight = number.value;
      else if (count === 1 || number.value !== 0) return this.#refuse(wrong[count]!, p, end);
      this.#p = end;
    }
  }

  /** Reads namespaces and features, up to the end of the line. */
  #readFeatures(): number {
    const text = this.#text;
    this.#features = this.#p;
    this.#row.length = 0;
    for (;;) {
      this.#skipBlanks();
      const c = text[this.#p];
      if (c === lineFeed) return layout.statusDone;
      const result = c === bar ? this.#readSpace() : this.#readFeature();
      if (result !== layout.statusDone) return result;
    }
  }

  #readSpace(): number {
    const text = this.#text;
    const p = ++this.#p;
    this.#ordinal = 0;
    this.#scale = 1;
    this.#spaceHash = 0;
    this.#space = new Uint8Array(0);
    if (endsWord(text[p]!)) return layout.statusDone;

    const end = this.#nameEnd(p);
    if (text[end]! < 9) return this.#refuse(layout.statusBinary, end, end + 1);
    if (end === p) return this.#refuse(layout.statusColon, p, p + 1);
    const result = this.#checkName(p, end);
    if (result !== layout.statusDone) return result;
    this.#space = text.slice(p, end + 1);
    this.#space[end - p] = 94; // '^'
    this.#spaceHash = featureHash(text, p, end, 0);
    this.#p = end;
    if (text[end] !== colon) return layout.statusDone;
    const number = this.#readNumber(end + 1);
    this.#scale = this.#number.value;
    return number;
  }

  #readFeature(): number {
    const text = this.#text;
    const p = this.#p;
    const end = this.#nameEnd(p);
    if (text[end]! < 9) return this.#refuse(layout.statusBinary, end, end + 1);
    const result = this.#checkName(p, end);
    if (result !== layout.statusDone) return result;
    this.#p = end;
    let value = this.#scale;
    if (text[end] === colon) {
      const number = this.#readNumber(end + 1);
      if (number !== layout.statusDone) return number;
      value *= this.#number.value;
      if (!Number.isFinite(value)) return this.#refuseWord(layout.statusNotFinite, end + 1);
    }

    const name = end > p ? text.subarray(p, end) : new TextEncoder().encode(String(this.#ordinal++));
    const index = this.#indexOf(name);
    if (index === noRoom) return layout.statusEnlargeNames;
    if (this.stored + this.#row.length === this.#capacity)
      return this.stored === 0 ? layout.statusEnlarge : layout.statusFull;
    this.#row.push({ index, value });
    return layout.statusDone;
  }

  #indexOf(name: Uint8Array): number {
    if (this.#names === null) return featureHash(name, 0, name.length, this.#spaceHash) & this.#mask;
    const whole = new Uint8Array(this.#space.length + name.length);
    whole.set(this.#space);
    whole.set(name, this.#space.length);
    return this.#names.intern(whole);
  }

  /** Reads the number after a colon into `#number`. */
  #readNumber(p: number): number {
    const number = this.#number;
    parseNumberInto(this.#text, p, number);
    if (number.fault !== 0) return this.#refuseWord(number.fault, p);
    if (this.#text[number.end] === colon) return this.#refuseWord(layout.statusColon, number.end);
    if (!endsWord(this.#text[number.end]!)) return this.#refuseWord(layout.statusNumber, p);
    this.#p = number.end;
    return layout.statusDone;
  }

  /** Writes the row; adds up repeated features at the first place of each. */
  #store(): number {
    const sums = new Map<number, number>();
    let overflow = false;
    let wide = false;
    for (const { index, value } of this.#row) {
      const earlier = sums.get(index);
      const sum = earlier === undefined ? value : earlier + value;
      sums.set(index, sum);
      if (!Number.isFinite(sum)) overflow = true;
      if (index > 0xffff || millionths(sum) === null) wide = true;
    }
    if (this.#compactly && wide) return layout.statusNotCompact;
    if (overflow) return this.#refuse(layout.statusNotFinite, this.#features, this.#p);
    for (const [index, value] of sums) {
      this.#indices[this.stored] = index;
      this.#values[this.stored++] = this.#compactly ? millionths(value)! : value;
      this.dimension = Math.max(this.dimension, index + 1);
    }
    return layout.statusDone;
  }

  #checkName(from: number, to: number): number {
    const at = utf8Fault(this.#text, from, to);
    return at === to ? layout.statusDone : this.#refuse(layout.statusUtf8, at, at + 1);
  }

  #skipBlanks(): void {
    while (isBlank(this.#text[this.#p]!)) this.#p++;
  }

  #wordEnd(p: number): number {
    while (this.#text[p]! >= 9 && !endsWord(this.#text[p]!)) p++;
    return p;
  }

  #nameEnd(p: number): number {
    while (this.#text[p]! >= 9 && this.#text[p] !== colon && !endsWord(this.#text[p]!)) p++;
    return p;
  }

  #refuse(status: number, from: number, to: number): number {
    this.faultFrom = from;
    this.faultTo = to;
    return status;
  }

  /** Refuses the rest of a word, or a binary byte in it. */
  #refuseWord(status: number, from: number): number {
    const to = this.#wordEnd(from);
    return this.#text[to]! < 9 ? this.#refuse(layout.statusBinary, to, to + 1) : this.#refuse(status, from, to);
  }
}

function isBlank(c: number): boolean {
  return c === 32 || c === 9 || c === 13;
}

function endsWord(c: number): boolean {
  return isBlank(c) || c === lineFeed || c === bar;
}

/**
 * Vowpal Wabbit's `--hash strings` of the name in bytes [from, to): control characters at its ends do not count, and
 * digits alone are a number, which is added to the seed. The seed of a feature is the hash of its namespace, whose own
 * seed is 0; for an unnamed namespace it is 0.
 */
export function featureHash(bytes: Uint8Array, from: number, to: number, seed: number): number {
  while (from < to && bytes[from]! <= 32) from++;
  while (from < to && bytes[to - 1]! <= 32) to--;
  let number = 0;
  for (let p = from; p < to; p++) {
    if (!isDigit(bytes[p]!)) return murmur3(bytes, from, to, seed);
    number = (Math.imul(number, 10) + (bytes[p]! - 48)) >>> 0;
  }
  return (number + seed) >>> 0;
}
