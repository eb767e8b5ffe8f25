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

/** Types of elements: TensorProto.DataType. */
export const types = { int64: 7, string: 8, bool: 9, double: 11 } as const;
type ElementType = keyof typeof types;

/** A dimension of a tensor; text names one that calls choose. */
type Dimension = number | string;

/** Values of attributes of nodes: a whole number, whole numbers, or texts. */
type Attribute = number | readonly number[] | readonly string[];

/** The versions of the operators that models use. LabelEncoder is one of machine learning, all others are core. */
const opset = { core: 15, ml: 2 } as const;
/** The version of the format that came with opset 15. */
const formatVersion = 8;
const mlDomain = 'ai.onnx.ml';

/**
 * An ONNX model that grows node by node. Methods return the names of the values that they add.
 *
 * The numbers of fields are those of onnx.proto3 in the repository onnx/onnx (ModelProto, GraphProto, NodeProto,
 * AttributeProto, TensorProto, ValueInfoProto, TypeProto, OperatorSetIdProto, StringStringEntryProto).
 */
export class Graph {
  readonly #names = new Set<string>();
  readonly #constants = new Map<string, string>();
  readonly #nodes: Message[] = [];
  readonly #initializers: Message[] = [];
  readonly #inputs: Message[] = [];
  readonly #outputs: Message[] = [];

  /** Adds an input of the model. Inputs come first, so that no other value takes their names. */
  input(name: string, type: ElementType, dimensions: readonly Dimension[]): string {
    this.#names.add(name);
    this.#inputs.push(valueInfo(name, type, dimensions));
    return name;
  }

  /** Makes a value an output of the model, under this name or, if it is taken, with `halfspace_` before it. */
  output(name: string, value: string, type: ElementType, dimensions: readonly Dimension[]): void {
    let own = name;
    while (this.#names.has(own)) own = `halfspace_${own}`;
    this.#names.add(own);
    this.#nodes.push(nodeOf('Identity', [value], own, {}));
    this.#outputs.push(valueInfo(own, type, dimensions));
  }

  /** Adds the value of an operator. */
  node(operator: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}): string {
    const name = this.#fresh(operator.toLowerCase());
    this.#nodes.push(nodeOf(operator, inputs, name, attributes));
    return name;
  }

  /** Adds a constant of doubles; −0 becomes 0. */
  doubles(values: readonly number[], dimensions: readonly number[]): string {
    return this.#constant('double', values, dimensions, () => {
      const view = new DataView(new ArrayBuffer(values.length * 8));
      for (let i = 0; i < values.length; i++) view.setFloat64(i * 8, values[i]! + 0, true);
      return rawData(view);
    });
  }

  /** Adds a constant of whole numbers. */
  wholes(values: readonly number[], dimensions: readonly number[]): string {
    return this.#constant('int64', values, dimensions, () => {
      const view = new DataView(new ArrayBuffer(values.length * 8));
      for (let i = 0; i < values.length; i++) view.setBigInt64(i * 8, BigInt(values[i]!), true);
      return rawData(view);
    });
  }

  /** Adds a constant of texts. */
  texts(values: readonly string[]): string {
    return this.#constant('string', values, [values.length], () => {
      const tensor = new Message();
      for (const value of values) tensor.bytes(6, value); // string_data
      return tensor;
    });
  }

  /**
   * Returns the bytes of the model.
   *
   * @param about description of the model, for people.
   * @param metadata further facts, for programs.
   */
  finish(about: string, metadata: Readonly<Record<string, string>>): Uint8Array {
    const graph = new Message();
    for (const node of this.#nodes) graph.bytes(1, node);
    graph.bytes(2, 'halfspace'); // name
    for (const initializer of this.#initializers) graph.bytes(5, initializer);
    for (const input of this.#inputs) graph.bytes(11, input);
    for (const output of this.#outputs) graph.bytes(12, output);
    const model = new Message()
      .whole(1, formatVersion)
      .bytes(2, 'halfspace/export') // producer_name
      .bytes(6, about) // doc_string
      .bytes(7, graph)
      .bytes(8, new Message().bytes(1, '').whole(2, opset.core)) // opset_import
      .bytes(8, new Message().bytes(1, mlDomain).whole(2, opset.ml));
    for (const [key, value] of Object.entries(metadata)) model.bytes(14, new Message().bytes(1, key).bytes(2, value));
    return model.finish();
  }

  #fresh(stem: string): string {
    let number = this.#names.size;
    while (this.#names.has(`${stem}_${number}`)) number++;
    this.#names.add(`${stem}_${number}`);
    return `${stem}_${number}`;
  }

  /** Adds a constant, or returns the one that has these values already. */
  #constant(
    type: ElementType,
    values: readonly (number | string)[],
    dimensions: readonly number[],
    data: () => Message,
  ): string {
    const key = values.length > 8 ? null : JSON.stringify([type, dimensions, values.map((value) => String(value))]);
    const known = key === null ? undefined : this.#constants.get(key);
    if (known !== undefined) return known;
    const name = this.#fresh('constant');
    if (key !== null) this.#constants.set(key, name);
    const tensor = data();
    for (const dimension of dimensions) tensor.whole(1, dimension); // dims
    this.#initializers.push(tensor.whole(2, types[type]).bytes(8, name)); // data_type, name
    return name;
  }
}

function rawData(view: DataView): Message {
  return new Message().bytes(9, new Uint8Array(view.buffer));
}

function nodeOf(
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, Attribute>>,
): Message {
  const node = new Message();
  for (const input of inputs) node.bytes(1, input);
  node.bytes(2, output).bytes(4, operator);
  for (const [name, value] of Object.entries(attributes)) node.bytes(5, attributeOf(name, value));
  return operator === 'LabelEncoder' ? node.bytes(7, mlDomain) : node;
}

function attributeOf(name: string, value: Attribute): Message {
  const attribute = new Message().bytes(1, name);
  if (typeof value === 'number') return attribute.whole(3, value).whole(20, 2); // i, type INT
  for (const each of value) {
    if (typeof each === 'number')
      attribute.whole(8, each); // ints
    else attribute.bytes(9, each); // strings
  }
  return attribute.whole(20, typeof value[0] === 'number' ? 7 : 8); // type INTS or STRINGS
}

function valueInfo(name: string, type: ElementType, dimensions: readonly Dimension[]): Message {
  const shape = new Message();
  for (const dimension of dimensions)
    shape.bytes(
      1,
      typeof dimension === 'number' ? new Message().whole(1, dimension) : new Message().bytes(2, dimension),
    );
  const tensor = new Message().whole(1, types[type]).bytes(2, shape);
  return new Message().bytes(1, name).bytes(2, new Message().bytes(1, tensor));
}
