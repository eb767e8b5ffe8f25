import { list, type Members, members, number, oneOf, positive, unfit, whole } from '../../json.ts';
import { decodeDoubles, decodeWhole, type EncodedNumbers, encodeNumbers } from '../../numbers.ts';
import { type Aggregate, aggregates, type DualFunction } from './function.ts';
import { type KernelFunction, largestDegree } from './kernel-function.ts';
import type { SupportData } from './support-rows.ts';

/** Dual functions in a model file: shared members, and the mistakes of each function. */
interface EncodedDuals {
  readonly kernel: KernelFunction;
  readonly aggregate: Aggregate;
  readonly biasConstant: number;
  readonly divisor: number;
  readonly functions: readonly EncodedMistakes[];
}

interface EncodedMistakes {
  readonly support: {
    readonly dimension: number;
    readonly offsets: EncodedNumbers;
    readonly indices: EncodedNumbers;
    readonly values: EncodedNumbers;
  };
  readonly rows: EncodedNumbers;
  readonly coefficients: EncodedNumbers;
  readonly survivals: EncodedNumbers;
}

/**
 * Returns plain JSON, the same for equal functions. Survivals are left out for the aggregate `last`.
 *
 * @param functions one or more with the same kernel, aggregate, divisor and value of the constant feature.
 */
export function encodeDuals(functions: readonly DualFunction[]): EncodedDuals {
  const { kernel, aggregate, biasConstant, divisor } = functions[0]!;
  return { kernel, aggregate, biasConstant, divisor, functions: functions.map(encodeMistakes) };
}

function encodeMistakes({ aggregate, support, rows, coefficients, survivals }: DualFunction): EncodedMistakes {
  return {
    support: {
      dimension: support.dimension,
      offsets: encodeNumbers(support.offsets),
      indices: encodeNumbers(support.indices),
      values: encodeNumbers(support.values),
    },
    rows: encodeNumbers(rows),
    coefficients: encodeNumbers(coefficients),
    survivals: encodeNumbers(aggregate === 'last' ? new Float64Array(0) : survivals),
  };
}

/**
 * Reads the result of {@link encodeDuals} from an untrusted file. Refuses anything that is not valid.
 *
 * @param fields an object with these members, among others.
 * @param dimension number of features of the model; rows have at most this many.
 * @throws HalfspaceError `model-invalid`.
 */
export function decodeDuals(fields: Members, dimension: number): DualFunction[] {
  const shared = {
    kernel: decodeKernel(fields.kernel),
    aggregate: oneOf(fields.aggregate, 'aggregate', aggregates),
    biasConstant: number(fields.biasConstant, 'biasConstant', 0),
    divisor: positive(fields.divisor, 'divisor'),
  };
  return list(fields.functions, 'functions').map((each) => ({
    ...shared,
    ...decodeMistakes(each, shared.aggregate, dimension),
  }));
}

function decodeMistakes(value: unknown, aggregate: Aggregate, dimension: number): Mistakes {
  const fields = members(value, 'functions');
  const mistakes = {
    support: decodeSupport(fields.support, dimension),
    rows: decodedWhole(fields.rows, 'rows'),
    coefficients: decodedDoubles(fields.coefficients, 'coefficients'),
    survivals: decodedDoubles(fields.survivals, 'survivals'),
  };
  checkMistakes(mistakes, aggregate === 'last');
  return mistakes;
}

type Mistakes = Pick<DualFunction, 'support' | 'rows' | 'coefficients' | 'survivals'>;

/** @param untimed true if survivals may be absent. */
function checkMistakes({ support, rows, coefficients, survivals }: Mistakes, untimed: boolean): void {
  const distinct = support.offsets.length - 1;
  const beyond = rows.find((row) => row >= distinct);
  if (beyond !== undefined) throw unfit('rows', `numbers below ${distinct}, the rows of support`, beyond);
  if (coefficients.length !== rows.length)
    throw unfit('coefficients', `${rows.length} numbers, one per mistake`, coefficients.length);
  const timed = survivals.length === rows.length + 1;
  if (!timed && !(untimed && survivals.length === 0))
    throw unfit('survivals', `${rows.length + 1} numbers, one per vector`, survivals.length);
  if (survivals.some((survival) => survival < 0)) throw unfit('survivals', 'numbers from 0', 'others');
}

