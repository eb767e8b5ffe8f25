import { CategoryFit } from '../category/fit.ts';
import type { ColumnOptions } from '../feature-options.ts';
import { cellText } from '../table-cell.ts';
import type { ColumnCells, TableChunk } from '../table-chunk.ts';
import type { CategoryColumn, LeftOutReason, SetColumn, SetForm } from '../table-encoding.ts';
import { membersOf } from './members.ts';

/** Counts the levels of a column of sets. */
export class SetFit extends CategoryFit {
  readonly #form: SetForm;

  /** @param options as of a category. */
  constructor(name: string, mostLevels: number, options: ColumnOptions, { separator }: SetForm = {}) {
    super(name, mostLevels, options);
    this.#form = separator === undefined ? {} : { separator };
  }

  override observe(cells: ColumnCells | null, { rows, numbers }: TableChunk): void {
    if (this.full) return;
    if (cells === null) {
      this.missing += rows;
      return;
    }
    if (cells instanceof Float64Array) throw new TypeError(`column ${this.name} must come as words`);
    const { codes, words } = cells;
    for (let k = 0; k < rows && this.levels.size <= this.mostLevels; k++) {
      const text = cellText(words[codes[numbers === undefined ? k : numbers[k]!]!]!);
      if (text === null) {
        this.missing++;
        continue;
      }
      this.count++;
      for (const member of membersOf(text, this.#form.separator)) {
        const level = this.numberOf(member);
        this.occurrences[level]!++;
      }
    }
    this.full = this.levels.size > this.mostLevels;
  }

  override fitted(): SetColumn | LeftOutReason {
    const column = super.fitted();
    if (typeof column === 'string') return column;
    const { name, levels, rare, missing } = column as CategoryColumn;
    return { kind: 'set', name, ...this.#form, levels, ...(rare === undefined ? {} : { rare }), missing };
  }
}
