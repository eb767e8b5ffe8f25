import { HalfspaceError, quote } from './errors.ts';
import { unreadable } from './readable.ts';

/**
 * Some examples in typed arrays: the unit in which data flow from a source through a learner.
 *
 * `labels` are −1 or +1, or positions for more than two classes. A text source first delivers the numbers of the file,
 * NaN if a line has none (see data/labels.ts). `importance` is null if every example counts once. A batch from a source
 * is valid until the next one is requested. Read its arrays again after any call that may enlarge kernel memory.
 */
export type Batch = SparseBatch | DenseBatch;

interface Examples {
  /** The number of examples. */
  readonly rows: number;
  /** Exclusive upper bound of the feature indices; for dense rows their length. */
  readonly dimension: number;
  /** Length ≥ rows. */
  readonly labels: Float64Array;
  /** Length ≥ rows, values in [0, ∞); null: all 1. */
  readonly importance: Float64Array | null;
}

/**
 * Compressed sparse rows: example i has the features `indices[k]` with `values[k]`, k in [offsets[i], offsets[i + 1]).
 * They are in any order, each at most once, because norms count every value as a separate feature.
 */
export interface SparseBatch extends Examples {
  readonly kind: 'sparse';
  /** Length ≥ rows + 1; never decreasing. */
  readonly offsets: Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float64Array;
}

/**
 * Sparse rows in few bytes, for the example store, if no digit is lost: value k is `values[k] / 10^places`, which gives
 * the bits of the original double.
 */
export interface CompactBatch extends Examples {
  readonly kind: 'compact';
  /** As in {@link SparseBatch}. */
  readonly offsets: Uint32Array;
  readonly indices: Uint16Array;
  readonly values: Int32Array;
  /** Decimal places p, in [0, 9]. */
  readonly places: number;
}

/** Any batch that kernels and learners accept. */
export type StoredBatch = Batch | CompactBatch;

/**
 * Dense rows: example i is values[i · dimension … (i + 1) · dimension). 32-bit floats take half the memory and reading
 * time; they are widened before any computation, so they give the bits of the same numbers as doubles.
 */
export interface DenseBatch extends Examples {
  readonly kind: 'dense';
  readonly values: Float64Array | Float32Array;
}

/**
 * Checks in constant time that a value is a batch and has the examples [from, to). The contents of a batch are checked
 * when it is made.
 *
 * @throws HalfspaceError `row-malformed` if it is not a batch, `option-invalid` if it does not have these examples.
 */
export function checkBatch(batch: unknown, from = 0, to?: number): asserts batch is StoredBatch {
  const given = batch as Partial<StoredBatch> | null | undefined;
  const { kind, rows, dimension } = given ?? {};
  if (
    !(kind === 'sparse' || kind === 'dense' || kind === 'compact') ||
    !Number.isSafeInteger(rows) ||
    !Number.isSafeInteger(dimension)
  )
    throw new HalfspaceError(
      'row-malformed',
      `expected a batch, such as sparseBatch and denseBatch make; got ${quote(batch)}`,
    );
  const end = to ?? rows!;
  if (!(Number.isInteger(from) && Number.isInteger(end) && from >= 0 && from <= end && end <= rows!))
    throw new HalfspaceError('option-invalid', `expected examples of the batch's ${rows}; got [${from}, ${end})`);
}

/** @throws HalfspaceError as {@link checkBatch}; `row-malformed` if `out` has no room for the scores. */
export function checkScored(batch: unknown, out: unknown, outputs: number): void {
  checkBatch(batch);
  if (!(out instanceof Float64Array) || out.length < batch.rows * outputs)
    throw new HalfspaceError(
      'row-malformed',
      `expected a Float64Array with room for ${batch.rows * outputs} scores; got ${out instanceof Float64Array ? out.length : quote(out)}`,
    );
}

/** Returns the number of values in a batch: nonzeros of sparse rows, all values of dense ones. */
export function storedValues(batch: StoredBatch): number {
  return batch.kind === 'dense' ? batch.rows * batch.dimension : batch.offsets[batch.rows]! - batch.offsets[0]!;
}

/** Returns the largest number of stored values among rows [from, to) of a batch. */
export function longestRow(batch: StoredBatch, from = 0, to = batch.rows): number {
  if (batch.kind === 'dense') return batch.dimension;
  // Offsets are looked up once, because nothing is allocated here; a look-up per row would take longer than learning.
  const { offsets } = batch;
  let longest = 0;
  for (let i = from; i < to; i++) longest = Math.max(longest, offsets[i + 1]! - offsets[i]!);
  return longest;
}

/**
 * Makes a dense batch from plain rows, checked.
 *
 * @param rows n rows of equal length d ≥ 0, finite numbers; copied, as 32-bit floats if all rows are `Float32Array`s.
 * @param labels n labels, −1 or +1; copied.
 * @param importance n finite numbers ≥ 0, or null; copied.
 * @param classes the number of classes; with more than two, labels are positions in [0, classes).
 * @throws HalfspaceError `row-malformed`, `number-invalid`, `label-missing`.
 */
