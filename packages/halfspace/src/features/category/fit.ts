import { type ColumnFit, fewestRows } from '../column-fit.ts';
import type { ColumnOptions } from '../feature-options.ts';
import { cellText } from '../table-cell.ts';
import type { ColumnCells, TableChunk } from '../table-chunk.ts';
import { type CategoryColumn, compareCodePoints, type LeftOutReason, type SetColumn } from '../table-encoding.ts';

/** The default limit of levels; a column with more is left out. */
export const mostLevels = 100_000;
/** A column with at least this many levels, each in one row only, is taken for an identifier. */
const fewestIdentifiers = 50;

/** Counts the levels of a category column. */
export class CategoryFit implements ColumnFit {
  readonly name: string;
  readonly mostLevels: number;
  /** Levels, numbered in order of appearance; `occurrences` counts the rows of each. */
  readonly levels = new Map<string, number>();
  occurrences: Float64Array = new Float64Array(64);
  count = 0;
  missing = 0;
  full = false;
  /** Codes of the words of the last list: 0 not looked up yet, 1 missing, n + 2 level n. */
  #words: readonly (string | null)[] | null = null;
  #known = new Uint32Array(0);
  readonly #rare: number | undefined;
  readonly #isAsked: boolean;

  /**
   * @param options `rare`: levels in fewer rows than this share one feature; default: {@link fewestRows}. With `rare`
   *   or the kind, levels may all be different.
   */
  constructor(name: string, mostLevels: number, { rare, kind }: ColumnOptions = {}) {
    this.name = name;
    this.mostLevels = mostLevels;
    this.#rare = rare;
    this.#isAsked = rare !== undefined || kind !== undefined;
  }

  observe(cells: ColumnCells | null, { rows, numbers }: TableChunk): void {
    if (this.full) return;
    if (cells === null) {
      this.missing += rows;
      return;
    }
    if (cells instanceof Float64Array) throw new TypeError(`category column ${this.name} must come as words`);
    const { codes, words } = cells;
    this.#knowWords(words);
    const known = this.#known;
    let missingHere = 0;
    for (let k = 0; k < rows; k++) {
      const code = codes[numbers === undefined ? k : numbers[k]!]!;
      if (known[code] === 0) this.#look(words, code);
      if (known[code] === 1) missingHere++;
      else this.occurrences[known[code]! - 2]!++;
    }
    this.missing += missingHere;
    this.count += rows - missingHere;
    this.full = this.levels.size > this.mostLevels;
  }

  #knowWords(words: readonly (string | null)[]): void {
    if (words !== this.#words) {
      this.#words = words;
      this.#known = new Uint32Array(words.length);
    } else if (words.length > this.#known.length) {
      const grown = new Uint32Array(words.length * 2);
      grown.set(this.#known);
      this.#known = grown;
    }
  }

  #look(words: readonly (string | null)[], code: number): void {
    const text = cellText(words[code]!);
    if (text === null) {
      this.#known[code] = 1;
      return;
    }
    this.#known[code] = this.numberOf(text) + 2;
  }

  /** Returns the number of a level; a new one joins. */
  numberOf(text: string): number {
    let level = this.levels.get(text);
    if (level === undefined) {
      level = this.levels.size;
      this.levels.set(text, level);
      if (level >= this.occurrences.length) {
        const grown = new Float64Array(level * 2);
        grown.set(this.occurrences);
        this.occurrences = grown;
      }
    }
    return level;
  }

  fitted(): CategoryColumn | SetColumn | LeftOutReason {
    if (this.full) return 'too-many-values';
    if (this.count === 0) return 'empty';
    const indicator = this.missing > 0;
    const all = [...this.levels.keys()];
    const rows = this.occurrences.subarray(0, all.length);
    if (!indicator && rows.every((count) => count === this.count)) return 'constant';
    if (this.count >= fewestIdentifiers && !this.#isAsked && rows.every((count) => count === 1)) return 'all-different';
    const least = this.#rare ?? fewestRows(this.count);
    let levels = all.filter((_, l) => rows[l]! >= least);
    // One feature for all levels says nothing, and one for a single rare level is the same as that level's feature.
    if (levels.length === 0 || levels.length === all.length - 1) levels = all;
    const rare = all.length - levels.length;
    return {
      kind: 'category',
      name: this.name,
      levels: levels.sort(compareCodePoints),
      ...(rare > 0 ? { rare: { least, levels: rare } } : {}),
      missing: { count: this.missing, indicator },
    };
  }
}
