import { HoldoutSplit, LabelClasses, type WordCells } from 'halfspace/internal';
import type { Job } from './job.ts';

/** Positions of the rows of a batch, each list rising. */
export interface RowParts {
  /** All rows that are not held out for evaluation: `learned` and `stopping`. */
  readonly training: Uint32Array;
  readonly learned: Uint32Array;
  /** Held out for early stopping. */
  readonly stopping: Uint32Array;
  /** Held out for evaluation. */
  readonly heldOut: Uint32Array;
}

/** Early stopping holds out a tenth, as on one machine. */
const stoppingShare = 0.1;

/**
 * Holds out rows of a shard by their classes and the seed, so that every step holds out the same ones. Shard k draws
 * from random streams of its own, 2k + 1 and 2k + 2. The first is that of one machine for k = 0, so that a single shard
 * holds out the same rows for evaluation.
 */
export class RowSplit {
  readonly #classes: LabelClasses;
  readonly #holdout: HoldoutSplit | null;
  readonly #stopping: HoldoutSplit | null;

  constructor({ positive, holdout, patience, seed = 1 }: Job, shard: number) {
    this.#classes = new LabelClasses(positive);
    this.#holdout = holdout === undefined ? null : new HoldoutSplit(holdout, seed, 2 * shard + 1);
    this.#stopping = patience === undefined ? null : new HoldoutSplit(stoppingShare, seed, 2 * shard + 2);
  }

  /** Splits the next rows. @param labels their cells in the column of the class. */
  next(labels: WordCells, rows: number): RowParts {
    const classes = this.#classes.of(labels, rows);
    const all = Uint32Array.from({ length: rows }, (_, i) => i);
    const [training, heldOut] = split(this.#holdout, classes, all);
    const [learned, stopping] = split(this.#stopping, classes, training);
    return { training, learned, stopping, heldOut };
  }
}

/** Returns the kept and the held-out ones of some rows. */
function split(by: HoldoutSplit | null, classes: Int32Array, rows: Uint32Array): [Uint32Array, Uint32Array] {
  if (by === null) return [rows, new Uint32Array(0)];
  const kept = new Uint32Array(rows.length);
  const held = new Uint32Array(rows.length);
  const ofRows = rows.map((i) => classes[i]!);
  const count = by.nextInto(ofRows, rows.length, kept, held);
  const numbers = (positions: Uint32Array) => positions.map((position) => rows[position]!);
  return [numbers(kept.subarray(0, count)), numbers(held.subarray(0, rows.length - count))];
}
