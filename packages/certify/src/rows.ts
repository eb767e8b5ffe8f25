import type { SparseBatch } from 'halfspace/rules';
import { decimalParts, type ExactBatch } from './exact/values.ts';
import { partsOf } from './exact/whole.ts';

/**
 * Returns examples as canonical rows, which {@link check} reads: lines such as `+1 0:3 2:-25e-1 7:5p-3` in ASCII, each
 * ended by a newline. After the label come the features that are not 0, with rising numbers from 0. 25e-1 is 25/10¹ and
 * 5p-3 is 5/2³; the places after the point are as few as possible.
 *
 * @param examples indices rise within each row; values are finite and not 0.
 */
export function canonicalRows(examples: ExactBatch): Uint8Array {
  return joined([...canonicalPieces(examples)]);
}

/** Yields canonical rows in pieces of about 256 kB. */
export function* canonicalPieces(examples: ExactBatch): Generator<Uint8Array> {
  const { rows, offsets, indices, values, labels, decimal } = examples;
  const encoder = new TextEncoder();
  const known = new Map<number, string>();
  const binaryText = (value: number): string => {
    let text = known.get(value);
    if (text !== undefined) return text;
    text = doubleText(value);
    if (known.size < 65_536) known.set(value, text);
    return text;
  };
  let text = '';
  for (let i = 0; i < rows; i++) {
    text += labels[i]! > 0 ? '+1' : '-1';
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++)
      text += ` ${indices[at]}:${decimal?.[indices[at]!] === 1 ? decimalText(values[at]!) : binaryText(values[at]!)}`;
    text += '\n';
    if (text.length < 1 << 18 && i < rows - 1) continue;
    yield encoder.encode(text);
    text = '';
  }
}

/** Returns the bytes of all pieces. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function decimalText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) {
    const dot = text.indexOf('.');
    if (dot < 0) return text;
    const sign = value < 0 ? '-' : '';
    const whole = text.slice(sign.length, dot);
    const fraction = text.slice(dot + 1);
    return `${sign}${whole === '0' ? fraction.replace(/^0+/, '') : whole + fraction}e-${fraction.length}`;
  }
  const { mantissa, places } = decimalParts(value);
  return places === 0 ? String(mantissa) : `${mantissa}e-${places}`;
}

function doubleText(value: number): string {
  if (Number.isInteger(value)) return String(BigInt(value));
  const { mantissa, exponent } = partsOf(value);
  return `${mantissa}p${exponent}`;
}

/**
 * Returns examples in memory in the form that `certify` takes.
 *
 * @param rows n rows of the same length: one number for each feature.
 * @param labels n labels: −1 and +1, or names of the classes.
 * @param classes the names of the negative and the positive class.
 * @param numbers `doubles`: the doubles are meant; `written`: the shortest decimals that are read as them, so 0.1 is
 * 1/10.
 * @throws RangeError for any other input.
 */
export function examplesOf(
  rows: readonly ArrayLike<number>[],
  labels: ArrayLike<number | string>,
  classes: readonly [negative: string, positive: string] = ['-1', '1'],
  numbers: 'written' | 'doubles' = 'doubles',
): ExactBatch {
  const dimension = rows[0]?.length ?? 0;
  if (labels.length !== rows.length)
    throw new RangeError(`expected ${rows.length} labels, as many as rows; got ${labels.length}`);
  const cells: (readonly [j: number, value: number])[] = [];
  const offsets = new Uint32Array(rows.length + 1);
  rows.forEach((row, i) => {
    const { length } = row;
    if (length !== dimension) throw new RangeError(`expected ${dimension} numbers in row ${i + 1}; got ${length}`);
    for (let j = 0; j < dimension; j++) {
      const value = row[j]!;
      if (!Number.isFinite(value)) throw new RangeError(`expected finite numbers in row ${i + 1}; got ${value}`);
      if (value !== 0) cells.push([j, value]);
    }
    offsets[i + 1] = cells.length;
  });
  const signs = Float64Array.from(labels as ArrayLike<unknown>, (label, i) => {
    const place = classes.indexOf(String(label));
    if (place < 0) throw new RangeError(`expected ${classes.join(' or ')} as label ${i + 1}; got ${label}`);
    return place === 1 ? 1 : -1;
  });
  const indices = Uint32Array.from(cells, ([j]) => j);
  const values = Float64Array.from(cells, ([, value]) => value);
  const batch: SparseBatch = {
    ...{ kind: 'sparse', rows: rows.length, dimension, offsets, indices, values, labels: signs, importance: null },
  };
  return numbers === 'doubles' ? batch : { ...batch, decimal: new Uint8Array(dimension).fill(1) };
}
