import type { CompactBatch, DenseBatch, SparseBatch, StoredBatch } from '../batch.ts';
import { Random } from '../random.ts';

/** Divides examples into kept and held-out ones, in the order of the data. */
export interface Split {
  /**
   * Splits the next `rows` examples: writes the positions of kept ones to `kept` and of held-out ones to `held`, each
   * from the front. Both have room for `rows` positions.
   *
   * @param classes the class of each example, as any number: equal numbers mean equal classes.
   * @returns the number of kept examples.
   */
  nextInto(classes: ArrayLike<number>, rows: number, kept: Uint32Array, held: Uint32Array): number;
}

/** A random stream for the split alone, so that it is independent of the order of passes. */
const holdoutStream = 1;

/**
 * Holds out the same share of every class: of a class's first n examples less than one more or less than n × share, for
 * every n, but never its first example. So every class can be learned, and the examples can come as a stream.
 *
 * Only the seed and the classes of the examples so far decide, so every reading of the data holds out the same ones.
 * The draw is the sequential method of J. R. Chromy, "Sequential sample selection methods", Proceedings of the ASA
 * Section on Survey Research Methods, 1979: all examples of a class have the same chance. We differ at the first
 * example of a class, whose chance goes to the next ones.
 */
export class HoldoutSplit implements Split {
  readonly fraction: number;
  readonly #random: Random;
  #chances = new Float64Array(0);
  /** Position in the lists for each class, from 1. */
  readonly #places = new Map<number, number>();
  /** The same for the classes −1 to 254, which need no look-up in a map; 0: not seen. */
  readonly #near = new Uint32Array(256);
  /** Number n of examples of each class so far; 1: one more than the whole part of n × share is held out, 0: not. */
  #seen: Float64Array = new Float64Array(16);
  #ahead: Float64Array = new Float64Array(16);

  /**
   * @param fraction in (0, 1).
   * @param stream of random numbers. Default: that of the option `holdout`.
   */
  constructor(fraction: number, seed: number, stream = holdoutStream) {
    this.fraction = fraction;
    this.#random = new Random(seed, stream);
  }

  /** Tests if the next example is held out. @param ofClass as for {@link nextInto}. */
  next(ofClass: number): boolean {
    return this.nextInto([ofClass], 1, new Uint32Array(1), new Uint32Array(1)) === 0;
  }

  nextInto(classes: ArrayLike<number>, rows: number, kept: Uint32Array, held: Uint32Array): number {
    if (this.#chances.length < rows) this.#chances = new Float64Array(rows);
    const chances = this.#chances;
    this.#random.uniformInto(chances, rows);
    const near = this.#near;
    const { fraction } = this;
    let seen = this.#seen;
    let ahead = this.#ahead;
    let count = 0;
    for (let i = 0; i < rows; i++) {
      const ofClass = classes[i]!;
      const at = (ofClass + 1) & 255;
      let place = at === ofClass + 1 ? near[at]! : 0;
      if (place === 0) {
        place = this.#placeOf(ofClass);
        seen = this.#seen;
        ahead = this.#ahead;
      }
      const before = seen[place]! * fraction;
      const after = ++seen[place]! * fraction;
      const low = Math.floor(before);
      const high = Math.floor(after);
      // Both chances are computed, because a branch would be hard to predict. A factor of 0 or 1 changes no bit.
      const rises = Number(high > low);
      const ifAhead = (rises * (after - high)) / (rises * (before - low) + 1 - rises);
      const ifNot = rises + (((1 - rises) * (after - before)) / (1 - (before - low))) * Number(before > 0);
      const chance = chances[i]!;
      const was = ahead[place]!;
      const isHeld = was * Number(!(chance >= ifAhead)) + (1 - was) * Number(!(chance >= ifNot));
      ahead[place] = was + isHeld - rises;
      // Every position is written to both lists, and stays in one.
      kept[count] = i;
      held[i - count] = i;
      count += 1 - isHeld;
    }
    return count;
  }

  /** Returns the position of a class in the lists. */
  #placeOf(ofClass: number): number {
    let place = this.#places.get(ofClass);
    if (place !== undefined) return place;
    place = this.#places.size + 1;
    this.#places.set(ofClass, place);
    const at = (ofClass + 1) & 255;
    if (at === ofClass + 1) this.#near[at] = place;
    if (place === this.#seen.length) {
      this.#seen = grown(this.#seen);
      this.#ahead = grown(this.#ahead);
    }
    return place;
  }
}

/**
 * Holds out a given number of examples of every class, whose number of examples is known.
 *
 * The draw is selection sampling, Algorithm S of D. E. Knuth, The Art of Computer Programming, vol. 2, 3rd ed., section
 * 3.4.2: all sets of this size have the same chance.
 */
export class CountedSplit implements Split {
  readonly #random: Random;
  /** For each class: the number of examples to come, and of those to hold out. */
  readonly #left: ReadonlyMap<number, { examples: number; held: number }>;

  constructor(counts: readonly (readonly [ofClass: number, examples: number, held: number])[], random: Random) {
    this.#random = random;
    this.#left = new Map(counts.map(([ofClass, examples, held]) => [ofClass, { examples, held }]));
  }

  nextInto(classes: ArrayLike<number>, rows: number, kept: Uint32Array, held: Uint32Array): number {
    let count = 0;
    for (let i = 0; i < rows; i++) {
      const left = this.#left.get(classes[i]!)!;
      if (this.#random.uniform() * left.examples-- < left.held) {
        held[i - count] = i;
        left.held--;
      } else kept[count++] = i;
    }
    return count;
  }
}

/** Returns a copy of twice the length. */
function grown(list: Float64Array): Float64Array {
  const longer = new Float64Array(list.length * 2);
  longer.set(list);
  return longer;
}

/** Holds out listed examples. */
export class ListedSplit implements Split {
  readonly #numbers: readonly number[];
  #seen = 0;
  #listed = 0;

  /** @param numbers of the held-out examples, from 0 and rising. */
  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  nextInto(_: ArrayLike<number>, rows: number, kept: Uint32Array, held: Uint32Array): number {
    let count = 0;
    for (let i = 0; i < rows; i++)
      if (this.#numbers[this.#listed] === this.#seen++) {
        held[i - count] = i;
        this.#listed++;
      } else kept[count++] = i;
    return count;
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
    for (let k = 0; k < count; k++) {
      // By a loop: rows are short, and a call would take longer than the copy.
      const end = offsets[k + 1]!;
      for (let at = offsets[k]!, p = from[numbers[k]!]!; at < end; at++, p++) {
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
  // A little more room, because the numbers of values of batches differ a little.
  return array instanceof Kind && array.length >= length ? array : new Kind(length + (length >> 3));
}

function selectInto(target: Float64Array, source: Float64Array, numbers: ArrayLike<number>, count: number) {
  for (let k = 0; k < count; k++) target[k] = source[numbers[k]!]!;
  return target;
}
