import { type Data, Type, type Vector } from 'apache-arrow';
import { HalfspaceError } from 'halfspace';
import type { WordCells } from 'halfspace/internal';

/** Returns the cells of a column of numbers, booleans or dates as doubles: NaN for null, days since 1970 for dates. */
export function numbersOf(vector: Vector, name: string): Float64Array {
  const { length, type } = vector;
  const convert = converters[type.typeId as Type]?.(type);
  if (convert === undefined) throw unreadable(name, `a number, a boolean or a date`, vector);
  const out = new Float64Array(length);
  let at = 0;
  for (const data of vector.data as readonly Data[]) {
    if (type.typeId === Type.Bool) for (let i = 0; i < data.length; i++) out[at + i] = vector.get(at + i) ? 1 : 0;
    else convert(data, out, at);
    if (data.nullCount > 0) for (let i = 0; i < data.length; i++) if (!data.getValid(i)) out[at + i] = Number.NaN;
    at += data.length;
  }
  return out;
}

type Convert = (data: Data, out: Float64Array, at: number) => void;

const divided =
  (by: number): Convert =>
  ({ values, length }, out, at) => {
    for (let i = 0; i < length; i++) out[at + i] = Number(values[i]) / by;
  };
const plain: Convert = ({ values, length }, out, at) => {
  for (let i = 0; i < length; i++) out[at + i] = Number(values[i]);
};
/** Units of a timestamp in a day, by the number of its unit. */
const unitsInDay = [86_400, 86_400e3, 86_400e6, 86_400e9];

const converters: { readonly [K in Type]?: (type: { unit?: number; precision?: number }) => Convert | undefined } = {
  [Type.Float]: ({ precision }) => (precision === 0 ? undefined : plain),
  [Type.Int]: () => plain,
  [Type.Bool]: () => plain,
  [Type.Date]: ({ unit }) => (unit === 0 ? plain : divided(86_400e3)),
  [Type.Timestamp]: ({ unit }) => divided(unitsInDay[unit!]!),
};

/** Gives the texts of columns codes. Words are numbered in the order in which they come. */
export class Words {
  readonly #codes = new Map<string | null, number>();
  readonly #words: (string | null)[] = [];

  of(texts: (i: number) => string | null, rows: number): WordCells {
    const codes = new Uint32Array(rows);
    for (let i = 0; i < rows; i++) {
      const text = texts(i);
      let code = this.#codes.get(text);
      if (code === undefined) {
        code = this.#words.push(text) - 1;
        this.#codes.set(text, code);
      }
      codes[i] = code;
    }
    return { codes, words: this.#words };
  }
}

/** Returns a reader of a column's cells as texts: text as it is, numbers as JavaScript writes them; null stays null. */
export function textsOf(vector: Vector, name: string): (i: number) => string | null {
  const { typeId } = vector.type;
  if (typeId === Type.Utf8 || typeId === Type.LargeUtf8 || typeId === Type.Dictionary) return (i) => vector.get(i);
  const scalar = typeId === Type.Bool || typeId === Type.Int || typeId === Type.Float;
  if (!scalar) throw unreadable(name, 'text, a number or a boolean', vector);
  return (i) => {
    const value = vector.get(i);
    return value === null ? null : String(value);
  };
}

function unreadable(field: string, expected: string, { type }: Vector): HalfspaceError {
  return new HalfspaceError('row-malformed', `expected ${expected}; got a column of type ${type}`, { field });
}
