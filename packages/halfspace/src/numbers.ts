/** Numbers in a file: written out, or base64 of little-endian 64-bit doubles or 32-bit whole numbers. */
export type EncodedNumbers = readonly number[] | { readonly float64: string } | EncodedWhole;
export type EncodedWhole = { readonly uint32: string };

/** At most this many numbers are written out, so that a person can read them. */
export const mostWrittenOut = 256;

export type NumberArray = Float64Array | Uint32Array | Int32Array | Uint8Array;

export function encodeNumbers(numbers: Uint32Array): readonly number[] | EncodedWhole;
export function encodeNumbers(numbers: Float64Array | Uint32Array): EncodedNumbers;
export function encodeNumbers(numbers: Float64Array | Uint32Array): EncodedNumbers {
  // JSON has no −0; −0 + 0 is 0.
  if (numbers.length <= mostWrittenOut) return Array.from(numbers, (number) => number + 0);
  if (numbers instanceof Uint32Array) return { uint32: encodeBytes(numbers) };
  return { float64: encodeBytes(numbers.map((number) => number + 0)) };
}

/** Returns finite doubles; null where the value has another form. */
export function decodeDoubles(value: unknown): Float64Array | null {
  if (Array.isArray(value)) return value.every(Number.isFinite) ? Float64Array.from(value) : null;
  const numbers = decodeBytes((value as { float64?: unknown } | null)?.float64, Float64Array);
  return numbers?.every(Number.isFinite) ? numbers : null;
}

/** Returns whole numbers in [0, 2³²); null where the value has another form. */
export function decodeWhole(value: unknown): Uint32Array | null {
  if (!Array.isArray(value)) return decodeBytes((value as { uint32?: unknown } | null)?.uint32, Uint32Array);
  const fits = (number: unknown) => Number.isInteger(number) && (number as number) >= 0 && (number as number) < 2 ** 32;
  return value.every(fits) ? Uint32Array.from(value) : null;
}

/** Returns base64 of the numbers' bytes, little-endian. */
export function encodeBytes(numbers: NumberArray): string {
  const { buffer, byteOffset, byteLength } = littleEndian(numbers);
  // Node's `atob` and `btoa` are far slower than its Buffer.
  if (Buffer !== undefined) return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let text = '';
  // Pieces of a multiple of three bytes join without padding; more arguments at once would overflow the stack.
  for (let i = 0; i < byteLength; i += 12288)
    text += btoa(String.fromCharCode.apply(null, bytes.subarray(i, i + 12288) as unknown as number[]));
  return text;
}

/** Reads what {@link encodeBytes} wrote. Returns null for anything else than base64 of whole numbers of that size. */
export function decodeBytes<A extends NumberArray>(text: unknown, Kind: ArrayKind<A>): A | null {
  // Runtimes differ in what else they accept as base64.
  if (typeof text !== 'string' || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  // Copied, so that the buffer holds these bytes alone and doubles are aligned.
  const bytes = Buffer === undefined ? lettersOf(atob(text)) : new Uint8Array(Buffer.from(text, 'base64'));
  return bytes.length % Kind.BYTES_PER_ELEMENT === 0 ? littleEndian(new Kind(bytes.buffer)) : null;
}

function lettersOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

interface ArrayKind<A> {
  new (buffer: ArrayBuffer): A;
  readonly BYTES_PER_ELEMENT: number;
}

/** The parts of Node's Buffer that are used here, where the runtime has it. */
const { Buffer } = globalThis as {
  Buffer?: {
    from(buffer: ArrayBufferLike, byteOffset: number, length: number): { toString(encoding: 'base64'): string };
    from(text: string, encoding: 'base64'): Uint8Array;
  };
};

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Returns the array with its bytes in little-endian order, or such an array in this machine's order. */
function littleEndian<A extends NumberArray>(array: A): A {
  if (isLittleEndian || array.BYTES_PER_ELEMENT === 1) return array;
  const turned = array.slice() as A;
  const bytes = new Uint8Array(turned.buffer);
  for (let i = 0; i < bytes.length; i += array.BYTES_PER_ELEMENT)
    bytes.subarray(i, i + array.BYTES_PER_ELEMENT).reverse();
  return turned;
}
