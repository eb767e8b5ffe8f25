import type { HeldOutRows } from '../data/source.ts';
import { HoldoutSplit } from '../data/split.ts';
import { WordMeanings } from '../features/column-features.ts';
import { holds, parseThreshold } from '../features/label-threshold.ts';
import { cellText, numberCell } from '../features/table-cell.ts';
import type { WordCells } from '../features/table-chunk.ts';
import type { LabelThreshold } from '../features/table-encoding.ts';
import { labelKey } from '../features/table-label.ts';

/** The held-out rows of tables, decided by their labels before all classes are known. */
export interface TableHoldout {
  readonly split: HoldoutSplit;
  readonly classes: LabelClasses;
}

/** @param positive the class that is learned against all others, if one was named. */
export function tableHoldout(holdout: HeldOutRows | undefined, positive: string | undefined): TableHoldout | null {
  if (holdout === undefined) return null;
  return { split: new HoldoutSplit(holdout.fraction, holdout.seed), classes: new LabelClasses(positive) };
}

/** Numbers the classes of label cells in the order in which they occur. */
export class LabelClasses {
  readonly #numbers = new Map<string, number>();
  readonly #positive: string | null;
  readonly #threshold: LabelThreshold | null;
  readonly #ofWord = new WordMeanings(Int32Array, (word) => this.#numberOf(labelKey(cellText(word) ?? '')));
  #ofRow = new Int32Array(0);

  constructor(positive: string | undefined) {
    this.#positive = positive === undefined ? null : labelKey(positive.trim());
    this.#threshold = positive === undefined ? null : parseThreshold(positive);
  }

  /** Returns the number of the class of each row; valid until the next call. */
  of({ codes, words }: WordCells, rows: number): Int32Array {
    const numbers = this.#ofWord.of(words);
    if (this.#ofRow.length < rows) this.#ofRow = new Int32Array(rows);
    for (let i = 0; i < rows; i++) this.#ofRow[i] = numbers[codes[i]!]!;
    return this.#ofRow;
  }

  #numberOf(key: string): number {
    if (this.#threshold !== null && Number.isFinite(numberCell(key)))
      return holds(this.#threshold, numberCell(key)) ? 1 : 0;
    if (this.#positive !== null) return key === this.#positive ? 1 : 0;
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }
}
