import { HalfspaceError } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { parseTableEncoding } from '../features/parse-table-encoding.ts';
import { dimension as tableDimension } from '../features/table-encoding.ts';
import { classNames } from '../features/table-label.ts';
import {
  check,
  checkDistinct,
  finite,
  isObject,
  list,
  type Members,
  members,
  number,
  oneOf,
  positive,
  readAs,
  text,
  texts,
  unfit,
  whole,
} from '../json.ts';
import { decodeBytes } from '../numbers.ts';
import type { Calibration, JointCalibration, ScoreCalibration } from './calibration.ts';
import { checkFinite } from './check-finite.ts';
import { decodeDuals } from './dual/file.ts';
import { checkDigest, modelFormat, modelVersion, type Sha256 } from './encode.ts';
import { denseWeights, isKeptSparse, type SparseWeights, sparseFunction } from './linear/sparse-weights.ts';
import type { LinearFunction, Model, ModelCommon, TrainingRecord } from './model.ts';
import type { DecisionTree } from './tree/decision-tree.ts';
import { EncodedColumns } from './tree/encoded-columns.ts';
import { parseDecisionTree } from './tree/parse.ts';

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
export function decodeModel(json: string, source?: string, hash?: Sha256): Model {
  return readAs({ source }, () => decode(json, hash));
}

function decode(json: string, hash: Sha256 | undefined): Model {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    const cut = json.trimStart().startsWith('{') && !json.trimEnd().endsWith('}');
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
  oneOf(value.version, 'version', [1, 2]);
  checkDigest(value, hash);

  const classes = texts(value.classes, 'classes');
  check(classes.length >= 2, 'classes', 'two names or more', classes);
  checkDistinct(classes, 'classes', 'each name once');
  // Version 1 had one kind of models, and kept neither the rule's options nor a calibration.
  const first = value.version === 1;
  const features = decodeFeatures(value.features);
  if (features.kind === 'table') {
    const names = classNames(features.label);
    const same = names.length === classes.length && names.every((name, k) => name === classes[k]);
    check(same, 'classes', `those of the column ${features.label.column}: ${names.join(', ')}`, classes);
  }
  const common: ModelCommon = {
    rule: text(value.rule, 'rule'),
    options: first ? {} : decodeOptions(value.options),
    as: value.as === null ? null : text(value.as, 'as'),
    features,
    training: decodeTraining(value.training),
    calibration: first ? null : decodeCalibration(value.calibration, classes.length === 2 ? 1 : classes.length),
  };
  if (!first && value.kind === 'tree')
    return { kind: 'tree', ...common, classes, tree: decodeTree(value.tree, common, classes) };
  const biasConstant = number(value.biasConstant, 'biasConstant', 0);
  const divisor = positive(value.divisor, 'divisor');
  const dimension = dimensionOf(features);
  switch (first ? 'linear' : value.kind) {
    case 'linear': {
      check(classes.length === 2, 'classes', 'two names', classes);
      const tie = oneOf(value.tie, 'tie', [-1, 1] as const);
      const bias = finite(value.bias, 'bias');
      const names = [classes[0]!, classes[1]!] as const;
      const own = { bias, biasConstant, divisor };
      const decision = { kind: 'linear', ...common, classes: names, tie, ...own } as const;
      return checkFinite(withWeights(decision, decodeWeights(value.weights, dimension), 1));
    }
    case 'multiclass': {
      const { biases, weights } = value;
      const strategy = oneOf(value.strategy, 'strategy', ['one-vs-rest', 'kesler'] as const);
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
      const tie = oneOf(value.tie, 'tie', [-1, 1] as const);
      const functions = decodeDuals(value, dimension);
      const count = classes.length === 2 ? 1 : classes.length;
      check(functions.length === count, 'functions', `${count} of them`, functions.length);
      return checkFinite({ kind: 'dual', ...common, classes, tie, functions });
    }
    default:
      throw unfit('kind', 'linear, multiclass, dual or tree', value.kind);
  }
}

function decodeTree(value: unknown, { features }: ModelCommon, classes: readonly string[]): DecisionTree {
  const from = members(value, 'tree', ['settings', 'nodes']);
  // Encodings of more features than a tree looks at are refused here.
  const { columns } = new EncodedColumns(features);
  return parseDecisionTree({ ...from, classes, columns });
}

function decodeOptions(value: unknown): ModelCommon['options'] {
  const options = members(value, 'options');
  for (const [name, option] of Object.entries(options))
    if (typeof option !== 'string' && typeof option !== 'boolean' && !Number.isFinite(option))
      throw unfit(`options.${name}`, 'a number, text, true or false', option);
  return options as ModelCommon['options'];
}

