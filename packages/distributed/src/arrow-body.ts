import { type DataType, type Field, Type } from 'apache-arrow';
import { corrupt } from './arrow-metadata.ts';

/** The numbers of the metadata of a body: values and nulls of columns, places of their parts. */
export interface Layout {
  readonly length: number;
  readonly nodes: readonly { readonly length: number; readonly nullCount: number }[];
  readonly buffers: readonly { readonly offset: number; readonly length: number }[];
}

/** Tests if a length is that of `least` bytes. Writers may pad them, to 64 bytes at most. */
function fits(length: number, least: number): boolean {
  return length >= least && length <= 64 * Math.ceil(least / 64);
}

/** Compares the parts of a body with its length: they are one behind the other up to its end. */
export function checkLayout({ length: rows, buffers }: Layout, bodyLength: number): void {
  let end = 0;
  const follows = (offset: number) => offset % 8 === 0 && offset >= end && offset < end + 64;
  for (const { offset, length } of buffers) {
    if (!follows(offset) || length < 0) throw corrupt(`${length} bytes at byte ${offset} behind byte ${end} of a body`);
    end = offset + length;
  }
  if (!follows(bodyLength)) throw corrupt(`a body of ${bodyLength} bytes for columns of ${end}`);
  // Columns of nulls have no bytes, so nothing else bounds their length.
  if (!(rows >= 0 && rows <= 8 * bodyLength)) throw corrupt(`${rows} rows in ${bodyLength} bytes`);
}

/**
 * Compares the columns of a body with its bytes: numbers of values with lengths of parts, nulls with bitmaps, offsets
 * and indices with what they point to.
 *
 * @param dictionaries the number of values of each.
 * @throws HalfspaceError `source-corrupt` with the column.
 */
export function checkBody(
  { length: rows, nodes, buffers }: Layout,
  body: Uint8Array,
  fields: readonly { readonly name?: string; readonly type: DataType }[],
  dictionaries: ReadonlyMap<number, number>,
): void {
  let node = 0;
  let part = 0;
  let name: string | undefined;

  /** Takes the next part, which has `least` bytes, or none if it `mayLack`. */
  const take = (least: number, mayLack = false): Uint8Array => {
    const { offset, length } = buffers[part++] ?? { offset: 0, length: -1 };
    if (!fits(length, least) && !(mayLack && length === 0))
      throw corrupt(length < 0 ? 'fewer parts than its columns have' : `${length} bytes for values of ${least}`, name);
    return body.subarray(offset, offset + length);
  };
  /** Takes offsets, which rise, and returns the last one. */
  const takeOffsets = (length: number, array: Integers): number => {
    const bytes = take((length + 1) * array.BYTES_PER_ELEMENT, length === 0);
    let before: number | bigint = 0;
    for (const offset of integersOf(bytes, bytes.length === 0 ? 0 : length + 1, array)) {
      if (offset < before) throw corrupt(`an offset of ${offset} behind ${before}`, name);
      before = offset;
    }
    return Number(before);
  };
  const takeIndices = ({ id, indices }: AnyType, length: number, bits: Uint8Array): void => {
    const array = indices!.ArrayType;
    const known = dictionaries.get(id!) ?? 0;
    let i = 0;
    for (const index of integersOf(take(length * array.BYTES_PER_ELEMENT), length, array)) {
      if (!(index >= 0 && index < known) && (bits.length === 0 || isOne(bits, i)))
        throw corrupt(`index ${index} into ${known} values`, name);
      i++;
    }
  };

  const takeText = (array: Integers) => (_: AnyType, length: number) => take(takeOffsets(length, array));
  const visitBelow = (count: (type: AnyType, length: number) => number) => (type: AnyType, length: number) => {
    const below = count(type, length);
    for (const child of type.children!) visit(child!.type as unknown as AnyType, below);
  };
  /** By type: takes what follows the bitmap of nulls. */
  const valuesOf: { readonly [type in Type]?: (type: AnyType, length: number, bits: Uint8Array) => unknown } = {
    [Type.Dictionary]: takeIndices,
    [Type.Utf8]: takeText(Int32Array),
    [Type.Binary]: takeText(Int32Array),
    [Type.LargeUtf8]: takeText(BigInt64Array),
    [Type.LargeBinary]: takeText(BigInt64Array),
    [Type.List]: visitBelow((_, length) => takeOffsets(length, Int32Array)),
    [Type.Map]: visitBelow((_, length) => takeOffsets(length, Int32Array)),
    [Type.LargeList]: visitBelow((_, length) => takeOffsets(length, BigInt64Array)),
    [Type.FixedSizeList]: visitBelow(({ listSize }, length) => length * listSize!),
    [Type.Struct]: visitBelow((_, length) => length),
  };

  /** @param length number of values that the column must have. */
  const visit = (type: AnyType, length: number): void => {
    const { typeId, children } = type;
    const found = nodes[node++];
    if (found?.length !== length) throw corrupt(`${found?.length ?? 'no'} values for ${length}`, name);
    if (typeId === Type.Null) return;
    const { nullCount } = found;
    const width = widths[typeId]?.(type);
    const values = width === undefined ? valuesOf[typeId] : () => take(Math.ceil(length * width));
    if (values === undefined || children?.includes(undefined))
      throw corrupt(`a column of ${Type[typeId]}; cast it to another type, or leave it out`, name);
    const bits = take(Math.ceil(length / 8), nullCount === 0);
    const zeros = bits.length === 0 ? 0 : length - ones(bits, length);
    if (zeros !== nullCount) throw corrupt(`${zeros} nulls for ${nullCount}`, name);
    values(type, length, bits);
  };

  for (const { name: of, type } of fields) {
    name = of;
    visit(type as unknown as AnyType, rows);
  }
  if (node < nodes.length || part < buffers.length)
    throw corrupt(`${nodes.length} columns with ${buffers.length} parts; its schema has ${node} with ${part}`);
}

