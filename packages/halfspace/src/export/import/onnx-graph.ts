/** The nodes and constants of an ONNX file. */
export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  /** Names of the inputs. Files before version 4 of the format list constants among them. */
  readonly inputs: readonly string[];
  /** Constants by name. */
  readonly tensors: ReadonlyMap<string, OnnxTensor>;
}

/** A constant: numbers as doubles, 64-bit whole numbers, or text; none for other types. */
export interface OnnxTensor {
  readonly shape: readonly number[];
  readonly values: readonly (number | bigint | string)[];
}

export interface OnnxNode {
  /** `LinearClassifier`, `ai.onnx.ml`; the domain of core operators is empty. */
  readonly operator: string;
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, OnnxAttribute>;
}

/** The values of an attribute; lists are empty if it has others. */
interface OnnxAttribute {
  readonly text: string;
  readonly floats: readonly number[];
  readonly wholes: readonly bigint[];
  readonly texts: readonly string[];
}

/** A node takes two bytes of a damaged file and some hundred of memory. */
const mostNodes = 100_000;
/** Class labels are the only whole numbers that count. */
const mostWholes = 2 ** 20;

/**
 * Reads the nodes and constants of an ONNX file; other parts are skipped. The numbers of fields are those of
 * onnx.proto3 in the repository onnx/onnx (ModelProto, GraphProto, NodeProto, AttributeProto, TensorProto,
 * ValueInfoProto).
 *
 * @throws RangeError with the fault, continuing "got".
 */
export function onnxGraph(bytes: Uint8Array): OnnxGraph {
  let graph: Uint8Array | null = null;
  for (const field of messageFields(bytes)) if (field.number === 7) graph = bytesOf(field);
  if (graph === null) throw new RangeError('a file without a graph');
  const nodes: OnnxNode[] = [];
  const inputs: string[] = [];
  const tensors = new Map<string, OnnxTensor>();
  for (const field of messageFields(graph)) {
    if (field.number === 1) {
      if (nodes.length === mostNodes) throw new RangeError(`more than ${mostNodes} operators`);
      nodes.push(nodeOf(bytesOf(field)));
    }
    if (field.number === 5) tensors.set(...tensorOf(bytesOf(field)));
    if (field.number === 11) inputs.push(nameOf(bytesOf(field)));
  }
  return { nodes, inputs, tensors };
}

function tensorOf(bytes: Uint8Array): [string, OnnxTensor] {
  const [shape, wholes, numbers, texts] = [[], [], [], []] as [bigint[], bigint[], number[], string[]];
  let [name, type, raw] = ['', 0, new Uint8Array(0)];
  for (const field of messageFields(bytes)) {
    if (field.number === 1) addWholes(field, shape);
    else if (field.number === 2) type = Number(field.value);
    else if (field.number === 4) addFloats(field, numbers);
    else if (field.number === 5 || field.number === 7) addWholes(field, wholes);
    else if (field.number === 6) texts.push(textOf(field));
    else if (field.number === 8) name = textOf(field);
    else if (field.number === 9) raw = bytesOf(field) as Uint8Array<ArrayBuffer>;
    else if (field.number === 10) addFloats(field, numbers, 8);
  }
  const view = new DataView(raw.buffer, raw.byteOffset, raw.length);
  const read = (size: number, at: (byte: number) => number | bigint) =>
    Array.from({ length: Math.floor(raw.length / size) }, (_, k) => at(k * size));
  // The types FLOAT, INT32, INT64, STRING and DOUBLE.
  const values: Readonly<Record<number, () => OnnxTensor['values']>> = {
    1: () => [...numbers, ...read(4, (at) => view.getFloat32(at, true))],
    6: () => [...wholes, ...read(4, (at) => view.getInt32(at, true))],
    7: () => [...wholes, ...read(8, (at) => view.getBigInt64(at, true))],
    8: () => texts,
    11: () => [...numbers, ...read(8, (at) => view.getFloat64(at, true))],
  };
  return [name, { shape: shape.map(Number), values: values[type]?.() ?? [] }];
}

function nodeOf(bytes: Uint8Array): OnnxNode {
  const inputs: string[] = [];
  const outputs: string[] = [];
  const attributes = new Map<string, OnnxAttribute>();
  let [operator, domain] = ['', ''];
  for (const field of messageFields(bytes)) {
    if (field.number === 1) inputs.push(textOf(field));
    else if (field.number === 2) outputs.push(textOf(field));
    else if (field.number === 4) operator = textOf(field);
    else if (field.number === 5) attributes.set(...attributeOf(bytesOf(field)));
    else if (field.number === 7) domain = textOf(field);
  }
  return { operator, domain, inputs, outputs, attributes };
}

function attributeOf(bytes: Uint8Array): [string, OnnxAttribute] {
  const texts: string[] = [];
  const floats: number[] = [];
  const wholes: bigint[] = [];
  let [name, text] = ['', ''];
  for (const field of messageFields(bytes)) {
    if (field.number === 1) name = textOf(field);
    else if (field.number === 4) text = textOf(field);
    else if (field.number === 7) addFloats(field, floats);
    else if (field.number === 8) addWholes(field, wholes);
    else if (field.number === 9) texts.push(textOf(field));
  }
  return [name, { text, floats, wholes, texts }];
}

function nameOf(bytes: Uint8Array): string {
  for (const field of messageFields(bytes)) if (field.number === 1) return textOf(field);
  return '';
}

/** Adds a float, or a packed list of floats. @param size their number of bytes. */
function addFloats({ value, wireType }: MessageField, floats: number[], size: 4 | 8 = 4): void {
  const bytes = wireType === (size === 4 ? 5 : 1) || wireType === 2 ? (value as Uint8Array) : null;
  if (bytes === null || bytes.length % size !== 0) throw new RangeError('a list of floats of another size');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += size)
    floats.push(size === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true));
}

/** Adds a whole number, or a packed list of them. */
function addWholes({ value, wireType }: MessageField, wholes: bigint[]): void {
  if (typeof value !== 'bigint' && wireType !== 2) throw new RangeError('a whole number of another type');
  for (const whole of typeof value === 'bigint' ? [value] : packedWholes(value)) {
    if (wholes.length === mostWholes) throw new RangeError(`a list of more than ${mostWholes} whole numbers`);
    wholes.push(whole);
  }
}

function bytesOf({ value, wireType }: MessageField): Uint8Array {
  if (wireType !== 2) throw new RangeError('a message of another type');
  return value as Uint8Array;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(field: MessageField): string {
  try {
    return utf8.decode(bytesOf(field));
  } catch {
    throw new RangeError('a text that is not UTF-8');
  }
}

/** A field of a message of Protocol Buffers. */
interface MessageField {
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
function* messageFields(bytes: Uint8Array): Generator<MessageField> {
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
function* packedWholes(bytes: Uint8Array): Generator<bigint> {
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
