import { HalfspaceError, quote } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { parseTableEncoding } from '../features/parse-table-encoding.ts';
import { dimension as tableDimension } from '../features/table-encoding.ts';
import { classNames } from '../features/table-label.ts';
import type { DecisionTree } from '../tree/decision-tree.ts';
import { EncodedColumns } from '../tree/encoded-columns.ts';
import { parseDecisionTree } from '../tree/parse-tree.ts';
import type { Calibration, JointCalibration, ScoreCalibration } from './calibration.ts';
import { checkFinite } from './check-finite.ts';
import { decodeDuals } from './dual-file.ts';
import { digestOf, modelFormat, modelVersion, type Sha256 } from './encode.ts';
import type { LinearFunction, Model, ModelCommon, TrainingRecord } from './model.ts';
import { denseWeights, isKeptSparse, type SparseWeights, sparseFunction } from './sparse-weights.ts';

/** More weights than this are refused before memory is asked for. */
const largestDimension = 1 << 28;
/** So many weights of all classes together fill the 4 GiB that kernels can have. */
const mostWeights = 2 ** 29;

/**
 * Reads the text of a model file. Nothing in it is run, and what does not fit is refused.
 *
 * @param source for messages.
 * @param hash a faster SHA-256 than the one in plain TypeScript, where the runtime has one.
 * @throws HalfspaceError `model-invalid`: not a model, cut, edited, or from a newer version.
 */
export function decodeModel(text: string, source?: string, hash?: Sha256): Model {
  try {
    return decode(text, hash);
  } catch (error) {
    if (error instanceof HalfspaceError && source !== undefined && error.where.source === undefined)
      throw new HalfspaceError(error.code, error.message, { source });
    throw error;
  }
}

type Fields = Record<string, unknown>;

function decode(text: string, hash: Sha256 | undefined): Model {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const cut = text.trimStart().startsWith('{') && !text.trimEnd().endsWith('}');
    throw refused(
      cut ? 'expected a whole model file; got one that is cut short' : 'expected a model file (JSON); got other text',
    );
  }
  if (!isObject(value) || value.format !== modelFormat)
    throw refused(`expected a model file ("format": "${modelFormat}"); got other JSON`);
  if (typeof value.version === 'number' && value.version > modelVersion)
    throw refused(
      `expected a model of version ${modelVersion} or older; got version ${value.version}: a newer halfspace wrote it`,
    );
  check(value.version === 1 || value.version === 2, 'version', '1 or 2', value.version);

  const { digest, ...body } = value;
  if (!isDigestOf(body, digest, hash))
    throw refused('expected the file as it was written; got one that was edited or damaged (its digest does not fit)');

  check(value.as === null || typeof value.as === 'string', 'as', 'a name or null', value.as);
  const { classes } = value;
  if (!Array.isArray(classes) || classes.length < 2 || !classes.every((name) => typeof name === 'string'))
    throw unfit('classes', 'two names or more', classes);
  check(new Set(classes).size === classes.length, 'classes', 'each name once', 'repeats');
  // Version 1 had one kind of models, and kept neither the rule's options nor a calibration.
  const first = value.version === 1;
  const features = decodeFeatures(value.features);
  if (features.kind === 'table') {
    const names = classNames(features.label);
    const same = names.length === classes.length && names.every((name, k) => name === classes[k]);
    check(same, 'classes', `those of the column ${features.label.column}: ${names.join(', ')}`, classes);
  }
  const common: ModelCommon = {
    rule: string(value, 'rule'),
    options: first ? {} : decodeOptions(value.options),
    as: value.as as string | null,
    features,
    training: decodeTraining(value.training),
    calibration: first ? null : decodeCalibration(value.calibration, classes.length === 2 ? 1 : classes.length),
  };
  if (!first && value.kind === 'tree')
    return { kind: 'tree', ...common, classes, tree: decodeTree(value.tree, common, classes) };
  const biasConstant = number(value, 'biasConstant', 0);
  const divisor = number(value, 'divisor', Number.MIN_VALUE);
  const dimension = dimensionOf(features);
  switch (first ? 'linear' : value.kind) {
    case 'linear': {
      check(classes.length === 2, 'classes', 'two names', classes);
      check(value.tie === 1 || value.tie === -1, 'tie', '-1 or 1', value.tie);
      const tie = value.tie as -1 | 1;
      const bias = finite(value, 'bias');
      const names = [classes[0], classes[1]] as const;
      const own = { bias, biasConstant, divisor };
      const decision = { kind: 'linear', ...common, classes: names, tie, ...own } as const;
      return checkFinite(withWeights(decision, decodeWeights(value.weights, dimension), 1));
    }
    case 'multiclass': {
      const { strategy, biases, weights } = value;
      if (strategy !== 'one-vs-rest' && strategy !== 'kesler')
        throw unfit('strategy', 'one-vs-rest or kesler', strategy);
      check(classes.length > 2, 'classes', 'three names or more', classes);
      if (!Array.isArray(biases) || biases.length !== classes.length || !biases.every(Number.isFinite))
        throw unfit('biases', `${classes.length} finite numbers`, biases);
      if (!Array.isArray(weights) || weights.length !== classes.length)
        throw unfit('weights', `those of ${classes.length} classes`, weights);
      check(
        dimension * classes.length <= mostWeights,
        'weights',
        `${mostWeights} at most, of all classes together`,
        dimension * classes.length,
      );
      const decoded = weights.map((each) => decodeWeights(each, dimension));
      const functions = decoded.map((each, k) =>
        withWeights({ bias: biases[k] as number, biasConstant, divisor }, each, decoded.length),
      );
      return checkFinite({ kind: 'multiclass', strategy, ...common, classes, functions });
    }
    case 'dual': {
      check(value.tie === 1 || value.tie === -1, 'tie', '-1 or 1', value.tie);
      const functions = decodeDuals(value, dimension);
      const count = classes.length === 2 ? 1 : classes.length;
      check(functions.length === count, 'functions', `${count} of them`, functions.length);
      return checkFinite({ kind: 'dual', ...common, classes, tie: value.tie as -1 | 1, functions });
    }
    default:
      throw unfit('kind', 'linear, multiclass, dual or tree', value.kind);
  }
}

