import { numberCell } from '../features/table-cell.ts';

/** Lines that were cut into cells. */
export interface CutLines {
  readonly rows: number;
  /** For each line the beginnings of its cells, then the position behind a delimiter that would follow. */
  readonly starts: Uint32Array;
  /** The numbers of all lines, by position of the cell. */
  readonly numbers: readonly (Float64Array | undefined)[];
}

/** Positions of cells, in room that several lines share. */
export interface CellStarts {
  /** Beginning of each cell, and after the last one the position behind a delimiter that would follow. */
  readonly starts: Uint32Array;
  /** Position of the line's first cell in `starts`. */
  readonly first: number;
  /** Number of cells. */
  readonly count: number;
  /** The numbers of several lines, by position of the cell, and the line's place among them. Default: none. */
  readonly numbers?: CutLines['numbers'];
  readonly row?: number;
}

/**
 * A record in a line without quotes. Its cells are cut out of the text when they are asked for: most are numbers, which
 * are read in place.
 */
export class PlainLine {
  readonly line: number;
  readonly fault = null;
  readonly rejected = null;
  readonly count: number;
  readonly #text: string;
  readonly #starts: Uint32Array;
  readonly #first: number;
  readonly #keepsText: boolean;
  readonly #numbers: CutLines['numbers'] | null;
  readonly #row: number;
  #cells: readonly string[] | null = null;

  /** @param keepsText true: it tells the text of the whole line. */
  constructor(text: string, place: CellStarts, line: number, keepsText: boolean) {
    const { starts, first, count, numbers = null, row = 0 } = place;
    this.line = line;
    this.count = count;
    this.#text = text;
    this.#starts = starts;
    this.#first = first;
    this.#keepsText = keepsText;
    this.#numbers = numbers;
    this.#row = row;
  }

  get cells(): readonly string[] {
    this.#cells ??= Array.from({ length: this.count }, (_, c) => this.cell(c));
    return this.#cells;
  }

  get text(): string | null {
    if (!this.#keepsText) return null;
    return this.#text.slice(this.#starts[this.#first], this.#starts[this.#first + this.count]! - 1);
  }

  /** Returns a cell; its position must be less than `count`. */
  cell(position: number): string {
    const at = this.#first + position;
    return this.#text.slice(this.#starts[at], this.#starts[at + 1]! - 1);
  }

  /** Returns the number in a cell, as `numberCell` does. */
  number(position: number): number {
    const numbers = this.#numbers?.[position];
    if (numbers !== undefined) return numbers[this.#row]!;
    const at = this.#first + position;
    return numberIn(this.#text, this.#starts[at]!, this.#starts[at + 1]! - 1);
  }

  /** Tests if a cell has this text. */
  cellIs(position: number, text: string): boolean {
    const at = this.#first + position;
    const from = this.#starts[at]!;
    return this.#starts[at + 1]! - 1 - from === text.length && this.#text.startsWith(text, from);
  }

  /** Tests if the first cell begins with one of these letters, or is empty. */
  beginsWith(letters: string): boolean {
    const from = this.#starts[this.#first]!;
    return from === this.#starts[this.#first + 1]! - 1 || letters.includes(this.#text[from]!);
  }
}

/** The powers of ten that are exact doubles. */
export const tens: readonly number[] = Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));

/**
 * Returns the number in a part of a text, as `numberCell` does. Most cells are short decimals and need no pattern:
 * their digits and the power of ten are exact doubles, so one division rounds correctly (Clinger 1990).
 */
export function numberIn(text: string, from: number, to: number): number {
  if (from === to || to - from > 16) return numberCell(text.slice(from, to));
  const isNegative = text.charCodeAt(from) === 45;
  let value = 0;
  let point = -1;
  let p = isNegative ? from + 1 : from;
  for (; p < to; p++) {
    const code = text.charCodeAt(p) - 48;
    if (code >= 0 && code <= 9) value = value * 10 + code;
    else if (code === -2 && point === -1) point = p;
    else return numberCell(text.slice(from, to));
  }
  const digits = to - from - (isNegative ? 1 : 0) - (point === -1 ? 0 : 1);
  if (digits === 0 || digits > 15) return numberCell(text.slice(from, to));
  if (point !== -1) value /= tens[to - point - 1]!;
  return isNegative ? -value : value;
}
