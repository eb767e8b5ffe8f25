import { HoldoutSplit } from 'halfspace/runs';
import { LabelClasses, type WordCells } from 'halfspace/tables';
import type { Job } from './job.ts';

type Split = Pick<HoldoutSplit, 'nextInto'>;

/** Positions of the rows of a batch, each list rising. */
export interface RowParts {
  readonly training: Uint32Array;
  /** Held out for evaluation. */
  readonly heldOut: Uint32Array;
}

/**
 * Holds out rows of a shard for evaluation by their classes and the seed, so that every step holds out the same ones.
 * Shard k draws from random streams of its own, 2k + 1 here and 2k + 2 for early stopping. For k = 0 they are those of
 * one machine, so that a single shard holds out the same rows.
 */
export class RowSplit {
  readonly #classes: LabelClasses;
  readonly #holdout: HoldoutSplit | null;

  constructor({ positive, holdout, seed = 1 }: Job, shard: number) {
    this.#classes = new LabelClasses({ positive });
    this.#holdout = holdout === undefined ? null : new HoldoutSplit(holdout, seed, 2 * shard + 1);
  }

  /** Splits the next rows. @param labels their cells in the column of the class. */
  next(labels: WordCells, rows: number): RowParts {
    const all = Uint32Array.from({ length: rows }, (_, i) => i);
    if (this.#holdout === null) return { training: all, heldOut: new Uint32Array(0) };
    const [training, heldOut] = split(this.#holdout, this.#classes.of(labels, rows), all);
    return { training, heldOut };
  }
}

/** Returns the kept and the held-out ones of some rows. @param classes number of the class of each row of the batch. */
export function split(by: Split, classes: ArrayLike<number>, rows: Uint32Array): [Uint32Array, Uint32Array] {
  const kept = new Uint32Array(rows.length);
  const held = new Uint32Array(rows.length);
  const ofRows = Float64Array.from(rows, (i) => classes[i]!);
  const count = by.nextInto(ofRows, rows.length, kept, held);
  const numbers = (positions: Uint32Array) => positions.map((position) => rows[position]!);
  return [numbers(kept.subarray(0, count)), numbers(held.subarray(0, rows.length - count))];
}