function decodeTree(value: unknown, { features }: ModelCommon, classes: readonly string[]): DecisionTree {
  if (!isObject(value)) throw unfit('tree', 'an object', value);
  const strange = Object.keys(value).find((name) => name !== 'settings' && name !== 'nodes');
  if (strange !== undefined) throw unfit('tree', 'an object of settings and nodes', strange);
  // Encodings of more features than a tree looks at are refused here.
  const { columns } = new EncodedColumns(features);
  return parseDecisionTree({ settings: value.settings, nodes: value.nodes, classes, columns });
}

function decodeOptions(value: unknown): ModelCommon['options'] {
  if (!isObject(value)) throw unfit('options', 'an object', value);
  for (const [name, option] of Object.entries(value))
    if (typeof option !== 'string' && typeof option !== 'boolean' && !Number.isFinite(option))
      throw unfit(`options.${name}`, 'a number, text, true or false', option);
  return value as ModelCommon['options'];
}

/** @param outputs scores of the model: 1 for two classes, else one for each class. */
function decodeCalibration(value: unknown, outputs: number): readonly Calibration[] | null {
  if (value === null) return null;
  if (!Array.isArray(value)) throw unfit('calibration', 'null or a list', value);
  if (outputs > 1 && value.length === 1 && jointKinds.has(value[0]?.kind)) return [decodeJointCalibration(value[0])];
  if (value.length !== outputs)
    throw unfit('calibration', `null or ${outputs} of them${outputs === 1 ? '' : ', or one of all scores'}`, value);
  return value.map(decodeScoreCalibration);
}

function decodeScoreCalibration(value: unknown): ScoreCalibration {
  if (!isObject(value)) throw unfit('calibration', 'objects', value);
  const { kind } = value;
  if (kind === 'isotonic') {
    const { at: scores, probabilities } = decodeCurve(value, 'scores');
    return { kind, scores, probabilities };
  }
  if (kind !== 'platt' && kind !== 'clipped-platt')
    throw unfit('calibration.kind', 'platt, clipped-platt or isotonic', kind);
  const sigmoid = { slope: finite(value, 'slope'), intercept: finite(value, 'intercept') };
  if (kind === 'platt') return { kind, ...sigmoid };
  const [low, high] = [finite(value, 'low'), finite(value, 'high')];
  check(low < high, 'calibration.low', `below ${high}`, low);
  return { kind, ...sigmoid, low, high };
}

const jointKinds: ReadonlySet<unknown> = new Set<JointCalibration['kind']>(['softmax', 'isotonic-leads']);

