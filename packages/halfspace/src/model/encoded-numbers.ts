import { decodeBase64, encodeBase64 } from '../base64.ts';

/** Numbers as they stand in a file: written out, or base64 of little-endian doubles or 32-bit whole numbers. */
export type EncodedNumbers = readonly number[] | { readonly float64: string } | { readonly uint32: string };

/** Up to so many numbers are written out, so that a person can read them. */
const readable = 256;

/** −0 becomes 0: JSON has no −0. */
export function encodeNumbers(numbers: Float64Array | Uint32Array): EncodedNumbers {
  if (numbers.length <= readable) return Array.from(numbers, (number) => number + 0);
  const size = numbers.BYTES_PER_ELEMENT;
  const view = new DataView(new ArrayBuffer(numbers.length * size));
  for (let i = 0; i < numbers.length; i++) {
    if (size === 8) view.setFloat64(i * 8, numbers[i]! + 0, true);
    else view.setUint32(i * 4, numbers[i]!, true);
  }
  const text = encodeBase64(new Uint8Array(view.buffer));
  return size === 8 ? { float64: text } : { uint32: text };
}

/** Finite doubles, or null where the value has another form. */
export function decodeDoubles(value: unknown): Float64Array | null {
  if (Array.isArray(value)) return value.every(Number.isFinite) ? Float64Array.from(value) : null;
  const view = bytesOf(value, 'float64', 8);
  if (view === null) return null;
  const numbers = new Float64Array(view.byteLength / 8);
  for (let i = 0; i < numbers.length; i++) numbers[i] = view.getFloat64(i * 8, true);
  return numbers.every(Number.isFinite) ? numbers : null;
}

/** Whole numbers in [0, 2³²), or null where the value has another form. */
export function decodeWhole(value: unknown): Uint32Array | null {
  if (Array.isArray(value))
    return value.every((number) => Number.isInteger(number) && number >= 0 && number < 2 ** 32)
      ? Uint32Array.from(value)
      : null;
  const view = bytesOf(value, 'uint32', 4);
  if (view === null) return null;
  return Uint32Array.from({ length: view.byteLength / 4 }, (_, i) => view.getUint32(i * 4, true));
}

function bytesOf(value: unknown, name: string, size: number): DataView | null {
  const text = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  // Runtimes differ in what else they let pass as base64.
  if (typeof text !== 'string' || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const bytes = decodeBase64(text);
  if (bytes.length % size !== 0) return null;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