/** The members of all types. */
interface AnyType {
  readonly typeId: Type;
  readonly children: readonly (Field | undefined)[] | null;
  readonly bitWidth?: number;
  readonly byteWidth?: number;
  readonly unit?: number;
  readonly precision?: number;
  readonly listSize?: number;
  readonly id?: number;
  readonly indices?: { readonly ArrayType: Integers };
}

/** Bytes of each value of a type; undefined for a unit or precision that is not known. */
const widths: { readonly [type in Type]?: (type: AnyType) => number | undefined } = {
  [Type.Bool]: () => 1 / 8,
  [Type.Int]: ({ bitWidth }) => bitWidth! / 8,
  [Type.Decimal]: ({ bitWidth }) => bitWidth! / 8,
  [Type.Float]: ({ precision }) => [2, 4, 8][precision!],
  [Type.Date]: ({ unit }) => [4, 8][unit!],
  [Type.Time]: ({ unit }) => [4, 4, 8, 8][unit!],
  [Type.Timestamp]: ({ unit }) => [8, 8, 8, 8][unit!],
  [Type.Duration]: ({ unit }) => [8, 8, 8, 8][unit!],
  [Type.Interval]: ({ unit }) => [4, 8, 16][unit!],
  [Type.FixedSizeBinary]: ({ byteWidth }) => byteWidth,
};

interface Integers {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): Iterable<number | bigint>;
}

/** Returns the first integers of a part; copies bytes that are not aligned. */
function integersOf(bytes: Uint8Array, length: number, array: Integers): Iterable<number | bigint> {
  const { buffer, byteOffset } = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  return new array(buffer, byteOffset, length);
}

function isOne(bits: Uint8Array, i: number): boolean {
  return ((bits[i >> 3]! >> (i & 7)) & 1) === 1;
}

/** Returns the number of ones among the first bits. */
function ones(bits: Uint8Array, length: number): number {
  const whole = length >> 3;
  let count = 0;
  for (let i = 0; i < whole; i++) for (let rest = bits[i]!; rest > 0; rest &= rest - 1) count++;
  for (let i = 8 * whole; i < length; i++) if (isOne(bits, i)) count++;
  return count;
}
