import { HalfspaceError } from '../errors.ts';
import type { Members } from '../json.ts';
import { encodeBytes, mostWrittenOut } from '../numbers.ts';
import { encodeDuals } from './dual/file.ts';
import type { LinearFunction, Model } from './model.ts';
import { sha256 } from './sha256.ts';

/** What `format` and `version` of a model file say. */
export const modelFormat = 'halfspace-model';
export const modelVersion = 2;

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

/** Returns the digest of a file's members without `digest`, in their order. */
export function digestOf(body: object, hash: Sha256 = sha256): string {
  return digestOfText(JSON.stringify(body), hash);
}

/** Returns the members of a file without `digest`. @throws HalfspaceError `model-invalid` where they do not have that digest. */
export function checkDigest({ digest, ...body }: Members, hash?: Sha256): Members {
  let found: string | null = null;
  try {
    found = digestOf(body, hash);
  } catch {
    // Nested deeper than the runtime can write: no file of ours is.
  }
  if (digest === found) return body;
  const expected = 'expected the file as it was written';
  throw new HalfspaceError(
    'model-invalid',
    `${expected}; got one that was edited or damaged (its digest does not fit)`,
  );
}

function digestOfText(text: string, hash: Sha256): string {
  return `sha256:${hash(new TextEncoder().encode(text))}`;
}

function encodeWeights(linear: LinearFunction): EncodedWeights {
  if (linear.sparse !== undefined) {
    const { length, values, positions } = linear.sparse;
    return { length, float64: encodeBytes(values), positions: encodeBytes(positions) };
  }
  const { weights } = linear;
  const { length } = weights;
  if (length <= mostWrittenOut) return Array.from(weights, plain);
  const all = new Float64Array(length);
  let nonzero = 0;
  for (let j = 0; j < length; j++) {
    const w = plain(weights[j]!);
    all[j] = w;
    if (w !== 0) nonzero++;
  }
  // A position costs half of what a weight costs.
  if (nonzero * 1.5 > length) return { length, float64: encodeBytes(all) };
  const positions = new Uint32Array(nonzero);
  const values = new Float64Array(nonzero);
  for (let j = 0, k = 0; j < length; j++) {
    if (all[j] === 0) continue;
    positions[k] = j;
    values[k++] = all[j]!;
  }
  return { length, float64: encodeBytes(values), positions: encodeBytes(positions) };
}

/** JSON has no −0, and no score depends on it. */
function plain(value: number): number {
  return value + 0;
}
