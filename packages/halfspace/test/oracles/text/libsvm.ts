import type { RowBlocks } from '../../../src/kernels/kernels.ts';
import * as layout from '../../../src/kernels/layout.ts';
import { isDigit, millionths, type NumberResult, parseNumberInto, reportTo, storedArrays } from './tokens.ts';

const lineFeed = 10;
const comment = 35;
const comma = 44;
const colon = 58;

/** Does the same as `Kernels.parseLibsvm` in plain TypeScript, one line at a time. */
export function parseLibsvmReference(
  text: Uint8Array,
  rows: RowBlocks,
  report: Float64Array,
  compactly: boolean,
): number {
  let line = report[layout.reportFrom]!;
  let to = report[layout.reportTo]!;
  if (report[layout.reportLast] === 0) to = Math.max(line, text.subarray(0, to).lastIndexOf(lineFeed) + 1);
  const behind = text[to]!;
  text[to] = lineFeed;

  const reader = new LineReader(text, rows, compactly);
  let lines = 0;
  let result: number = layout.statusDone;
  while (line < to) {
    result = reader.read(line);
    if (result !== layout.statusDone) break;
    line = text.indexOf(lineFeed, line) + 1;
    lines++;
  }

  text[to] = behind;
  reportTo(report, reader, { consumed: Math.min(line, to), lines, weighted: 0, zeroIndex: reader.zeroIndex });
  return result;
}

class LineReader {
  readonly #text: Uint8Array;
  readonly #offsets: Uint32Array;
  readonly #compactly: boolean;
  readonly #indices: Uint32Array | Uint16Array;
  readonly #values: Float64Array | Int32Array;
  readonly #labels: Float64Array;
  readonly #number: NumberResult = { value: 0, end: 0, fault: 0 };
  rows = 0;
  stored = 0;
  dimension = 0;
  zeroIndex = 0;
  faultFrom = 0;
  faultTo = 0;

  constructor(text: Uint8Array, rows: RowBlocks, compactly: boolean) {
    this.#text = text;
    this.#offsets = rows.offsets.array;
    const { indices, values } = storedArrays(rows, compactly);
    this.#compactly = compactly;
    this.#indices = indices;
    this.#values = values;
    this.#labels = rows.labels.array;
    this.#offsets[0] = 0;
  }

  /** Reads the line at `p`, or refuses it and keeps the rows before. */
  read(p: number): number {
    const text = this.#text;
    const number = this.#number;
    p = this.#skipBlanks(p);
    if (text[p] === lineFeed || text[p] === comment) return layout.statusDone;
    if (this.rows === this.#labels.length) return layout.statusFull;

    parseNumberInto(text, p, number);
    if (number.fault !== 0) return this.#refuse(this.#labelFault(p), p, number.end);
    const labelled = text[number.end] !== colon;
    const label = labelled ? number.value : Number.NaN;
    if (labelled) p = number.end;

    let k = this.stored;
    let previous = -1;
    let wide = false;
    for (;;) {
      p = this.#skipBlanks(p);
      if (text[p] === lineFeed || text[p] === comment) break;
      let index = 0;
      let q = p;
      while (isDigit(text[q]!) && q - p < 11) index = index * 10 + (text[q++]! - 48);
      if (q === p || text[q] !== colon) return this.#refuse(this.#indexFault(p, q, k), p, q);
      if (index > 0xffff_ffff) return this.#refuse(layout.statusIndexRange, p, q);
      if (index <= previous) return this.#refuse(layout.statusIndexOrder, p, q);
      previous = index;
      q++;
      parseNumberInto(text, q, number);
      const after = text[number.end];
      if (number.fault !== 0) return this.#refuse(number.fault, q, number.end);
      if (after === colon || after === 124) return this.#refuse(layout.statusNumber, q, number.end);
      p = number.end;
      if (k === this.#values.length) return this.stored === 0 ? layout.statusEnlarge : layout.statusFull;
      const stored = this.#compactly ? millionths(number.value) : number.value;
      if (stored === null || (this.#compactly && index > 0xffff)) wide = true;
      this.#indices[k] = index;
      this.#values[k] = stored ?? 0;
      k++;
    }

    if (wide) return layout.statusNotCompact;
    if (previous >= this.dimension) this.dimension = previous + 1;
    if (k > this.stored && this.#indices[this.stored] === 0) this.zeroIndex = 1;
    this.#labels[this.rows] = label;
    this.stored = k;
    this.#offsets[++this.rows] = k;
    return layout.statusDone;
  }

  #skipBlanks(p: number): number {
    const text = this.#text;
    while (text[p] === 32 || text[p] === 9 || text[p] === 13) p++;
    return p;
  }

  #labelFault(p: number): number {
    const { fault, end } = this.#number;
    if (fault !== layout.statusNumber) return fault;
    return end > p && this.#text[end] === comma ? layout.statusManyLabels : layout.statusLabel;
  }

  #indexFault(p: number, q: number, k: number): number {
    const c = this.#text[q]!;
    if (c < 9) return layout.statusBinary;
    if (q === p) {
      if (c === 113) return layout.statusQid;
      return c === comma && k === this.stored ? layout.statusManyLabels : layout.statusIndex;
    }
    return q - p > 10 ? layout.statusIndexRange : layout.statusColon;
  }

  #refuse(status: number, from: number, to: number): number {
    this.faultFrom = from;
    this.faultTo = to;
    return status;
  }
}
