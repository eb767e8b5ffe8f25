import { Binary, type Data, LargeBinary, Type, Vector } from 'apache-arrow';
import { HalfspaceError } from 'halfspace';
import { refusedCell } from 'halfspace/tables';

type MeasuredKind = 'number' | 'boolean' | 'date';

/**
 * Returns the cells of a column of numbers, booleans or dates as doubles: NaN for null, days since 1970 for dates.
 * Numbers that are not finite are refused later, at their row, as on one machine. The result may be the memory of the
 * column, so it must not be changed.
 */
export function numbersOf(vector: Vector, name: string, kind: MeasuredKind): Float64Array {
  const { length, type } = vector;
  if (type.typeId === Type.Dictionary) return looked(vector, numbersOf(dictionaryOf(vector), name, kind));
  const convert = converters[type.typeId as Type]?.(type);
  if (convert === undefined || (kind === 'number' && type.typeId === Type.Bool))
    throw unreadable(name, expectedType[kind], vector);
  const [only, ...more] = vector.data as readonly Data[];
  if (type.typeId === Type.Float && more.length === 0 && only?.values instanceof Float64Array && only.nullCount === 0) {
    const values = only.values.subarray(0, length);
    if (areFinite(values)) return values;
  }
  const out = new Float64Array(length);
  let at = 0;
  for (const data of vector.data as readonly Data[]) {
    if (type.typeId === Type.Bool) for (let i = 0; i < data.length; i++) out[at + i] = vector.get(at + i) ? 1 : 0;
    else convert(data, out, at);
    if (type.typeId === Type.Float)
      for (let i = at; i < at + data.length; i++) if (!Number.isFinite(out[i])) out[i] = Infinity;
    if (data.nullCount > 0) for (let i = 0; i < data.length; i++) if (!data.getValid(i)) out[at + i] = Number.NaN;
    at += data.length;
  }
  return out;
}

/** Returns the values of a dictionary that a column has, and those of all batches before it. */
function dictionaryOf(vector: Vector): Vector {
  return (vector.data as readonly Data[])[0]!.dictionary!;
}

function looked(vector: Vector, values: Float64Array): Float64Array {
  const [{ values: indices, length }] = vector.data as unknown as [Data];
  return Float64Array.from({ length }, (_, i) => (vector.isValid(i) ? values[Number(indices[i])]! : Number.NaN));
}

function areFinite(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}

const expectedType: Readonly<Record<MeasuredKind, string>> = {
  number: 'a number',
  boolean: 'a boolean or a number',
  date: 'a date or a number of days',
};

type Convert = (data: Data, out: Float64Array, at: number) => void;

const divided =
  (by: number): Convert =>
  ({ values, length }, out, at) => {
    for (let i = 0; i < length; i++) out[at + i] = Number(values[i]) / by;
  };
const plain: Convert = ({ values, length }, out, at) => {
  if (values instanceof Float64Array) out.set(values.subarray(0, length), at);
  else for (let i = 0; i < length; i++) out[at + i] = Number(values[i]);
};
/** Units of a timestamp in a day, by the number of its unit. */
const unitsInDay = [86_400, 86_400e3, 86_400e6, 86_400e9];

/** Whole numbers of 128 bits have at most this number of digits. */
const mostDigits = 38;
/** Whole numbers of 128 bits, divided by 10^scale. Beyond 2^53, other readers may round in another way. */
const decimals =
  (scale: number): Convert =>
  ({ values, length }, out, at) => {
    const words = values as Uint32Array;
    for (let i = 0; i < length; i++) {
      let whole = 0n;
      for (let k = 3; k >= 0; k--) whole = (whole << 32n) | BigInt(words[4 * i + k]!);
      out[at + i] = Number(BigInt.asIntN(128, whole)) / 10 ** scale;
    }
  };

