import type { HeldOutRows } from '../data/source.ts';
import { HoldoutSplit } from '../data/split.ts';
import { findClass, joinKey } from '../features/class-names.ts';
import { WordMeanings } from '../features/column-features.ts';
import { holds, parseThreshold } from '../features/label-threshold.ts';
import { cellText, numberCell } from '../features/table-cell.ts';
import type { WordCells } from '../features/table-chunk.ts';
import type { LabelThreshold } from '../features/table-encoding.ts';

/** The held-out rows of tables, decided by their labels before all classes are known. */
export interface TableHoldout {
  readonly split: HoldoutSplit;
  readonly classes: LabelClasses;
}

/** Options that decide which labels are one class. */
export interface LabelNaming {
  /** The class that is learned against all others. Default: none. */
  readonly positive?: string | undefined;
  /** True: labels that differ only in how they are written are one class. Default false. */
  readonly joinLabels?: boolean | undefined;
}

export function tableHoldout(holdout: HeldOutRows | undefined, naming: LabelNaming): TableHoldout | null {
  if (holdout === undefined) return null;
  return { split: new HoldoutSplit(holdout.fraction, holdout.seed), classes: new LabelClasses(naming) };
}

/**
 * Returns the naming with the positive class as the labels write it. Other rows are held out if it differs, because
 * {@link LabelClasses} compares texts: which class `1.0` names is known only when all classes are.
 */
export function exactNaming(naming: LabelNaming, counts: ReadonlyMap<string, number>): LabelNaming {
  const { positive, joinLabels } = naming;
  if (positive === undefined || joinLabels === true || parseThreshold(positive) !== null) return naming;
  const texts = [...counts.keys()];
  return { ...naming, positive: texts[findClass(texts, positive.trim())] ?? positive };
}

/** Numbers the classes of label cells in the order in which they occur. */
export class LabelClasses {
  readonly #numbers = new Map<string, number>();
  readonly #positive: string | null;
  readonly #threshold: LabelThreshold | null;
  readonly #join: boolean;
  readonly #ofWord = new WordMeanings(Int32Array, (word) => this.#numberOf(cellText(word) ?? ''));
  #ofRow = new Int32Array(0);

  constructor({ positive, joinLabels = false }: LabelNaming) {
    this.#join = joinLabels;
    this.#positive = positive === undefined ? null : this.#keyOf(positive.trim());
    this.#threshold = positive === undefined ? null : parseThreshold(positive);
  }

  /** Returns the number of the class of each row; valid until the next call. */
  of({ codes, words }: WordCells, rows: number): Int32Array {
    const numbers = this.#ofWord.of(words);
    if (this.#ofRow.length < rows) this.#ofRow = new Int32Array(rows);
    for (let i = 0; i < rows; i++) this.#ofRow[i] = numbers[codes[i]!]!;
    return this.#ofRow;
  }

  #keyOf(text: string): string {
    return this.#join ? joinKey(text) : text;
  }

  #numberOf(text: string): number {
    if (this.#threshold !== null && Number.isFinite(numberCell(text)))
      return holds(this.#threshold, numberCell(text)) ? 1 : 0;
    const key = this.#keyOf(text);
    if (this.#positive !== null) return key === this.#positive ? 1 : 0;
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }
}
