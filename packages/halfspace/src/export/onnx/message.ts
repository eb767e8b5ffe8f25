const utf8 = new TextEncoder();

/**
 * A message of Protocol Buffers, written field by field. Of the format, ONNX files need variable-length integers (wire
 * type 0) and bytes (wire type 2); repeated fields are not packed.
 *
 * @see https://protobuf.dev/programming-guides/encoding/
 */
export class Message {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  /** Adds a whole number in [0, 2⁵³). */
  whole(field: number, value: number): this {
    return this.#append(varint(field * 8)).#append(varint(value));
  }

  /** Adds bytes, a text, or a message. The bytes must not change later. */
  bytes(field: number, value: Uint8Array | string | Message): this {
    const own = typeof value === 'string' ? utf8.encode(value) : value instanceof Message ? value.finish() : value;
    return this.#append(varint(field * 8 + 2))
      .#append(varint(own.length))
      .#append(own);
  }

  /** Returns the bytes of the message. */
  finish(): Uint8Array {
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }

  #append(piece: Uint8Array): this {
    this.#pieces.push(piece);
    this.#length += piece.length;
    return this;
  }
}

/** Returns seven bits a byte, low ones first; all bytes but the last have the high bit set. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.of(...bytes, rest);
}