const converters: {
  readonly [K in Type]?: (type: {
    unit?: number;
    precision?: number;
    scale?: number;
    bitWidth?: number;
  }) => Convert | undefined;
} = {
  [Type.Float]: ({ precision }) => (precision === 0 ? undefined : plain),
  [Type.Int]: () => plain,
  [Type.Bool]: () => plain,
  [Type.Decimal]: ({ scale, bitWidth }) =>
    bitWidth === 128 && Math.abs(scale!) <= mostDigits ? decimals(scale!) : undefined,
  [Type.Date]: ({ unit }) => (unit === 0 ? plain : divided(86_400e3)),
  [Type.Timestamp]: ({ unit }) => divided(unitsInDay[unit!]!),
};

/** Returns the type of a column's values; that of the values of a dictionary. */
function valueType({ type }: Vector): Vector['type'] {
  return type.typeId === Type.Dictionary ? type.dictionary : type;
}

/** Tests if the cells of a column are texts. */
export function isText(vector: Vector): boolean {
  const { typeId } = valueType(vector);
  return typeId === Type.Utf8 || typeId === Type.LargeUtf8;
}

function isScalar({ typeId }: Vector['type']): boolean {
  return typeId === Type.Bool || typeId === Type.Int || typeId === Type.Float;
}

/** Returns the type of a column's values by `typeof`, as a table of the command has it. */
export function typeOfColumn(vector: Vector): string {
  const type = valueType(vector);
  return type.typeId === Type.Bool ? 'boolean' : isScalar(type) ? 'number' : 'string';
}

/**
 * Returns a reader of a column's cells as texts: text as it is, numbers in the fewest digits that tell them from others
 * of their type; null stays null. The reader refuses numbers that are not finite, and text that is not UTF-8.
 */
export function textsOf(vector: Vector, name: string): (i: number) => string | null {
  const type = valueType(vector);
  if (!isText(vector) && !isScalar(type)) throw unreadable(name, 'text, a number or a boolean', vector);
  const isShort = type.typeId === Type.Float && type.precision === 1;
  const cell = cellsOf(vector);
  return (i) => {
    const value = cell(i);
    if (value === undefined)
      throw new HalfspaceError('source-corrupt', 'expected UTF-8 text; got other bytes', { row: i + 1, field: name });
    if (typeof value === 'number' && !Number.isFinite(value)) throw notFinite(value, i, name);
    return value === null ? null : isShort ? shortest(value as number) : String(value);
  };
}

type Cell = string | number | bigint | boolean | null | undefined;

// Apache Arrow leaves out byte order marks at the start of texts, and replaces bytes that are not UTF-8.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** Returns a reader of a column's cells. That of text which is not UTF-8 is undefined. */
function cellsOf(vector: Vector): (i: number) => Cell {
  const chunks = vector.data as readonly Data[];
  if (vector.type.typeId === Type.Dictionary) {
    const { values: indices } = chunks[0]!;
    const word = cellsOf(dictionaryOf(vector));
    return (i) => (vector.isValid(i) ? word(Number(indices[i])) : null);
  }
  if (!isText(vector)) return (i) => vector.get(i);
  const bytesType = vector.type.typeId === Type.Utf8 ? new Binary() : new LargeBinary();
  const bytes = new Vector(chunks.map((data) => data.clone(bytesType)));
  return (i) => {
    const own = bytes.get(i);
    try {
      return own === null ? null : utf8.decode(own);
    } catch {
      return undefined;
    }
  };
}

/** Writes a float of 32 bits. */
function shortest(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(Number(value.toPrecision(9)));
}

function notFinite(value: number, i: number, field: string): HalfspaceError {
  return refusedCell('number', Infinity, value, { row: i + 1, field });
}

/** Returns the error for a column of a type that cannot be used. */
export function unreadable(field: string, expected: string, { type }: Vector): HalfspaceError {
  const got = String(type).slice(0, 80);
  return new HalfspaceError('row-malformed', `expected ${expected}; got a column of type ${got}`, { field });
}
