import { decodeBase64, encodeBase64 } from '../base64.ts';
import { HalfspaceError } from '../errors.ts';
import { digestOf } from '../model/encode.ts';
import type { LearnerState } from './learner.ts';

const format = 'halfspace-learner';
const version = 1;

/** Arrays that states have, by the names that they have in a file; their bytes are little-endian. */
const arrays = { float64: Float64Array, uint32: Uint32Array, int32: Int32Array, uint8: Uint8Array } as const;
type Plain = null | boolean | string | number | readonly Plain[] | { readonly [name: string]: Plain };

/**
 * The text of a file with everything that a learner needs to go on later as if it had never stopped, to the bit. What a model file leaves out
 * is here: present weights beside their mean, gradients, mistakes, counters. A digest tells a file that was changed or cut.
 */
export function encodeLearner(state: LearnerState): string {
  const body = { format, version, state: encodeValue(state) };
  return `${JSON.stringify({ ...body, digest: digestOf(body) })}\n`;
}

/**
 * Reads what {@link encodeLearner} wrote. Nothing in it is run. It says how a run of one's own goes on; unlike a model it is not made to be taken
 * from strangers, since its numbers are not looked at one by one.
 *
 * @throws HalfspaceError `model-invalid` for a file of another kind, cut, or edited.
 */
export function decodeLearner(text: string): LearnerState {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused('expected the file of a learner (JSON); got other text, or one that is cut short');
  }
  const file = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (file.format !== format) throw refused(`expected the file of a learner ("format": "${format}"); got another`);
  if (file.version !== version) throw refused(`expected a learner of version ${version}; got ${String(file.version)}`);
  const { digest, ...body } = file;
  if (digest !== digestOf(body))
    throw refused('expected the file as it was written; got one that was edited or damaged (its digest does not fit)');
  const state = decodeValue(file.state as Plain) as Partial<LearnerState>;
  if (typeof state?.rule !== 'string') throw refused('expected the state of a rule; got another');
  return state as LearnerState;
}

function encodeValue(value: unknown): Plain {
  if (typeof value === 'number')
    return isPlain(value) ? value : { number: String(Object.is(value, -0) ? '-0' : value) };
  if (value === null || typeof value !== 'object') return value as Plain;
  if (Array.isArray(value)) return value.map(encodeValue);
  for (const [name, Kind] of Object.entries(arrays))
    if (value instanceof Kind) {
      const { buffer, byteOffset, byteLength } = littleEndian(value);
      return { [name]: encodeBase64(new Uint8Array(buffer, byteOffset, byteLength)) };
    }
  // A member of its own for members, so that no name is taken for that of an array.
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return { members: Object.fromEntries(members.map(([name, member]) => [name, encodeValue(member)])) };
}

function decodeValue(value: Plain): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(decodeValue);
  const [[name, content] = ['', null]] = Object.entries(value);
  if (name === 'number') return Number(content);
  if (name === 'members')
    return Object.fromEntries(Object.entries(content as object).map(([member, each]) => [member, decodeValue(each)]));
  const Kind = arrays[name as keyof typeof arrays];
  if (Kind === undefined) throw refused(`expected numbers, lists and members; got ${name}`);
  // A copy of its own, so that doubles begin where doubles may.
  return littleEndian(new Kind(Uint8Array.from(decodeBase64(content as string)).buffer));
}

/** Whether JSON keeps a number: not −0, NaN or the infinities. */
function isPlain(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The array with its bytes as they are in a file, or the other way round. */
function littleEndian<A extends Float64Array | Uint32Array | Int32Array | Uint8Array>(array: A): A {
  if (isLittle || array.BYTES_PER_ELEMENT === 1) return array;
  const turned = array.slice() as A;
  const bytes = new Uint8Array(turned.buffer);
  for (let i = 0; i < bytes.length; i += array.BYTES_PER_ELEMENT)
    bytes.subarray(i, i + array.BYTES_PER_ELEMENT).reverse();
  return turned;
}

function refused(message: string): HalfspaceError {
  return new HalfspaceError('model-invalid', message);
}
