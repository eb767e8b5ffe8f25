import { numberAround } from '../data/important-rows.ts';
import { HoldoutSplit } from '../data/split.ts';

/** Numbers of the training examples in the data, from 0. */
export class RowNumbers {
  readonly #split: HoldoutSplit | null;
  readonly #leftOut: readonly number[];
  readonly #kept: number[] = [];
  #drawn = 0;

  /**
   * @param holdout share of the examples held out, by `seed`; 0: none.
   * @param leftOut numbers in the data of the rows of importance 0, rising; may grow while data are read.
   */
  constructor({ holdout, seed }: { readonly holdout: number; readonly seed: number }, leftOut: readonly number[]) {
    this.#split = holdout > 0 ? new HoldoutSplit(holdout, seed) : null;
    this.#leftOut = leftOut;
  }

  /** Returns the number in the data of the training example at `position`. */
  of(position: number): number {
    return numberAround(this.#leftOut, this.#split === null ? position : this.#exampleOf(position, this.#split));
  }

  /** Returns the number, among all examples, of the training example at `position`. */
  #exampleOf(position: number, split: HoldoutSplit): number {
    for (; this.#kept.length <= position; this.#drawn++) if (!split.next()) this.#kept.push(this.#drawn);
    return this.#kept[position]!;
  }
}
