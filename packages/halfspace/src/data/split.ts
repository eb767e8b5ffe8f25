import type { CompactBatch, DenseBatch, SparseBatch, StoredBatch } from '../batch.ts';
import { Random } from '../random.ts';

/** A random stream for the split alone, so that it is independent of the order of passes. */
const holdoutStream = 1;

/**
 * Decides which examples are held out: each with the same probability. Only the seed and the example's number decide,
 * so every reading of the data holds out the same examples.
 */
export class HoldoutSplit {
  readonly fraction: number;
  readonly #seed: number;
  readonly #omitted: number;
  #random: Random;
  #chances = new Float64Array(0);
  /** Random numbers drawn so far, that of the omitted example included. */
  #drawn = 0;

  /**
   * @param fraction in (0, 1).
   * @param omitted the number of an example that is missing from the data; all others are decided as if it were there.
   */
  constructor(fraction: number, seed: number, omitted = -1) {
    this.fraction = fraction;
    this.#seed = seed;
    this.#omitted = omitted;
    this.#random = new Random(seed, holdoutStream);
  }

  /** Starts again at the first example. */
  restart(): void {
    this.#random = new Random(this.#seed, holdoutStream);
    this.#drawn = 0;
  }

  /** Tests if the next example is held out. */
  next(): boolean {
    if (this.#drawn++ === this.#omitted) this.#passOver();
    return this.#random.uniform() < this.fraction;
  }

  /**
   * Splits the next `rows` examples: writes the positions of kept ones to `kept` and of held-out ones to `held`, each
   * from the front. Both have room for `rows` positions. @returns the number of kept examples.
   */
  nextInto(rows: number, kept: Uint32Array, held: Uint32Array): number {
    if (this.#chances.length < rows) this.#chances = new Float64Array(rows);
    const chances = this.#chances;
    const { fraction } = this;
    const before = this.#omitted - this.#drawn;
    this.#drawn += rows;
    if (before < 0 || before >= rows) this.#random.uniformInto(chances, rows);
    else {
      this.#random.uniformInto(chances, before);
      this.#passOver();
      this.#random.uniformInto(chances.subarray(before), rows - before);
    }
    let count = 0;
    // Writes both and overwrites the wrong one: a branch on random numbers would be mispredicted half the time.
    for (let i = 0; i < rows; i++) {
      kept[count] = i;
      held[i - count] = i;
      count += chances[i]! < fraction ? 0 : 1;
    }
    return count;
  }

  #passOver(): void {
    this.#random.uniform();
    this.#drawn++;
  }
}

/** Returns the given rows, in this order, as a batch with new arrays. */
export function selectRows(batch: StoredBatch, rows: ArrayLike<number>): StoredBatch {
  return new RowSelection().select(batch, rows, rows.length);
}

/** Selects rows of batches into arrays that are reused. */
export class RowSelection {
  #labels = new Float64Array(0);
  #importance = new Float64Array(0);
  #offsets = new Uint32Array(0);
  #indices: Uint32Array | Uint16Array = new Uint32Array(0);
  #values: Float64Array | Float32Array | Int32Array = new Float64Array(0);

  /** Returns the rows `numbers[0 … count)`, in this order, as a batch that is valid until the next call. */
  select(batch: StoredBatch, numbers: ArrayLike<number>, count: number): StoredBatch {
    if (this.#labels.length < count) {
      this.#labels = new Float64Array(count);
      this.#offsets = new Uint32Array(count + 1);
    }
    const common = {
      rows: count,
      dimension: batch.dimension,
      labels: selectInto(this.#labels, batch.labels, numbers, count),
      importance: batch.importance === null ? null : this.#selectImportance(batch.importance, numbers, count),
    };
    if (batch.kind === 'dense') return { ...common, kind: 'dense', values: this.#selectDense(batch, numbers, count) };
    const { kind } = batch;
    const rows = this.#selectSparse(batch, numbers, count);
    // The arrays have the element types of the batch.
    return (
      kind === 'sparse' ? { ...common, kind, ...rows } : { ...common, kind, places: batch.places, ...rows }
    ) as StoredBatch;
  }

  #selectImportance(importance: Float64Array, numbers: ArrayLike<number>, count: number): Float64Array {
    if (this.#importance.length < count) this.#importance = new Float64Array(count);
    return selectInto(this.#importance, importance, numbers, count);
  }

  #selectDense({ values: source, dimension }: DenseBatch, numbers: ArrayLike<number>, count: number) {
    const values = roomFor(this.#values, source, count * dimension);
    this.#values = values;
    let at = 0;
    for (let k = 0; k < count; k++) {
      const from = numbers[k]! * dimension;
      for (let j = 0; j < dimension; j++) values[at++] = source[from + j]!;
    }
    return values;
  }

  #selectSparse(batch: SparseBatch | CompactBatch, numbers: ArrayLike<number>, count: number) {
    const from = batch.offsets;
    const offsets = this.#offsets;
    for (let k = 0; k < count; k++) offsets[k + 1] = offsets[k]! + from[numbers[k]! + 1]! - from[numbers[k]!]!;
    const stored = offsets[count]!;
    const { indices: sourceIndices, values: sourceValues } = batch;
    const indices = roomFor(this.#indices, sourceIndices, stored);
    const values = roomFor(this.#values, sourceValues, stored);
    this.#indices = indices;
    this.#values = values;
    for (let k = 0, at = 0; k < count; ) {
      let p = from[numbers[k]!]!;
      // Copies runs of neighbours by a loop: they are short, and a call would take longer than the copy.
      do k++;
      while (k < count && numbers[k] === numbers[k - 1]! + 1);
      const end = from[numbers[k - 1]! + 1]!;
      for (; p < end; p++, at++) {
        indices[at] = sourceIndices[p]!;
        values[at] = sourceValues[p]!;
      }
    }
    return { offsets, indices, values };
  }
}

type Numbers = Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array;

/** Returns `array`, or a new one if it is too short or of another type than `model`. */
function roomFor<A extends Numbers>(array: Numbers, model: A, length: number): A {
  const Kind = model.constructor as new (length: number) => A;
  return array instanceof Kind && array.length >= length ? array : new Kind(length);
}

function selectInto(target: Float64Array, source: Float64Array, numbers: ArrayLike<number>, count: number) {
  for (let k = 0; k < count; k++) target[k] = source[numbers[k]!]!;
  return target;
}
