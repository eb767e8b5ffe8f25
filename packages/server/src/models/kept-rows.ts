import { randomBytes } from 'node:crypto';
import type { RowJson } from '../state/example-record.ts';
import { ModelRefusal } from './contract.ts';

/** The rows of the latest predictions, as JSON, until their labels come. They are in memory only. */
export class KeptRows {
  readonly #limit: number;
  readonly #mostBytes: number;
  /** Row k is at k % limit. */
  readonly #rows: (RowJson | undefined)[] = [];
  /** Nobody can guess the ids of others, and those of an earlier run are unknown in this one. */
  readonly #prefix = `answer-${randomBytes(9).toString('base64url')}-`;
  #count = 0;
  #oldest = 0;
  /** Number of bytes of the rows. */
  bytes = 0;

  /** @param limit largest number of rows. @param mostBytes largest number of their bytes. */
  constructor(limit: number, mostBytes: number) {
    this.#limit = limit;
    this.#mostBytes = mostBytes;
  }

  /** Keeps a row, in place of the oldest ones if there are too many. Returns its id; null if none is kept. */
  add(row: RowJson): string | null {
    const bytes = bytesOf(row);
    if (this.#limit === 0 || bytes > this.#mostBytes) return null;
    while (this.#count - this.#oldest === this.#limit || this.bytes + bytes > this.#mostBytes) {
      const at = this.#oldest++ % this.#limit;
      this.bytes -= bytesOf(this.#rows[at]!);
      this.#rows[at] = undefined;
    }
    this.bytes += bytes;
    const number = this.#count++;
    this.#rows[number % this.#limit] = row;
    return `${this.#prefix}${number}`;
  }

  /** Returns a row. @throws `prediction-unknown`. */
  get(id: string): RowJson {
    const number = Number(id.slice(this.#prefix.length));
    // Other spellings of the number, such as 07, would make one prediction several examples.
    if (id === this.#prefix + number && number >= this.#oldest && number < this.#count)
      return this.#rows[number % this.#limit]!;
    throw new ModelRefusal(
      'prediction-unknown',
      'expected the id of one of the latest predictions; got another: send the row with its label instead',
    );
  }
}

function bytesOf({ names, json }: RowJson): number {
  return 2 * (json.length + (names?.length ?? 0)) + 256;
}
