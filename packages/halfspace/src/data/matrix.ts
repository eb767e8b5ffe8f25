import { type Batch, type DenseBatch, denseBatch, type SparseBatch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { readable } from '../readable.ts';

/** n rows of d numbers each. */
export type NestedRows = readonly ArrayLike<number>[];

/** n·d numbers, row after row: feature j of row i is `data[i · d + j]`. */
export interface DenseArray {
  readonly data: Float64Array | Float32Array;
  readonly shape: readonly [rows: number, columns: number];
}

/**
 * A sparse matrix as triples, in any order: `values[k]` is in row `rows[k]` and column `columns[k]`, from 0. Values of
 * the same place are added up, as SciPy does for its `coo_array`; all others are 0.
 */
export interface SparseTriples {
  readonly rows: ArrayLike<number>;
  readonly columns: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly shape: readonly [rows: number, columns: number];
}

/** A checked matrix: the rows of a batch. */
type Matrix =
  | Pick<DenseBatch, 'kind' | 'rows' | 'dimension' | 'values'>
  | Pick<SparseBatch, 'kind' | 'rows' | 'dimension' | 'offsets' | 'indices' | 'values'>;

/** Checks a matrix. @throws HalfspaceError `row-malformed`, `number-invalid`, `index-invalid`. */
export function matrixOf(x: NestedRows | DenseArray | SparseTriples): Matrix {
  return readable('arrays', () => anyMatrix(x));
}

function anyMatrix(x: NestedRows | DenseArray | SparseTriples): Matrix {
  if (Array.isArray(x)) return denseBatch(x, new Float64Array(x.length).fill(1));
  const { data, values } = (x ?? {}) as Partial<DenseArray & SparseTriples>;
  if (data !== undefined) return denseMatrix(x as DenseArray);
  if (values !== undefined) return sparseMatrix(x as SparseTriples);
  throw malformed('nested arrays, { data, shape } or { rows, columns, values, shape }', x);
}

function denseMatrix({ data, shape }: DenseArray): Matrix {
  const [rows, dimension] = checkedShape(shape);
  if (!(data instanceof Float64Array || data instanceof Float32Array))
    throw malformed('data as a Float64Array or a Float32Array', data);
  if (data.length !== rows * dimension)
    throw malformed(`${rows} · ${dimension} numbers in data, as the shape says`, data.length);
  // A loop takes a fifth of the time of findIndex, which calls a function for each number.
  for (let k = 0; k < data.length; k++)
    if (!Number.isFinite(data[k])) throw notFinite(data[k], Math.floor(k / dimension));
  return { kind: 'dense', rows, dimension, values: data };
}

function sparseMatrix(triples: SparseTriples): Matrix {
  const [rows, dimension] = checkedShape(triples.shape);
  const { values, columns } = triples;
  const count = values?.length;
  if (!Number.isSafeInteger(count)) throw malformed('a list of values', values);
  for (const name of ['rows', 'columns'] as const) {
    const limit = name === 'rows' ? rows : dimension;
    const numbers = triples[name];
    if (numbers?.length !== count) throw malformed(`as many ${name} as values, ${count}`, numbers?.length ?? numbers);
    for (let k = 0; k < count; k++)
      if (!(Number.isInteger(numbers[k]) && numbers[k]! >= 0 && numbers[k]! < limit))
        throw new HalfspaceError(
          'index-invalid',
          `expected whole numbers in [0, ${limit}) in ${name}; got ${quote(numbers[k])} at position ${k}`,
        );
  }
  const offsets = new Uint32Array(rows + 1);
  const indices = new Uint32Array(count);
  const sums = new Float64Array(count);
  const byRow = orderByRow(triples.rows, rows, count);
  let stored = 0;
  for (let i = 0; i < rows; i++) {
    const first = stored;
    const places = byRow.order.subarray(byRow.starts[i], byRow.starts[i + 1]);
    // Repeated places stay in their order, in which they are added up.
    if (places.some((k, p) => p > 0 && columns[places[p - 1]!]! > columns[k]!))
      places.sort((a, b) => columns[a]! - columns[b]! || a - b);
    for (const k of places) {
      if (stored === first || indices[stored - 1] !== columns[k]) indices[stored++] = columns[k]!;
      if (!Number.isFinite(values[k])) throw notFinite(values[k], i);
      sums[stored - 1]! += values[k]!;
      if (!Number.isFinite(sums[stored - 1])) throw notFinite(sums[stored - 1], i);
    }
    offsets[i + 1] = stored;
  }
  const used = { indices: indices.subarray(0, stored), values: sums.subarray(0, stored) };
  return { kind: 'sparse', rows, dimension, offsets, ...used };
}

/** Orders triples by row, those of a row as given: those of row i are `order[starts[i] … starts[i + 1])`. */
function orderByRow(rowOf: ArrayLike<number>, rows: number, count: number) {
  const starts = new Uint32Array(rows + 1);
  for (let k = 0; k < count; k++) starts[rowOf[k]! + 1]!++;
  for (let i = 0; i < rows; i++) starts[i + 1]! += starts[i]!;
  const next = starts.slice();
  const order = new Uint32Array(count);
  for (let k = 0; k < count; k++) order[next[rowOf[k]!]!++] = k;
  return { order, starts };
}

/** The largest numbers of rows and of features. */
const most = 0xffff_ffff;

function checkedShape(shape: unknown): readonly [rows: number, columns: number] {
  const [rows, columns] = Array.isArray(shape) && shape.length === 2 ? shape : [];
  const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
  if (!isCount(rows) || !isCount(columns)) throw malformed('a shape [rows, columns] of whole numbers', shape);
  return [rows, columns];
}

function malformed(expected: string, got: unknown): HalfspaceError {
  return new HalfspaceError('row-malformed', `expected ${expected}; got ${quote(got)}`);
}

function notFinite(value: unknown, row: number): HalfspaceError {
  return new HalfspaceError('number-invalid', `expected a finite number; got ${quote(value)}`, { row: row + 1 });
}

/** Maximum numbers of rows and of values in a batch; smaller batches fit into a processor's cache. */
const batchRows = 16 * 1024;
const batchValues = 128 * 1024;

/** Cuts a matrix into batches, without a copy of its values. */
export function slices(matrix: Matrix, labels: Float64Array, importance: Float64Array | null): Batch[] {
  const batches: Batch[] = [];
  for (let from = 0; from < matrix.rows; ) {
    let to = from + 1;
    while (to < matrix.rows && to - from < batchRows && storedIn(matrix, from, to + 1) <= batchValues) to++;
    batches.push({
      ...rowsOf(matrix, from, to),
      rows: to - from,
      dimension: matrix.dimension,
      labels: labels.subarray(from, to),
      importance: importance?.subarray(from, to) ?? null,
    });
    from = to;
  }
  return batches;
}

function storedIn(matrix: Matrix, from: number, to: number): number {
  return matrix.kind === 'dense' ? (to - from) * matrix.dimension : matrix.offsets[to]! - matrix.offsets[from]!;
}

function rowsOf(matrix: Matrix, from: number, to: number) {
  if (matrix.kind === 'dense') {
    const { dimension, values } = matrix;
    return { kind: 'dense', values: values.subarray(from * dimension, to * dimension) } as const;
  }
  const { offsets, indices, values } = matrix;
  const [first, end] = [offsets[from]!, offsets[to]!];
  return {
    kind: 'sparse',
    offsets: Uint32Array.from(offsets.subarray(from, to + 1), (offset) => offset - first),
    indices: indices.subarray(first, end),
    values: values.subarray(first, end),
  } as const;
}
