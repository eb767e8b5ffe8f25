import { type MessageField, messageFields, packedWholes } from './message-fields.ts';

/** The nodes of an ONNX file. */
export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  /** Names of the inputs. Files before version 4 of the format list constants among them. */
  readonly inputs: readonly string[];
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
export interface OnnxAttribute {
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
 * Reads the nodes of an ONNX file; other parts are skipped. The numbers of fields are those of onnx.proto3 in the
 * repository onnx/onnx (ModelProto, GraphProto, NodeProto, AttributeProto, ValueInfoProto).
 *
 * @throws RangeError with the fault, continuing "got".
 */
export function onnxGraph(bytes: Uint8Array): OnnxGraph {
  let graph: Uint8Array | null = null;
  for (const field of messageFields(bytes)) if (field.number === 7) graph = bytesOf(field);
  if (graph === null) throw new RangeError('a file without a graph');
  const nodes: OnnxNode[] = [];
  const inputs: string[] = [];
  for (const field of messageFields(graph)) {
    if (field.number === 1) {
      if (nodes.length === mostNodes) throw new RangeError(`more than ${mostNodes} operators`);
      nodes.push(nodeOf(bytesOf(field)));
    }
    if (field.number === 11) inputs.push(nameOf(bytesOf(field)));
  }
  return { nodes, inputs };
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

/** Adds a float, or a packed list of floats. */
function addFloats(field: MessageField, floats: number[]): void {
  const bytes = field.wireType === 5 || field.wireType === 2 ? (field.value as Uint8Array) : null;
  if (bytes === null || bytes.length % 4 !== 0) throw new RangeError('a list of floats of another size');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 4) floats.push(view.getFloat32(at, true));
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
