import { HalfspaceError, quote } from '../errors.ts';
import { isObject } from '../json.ts';
import { digestOf } from '../model/digest.ts';
import { type FileContents, openFile } from '../model/file-contents.ts';
import { decodeBytes, encodeBytes, type NumberArray } from '../numbers.ts';
import type { LearnerState } from './learner.ts';
import { checkLearnerState } from './registry.ts';

const format = 'halfspace-learner';
const version = 1;

/** Types of the arrays in states, by their names in a file; bytes are little-endian. */
const arrays = { float64: Float64Array, uint32: Uint32Array, int32: Int32Array, uint8: Uint8Array } as const;
/** JSON. */
type Plain = null | boolean | string | number | readonly Plain[] | { readonly [name: string]: Plain };

/**
 * Returns the text of a file from which a learner continues later with the same bits. Unlike a model file, it has the
 * current weights besides their mean, gradients, mistakes and counters. A digest detects changed or truncated files.
 */
export function encodeLearner(state: LearnerState): string {
  const body = { format, version, state: encodeValue(state) };
  return `${JSON.stringify({ ...body, digest: digestOf(body) })}\n`;
}

/**
 * Reads the result of {@link encodeLearner}. Checks every number, so the file may be untrusted: the learner will work,
 * but its weights may be anything.
 *
 * @throws HalfspaceError `model-invalid` for a file of another kind, truncated, edited, or with impossible numbers.
 */
export function decodeLearner(file: FileContents): LearnerState {
  const kind = { name: 'file of a learner', format, version, writer: 'encodeLearner' };
  return checkLearnerState(decodeValue(openFile(file, kind).state));
}

/** Exclusive upper bound of the nesting of states. */
const mostDepth = 16;

/** Returns the JSON of a state or a part of it. */
export function encodeValue(value: unknown): Plain {
  if (typeof value === 'number')
    return isPlain(value) ? value : { number: String(Object.is(value, -0) ? '-0' : value) };
  if (typeof value === 'bigint') return { bigint: String(value) };
  if (value === null || typeof value !== 'object') return value as Plain;
  if (value instanceof Date) return { date: value.getTime() };
  if (Array.isArray(value)) return value.map(encodeValue);
  for (const [name, Kind] of Object.entries(arrays)) if (value instanceof Kind) return { [name]: encodeBytes(value) };
  // Members are wrapped, so that no member name is taken for the name of an array type.
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return { members: Object.fromEntries(members.map(([name, member]) => [name, encodeValue(member)])) };
}

/** Reads the result of {@link encodeValue}. @throws HalfspaceError `model-invalid`. */
export function decodeValue(value: unknown, depth = 0): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (depth > mostDepth) throw refused('expected the state of a rule; got one that is nested too deep');
  if (Array.isArray(value)) return value.map((each) => decodeValue(each, depth + 1));
  const entries = Object.entries(value);
  const [name, content] = entries[0] ?? ['', null];
  if (entries.length !== 1) throw refused(`expected numbers, lists and members; got ${quote(value)}`);
  if (name === 'number' && typeof content === 'string' && Object.hasOwn(unwritten, content)) return unwritten[content];
  if (name === 'bigint' && typeof content === 'string' && wholePattern.test(content)) return BigInt(content);
  if (name === 'date' && Number.isSafeInteger(content)) return new Date(content as number);
  if (name === 'members' && isObject(content))
    return Object.fromEntries(Object.entries(content).map(([member, each]) => [member, decodeValue(each, depth + 1)]));
  const Kind = Object.hasOwn(arrays, name) ? arrays[name as keyof typeof arrays] : undefined;
  const numbers = Kind === undefined ? null : decodeBytes<NumberArray>(content, Kind);
  if (numbers === null) throw refused(`expected numbers, lists and members; got ${quote(value)}`);
  return numbers;
}

/** Whole numbers of at most 10,000 digits, which are read at once. */
const wholePattern = /^-?\d{1,10000}$/;

/** Numbers that JSON cannot write. */
const unwritten: Readonly<Record<string, number>> = {
  '-0': -0,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

/** Returns true if JSON can represent a number: not −0, NaN or an infinity. */
function isPlain(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function refused(message: string): HalfspaceError {
  return new HalfspaceError('model-invalid', message);
}
