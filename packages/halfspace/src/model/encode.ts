import { encodeBase64 } from '../base64.ts';
import { encodeDuals } from './dual-file.ts';
import type { LinearFunction, Model } from './model.ts';
import { sha256 } from './sha256.ts';

/** What `format` and `version` of a model file say. */
export const modelFormat = 'halfspace-model';
export const modelVersion = 2;

/** Up to so many weights stand as plain numbers in the file, so that a person can read them. */
const readableWeights = 256;

/** SHA-256 of bytes, as 64 hexadecimal digits. */
export type Sha256 = (bytes: Uint8Array) => string;

/** Weights as they stand in a file: numbers; or base64 of little-endian doubles, with the positions of those that are not 0. */
export type EncodedWeights =
  | readonly number[]
  | { readonly length: number; readonly float64: string; readonly positions?: string };

/**
 * The text of a model file: JSON, one member a line, byte for byte the same for the same model. Its last member is a SHA-256 digest
 * of the rest, which tells a file that was changed or cut from one that was not; it is no signature.
 *
 * @param hash a faster SHA-256 than the one in plain TypeScript, where the runtime has one.
 */
export function encodeModel(model: Model, hash: Sha256 = sha256): string {
  const body = {
    format: modelFormat,
    version: modelVersion,
    kind: model.kind,
    rule: model.rule,
    options: model.options,
    as: model.as,
    classes: model.classes,
    ...decisionOf(model),
    calibration: model.calibration,
    features: model.features,
    training: model.training,
  };
  const members = Object.entries(body).map(([key, value]) => [JSON.stringify(key), JSON.stringify(value)] as const);
  const digest = digestOfText(`{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`, hash);
  const lines = [...members, ['"digest"', JSON.stringify(digest)]].map(([key, value]) => `  ${key}: ${value}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** What is a kind's own. */
function decisionOf(model: Model): object {
  switch (model.kind) {
    case 'linear': {
      const { tie, bias, biasConstant, divisor } = model;
      return { tie, bias: plain(bias), biasConstant, divisor, weights: encodeWeights(model) };
    }
    case 'tree': {
      // Columns and classes stand elsewhere in the file.
      const { settings, nodes } = model.tree;
      return { tree: { settings, nodes } };
    }
    case 'multiclass': {
      const { strategy, functions } = model;
      const { biasConstant, divisor } = functions[0]!;
      return {
        strategy,
        biases: functions.map(({ bias }) => plain(bias)),
        biasConstant,
        divisor,
        weights: functions.map(encodeWeights),
      };
    }
    case 'dual':
      return { tie: model.tie, ...encodeDuals(model.functions) };
  }
}

/** Digest of a model's members without `digest`, in their order. */
export function digestOf(body: object, hash: Sha256 = sha256): string {
  return digestOfText(JSON.stringify(body), hash);
}

function digestOfText(text: string, hash: Sha256): string {
  return `sha256:${hash(new TextEncoder().encode(text))}`;
}

function encodeWeights(linear: LinearFunction): EncodedWeights {
  if (linear.sparse !== undefined) {
    const { length, values, positions } = linear.sparse;
    return { length, float64: base64(values), positions: base64(positions) };
  }
  const { weights } = linear;
  const { length } = weights;
  if (length <= readableWeights) return Array.from(weights, plain);
  const all = new Float64Array(length);
  let nonzero = 0;
  for (let j = 0; j < length; j++) {
    const w = plain(weights[j]!);
    all[j] = w;
    if (w !== 0) nonzero++;
  }
  // A position costs half of what a weight costs.
  if (nonzero * 1.5 > length) return { length, float64: base64(all) };
  const positions = new Uint32Array(nonzero);
  const values = new Float64Array(nonzero);
  for (let j = 0, k = 0; j < length; j++) {
    if (all[j] === 0) continue;
    positions[k] = j;
    values[k++] = all[j]!;
  }
  return { length, float64: base64(values), positions: base64(positions) };
}

/** JSON has no −0, and no score depends on it. */
function plain(value: number): number {
  return value + 0;
}

/** base64 of the numbers, little-endian. */
function base64(numbers: Float64Array | Uint32Array): string {
  if (littleEndian) return encodeBase64(new Uint8Array(numbers.buffer));
  const size = numbers.BYTES_PER_ELEMENT;
  const view = new DataView(new ArrayBuffer(numbers.length * size));
  numbers.forEach((number, i) => {
    if (size === 8) view.setFloat64(i * 8, number, true);
    else view.setUint32(i * 4, number, true);
  });
  return encodeBase64(new Uint8Array(view.buffer));
}

/** Whether this machine keeps numbers as the file does. */
const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