function decodeJointCalibration(value: Fields): JointCalibration {
  if (value.kind === 'isotonic-leads') {
    const { at: leads, probabilities } = decodeCurve(value, 'leads');
    return { kind: value.kind, leads, probabilities };
  }
  return {
    kind: 'softmax',
    slope: number(value, 'slope', 0),
    reach: value.reach === null ? null : number(value, 'reach', Number.MIN_VALUE),
  };
}

function decodeCurve(value: Fields, name: 'scores' | 'leads'): { at: number[]; probabilities: number[] } {
  const { [name]: at, probabilities } = value;
  if (!Array.isArray(at) || at.length === 0 || !rises(at, true))
    throw unfit(`calibration.${name}`, 'finite numbers, rising', at);
  if (!Array.isArray(probabilities) || probabilities.length !== at.length || !rises(probabilities, false))
    throw unfit('calibration.probabilities', `${at.length} numbers that do not fall`, probabilities);
  check(probabilities[0] >= 0 && probabilities.at(-1) <= 1, 'calibration.probabilities', 'in [0, 1]', probabilities);
  return { at, probabilities };
}

function rises(numbers: readonly unknown[], strictly: boolean): boolean {
  return numbers.every((number, k) => {
    if (typeof number !== 'number' || !Number.isFinite(number)) return false;
    const before = k === 0 ? -Infinity : (numbers[k - 1] as number);
    return strictly ? number > before : number >= before;
  });
}

function isDigestOf(body: object, digest: unknown, hash: Sha256 | undefined): boolean {
  try {
    return digest === digestOf(body, hash);
  } catch {
    // Nested deeper than the runtime can write: no model is.
    return false;
  }
}

/** How many weights a model with this encoding has. */
export function dimensionOf(features: FeatureEncoding): number {
  switch (features.kind) {
    case 'indexed':
      return features.dimension;
    case 'named':
      return features.names.length;
    case 'hashed':
      return 2 ** features.bits;
    case 'table':
      return tableDimension(features);
  }
}

/** An encoding as it stands in a file. @throws HalfspaceError `model-invalid`. */
export function decodeFeatures(value: unknown): FeatureEncoding {
  if (!isObject(value)) throw unfit('features', 'an object', value);
  switch (value.kind) {
    case 'indexed': {
      const dimension = whole(value, 'dimension', largestDimension);
      check(value.firstIndex === 0 || value.firstIndex === 1, 'firstIndex', '0 or 1', value.firstIndex);
      const firstIndex = value.firstIndex as 0 | 1;
      if (value.far === undefined) return { kind: 'indexed', dimension, firstIndex };
      if (!isObject(value.far)) throw unfit('far', 'an object', value.far);
      const direct = whole(value.far, 'direct', largestDimension);
      const { indices } = value.far;
      if (
        !Array.isArray(indices) ||
        !indices.every((index) => Number.isInteger(index) && index >= direct && index < 2 ** 32)
      )
        throw unfit('far.indices', `whole numbers in [${direct}, 4294967295]`, indices);
      check(new Set(indices).size === indices.length, 'far.indices', 'each index once', 'repeats');
      check(dimension === direct + indices.length, 'dimension', `${direct + indices.length}`, dimension);
      return { kind: 'indexed', dimension, firstIndex, far: { direct, indices } };
    }
    case 'named': {
      const { names } = value;
      if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
        throw unfit('names', 'a list of names', names);
      check(new Set(names).size === names.length, 'names', 'each name once', 'repeats');
      return { kind: 'named', names };
    }
    case 'hashed': {
      const bits = whole(value, 'bits', 28);
      check(bits >= 1, 'bits', 'in [1, 28]', bits);
      return { kind: 'hashed', bits };
    }
    case 'table':
      return parseTableEncoding(value);
    default:
      throw unfit('features.kind', 'indexed, named, hashed or table', value.kind);
  }
}

/** Adds the weights to the other members; all of them, where they are not kept sparse. Nothing reads them here. */
function withWeights<T extends object>(
  rest: T,
  weights: Float64Array | SparseWeights,
  functions: number,
): T & Pick<LinearFunction, 'weights' | 'sparse'> {
  if (weights instanceof Float64Array) return { ...rest, weights };
  if (!isKeptSparse(weights, functions)) return { ...rest, weights: denseWeights(weights) };
  const lazily = Object.getOwnPropertyDescriptors(sparseFunction(weights));
  return Object.defineProperties({ ...rest }, lazily) as T & Pick<LinearFunction, 'weights' | 'sparse'>;
}

