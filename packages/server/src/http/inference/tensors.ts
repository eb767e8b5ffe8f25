import type { RawRow } from 'halfspace';
import { quote } from 'halfspace/internal';
import { Refusal } from '../problem.ts';

/** A tensor of the Open Inference Protocol. Its data are in row-major order, nested or flat. */
export interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly datatype: string;
  readonly data: readonly unknown[];
}

const whole = { holds: Number.isInteger, expected: 'whole numbers' };
const real = { holds: (value: unknown) => typeof value === 'number', expected: 'numbers' };

/** The elements of each datatype in JSON. */
const datatypes: Readonly<Record<string, { readonly holds: (value: unknown) => boolean; readonly expected: string }>> =
  {
    BOOL: { holds: (value) => typeof value === 'boolean', expected: 'truths' },
    ...Object.fromEntries(
      [8, 16, 32, 64].flatMap((bits) => [`UINT${bits}`, `INT${bits}`].map((name) => [name, whole])),
    ),
    FP16: real,
    FP32: real,
    FP64: real,
    BYTES: { holds: (value) => typeof value === 'string', expected: 'texts' },
  };
export const datatypeNames = Object.keys(datatypes);

/**
 * Returns the rows of tensors. One tensor of two dimensions holds rows of numbers, if `byName` is false; else each
 * tensor holds a field of all rows, by its name, in one dimension or in two of which the second is 1.
 *
 * @throws Refusal for tensors that do not fit to each other, to their shapes or to their datatypes.
 */
export function rowsOfTensors(tensors: readonly Tensor[], byName: boolean, most: number): RawRow[] {
  const [first] = tensors;
  if (first === undefined) throw refused('expected input tensors; got none');
  const count = first.shape[0] ?? 0;
  if (count > most) throw new Refusal(413, 'body-too-large', `expected at most ${most} rows; got ${count}`);
  if (!byName && tensors.length === 1 && first.shape.length === 2) {
    if (first.datatype === 'BYTES' || first.datatype === 'BOOL')
      throw refused(`expected rows of numbers; got ${first.datatype}`);
    const numbers = elementsOf(first) as number[];
    const width = first.shape[1]!;
    return Array.from({ length: count }, (_, i) => numbers.slice(i * width, (i + 1) * width));
  }
  const names = new Set<string>();
  const fields = tensors.map((tensor) => {
    const { name, shape } = tensor;
    if (names.has(name)) throw refused(`expected tensors with different names; got ${quote(name)} again`);
    names.add(name);
    if (shape[0] !== count || shape.length > 2 || (shape[1] ?? 1) !== 1)
      throw refused(`expected the shape [${count}] or [${count}, 1] of ${quote(name)}; got ${quote(shape)}`);
    return { name, values: elementsOf(tensor) };
  });
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(fields.map(({ name, values }) => [name, values[i]])),
  );
}

/** Returns the elements of a tensor, flat and checked. A null is a missing value. */
function elementsOf({ name, shape, datatype, data }: Tensor): unknown[] {
  const type = Object.hasOwn(datatypes, datatype) ? datatypes[datatype] : undefined;
  if (type === undefined) throw refused(`expected one of ${datatypeNames.join(', ')}; got ${quote(datatype)}`);
  const elements = data.flat(Infinity);
  const size = shape.reduce((product, length) => product * length, 1);
  if (elements.length !== size)
    throw refused(`expected ${size} elements of ${quote(name)}, as its shape says; got ${elements.length}`);
  for (const element of elements)
    if (element !== null && !type.holds(element))
      throw refused(`expected ${type.expected} in ${quote(name)}; got ${quote(element)}`);
  return elements;
}

/** The datatype in the metadata, by the kind of the column. */
export function datatypeOf(kind: string): string {
  if (kind === 'number') return 'FP64';
  return kind === 'boolean' ? 'BOOL' : 'BYTES';
}

function refused(message: string): Refusal {
  return new Refusal(400, 'request-invalid', message);
}
