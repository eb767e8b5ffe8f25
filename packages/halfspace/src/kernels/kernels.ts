import type { SparseBatch, StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import type { Block } from './block.ts';

/**
 * The contract of the kernels: the hot loops, and the memory they use.
 *
 * Two implementations compute the same bits: `wasm.ts` (WebAssembly with SIMD) and `reference.ts` (plain TypeScript, if
 * WebAssembly is not available; it reads no text). Kernels do not check their input; the caller must. Sums run in four
 * lanes, element k in lane k mod 4, and end as (s0 + s1) + (s2 + s3), for sparse and dense rows alike. This order is
 * part of the contract.
 */
export interface Kernels {
  readonly name: 'wasm' | 'reference';
  /** The `WebAssembly.Memory` of their blocks; null: none. (Not all users of these types have its type.) */
  readonly memory: unknown;

  /**
   * Allocates memory for the kernels, filled with zeros.
   *
   * @param clear false: the contents are undefined, because the caller overwrites them. Default true.
   * @throws HalfspaceError `memory-exhausted`.
   */
  float64(length: number, clear?: boolean): Block<Float64Array>;
  uint32(length: number, clear?: boolean): Block<Uint32Array>;
  uint8(length: number, clear?: boolean): Block<Uint8Array>;

  /**
   * Shows examples [from, to) of `batch` to a learner. Returns the number shown, which is smaller if `cleanStreakLimit`
   * or `updateLimit` of the state was reached.
   *
   * Mistake-driven: for each example (x, y) of importance h, a = w·x + b·c. If the condition holds and h > 0, w += g·x
   * and b += g·c, with g = h·y or as `stepKind` says; no update if g is 0. A NaN score makes an update. With `sums`,
   * the sums for averaging are updated: u += clock·g·x. An index may be repeated in a row, unless the step uses ‖x‖²,
   * which is summed over stored values.
   *
   * Sgd, multinomial and arow: see rules/sgd.ts, multinomial.ts and arow.ts. They skip zeros, also in the lanes of a
   * sum, so sparse and dense rows give the same bits. A row has each index once.
   *
   * @param learner has room for `batch.dimension` features.
   */
  learn(batch: StoredBatch, from: number, to: number, learner: LearnerMemory): number;

  /** Writes out[i] = w·xᵢ + b·c for every example of the batch. `out` has at least `batch.rows` elements. */
  scoreInto(
    batch: StoredBatch,
    weights: Block<Float64Array>,
    bias: number,
    biasConstant: number,
    out: Float64Array,
  ): void;

  /**
   * Writes a batch's indices and values compactly, value = m / 10^places. Returns true if this loses nothing; otherwise
   * the output is useless. Indices are below 2¹⁶. The outputs are in kernel memory and as long as the values.
   */
  compactInto(batch: SparseBatch, places: number, indices: Uint16Array, values: Int32Array): boolean;

  /** Describes batches in kernel memory, to copy rows from them. The caller frees it; until then they stay in place. */
  rowSources(batches: readonly StoredBatch[]): RowSources;

  /** Returns the number of values in the first `count` rows of `picks`: pairs of a batch's position and a row in it. */
  countPicked(sources: RowSources, picks: Block<Uint32Array>, count: number): number;

  /**
   * Copies the first `count` rows of `picks` to `target`, in this order, and uses `picks` as scratch memory. `target`
   * is in kernel memory, with exactly the room, and of the kind of the sources. Its importance is 1 where a source has
   * none. Compact sources of different places are decoded into a sparse target, 32-bit floats widened into a dense one.
   */
  copyPicked(sources: RowSources, picks: Block<Uint32Array>, count: number, target: StoredBatch): void;

  /** Writes out[i] = ‖xᵢ‖², without the constant. */
  squaredNormsInto(batch: StoredBatch, out: Float64Array): void;

  /**
   * Reads lines of libsvm text. Returns a status of layout.ts, which also describes `report`.
   *
   * @param compactly write 16-bit indices, and values as 32-bit multiples of 10^−`parsedPlaces`, at the front of the
   *   memory of `rows.indices` and `rows.values`. Stops with `statusNotCompact` at a line that does not fit.
   */
  parseLibsvm(text: Block<Uint8Array>, rows: RowBlocks, report: Block<Float64Array>, compactly?: boolean): number;

  /**
   * Reads lines of Vowpal Wabbit text (format: assembly/vw.ts). Returns a status of layout.ts. With `names`,
   * features are numbered by name. New names are added. A line that is not accepted adds no name. Without `names`,
   * features are hashed like Vowpal Wabbit's to `bits` in [1, 28] bits. A repeated feature of a line is written
   * once, with the sum of its values, but each occurrence counts against the room in `rows`. `text` is at least one
   * byte longer than the bytes to read.
   *
   * @param compactly as of `parseLibsvm`. Hashes have at most 16 bits then.
   */
  parseVw(
    text: Block<Uint8Array>,
    rows: RowBlocks,
    names: NameTableMemory | null,
    bits: number,
    report: Block<Float64Array>,
    compactly?: boolean,
  ): number;

  /**
   * Writes the numbers of `entries` to `numbers`, from position `at` on. Adds new names to `names`, which has room
   * for all.
   */
  internNames(entries: NameEntries, names: NameTableMemory, numbers: Block<Uint32Array>, at: number): void;

  /** Replaces the first `count` indices i, in kernel memory, by `numbers[i]`, which must fit. */
  renumber(indices: Uint32Array | Uint16Array, count: number, numbers: Block<Uint32Array>): void;
}

/** Batches whose rows kernels can copy. */
export interface RowSources {
  free(): void;
}

/** Returns the error for use of a freed block. */
export function freedMemory(): HalfspaceError {
  return new HalfspaceError(
    'option-invalid',
    'expected a learner or scorer in use; got one after free(), which must not be used again',
  );
}

/** The data of a learner in kernel memory, by the kind of its loop. */
export type LearnerMemory = TwoClassMemory | MultinomialMemory;

/** The data of a learner of two classes. */
export type TwoClassMemory = MistakeDrivenMemory | SgdMemory | ArowMemory;

export interface MistakeDrivenMemory {
  readonly kind: 'mistake-driven';
  readonly weights: Block<Float64Array>;
  /** Sums for averaging, as long as `weights`; null: no averaging. */
  readonly sums: Block<Float64Array> | null;
  /** Scalars, at the positions of layout.ts. */
  readonly state: Block<Float64Array>;
  /** Shows examples `order[from] … order[to − 1]` instead of `from … to − 1`. */
  readonly order?: Uint32Array;
  /**
   * Receives the updates of a call: their number, then one entry for each (`entryPlace` … of layout.ts). Has room for
   * one entry per example shown.
   */
  readonly log?: Block<Float64Array>;
  /** With `log`: read the clock before each example from its entry's place for the step. Default false: count. */
  readonly timed?: boolean;
}

/** A learner by stochastic gradient descent, see rules/sgd.ts. */
export interface SgdMemory {
  readonly kind: 'sgd';
  /** `recordSize` numbers per feature, side by side, so that a feature is in one place of memory. All 0 at first. */
  readonly records: Block<Float64Array>;
  readonly state: Block<Float64Array>;
}

/** A learner of several classes by the multinomial loss, see rules/multinomial.ts. Labels are class positions. */
export interface MultinomialMemory {
  readonly kind: 'multinomial';
  readonly classes: number;
  /** `jointHead` and `jointColumns` strides of numbers per feature, see layout.ts. All 0 at first. */
  readonly records: Block<Float64Array>;
  /** The biases by class, their sums over time, and adaptive Σg²: a stride each. */
  readonly biases: Block<Float64Array>;
  /** The scalars of sgd; its biases are not used. */
  readonly state: Block<Float64Array>;
}

/** Returns the number of classes with the padding of {@link MultinomialMemory}. */
export function strideOf(classes: number): number {
  return classes + (classes & 1);
}

/** A learner by adaptive regularisation of weights, see rules/arow.ts. */
export interface ArowMemory {
  readonly kind: 'arow';
  /** Means of the weights. */
  readonly weights: Block<Float64Array>;
  /** Variances of the weights; 1 at first. */
  readonly variances: Block<Float64Array>;
  /** Sums for averaging; null: no averaging. */
  readonly sums: Block<Float64Array> | null;
  readonly state: Block<Float64Array>;
}

/** Arrays to which a text kernel writes examples. */
export interface RowBlocks {
  readonly offsets: Block<Uint32Array>;
  readonly indices: Block<Uint32Array>;
  readonly values: Block<Float64Array>;
  readonly labels: Block<Float64Array>;
  readonly importance: Block<Float64Array>;
}

/** Returns the compact rows of a text kernel, at the front of the same memory. Valid until the next allocation. */
export function compactArrays({ indices, values }: RowBlocks): { indices: Uint16Array; values: Int32Array } {
  const [wide, long] = [indices.array, values.array];
  return {
    indices: new Uint16Array(wide.buffer, wide.byteOffset, wide.length),
    values: new Int32Array(long.buffer, long.byteOffset, long.length),
  };
}

/** Feature names and their numbers in kernel memory; name-table.ts has the class that owns it. */
export interface NameTableMemory {
  /**
   * Two words per slot: the hash of a name, and 1 + its position in the arena (0: free). The number of slots is a power
   * of two; at most half are used. The kernels that fill the table choose the hash.
   */
  readonly slots: Block<Uint32Array>;
  /** The names in order: number and length in bytes (32 bits each, little-endian), UTF-8 bytes. */
  readonly arena: Block<Uint8Array>;
  /** `decimalNames` words for the kernels, 0 at first: quick access to names that are numbers. */
  readonly decimals: Block<Uint32Array>;
  /** `nameCount` … of layout.ts. */
  readonly state: Block<Uint32Array>;
}

/** `count` names in the format of {@link NameTableMemory.arena}: the bytes [from, to) of a block. */
export interface NameEntries {
  readonly block: Block<Uint8Array>;
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Returns the class of a score; `tie` for score 0. */
export function classOf(score: number, tie: number): number {
  return score > 0 ? 1 : score < 0 ? -1 : tie;
}
