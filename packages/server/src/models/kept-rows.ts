import { randomBytes } from 'node:crypto';
import type { RowJson } from '../state/example-record.ts';
import { PredictionUnknown } from './contract.ts';

/** The rows of the latest predictions, as JSON, until their labels come. They are in memory only. */
export class KeptRows {
  readonly #limit: number;
  readonly #rows: RowJson[] = [];
  /** Nobody can guess the ids of others, and those of an earlier run are unknown in this one. */
  readonly #prefix = `answer-${randomBytes(9).toString('base64url')}-`;
  #count = 0;

  /** @param limit largest number of rows. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Keeps a row, in place of the oldest one if there are too many. Returns its id; null if none is kept. */
  add(row: RowJson): string | null {
    if (this.#limit === 0) return null;
    const number = this.#count++;
    this.#rows[number % this.#limit] = row;
    return `${this.#prefix}${number}`;
  }

  /** Returns a row. @throws PredictionUnknown. */
  get(id: string): RowJson {
    const number = id.startsWith(this.#prefix) ? Number(id.slice(this.#prefix.length)) : -1;
    if (Number.isInteger(number) && number >= 0 && number < this.#count && number >= this.#count - this.#limit)
      return this.#rows[number % this.#limit]!;
    throw new PredictionUnknown(
      'expected the id of one of the latest predictions; got another: send the row with its label instead',
    );
  }
}
