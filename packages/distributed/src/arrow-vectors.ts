import { type Data, Type, type Vector } from 'apache-arrow';
import { HalfspaceError } from 'halfspace';

/** Rows of numbers by index, without zeros. */
export interface SparseRows {
  readonly offsets: Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float64Array;
  /** Length of the longest vector. */
  readonly dimension: number;
}

/**
 * Returns the vectors of a column: lists of numbers, or structs of `size`, `indices` and `values`, as Spark has them. A
 * struct without indices is dense.
 *
 * @throws HalfspaceError with the row, from 1: `row-malformed` for null, `number-invalid`, `index-invalid`.
 */
export function vectorsOf(vector: Vector, field: string): SparseRows {
  const { typeId } = vector.type;
  const [data] = vector.data as readonly Data[];
  if (data === undefined)
    return { offsets: new Uint32Array(1), indices: new Uint32Array(0), values: new Float64Array(0), dimension: 0 };
  if (typeId === Type.List) return rowsOf(data, null, null, data, field);
  if (typeId === Type.Struct) {
    const names = vector.type.children.map(({ name }: { name: string }) => name);
    const child = (name: string) => data.children[names.indexOf(name)] ?? null;
    const values = child('values');
    if (values !== null) return rowsOf(values, child('indices'), child('size'), data, field);
  }
  throw new HalfspaceError(
    'row-malformed',
    `expected lists of numbers, or structs of size, indices and values; got a column of type ${vector.type}`,
    { field },
  );
}

function rowsOf(list: Data, indexList: Data | null, sizes: Data | null, whole: Data, field: string): SparseRows {
  const rows = whole.length;
  const cells = list.children[0]!.values as ArrayLike<number>;
  const starts = list.valueOffsets;
  const positions = indexList === null ? null : (indexList.children[0]!.values as ArrayLike<number>);
  const offsets = new Uint32Array(rows + 1);
  const most = starts[rows]! - starts[0]!;
  const indices = new Uint32Array(most);
  const values = new Float64Array(most);
  let stored = 0;
  let dimension = 0;
  for (let i = 0; i < rows; i++) {
    const refuse = (code: 'row-malformed' | 'number-invalid' | 'index-invalid', message: string) =>
      new HalfspaceError(code, message, { row: i + 1, field });
    if (!whole.getValid(i) || !list.getValid(i)) throw refuse('row-malformed', 'expected a vector; got none');
    const [from, to] = [starts[i]!, starts[i + 1]!];
    const sparse = positions !== null && indexList!.getValid(i);
    const first = sparse ? indexList!.valueOffsets[i]! : 0;
    const size = sparse && sizes?.getValid(i) ? Number(sizes.values[i]) : sparse ? Infinity : to - from;
    if (sparse && indexList!.valueOffsets[i + 1]! - first !== to - from)
      throw refuse(
        'row-malformed',
        `expected as many indices as values; got ${indexList!.valueOffsets[i + 1]! - first} and ${to - from}`,
      );
    let before = -1;
    for (let k = from; k < to; k++) {
      const value = Number(cells[k]);
      const index = sparse ? positions[first + k - from]! : k - from;
      if (!Number.isFinite(value)) throw refuse('number-invalid', `expected a finite number; got ${value}`);
      if (!(index > before && index < size))
        throw refuse(
          'index-invalid',
          `expected rising indices${size === Infinity ? '' : ` below ${size}`}; got ${index} after ${before}`,
        );
      before = index;
      if (value === 0) continue;
      indices[stored] = index;
      values[stored++] = value;
    }
    dimension = Math.max(dimension, size === Infinity ? before + 1 : size);
    offsets[i + 1] = stored;
  }
  return { offsets, indices: indices.subarray(0, stored), values: values.subarray(0, stored), dimension };
}
