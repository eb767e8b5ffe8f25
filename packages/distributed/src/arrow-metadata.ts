import { HalfspaceError } from 'halfspace';

/*
 * The metadata of a message are a flatbuffer. Apache Arrow reads what is outside of it as 0, and a wrong length of a
 * vector keeps it busy for minutes. So every place is visited before.
 */

/** Fields of a table by their slots. */
type Table = readonly Shape[];
/** Contents of a field; a number stands for one of so many bytes. */
type Shape =
  | number
  | { readonly zero: number }
  | { readonly table: Table; readonly isOptional?: true }
  | { readonly vectorOf: number | Table }
  | { readonly by: number; readonly tables: Readonly<Record<number, Table>> };

const text = { vectorOf: 1 };
const pairs = { vectorOf: [text, text] };
const whole = [4, 1];
/** Types of columns by their numbers: those that Apache Arrow knows. */
const types: Readonly<Record<number, Table>> = {
  ...Object.fromEntries([1, 4, 5, 6, 12, 13, 19, 20, 21, 23, 24].map((type) => [type, []])),
  ...{ 2: whole, 3: [2], 7: [4, 4, 4], 8: [2], 9: [2, 4], 10: [2, text], 11: [2], 14: [2, { vectorOf: 4 }] },
  ...{ 15: [4], 16: [4], 17: [1], 18: [2] },
};
const dictionary = { table: [8, { table: whole, isOptional: true }, 1, 2], isOptional: true } as const;
const column: Shape[] = [text, 1, 1, { by: 2, tables: types }, dictionary];
column.push({ vectorOf: column }, pairs);
// The first field says that the first byte of numbers is the lowest.
const schema: Table = [{ zero: 2 }, { vectorOf: column }, pairs, { vectorOf: 8 }];
const batch: Table = [8, { vectorOf: 16 }, { vectorOf: 16 }, { table: [1, 1], isOptional: true }, { vectorOf: 8 }];
const headers = { 1: schema, 2: [8, { table: batch }, 1], 3: batch };
const message: Table = [2, 1, { by: 1, tables: headers }, 8, pairs];

/** Bound on nested columns. */
const deepest = 64;

/**
 * Visits all places of the metadata of a message.
 *
 * @throws HalfspaceError `source-corrupt` for a place that is not inside, and for what Apache Arrow cannot read.
 * @see https://arrow.apache.org/docs/format/Columnar.html#format-message-schema
 */
export function checkMetadata(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // Tables may share others, so their visits could take more time than the bytes justify.
  let left = 8 * bytes.length;

  const inside = (at: number, size: number, alignment = size): number => {
    left -= size;
    if (!(at >= 0 && size >= 0 && at + size <= bytes.length && at % alignment === 0 && left >= 0))
      throw corrupt(`metadata of ${bytes.length} bytes with a wrong place`);
    return at;
  };
  const target = (at: number) => at + view.getUint32(inside(at, 4), true);

  const visitTable = (at: number, table: Table, depth: number): void => {
    if (depth > deepest) throw corrupt(`columns in columns, more than ${deepest} deep`);
    const slots = at - view.getInt32(inside(at, 4), true);
    const size = view.getInt16(inside(slots, 4, 2), true);
    inside(slots, size, 2);
    const places = table.map((_, slot) => {
      const offset = 4 + 2 * slot < size ? view.getInt16(inside(slots + 4 + 2 * slot, 2), true) : 0;
      return offset === 0 ? null : at + offset;
    });
    table.forEach((shape, slot) => {
      const place = places[slot]!;
      if (place === null) {
        if (typeof shape === 'object' && ('by' in shape || ('table' in shape && !shape.isOptional)))
          throw corrupt('metadata that lack a table');
      } else if (typeof shape === 'number') inside(place, shape);
      else if ('zero' in shape) {
        if (view.getInt16(inside(place, shape.zero), true) !== 0)
          throw corrupt('numbers whose first byte is the highest');
      } else if ('table' in shape) visitTable(target(place), shape.table, depth + 1);
      else if ('by' in shape) {
        const by = places[shape.by]!;
        const kind = by === null ? 0 : view.getUint8(by);
        const own = shape.tables[kind];
        if (own === undefined) throw corrupt(`a message or a column of the unknown type ${kind}`);
        visitTable(target(place), own, depth + 1);
      } else visitVector(target(place), shape.vectorOf, depth + 1);
    });
  };

  const visitVector = (at: number, of: number | Table, depth: number): void => {
    const length = view.getInt32(inside(at, 4), true);
    const size = typeof of === 'number' ? of : 4;
    inside(at + 4, length * size, Math.min(size, 8));
    if (typeof of === 'object') for (let k = 0; k < length; k++) visitTable(target(at + 4 + 4 * k), of, depth);
  };

  visitTable(target(0), message, 0);
}

/** Returns the error for a stream that cannot be read. @param field its column. */
export function corrupt(got: string, field?: string): HalfspaceError {
  const where = field === undefined ? {} : { field };
  return new HalfspaceError('source-corrupt', `expected an Arrow IPC stream; got ${got}`, where);
}
