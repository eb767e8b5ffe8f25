import { type ErrorCode, HalfspaceError, quote } from './errors.ts';

/*
 * Checks of untrusted parsed JSON. Each returns the value that it was given. `path` is the place of the value, for
 * messages. All throw HalfspaceError `model-invalid`; `readAs` changes the code.
 */

export type Members = Readonly<Record<string, unknown>>;

/** Checks an object. With `expected`, it must have exactly these members, and may have those of `optional`. */
export function members(
  value: unknown,
  path: string,
  expected?: readonly string[],
  optional: readonly string[] = [],
): Members {
  if (!isObject(value)) throw unfit(path, 'an object', value);
  if (expected !== undefined) {
    const absent = expected.find((key) => !Object.hasOwn(value, key));
    if (absent !== undefined) throw unfit(`${path}.${absent}`, 'there', 'nothing');
    const strange = Object.keys(value).find((key) => !expected.includes(key) && !optional.includes(key));
    if (strange !== undefined) throw unfit(path, `an object of ${expected.join(', ')}`, strange);
  }
  return value;
}

/** Returns whether a value is an object with members: no list, no typed array, not null. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

export function list(value: unknown, path: string, most = Infinity): readonly unknown[] {
  if (!Array.isArray(value) || value.length > most)
    throw unfit(path, most === Infinity ? 'a list' : `a list of at most ${most}`, value);
  return value;
}

export function text(value: unknown, path: string): string {
  if (typeof value !== 'string') throw unfit(path, 'text', value);
  return value;
}

export function texts(value: unknown, path: string, most = Infinity): string[] {
  return list(value, path, most).map((each) => text(each, path));
}

export function finite(value: unknown, path: string): number {
  if (!isFiniteNumber(value)) throw unfit(path, 'a finite number', value);
  return value;
}

/** Checks a finite number in [least, most]. */
export function number(value: unknown, path: string, least: number, most = Infinity): number {
  if (!isFiniteNumber(value) || value < least || value > most)
    throw unfit(path, most === Infinity ? `a number from ${least}` : `a number in [${least}, ${most}]`, value);
  return value;
}

export function positive(value: unknown, path: string): number {
  if (!isFiniteNumber(value) || !(value > 0)) throw unfit(path, 'a number above 0', value);
  return value;
}

/** Checks a whole number in [least, most]. Returns 0 for −0. */
export function whole(value: unknown, path: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most)
    throw unfit(path, `a whole number in [${least}, ${most}]`, value);
  return (value as number) + 0;
}

export function flag(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw unfit(path, 'true or false', value);
  return value;
}

export function oneOf<T extends string | number | boolean | null>(
  value: unknown,
  path: string,
  choices: readonly T[],
): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw unfit(path, alternatives(choices), value);
  return found;
}

/** Checks that each value is above the one before. */
export function checkRising<T>(values: readonly T[], path: string, compare: (a: T, b: T) => number): void {
  for (let i = 1; i < values.length; i++)
    if (!(compare(values[i - 1]!, values[i]!) < 0)) throw unfit(path, 'in rising order', values[i]);
}

export function checkDistinct(values: readonly unknown[], path: string, expected: string): void {
  check(new Set(values).size === values.length, path, expected, 'repeats');
}

export function check(holds: boolean, path: string, expected: string, got: unknown): asserts holds {
  if (!holds) throw unfit(path, expected, got);
}

/** Checks that a number computed from `got` is finite. */
export function checkFinite(path: string, computed: number, expected: string, got: unknown): void {
  check(Number.isFinite(computed), path, expected, got);
}

/** Returns the error for a value that does not fit. */
export function unfit(path: string, expected: string, got: unknown): HalfspaceError {
  return new HalfspaceError('model-invalid', `expected "${path}" to be ${expected}; got ${quote(got)}`);
}

/** Runs `read` and changes its HalfspaceErrors: another code, `prefix` before the message, the source if absent. */
export function readAs<T>(
  as: { readonly code?: ErrorCode; readonly prefix?: string; readonly source?: string | undefined },
  read: () => T,
): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof HalfspaceError)) throw error;
    const { code = error.code, prefix = '', source } = as;
    const where = source === undefined || error.where.source !== undefined ? {} : { source };
    throw new HalfspaceError(code, prefix + error.message, where);
  }
}

/** Returns `a, b or c`; of more than ten choices the first ones. */
function alternatives(choices: readonly unknown[]): string {
  if (choices.length > 10) return `${choices.slice(0, 10).join(', ')}, …`;
  return choices.join(', ').replace(/, ([^,]*)$/, ' or $1');
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
