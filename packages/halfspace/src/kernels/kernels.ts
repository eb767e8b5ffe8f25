import type { SparseBatch, StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import type { ArowMemory } from './arow.ts';
import type { Block } from './block.ts';
import type { SgdMemory } from './sgd.ts';

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
   * Shows examples `order[from] … order[to − 1]` of `batch` (or `from … to − 1` when `order` is null) to a mistake-driven
   * learner, and returns how many were shown: fewer than asked when `quietLimit` or `updateLimit` of `state` was reached.
   *
   * For each example (x, y) of importance h: a = w·x + b·c; when the condition holds and h > 0, w += g·x and b += g·c, where g = h·y, or
   * what another {@link stepKind} says; where that is 0, there is no update. A score that is no number asks for an update. With `sums` (the same length as
   * `weights`) the sums for averaging are kept: u += clock·g·x. `weights` has at least `batch.dimension` elements. An index
   * may occur twice in a row, but not where the step asks for ‖x‖², which is summed over the stored values.
   */
  learn(batch: StoredBatch, order: Uint32Array | null, from: number, to: number, learner: LearnerMemory): number;

  /**
   * Shows examples [from, to) to a learner by stochastic gradients, rules/sgd.ts, and returns how many were shown, as {@link learn} does.
   * `records` has room for `batch.dimension` features. Here, and in {@link learnArow}, values of 0 are as good as absent, also for the
   * lanes of a sum, so sparse and dense rows give the same bits. A row has each index once.
   */
  learnSgd(batch: StoredBatch, from: number, to: number, memory: SgdMemory): number;

  /** Shows examples [from, to) to a learner by adaptive regularisation of weights, rules/arow.ts; otherwise as {@link learnSgd}. */
  learnArow(batch: StoredBatch, from: number, to: number, memory: ArowMemory): number;

  /** out[i] = w·xᵢ + b·c for every example of the batch. `out` has at least `batch.rows` elements. */
  scoreInto(
    batch: StoredBatch,
    weights: Block<Float64Array>,
    bias: number,
    biasConstant: number,
    out: Float64Array,
  ): void;

  /**
   * Writes a batch's indices and values compactly, value = m / 10^places, and says whether that loses nothing; if it does,
   * what was written is worth nothing. Indices are below 2¹⁶, and the outputs, in kernel memory, as long as the values.
   */
  compactInto(batch: SparseBatch, places: number, indices: Uint16Array, values: Int32Array): boolean;

  /** out[i] = ‖xᵢ‖², the features only. */
  squaredNormsInto(batch: StoredBatch, out: Float64Array): void;

  /**
   * Reads lines of libsvm text; {@link report} says what `report` holds. Returns a {@link parseStatus} value.
   *
   * @param compactly writes indices in 16 bits and values as 32-bit whole numbers of 10^−{@link parsedPlaces}, at the front of
   *   the memory of `rows.indices` and `rows.values`. A line that has something else ends the reading with `notCompact`.
   */
  parseLibsvm(text: Block<Uint8Array>, rows: RowBlocks, report: Block<Float64Array>, compactly?: boolean): number;

  /**
   * Reads lines of Vowpal Wabbit text; reference-vw.ts tells the format. With `names`, features are numbered by name, and
   * names that are not there yet are added, or dropped where the table is frozen; a line that is not taken leaves no name
   * behind. Without, they are hashed as Vowpal Wabbit does it, to `bits` in [1, 28] bits. A feature that a line has more than
   * once is written once, with the sum of its values; until then each counts against the room in `rows`. `text` goes on for
   * at least one byte behind what is read. Returns a {@link parseStatus} value.
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

/** What a mistake-driven learner keeps in kernel memory. */
export interface LearnerMemory {
  readonly weights: Block<Float64Array>;
  /** Null: no averaging. */
  readonly sums: Block<Float64Array> | null;
  /** Scalars, at the positions of {@link slot}. */
  readonly state: Block<Float64Array>;
  /**
   * Where updates are told: how many the call made, then for each {@link logEntry} numbers: the position in `order` (or the example's own
   * where `order` is null), the score a before the update, and the signed step g. Room for as many as examples are shown. Absent: nowhere.
   */
  readonly log?: Block<Float64Array> | null;
  /**
   * With `log`: the clock before each example is not counted, but read: that before example `order[from + i]` stands where entry i would have
   * its step. Default false.
   */
  readonly timed?: boolean;
}

/** Numbers that an update takes in `LearnerMemory.log`. */
export const logEntry = 3;

/** Positions in `LearnerMemory.state`. */
export const slot = {
  bias: 0,
  /** Σ clock·h·y·c, for averaging the bias. */
  biasSum: 1,
  /** c: the constant feature's value; 0 for no bias. */
  biasConstant: 2,
  /** Importance shown so far: the age that averaging counts in. */
  clock: 3,
  /** Updates made. */
  updates: 4,
  /** Examples whose class was predicted wrongly before the update. */
  mistakes: 5,
  /** Examples shown. */
  examples: 6,
  /** Examples shown since the last update. */
  quiet: 7,
  /** Stop once `quiet` reaches this. */
  quietLimit: 8,
  /** Stop once `updates` reaches this. */
  updateLimit: 9,
  /** When to update: a value of {@link updateCondition}. */
  condition: 10,
  /** τ of the conditions that compare y·a with it. */
  threshold: 11,
  /** The class of score 0, −1 or +1. */
  tie: 12,
  /** How long the step of an update is: a value of {@link stepKind}. */
  stepKind: 13,
  /** C of the step kinds that have one. */
  aggressiveness: 14,
  size: 16,
} as const;

/** When an example makes an update, given its label y, score a and the threshold τ. */
export const updateCondition = {
  /** y·a ≤ τ */
  atMost: 0,
  /** y·a < τ */
  below: 1,
  /** y ≠ sgn(a) with sgn(0) = +1: lecture 9's algorithm 2. */
  signDiffers: 2,
} as const;

/**
 * How long the step of an update is: g = τ·y, for the loss ℓ = 1 − y·a, n = ‖x‖² + c·c and an importance of h. Where n = 0
 * because x has no value other than 0 and there is no bias, there is no update. Where n is beyond the range of doubles, τ is NaN.
 */
export const stepKind = {
  /** τ = h */
  perceptron: 0,
  /** τ = ℓ / n: PA */
  whole: 1,
  /** τ = min(h·C, ℓ / n): PA-I */
  capped: 2,
  /** τ = ℓ / (n + 1 / (2·h·C)): PA-II */
  softened: 3,
} as const;

/** Where a text kernel writes the examples that it reads. */
export interface RowBlocks {
  readonly offsets: Block<Uint32Array>;
  readonly indices: Block<Uint32Array>;
  readonly values: Block<Float64Array>;
  readonly labels: Block<Float64Array>;
  readonly importance: Block<Float64Array>;
}

/** Where `parseLibsvm` writes compact rows: at the front of the same memory. To be looked up afresh after any allocation. */
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
  /** At the positions of {@link nameSlot}. */
  readonly state: Block<Uint32Array>;
  /** Whether no name is to be added. */
  readonly frozen: boolean;
}

