import type { Model } from './model.ts';
import { sha256 } from './sha256.ts';

/** What `format` and `version` of a model file say. */
export const modelFormat = 'halfspace-model';
export const modelVersion = 1;

/** Up to so many weights stand as plain numbers in the file, so that a person can read them. */
const readableWeights = 256;

/** Weights as they stand in a file: numbers; or base64 of little-endian doubles, with the positions of those that are not 0. */
export type EncodedWeights =
  | readonly number[]
  | { readonly length: number; readonly float64: string; readonly positions?: string };

/**
 * The text of a model file: JSON, one member a line, byte for byte the same for the same model. Its last member is a SHA-256 digest
 * of the rest, which tells a file that was changed or cut from one that was not; it is no signature.
 */
export function encodeModel(model: Model): string {
  const body = {
    format: modelFormat,
    version: modelVersion,
    rule: model.rule,
    as: model.as,
    classes: model.classes,
    tie: model.tie,
    bias: plain(model.bias),
    biasConstant: model.biasConstant,
    divisor: model.divisor,
    weights: encodeWeights(model.weights),
    features: model.features,
    training: model.training,
  };
  const members = Object.entries(body).map(([key, value]) => [JSON.stringify(key), JSON.stringify(value)] as const);
  const digest = digestOfText(`{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`);
  const lines = [...members, ['"digest"', JSON.stringify(digest)]].map(([key, value]) => `  ${key}: ${value}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** Digest of a model's members without `digest`, in their order. */
export function digestOf(body: object): string {
  return digestOfText(JSON.stringify(body));
}

function digestOfText(text: string): string {
  return `sha256:${sha256(new TextEncoder().encode(text))}`;
}

function encodeWeights(weights: Float64Array): EncodedWeights {
  if (weights.length <= readableWeights) return Array.from(weights, plain);
  const positions: number[] = [];
  for (let j = 0; j < weights.length; j++) if (weights[j] !== 0) positions.push(j);
  // A position costs half of what a weight costs.
  if (positions.length * 1.5 > weights.length) return { length: weights.length, float64: base64(weights.map(plain)) };
  return {
    length: weights.length,
    float64: base64(Float64Array.from(positions, (j) => weights[j]!)),
    positions: base64(Uint32Array.from(positions)),
  };
}

/** JSON has no −0, and no score depends on it. */
function plain(value: number): number {
  return value + 0;
}

function base64(numbers: Float64Array | Uint32Array): string {
  const size = numbers.BYTES_PER_ELEMENT;
  const view = new DataView(new ArrayBuffer(numbers.length * size));
  for (let i = 0; i < numbers.length; i++) {
    if (size === 8) view.setFloat64(i * 8, numbers[i]!, true);
    else view.setUint32(i * 4, numbers[i]!, true);
  }
  const bytes = new Uint8Array(view.buffer);
  let text = '';
  // Pieces of a multiple of three bytes join without padding; more arguments at once would overflow the stack.
  for (let i = 0; i < bytes.length; i += 12288)
    text += btoa(String.fromCharCode.apply(null, bytes.subarray(i, i + 12288) as unknown as number[]));
  return text;
}