/**
 * Checks a dual function in a learner's state, as {@link decodeDuals} checks those of a model.
 *
 * @param untimed true if survivals may be absent.
 * @returns the number of mistakes.
 * @throws HalfspaceError `model-invalid`.
 */
export function checkDualState(value: unknown, dimension: number, untimed: boolean): number {
  const fields = members(value, 'dual');
  oneOf(fields.aggregate, 'aggregate', aggregates);
  decodeKernel(fields.kernel);
  number(fields.biasConstant, 'biasConstant', 0);
  positive(fields.divisor, 'divisor');
  const support = members(fields.support, 'support');
  whole(support.dimension, 'dimension', 0, dimension);
  for (const [name, list] of Object.entries({ offsets: support.offsets, indices: support.indices, rows: fields.rows }))
    if (!(list instanceof Uint32Array)) throw unfit(name, 'whole numbers of 32 bits', list);
  const { coefficients, survivals } = fields;
  for (const [name, list] of Object.entries({ values: support.values, coefficients, survivals }))
    if (!(list instanceof Float64Array) || !list.every(Number.isFinite)) throw unfit(name, 'finite doubles', list);
  const dual = value as DualFunction;
  checkSupport(dual.support);
  checkMistakes(dual, untimed);
  return dual.rows.length;
}

function decodeKernel(value: unknown): KernelFunction {
  const fields = members(value, 'kernel');
  const kind = oneOf(fields.kind, 'kernel.kind', ['linear', 'polynomial', 'rbf'] as const);
  if (kind === 'linear') return { kind };
  const gamma = positive(fields.gamma, 'gamma');
  if (kind === 'rbf') return { kind, gamma };
  const degree = whole(fields.degree, 'degree', 1, largestDegree);
  return { kind, degree, gamma, coef0: number(fields.coef0, 'coef0', 0) };
}

function decodeSupport(value: unknown, most: number): SupportData {
  const fields = members(value, 'support');
  const support = {
    dimension: whole(fields.dimension, 'dimension', 0, most),
    offsets: decodedWhole(fields.offsets, 'offsets'),
    indices: decodedWhole(fields.indices, 'indices'),
    values: decodedDoubles(fields.values, 'values'),
  };
  checkSupport(support);
  return support;
}

function checkSupport({ dimension, offsets, indices, values }: SupportData): void {
  if (offsets.length === 0) throw unfit('offsets', 'at least one number', 'none');
  if (indices.length !== values.length)
    throw unfit('indices', `${values.length} numbers, one per value`, indices.length);
  if (offsets[0] !== 0 || offsets.at(-1) !== values.length)
    throw unfit('offsets', `numbers from 0 to ${values.length}`, `${offsets[0]} to ${offsets.at(-1)}`);
  for (let row = 0; row + 1 < offsets.length; row++) {
    const [from, to] = [offsets[row]!, offsets[row + 1]!];
    if (to < from || to > values.length) throw unfit('offsets', `numbers that do not fall, to ${values.length}`, to);
    for (let k = from; k < to; k++)
      if (indices[k]! >= dimension || (k > from && indices[k]! <= indices[k - 1]!))
        throw unfit('indices', `numbers below ${dimension} that rise within a row`, indices[k]);
  }
}

function decodedDoubles(value: unknown, path: string): Float64Array {
  const numbers = decodeDoubles(value);
  if (numbers === null) throw unfit(path, 'finite numbers, or base64 of doubles', value);
  return numbers;
}

function decodedWhole(value: unknown, path: string): Uint32Array {
  const numbers = decodeWhole(value);
  if (numbers === null) throw unfit(path, 'whole numbers, or base64 of 32-bit ones', value);
  return numbers;
}
