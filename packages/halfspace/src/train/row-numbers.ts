import { numberAround } from '../data/important-rows.ts';
import { HoldoutSplit } from '../data/split.ts';

/** The numbers in the data, from 0, of the examples to learn from. */
export class RowNumbers {
  readonly #split: HoldoutSplit | null;
  readonly #leftOut: readonly number[];
  readonly #kept: number[] = [];
  #drawn = 0;

  /**
   * @param holdout share of the examples that is held out, by `seed`; 0: none.
   * @param leftOut numbers in the data of the rows of importance 0, rising; it may grow as data are read.
   */
  constructor({ holdout, seed }: { readonly holdout: number; readonly seed: number }, leftOut: readonly number[]) {
    this.#split = holdout > 0 ? new HoldoutSplit(holdout, seed) : null;
    this.#leftOut = leftOut;
  }

  /** Returns the number in the data of example `position` of those to learn from. */
  of(position: number): number {
    return numberAround(this.#leftOut, this.#split === null ? position : this.#exampleOf(position, this.#split));
  }

  /** Returns the number, among all examples, of example `position` of those to learn from. */
  #exampleOf(position: number, split: HoldoutSplit): number {
    for (; this.#kept.length <= position; this.#drawn++) if (!split.next()) this.#kept.push(this.#drawn);
    return this.#kept[position]!;
  }
}