export function denseBatch(
  rows: readonly ArrayLike<number>[],
  labels: ArrayLike<number>,
  importance: ArrayLike<number> | null = null,
  classes = 2,
): DenseBatch {
  // A list may have holes, which some methods of lists pass over.
  atRow(rows.length, (i) => checkList(rows[i], 'numbers', i));
  const dimension = rows.length === 0 ? 0 : rows[0]!.length;
  const single = rows.length > 0 && rows.every((row) => row instanceof Float32Array);
  const values = new (single ? Float32Array : Float64Array)(rows.length * dimension);
  atRow(rows.length, (i) => {
    const row = rows[i]!;
    if (row.length !== dimension)
      throw new HalfspaceError('row-malformed', `expected ${dimension} values; got ${row.length}`, { row: i + 1 });
    for (let j = 0; j < dimension; j++) values[i * dimension + j] = finite(row[j]!, i);
  });
  return {
    kind: 'dense',
    rows: rows.length,
    dimension,
    values,
    labels: checkedLabels(labels, rows.length, classes),
    importance: checkedImportance(importance, rows.length),
  };
}

/**
 * One sparse example: parallel lists of feature indices (integers in [0, 2³² − 1), in any order) and finite values.
 * Values of a repeated index are added up.
 */
export interface SparseRow {
  readonly indices: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Makes a sparse batch from plain rows, checked; see {@link denseBatch} for labels, importance and errors. */
export function sparseBatch(
  rows: readonly SparseRow[],
  labels: ArrayLike<number>,
  importance: ArrayLike<number> | null = null,
  classes = 2,
): SparseBatch {
  let given = 0;
  atRow(rows.length, (i) => {
    const row = rows[i]!;
    checkList(row?.indices, 'indices and values', i);
    checkList(row.values, 'indices and values', i);
    if (row.indices.length !== row.values.length)
      throw new HalfspaceError(
        'row-malformed',
        `expected as many values as indices; got ${row.values.length} values and ${row.indices.length} indices`,
        { row: i + 1 },
      );
    given += row.indices.length;
  });
  const offsets = new Uint32Array(rows.length + 1);
  const indices = new Uint32Array(given);
  const values = new Float64Array(given);
  let stored = 0;
  let dimension = 0;
  atRow(rows.length, (i) => {
    const row = rows[i]!;
    const start = stored;
    let rising = true;
    for (let k = 0; k < row.indices.length; k++) {
      const index = row.indices[k]!;
      if (!(Number.isInteger(index) && index >= 0 && index < 0xffff_ffff))
        throw new HalfspaceError('index-invalid', `expected a feature index in [0, 4294967294]; got ${quote(index)}`, {
          row: i + 1,
        });
      if (k > 0 && index <= indices[stored - 1]!) rising = false;
      indices[stored] = index;
      values[stored++] = finite(row.values[k]!, i);
      if (index >= dimension) dimension = index + 1;
    }
    if (!rising) stored = addRepeated(indices, values, start, stored, i);
    offsets[i + 1] = stored;
  });
  return {
    kind: 'sparse',
    rows: rows.length,
    dimension,
    offsets,
    indices: indices.subarray(0, stored),
    values: values.subarray(0, stored),
    labels: checkedLabels(labels, rows.length, classes),
    importance: checkedImportance(importance, rows.length),
  };
}

/** Reads rows in order. A row that throws, such as a revoked proxy, is refused with its number. */
function atRow(rows: number, read: (i: number) => void): void {
  let i = 0;
  try {
    for (; i < rows; i++) read(i);
  } catch (error) {
    throw unreadable(error).at({ row: i + 1 });
  }
}

/** @throws HalfspaceError `row-malformed` if `list` is not a list. */
function checkList(list: unknown, expected: string, row: number): void {
  if (typeof list !== 'object' || list === null || !Number.isSafeInteger((list as ArrayLike<number>).length))
    throw new HalfspaceError('row-malformed', `expected a row of ${expected}; got ${quote(list)}`, { row: row + 1 });
}

/** Adds up values of repeated features in [from, to) at the first place of each. @returns the new end. */
function addRepeated(indices: Uint32Array, values: Float64Array, from: number, to: number, row: number): number {
  const places = new Map<number, number>();
  let end = from;
  for (let k = from; k < to; k++) {
    const place = places.get(indices[k]!);
    if (place !== undefined) {
      values[place] = finite(values[place]! + values[k]!, row);
      continue;
    }
    places.set(indices[k]!, end);
    indices[end] = indices[k]!;
    values[end++] = values[k]!;
  }
  return end;
}

function finite(value: number, row: number): number {
  if (!Number.isFinite(value))
    throw new HalfspaceError('number-invalid', `expected a finite number; got ${quote(value)}`, { row: row + 1 });
  return value;
}

function checkedLabels(labels: ArrayLike<number>, rows: number, classes: number): Float64Array {
  const fits = (label: number) =>
    classes > 2 ? Number.isInteger(label) && label >= 0 && label < classes : label === 1 || label === -1;
  const expected = classes > 2 ? `in [0, ${classes})` : 'of -1 or 1';
  if (labels.length !== rows)
    throw new HalfspaceError('label-missing', `expected ${rows} labels, one per row; got ${labels.length}`);
  return Float64Array.from({ length: rows }, (_, i) => {
    if (!fits(labels[i]!))
      throw new HalfspaceError('label-missing', `expected a label ${expected}; got ${quote(labels[i])}`, {
        row: i + 1,
      });
    return labels[i]! + 0;
  });
}

function checkedImportance(importance: ArrayLike<number> | null, rows: number): Float64Array | null {
  if (importance === null) return null;
  if (importance.length !== rows)
    throw new HalfspaceError('row-malformed', `expected ${rows} importance weights; got ${importance.length}`);
  return Float64Array.from({ length: rows }, (_, i) => {
    const value = importance[i]!;
    if (!(value >= 0 && value < Infinity))
      throw new HalfspaceError('number-invalid', `expected an importance weight in [0, ∞); got ${quote(value)}`, {
        row: i + 1,
      });
    return value;
  });
}