/** @param outputs scores of the model: 1 for two classes, else one for each class. */
function decodeCalibration(value: unknown, outputs: number): readonly Calibration[] | null {
  if (value === null) return null;
  const all = list(value, 'calibration').map((each) => members(each, 'calibration'));
  if (outputs > 1 && all.length === 1 && jointKinds.has(all[0]!.kind)) return [decodeJointCalibration(all[0]!)];
  const joint = outputs === 1 ? '' : ', or one of all scores';
  check(all.length === outputs, 'calibration', `null or ${outputs} of them${joint}`, value);
  return all.map(decodeScoreCalibration);
}

function decodeScoreCalibration(value: Members): ScoreCalibration {
  const kind = oneOf(value.kind, 'calibration.kind', ['platt', 'clipped-platt', 'isotonic'] as const);
  if (kind === 'isotonic') {
    const { at: scores, probabilities } = decodeCurve(value, 'scores');
    return { kind, scores, probabilities };
  }
  const sigmoid = { slope: finite(value.slope, 'slope'), intercept: finite(value.intercept, 'intercept') };
  if (kind === 'platt') return { kind, ...sigmoid };
  const [low, high] = [finite(value.low, 'low'), finite(value.high, 'high')];
  check(low < high, 'calibration.low', `below ${high}`, low);
  return { kind, ...sigmoid, low, high };
}

const jointKinds: ReadonlySet<unknown> = new Set<JointCalibration['kind']>(['softmax', 'isotonic-leads']);

function decodeJointCalibration(value: Members): JointCalibration {
  if (value.kind === 'isotonic-leads') {
    const { at: leads, probabilities } = decodeCurve(value, 'leads');
    return { kind: value.kind, leads, probabilities };
  }
  return {
    kind: 'softmax',
    slope: number(value.slope, 'slope', 0),
    reach: value.reach === null ? null : positive(value.reach, 'reach'),
  };
}

function decodeCurve(value: Members, name: 'scores' | 'leads'): { at: number[]; probabilities: number[] } {
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

/** Reads an encoding from parsed JSON. @throws HalfspaceError `model-invalid`. */
export function decodeFeatures(value: unknown): FeatureEncoding {
  const from = members(value, 'features');
  const kind = oneOf(from.kind, 'features.kind', ['indexed', 'named', 'hashed', 'table'] as const);
  if (kind === 'table') return parseTableEncoding(value);
  if (kind === 'hashed') return { kind, bits: whole(from.bits, 'bits', 1, 28) };
  if (kind === 'named') {
    const names = texts(from.names, 'names');
    checkDistinct(names, 'names', 'each name once');
    return { kind, names };
  }
  const dimension = whole(from.dimension, 'dimension', 0, largestDimension);
  const firstIndex = oneOf(from.firstIndex, 'firstIndex', [0, 1] as const);
  if (from.far === undefined) return { kind, dimension, firstIndex };
  const far = members(from.far, 'far');
  const direct = whole(far.direct, 'direct', 0, largestDimension);
  const indices = list(far.indices, 'far.indices').map((index) => whole(index, 'far.indices', direct, 2 ** 32 - 1));
  checkDistinct(indices, 'far.indices', 'each index once');
  check(dimension === direct + indices.length, 'dimension', `${direct + indices.length}`, dimension);
  return { kind, dimension, firstIndex, far: { direct, indices } };
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
  const length = whole(value.length, 'length', 0, largestDimension);
  checkLength(length);
  const values = decodeBytes(value.float64, Float64Array);
  if (values === null) throw unfit('weights.float64', 'base64 of doubles', 'other text');
  check(values.every(Number.isFinite), 'weights', 'finite numbers', 'others');
  const count = values.length;
  if (value.positions === undefined) {
    check(count === length, 'weights.float64', `${length} numbers`, count);
    return values;
  }
  const positions = decodeBytes(value.positions, Uint32Array);
  if (positions === null) throw unfit('weights.positions', 'base64 of 32-bit whole numbers', 'other text');
  check(positions.length === count, 'weights.positions', `${count} positions`, positions.length);
  positions.forEach((position, k) => {
    const rises = position < length && (k === 0 || position > positions[k - 1]!);
    check(rises, 'weights.positions', `rising positions below ${length}`, position);
  });
  return { length, positions, values };
}

function decodeTraining(value: unknown): TrainingRecord {
  const from = members(value, 'training');
  const share = (name: string) => (from[name] === null ? null : number(from[name], `training.${name}`, 0, 1));
  return {
    examples: whole(from.examples, 'examples'),
    features: whole(from.features, 'features'),
    nonzeros: whole(from.nonzeros, 'nonzeros'),
    passes: whole(from.passes, 'passes'),
    updates: whole(from.updates, 'updates'),
    order: text(from.order, 'order'),
    seed: whole(from.seed, 'seed'),
    stop: text(from.stop, 'stop'),
    separated: oneOf(from.separated, 'training.separated', [true, false, null]),
    progressiveAccuracy: share('progressiveAccuracy'),
    trainAccuracy: share('trainAccuracy'),
    holdoutAccuracy: share('holdoutAccuracy'),
  };
}

function refused(message: string): HalfspaceError {
  return new HalfspaceError('model-invalid', message);
}
