/** A field of a message of Protocol Buffers. */
export interface MessageField {
  readonly number: number;
  /** A whole number of 64 bits (wire type 0), or bytes: four of wire type 5, eight of 1, any number of 2. */
  readonly value: bigint | Uint8Array;
  /** One of 0, 1, 2, 5. */
  readonly wireType: number;
}

/**
 * Yields the fields of a message. Bytes are parts of the message, not copies, so no count in a file reserves memory.
 *
 * @throws RangeError with the fault, continuing "got": `a field that is cut`.
 * @see https://protobuf.dev/programming-guides/encoding/
 */
export function* messageFields(bytes: Uint8Array): Generator<MessageField> {
  const at = { next: 0 };
  while (at.next < bytes.length) {
    const key = short(bytes, at);
    const [number, wireType] = [Math.floor(key / 8), key % 8];
    if (!(number >= 1 && number < 2 ** 29)) throw new RangeError('a field without a number');
    if (wireType === 0) yield { number, wireType, value: BigInt.asIntN(64, varint(bytes, at)) };
    else {
      const length = wireType === 1 ? 8 : wireType === 5 ? 4 : wireType === 2 ? short(bytes, at) : Number.NaN;
      if (Number.isNaN(length)) throw new RangeError(`a field of the unknown wire type ${wireType}`);
      if (!(length <= bytes.length - at.next)) throw new RangeError('a field that is cut');
      yield { number, wireType, value: bytes.subarray(at.next, at.next + length) };
      at.next += length;
    }
  }
}

/** Yields whole numbers without keys, one behind the other. @throws RangeError as {@link messageFields}. */
export function* packedWholes(bytes: Uint8Array): Generator<bigint> {
  const at = { next: 0 };
  while (at.next < bytes.length) yield BigInt.asIntN(64, varint(bytes, at));
}

/** Reads a key or a length: a whole number below 2³⁵. */
function short(bytes: Uint8Array, at: { next: number }): number {
  let value = 0;
  for (let factor = 1; factor < 2 ** 35; factor *= 128) {
    const byte = bytes[at.next++];
    if (byte === undefined) throw new RangeError('a number that is cut');
    value += (byte % 128) * factor;
    if (byte < 128) return value;
  }
  throw new RangeError('a length of more than five bytes');
}

/** Reads seven bits a byte, low ones first, up to a byte without the high bit. */
function varint(bytes: Uint8Array, at: { next: number }): bigint {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[at.next++];
    if (byte === undefined) throw new RangeError('a number that is cut');
    if (shift > 63n) throw new RangeError('a number of more than ten bytes');
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return value;
  }
}
