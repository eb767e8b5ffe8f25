import { decodeBase64, encodeBase64 } from '../base64.ts';
import type { NumberList } from './table-encoding.ts';

/** Up to so many numbers stand as they are, so that a person can read them. */
const readable = 256;

/** Whole numbers as they stand in an encoding. */
export function encodeNumbers(numbers: Uint32Array): NumberList {
  if (numbers.length <= readable) return Array.from(numbers);
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  numbers.forEach((number, i) => {
    view.setUint32(i * 4, number, true);
  });
  return { uint32: encodeBase64(new Uint8Array(view.buffer)) };
}

/** The numbers of a list that is known to be in order. */
export function decodeNumbers(list: NumberList): Uint32Array {
  if (!('uint32' in list)) return Uint32Array.from(list);
  const bytes = decodeBase64(list.uint32);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.length >> 2 }, (_, i) => view.getUint32(i * 4, true));
}

/** Checks a list from JSON: whether it is what {@link encodeNumbers} writes for `length` numbers of at most `most`. */
export function isNumberList(value: unknown, length: number, most: number): value is NumberList {
  const fits = (number: unknown) => Number.isInteger(number) && (number as number) >= 0 && (number as number) <= most;
  if (Array.isArray(value)) return value.length === length && length <= readable && value.every(fits);
  if (typeof value !== 'object' || value === null || length <= readable) return false;
  const { uint32, ...others } = value as Record<string, unknown>;
  if (typeof uint32 !== 'string' || Object.keys(others).length > 0) return false;
  // Only the one spelling of every list, so that a model is written again as it was read.
  if (uint32.length !== 4 * Math.ceil((length * 4) / 3)) return false;
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(uint32)) return false;
  const numbers = decodeNumbers({ uint32 });
  return (
    numbers.length === length && numbers.every(fits) && (encodeNumbers(numbers) as { uint32: string }).uint32 === uint32
  );
}
