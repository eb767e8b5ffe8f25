import { cellText } from '../features/table-cell.ts';
import type { ColumnCells } from '../features/table-chunk.ts';
import type { ReadAs } from './kinds.ts';
import type { ScannedChunk } from './table.ts';

/** Number of registers of the estimate, and of values up to which the count is exact. */
const registers = 1 << 12;
const mostCounted = 20_000;
const mostExamples = 3;

/** The cells of a column in all rows. */
export interface SeenColumn {
  readonly name: string;
  readonly read: ReadAs;
  /** Null: not counted. */
  readonly missing: number | null;
  /**
   * Number of different values: exact up to 20,000, else an estimate that is right within a few percent. Null: not
   * counted.
   */
  readonly different: number | null;
  readonly isExact: boolean;
  /** The first different cells, as they are written. */
  readonly examples: readonly string[];
}

/** Counts missing and different cells of every column during a scan, and keeps examples. */
export class ColumnWatch {
  rows = 0;
  readonly #names: readonly string[];
  readonly #readings: readonly ReadAs[];
  readonly #columns: readonly Seen[];
  readonly counts: boolean;

  /** @param counts false: only keeps examples, which takes hardly any time. */
  constructor(names: readonly string[], readings: readonly ReadAs[], counts = true) {
    this.counts = counts;
    this.#names = names;
    this.#readings = readings;
    this.#columns = names.map(() => new Seen());
  }

  /** Takes the next rows. @param kept positions of the good rows; null: all. */
  observe(chunk: ScannedChunk, kept: Uint32Array | null): void {
    const rows = kept?.length ?? chunk.rows;
    this.rows += rows;
    chunk.columns.forEach((cells, c) => {
      const seen = this.#columns[c]!;
      if (this.counts) seen.observe(cells, kept, rows);
      for (let k = 0; k < rows && seen.needsExample && k < 64; k++) {
        const i = kept?.[k] ?? k;
        const cell = cells instanceof Float64Array ? (Number.isNaN(cells[i]!) ? null : chunk.cell(c, i)) : null;
        seen.addExample(cells instanceof Float64Array || cells === null ? cell : cells.words[cells.codes[i]!]);
      }
    });
  }

  /** Returns the columns in their order. */
  columns(): SeenColumn[] {
    const none = { missing: null, different: null, isExact: true };
    return this.#columns.map((seen, c) => {
      const counts = this.counts ? seen.result() : none;
      return { name: this.#names[c]!, read: this.#readings[c]!, ...counts, examples: seen.examples };
    });
  }
}

/** Counts the different values of one column: in a set, and beyond it with HyperLogLog (Flajolet et al., 2007). */
class Seen {
  #missing = 0;
  readonly #values = new Set<number | string>();
  #most: Uint8Array | null = null;
  readonly examples: string[] = [];
  /** True for each word that was counted already. */
  #known: boolean[] = [];
  #words: readonly (string | null)[] | null = null;

  observe(cells: ColumnCells | null, kept: Uint32Array | null, rows: number): void {
    if (cells === null) {
      this.#missing += rows;
      return;
    }
    if (cells instanceof Float64Array) {
      for (let k = 0; k < rows; k++) {
        const value = cells[kept === null ? k : kept[k]!]!;
        if (Number.isNaN(value)) this.#missing++;
        else if (this.#most === null) this.#add(value);
        else this.#count(value);
      }
      return;
    }
    const { codes, words } = cells;
    if (words !== this.#words) [this.#words, this.#known] = [words, []];
    for (let k = 0; k < rows; k++) {
      const code = codes[kept === null ? k : kept[k]!]!;
      if (this.#known[code] === true) continue;
      const text = cellText(words[code]!);
      if (text === null) this.#missing++;
      else {
        this.#known[code] = true;
        this.#add(text);
      }
    }
  }

  get needsExample(): boolean {
    return this.examples.length < mostExamples;
  }

  addExample(cell: unknown): void {
    const text = cell === null || cell === undefined ? null : cellText(String(cell));
    if (text !== null && this.needsExample && !this.examples.includes(text)) this.examples.push(text);
  }

  #add(value: number | string): void {
    if (this.#most !== null) {
      this.#count(value);
      return;
    }
    this.#values.add(value);
    if (this.#values.size <= mostCounted) return;
    this.#most = new Uint8Array(registers);
    for (const each of this.#values) this.#count(each);
    this.#values.clear();
  }

  #count(value: number | string): void {
    const hash = typeof value === 'number' ? hashOfNumber(value) : hashOfText(value);
    const rank = Math.clz32(hash >>> 12) - 11;
    const register = hash & (registers - 1);
    if (rank > this.#most![register]!) this.#most![register] = rank;
  }

  result(): Pick<SeenColumn, 'missing' | 'different' | 'isExact'> {
    const rest = { missing: this.#missing };
    if (this.#most === null) return { ...rest, different: this.#values.size, isExact: true };
    let sum = 0;
    for (const rank of this.#most) sum += 2 ** -rank;
    const raw = (0.7213 / (1 + 1.079 / registers)) * (registers * (registers / sum));
    // Hashes of 32 bits collide.
    const different = raw < 2 ** 32 / 30 ? raw : raw * (1 + raw / 2 ** 33);
    return { ...rest, different: Math.round(different), isExact: false };
  }
}

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

function hashOfNumber(value: number): number {
  double[0] = value;
  return mixed(halves[0]! ^ Math.imul(mixed(halves[1]!), 0x9e3779b1));
}

function hashOfText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mixed(hash);
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
