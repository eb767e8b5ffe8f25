import type { SparseBatch, StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import type { Block } from './block.ts';

/**
 * The kernel contract: the hot loops, and the memory they work in.
 *
 * Two implementations compute the same bits: `wasm.ts` (WebAssembly with SIMD) and `reference.ts` (plain TypeScript, used
 * where WebAssembly cannot be compiled). Kernels trust their input: whoever calls them has checked it. Sums run in four lanes,
 * element k into lane k mod 4, and are folded as (s0 + s1) + (s2 + s3); sparse and dense rows alike, so the order is part
 * of the contract.
 */
export interface Kernels {
  readonly name: 'wasm' | 'reference';

  /**
   * Memory for the kernels, zero-filled.
   *
   * @param clear false: the contents are not defined, because they will be written over. Default true.
   * @throws HalfspaceError `memory-exhausted`.
   */
  float64(length: number, clear?: boolean): Block<Float64Array>;
  uint32(length: number, clear?: boolean): Block<Uint32Array>;
  uint8(length: number, clear?: boolean): Block<Uint8Array>;

  /**
   * Shows examples [from, to) of `batch` to a learner and returns how many were shown: fewer than asked when `cleanStreakLimit` or
   * `updateLimit` of its state was reached.
   *
   * Mistake-driven: for each example (x, y) of importance h, a = w·x + b·c; when the condition holds and h > 0, w += g·x and b += g·c, where
   * g = h·y, or what another `stepKind` says; where that is 0, there is no update. A score that is NaN asks for an update. With `sums` the
   * sums for averaging are kept: u += clock·g·x. An index may occur twice in a row, but not where the step asks for ‖x‖², which is
   * summed over the stored values.
   *
   * Sgd and arow do what rules/sgd.ts and rules/arow.ts say. There values of 0 are as good as absent, also for the lanes of a sum, so
   * sparse and dense rows give the same bits. A row has each index once.
   *
   * @param learner has room for `batch.dimension` features.
   */
  learn(batch: StoredBatch, from: number, to: number, learner: LearnerMemory): number;

  /** out[i] = w·xᵢ + b·c for every example of the batch. `out` has at least `batch.rows` elements. */
  scoreInto(
    batch: StoredBatch,
    weights: Block<Float64Array>,
    bias: number,
    biasConstant: number,
    out: Float64Array,
  ): void;

  /**
   * Writes a batch's indices and values compactly, value = m / 10^places, and returns whether that loses nothing; if it does,
   * what was written is of no use. Indices are below 2¹⁶. The outputs lie in kernel memory and are as long as the values.
   */
  compactInto(batch: SparseBatch, places: number, indices: Uint16Array, values: Int32Array): boolean;

  /** out[i] = ‖xᵢ‖², the features only. */
  squaredNormsInto(batch: StoredBatch, out: Float64Array): void;

  /**
   * Reads lines of libsvm text and returns a status of layout.ts, which also says what `report` holds.
   *
   * @param compactly writes indices in 16 bits and values as 32-bit whole numbers of 10^−`parsedPlaces`, at the front of
   *   the memory of `rows.indices` and `rows.values`. A line that has something else ends the reading with `statusNotCompact`.
   */
  parseLibsvm(text: Block<Uint8Array>, rows: RowBlocks, report: Block<Float64Array>, compactly?: boolean): number;

  /**
   * Reads lines of Vowpal Wabbit text, whose format reference-vw.ts describes, and returns a status of layout.ts. With `names`, features are
   * numbered by name, and new names are added, or their features dropped where the table is frozen; a line that is not taken leaves no
   * name behind. Without `names`, they are hashed as Vowpal Wabbit does it, to `bits` in [1, 28] bits. A feature that a line has more than
   * once is written once, with the sum of its values; until then each counts against the room in `rows`. `text` has at least one
   * byte more than what is read.
   */
  parseVw(
    text: Block<Uint8Array>,
    rows: RowBlocks,
    names: NameTableMemory | null,
    bits: number,
    report: Block<Float64Array>,
  ): number;

  /**
   * The number of the name in the first `length` bytes of `name`, which is added when it is new and `names` is not frozen.
   * −1: it is not there and the table is frozen. −2: the table has no room for it.
   */
  internName(name: Block<Uint8Array>, length: number, names: NameTableMemory): number;
}

/** The error for a block that is used after it was freed. */
export function freedMemory(): HalfspaceError {
  return new HalfspaceError(
    'option-invalid',
    'expected a learner or scorer in use; got one after free(), which must not be used again',
  );
}

/** What a learner keeps in kernel memory, by the kind of its loop. */
export type LearnerMemory = MistakeDrivenMemory | SgdMemory | ArowMemory;

export interface MistakeDrivenMemory {
  readonly kind: 'mistake-driven';
  readonly weights: Block<Float64Array>;
  /** Sums for averaging, of the length of `weights`; null: no averaging. */
  readonly sums: Block<Float64Array> | null;
  /** Scalars, at the positions of layout.ts. */
  readonly state: Block<Float64Array>;
  /** Shows examples `order[from] … order[to − 1]` instead of `from … to − 1`. */
  readonly order?: Uint32Array;
  /**
   * Receives the updates of the call: their number, then an entry for each (`entryPlace` … of layout.ts). Has room for as many entries as
   * examples are shown.
   */
  readonly log?: Block<Float64Array>;
  /** With `log`: the clock before each example is read where its entry would have its step, instead of counted. Default false. */
  readonly timed?: boolean;
}

/** Of a learner by stochastic gradients, rules/sgd.ts. */
export interface SgdMemory {
  readonly kind: 'sgd';
  /** `recordSize` numbers for every feature, side by side, so that a feature is one place in memory. All 0 at first. */
  readonly records: Block<Float64Array>;
  readonly state: Block<Float64Array>;
}

/** Of a learner by adaptive regularisation of weights, rules/arow.ts. */
export interface ArowMemory {
  readonly kind: 'arow';
  /** The means of the weights. */
  readonly weights: Block<Float64Array>;
  /** Their variances; 1 at first. */
  readonly variances: Block<Float64Array>;
  /** Sums for averaging; null: no averaging. */
  readonly sums: Block<Float64Array> | null;
  readonly state: Block<Float64Array>;
}

/** Where a text kernel writes the examples that it reads. */
export interface RowBlocks {
  readonly offsets: Block<Uint32Array>;
  readonly indices: Block<Uint32Array>;
  readonly values: Block<Float64Array>;
  readonly labels: Block<Float64Array>;
  readonly importance: Block<Float64Array>;
}

/** Where `parseLibsvm` writes compact rows: at the front of the same memory. Valid until the next allocation. */
export function compactArrays({ indices, values }: RowBlocks): { indices: Uint16Array; values: Int32Array } {
  const [wide, long] = [indices.array, values.array];
  return {
    indices: new Uint16Array(wide.buffer, wide.byteOffset, wide.length),
    values: new Int32Array(long.buffer, long.byteOffset, long.length),
  };
}

/** Feature names and their numbers, in kernel memory; name-table.ts has the class that owns it. */
export interface NameTableMemory {
  /**
   * Two words per slot, a power of two of slots, at most half of them used: a name's hash, and 1 + where it begins in the
   * arena (0: free). How a name is hashed is up to the kernels that fill the table.
   */
  readonly slots: Block<Uint32Array>;
  /** The names in order: number, length in bytes, a word for the kernels (32 bits each, little-endian), UTF-8 bytes. */
  readonly arena: Block<Uint8Array>;
  /** `nameCount` … of layout.ts. */
  readonly state: Block<Uint32Array>;
  /** Whether no name is to be added. */
  readonly frozen: boolean;
}

/** The class of a score, with `tie` at 0. */
export function classOf(score: number, tie: number): number {
  return score > 0 ? 1 : score < 0 ? -1 : tie;
}