/** Positions in `NameTableMemory.state`. */
export const nameSlot = {
  /** Names in the table. */
  names: 0,
  /** Bytes of the arena that are used. */
  bytes: 1,
  /** What was lacking when a kernel found no room: 0 nothing, 1 slots, 2 bytes. */
  lacking: 2,
  size: 4,
} as const;

/** Positions in the report of a text kernel; it reads the first group and writes the second. */
export const report = {
  /** First byte to read. */
  from: 0,
  /** End of the bytes to read. */
  to: 1,
  /** 1 when no more bytes will follow, so that a last line without a newline counts. */
  last: 2,

  /** First byte of the first line that was not taken. */
  consumed: 3,
  /** Examples written. */
  rows: 4,
  /** Values written. */
  stored: 5,
  /** Lines taken, blank and comment lines included. */
  lines: 6,
  /** 1 + the largest index written. */
  dimension: 7,
  /** Where a refused line is at fault: first byte of the fault, and its end. */
  faultFrom: 8,
  faultTo: 9,
  /** 1 when an importance other than 1 was read. */
  weighted: 10,
  /** 1 when index 0 was read. */
  zeroIndex: 11,
  /** Features dropped because a frozen name table does not have their names. */
  unknown: 12,
  size: 16,
} as const;

/** The decimal places that compact rows read from text have: as many as libsvm text mostly has, and no more than are quick to check. */
export const parsedPlaces = 6;

/** How a text kernel ended. Values from `firstFault` on: the line at `consumed` is refused. */
export const parseStatus = {
  /** All complete lines are taken. */
  done: 0,
  /** The row blocks are full; call again with empty ones. */
  full: 1,
  /** One line has more values than the row blocks hold: enlarge them and call again. */
  enlarge: 2,
  /** One line has more feature names than the name table holds: enlarge it and call again. */
  enlargeNames: 3,
  /** A line has an index or a value that compact rows cannot have: call again, not `compactly`. */
  notCompact: 4,
  firstFault: 16,
  binary: 16,
  label: 17,
  number: 18,
  notFinite: 19,
  colon: 20,
  index: 21,
  indexRange: 22,
  indexOrder: 23,
  qid: 24,
  importance: 25,
  bar: 26,
  utf8: 27,
  manyLabels: 28,
  /** A base that is not 0. */
  base: 29,
} as const;

/** The class of a score, with `tie` at 0. */
export function classOf(score: number, tie: number): number {
  return score > 0 ? 1 : score < 0 ? -1 : tie;
}
