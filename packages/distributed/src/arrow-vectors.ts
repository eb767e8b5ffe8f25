import { type Data, Type, Vector } from 'apache-arrow';
import { HalfspaceError } from 'halfspace';
import type { SparseRows } from 'halfspace/shards';
import { numbersOf, unreadable } from './arrow-columns.ts';

/** Numbers of a list per row; null: a row has none. */
interface Lists {
  readonly bounds: (i: number) => readonly [from: number, to: number] | null;
  readonly elements: Vector;
  /** The same as doubles: NaN for null, infinite if they are not finite. */
  readonly numbers: Float64Array;
}

/** Bound on features, as of all learners. */
const largestDimension = 2 ** 28;

/**
 * Returns the vectors of a column: lists of numbers, or structs of `size`, `indices` and `values`, as Spark has them. A
 * struct without indices is dense.
 *
 * @param size that vectors must have; null: the first one decides.
 * @throws HalfspaceError with the row, from 1: `row-malformed` for null, `number-invalid`, `index-invalid`.
 */
export function vectorsOf(vector: Vector, field: string, size: number | null): SparseRows {
  const refused = unreadable(field, 'lists of numbers, or structs of size, indices and values', vector);
  const [whole] = vector.data as readonly [Data];
  const listsOf = (list: Data | undefined, ...types: readonly Type[]): Lists => {
    if (list?.type.typeId !== Type.List) throw refused;
    // A part of a batch has the elements of the whole.
    const { valueOffsets: ends, length } = list;
    const first = ends[0]!;
    const elements = new Vector([list.children[0]!]).slice(first, ends[length]!);
    if (!types.includes(elements.type.typeId)) throw refused;
    const bounds = (i: number) => (list.getValid(i) ? ([ends[i]! - first, ends[i + 1]! - first] as const) : null);
    return { bounds, elements, numbers: numbersOf(elements, field, 'number') };
  };
  const numeric = [Type.Float, Type.Int, Type.Decimal];
  if (whole.type.typeId !== Type.Struct) return rowsOf(whole, listsOf(whole, ...numeric), null, null, field, size);
  const names = whole.type.children.map(({ name }: { name: string }) => name);
  const child = (name: string) => whole.children[names.indexOf(name)];
  const [indices, sizes] = [child('indices'), child('size')];
  if (sizes !== undefined && sizes.type.typeId !== Type.Int) throw refused;
  return rowsOf(
    whole,
    listsOf(child('values'), ...numeric),
    indices === undefined ? null : listsOf(indices, Type.Int),
    sizes === undefined ? null : numbersOf(new Vector([sizes]), field, 'number'),
    field,
    size,
  );
}

function rowsOf(
  whole: Data,
  lists: Lists,
  places: Lists | null,
  sizes: Float64Array | null,
  field: string,
  expected: number | null,
): SparseRows {
  const rows = whole.length;
  const offsets = new Uint32Array(rows + 1);
  const indices = new Uint32Array(lists.numbers.length);
  const values = new Float64Array(lists.numbers.length);
  let stored = 0;
  let dimension = 0;
  let common = expected;
  for (let i = 0; i < rows; i++) {
    const refuse = (code: 'row-malformed' | 'number-invalid' | 'index-invalid', message: string) =>
      new HalfspaceError(code, message, { row: i + 1, field });
    const given = whole.getValid(i) ? lists.bounds(i) : null;
    if (given === null) throw refuse('row-malformed', 'expected a vector; got none');
    const [from, to] = given;
    const sparse = places?.bounds(i) ?? null;
    const length = sparse === null ? to - from : sparse[1] - sparse[0];
    if (length !== to - from)
      throw refuse('row-malformed', `expected as many indices as values; got ${length} and ${to - from}`);
    const declared = sparse === null || sizes === null || Number.isNaN(sizes[i]) ? null : sizes[i]!;
    const size = declared ?? (sparse === null ? length : largestDimension);
    if (size > largestDimension)
      throw refuse('index-invalid', `expected vectors of at most ${largestDimension} numbers; got ${size}: hash them`);
    const known = sparse === null ? length : declared;
    common ??= known;
    if (known !== null && known !== common)
      throw refuse('row-malformed', `expected a vector of ${common} numbers; got one of ${known}`);
    let before = -1;
    for (let k = 0; k < length; k++) {
      const value = lists.numbers[from + k]!;
      const index = sparse === null ? k : places!.numbers[sparse[0] + k]!;
      if (!Number.isFinite(value))
        throw refuse('number-invalid', `expected a finite number; got ${lists.elements.get(from + k) ?? 'none'}`);
      if (!(index > before && index < size))
        throw refuse('index-invalid', `expected rising indices below ${size}; got ${index} after ${before}`);
      before = index;
      if (value === 0) continue;
      indices[stored] = index;
      values[stored++] = value;
    }
    dimension = Math.max(dimension, declared ?? before + 1);
    offsets[i + 1] = stored;
  }
  return { offsets, indices: indices.subarray(0, stored), values: values.subarray(0, stored), dimension, size: common };
}