function decodeWeights(value: unknown, dimension: number): Float64Array | SparseWeights {
  const checkLength = (length: number) =>
    check(length === dimension, 'weights', `${dimension} weights, one per feature`, length);
  if (Array.isArray(value)) {
    if (!value.every(Number.isFinite)) throw unfit('weights', 'finite numbers', 'others');
    checkLength(value.length);
    return Float64Array.from(value);
  }
  if (!isObject(value)) throw unfit('weights', 'numbers or an object', value);
  const length = whole(value, 'length', largestDimension);
  checkLength(length);
  const numbers = bytesOf(value, 'float64');
  check(numbers.byteLength % 8 === 0, 'weights.float64', 'whole doubles', `${numbers.byteLength} bytes`);
  const count = numbers.byteLength / 8;
  const weight = (k: number): number => {
    const number = numbers.getFloat64(k * 8, true);
    if (!Number.isFinite(number)) throw unfit('weights', 'finite numbers', 'others');
    return number;
  };
  if (value.positions === undefined) {
    check(count === length, 'weights.float64', `${length} numbers`, count);
    return Float64Array.from({ length }, (_, j) => weight(j));
  }
  const positions = bytesOf(value, 'positions');
  check(positions.byteLength === count * 4, 'weights.positions', `${count} positions`, positions.byteLength / 4);
  const sparse = { length, positions: new Uint32Array(count), values: new Float64Array(count) };
  let previous = -1;
  for (let k = 0; k < count; k++) {
    const position = positions.getUint32(k * 4, true);
    check(position > previous && position < length, 'weights.positions', `rising positions below ${length}`, position);
    sparse.positions[k] = position;
    sparse.values[k] = weight(k);
    previous = position;
  }
  return sparse;
}

function decodeTraining(value: unknown): TrainingRecord {
  if (!isObject(value)) throw unfit('training', 'an object', value);
  const share = (name: string): number | null => {
    const given = value[name];
    if (given === null) return null;
    if (typeof given !== 'number' || !(given >= 0 && given <= 1))
      throw unfit(`training.${name}`, 'null or in [0, 1]', given);
    return given;
  };
  const { separated } = value;
  check(separated === null || typeof separated === 'boolean', 'training.separated', 'true, false or null', separated);
  return {
    examples: whole(value, 'examples'),
    features: whole(value, 'features'),
    nonzeros: whole(value, 'nonzeros'),
    passes: whole(value, 'passes'),
    updates: whole(value, 'updates'),
    order: string(value, 'order'),
    seed: whole(value, 'seed'),
    stop: string(value, 'stop'),
    separated: separated as boolean | null,
    progressiveAccuracy: share('progressiveAccuracy'),
    trainAccuracy: share('trainAccuracy'),
    holdoutAccuracy: share('holdoutAccuracy'),
  };
}

function bytesOf(from: Fields, name: string): DataView {
  let text: string;
  try {
    text = atob(string(from, name));
  } catch {
    throw unfit(`weights.${name}`, 'base64', 'other text');
  }
  return new DataView(Uint8Array.from(text, (letter) => letter.charCodeAt(0)).buffer);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function string(from: Fields, name: string): string {
  const value = from[name];
  if (typeof value !== 'string') throw unfit(name, 'text', value);
  return value;
}

function finite(from: Fields, name: string): number {
  const value = from[name];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw unfit(name, 'a finite number', value);
  return value;
}

function number(from: Fields, name: string, least: number): number {
  const value = finite(from, name);
  if (value < least) throw unfit(name, `a number from ${least}`, value);
  return value;
}

function whole(from: Fields, name: string, most = Number.MAX_SAFE_INTEGER): number {
  const value = from[name];
  if (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) > most)
    throw unfit(name, `a whole number in [0, ${most}]`, value);
  return value as number;
}

function check(holds: boolean, name: string, expected: string, got: unknown): void {
  if (!holds) throw unfit(name, expected, got);
}

function unfit(name: string, expected: string, got: unknown): HalfspaceError {
  return refused(`expected "${name}" to be ${expected}; got ${quote(got)}`);
}

function refused(message: string): HalfspaceError {
  return new HalfspaceError('model-invalid', message);
}
