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

/** Checks a value; returns it or a copy. @param path its place, for the message. */
export type Check<T> = (value: unknown, path: string) => T;

/** A check of a member that may be absent. */
type Maybe<T> = Check<T> & { readonly maybe: true };

/** The result of a {@link shape} of these checks. */
type Shaped<S> = {
  readonly [K in keyof S as S[K] extends { maybe: true } ? never : K]: S[K] extends Check<infer T> ? T : never;
} & { readonly [K in keyof S as S[K] extends { maybe: true } ? K : never]?: S[K] extends Check<infer T> ? T : never };

/** Returns a check of an object that has exactly these members. It copies them in the order of `checks`. */
export function shape<const S extends Readonly<Record<string, Check<unknown>>>>(checks: S): Check<Shaped<S>> {
  const all = Object.entries(checks);
  const required = all.filter(([, check]) => !('maybe' in check)).map(([name]) => name);
  return (value, path) => {
    const from = members(value, path, required, Object.keys(checks));
    const present = all.filter(([name]) => Object.hasOwn(from, name));
    return Object.fromEntries(
      present.map(([name, check]) => [name, check(from[name], `${path}.${name}`)]),
    ) as Shaped<S>;
  };
}

/** Marks a member of a {@link shape} that may be absent. */
export function maybe<T>(check: Check<T>): Maybe<T> {
  return Object.assign(check.bind(null), { maybe: true as const });
}

/** Returns a check of an object whose `kind` selects its check. */
export function byKind<const S extends Readonly<Record<string, Check<unknown>>>>(
  checks: S,
): Check<{ [K in keyof S]: S[K] extends Check<infer T> ? T : never }[keyof S]> {
  return (value, path) => {
    const kind = oneOf(members(value, path).kind, `${path}.kind`, Object.keys(checks));
    return checks[kind]!(value, path) as never;
  };
}

/** Returns a check of a list of at most `most` values. */
export function listOf<T>(check: Check<T>, most?: number): Check<readonly T[]> {
  return (value, path) => list(value, path, most).map((each, k) => check(each, `${path}[${k}]`));
}

/** Returns a check of null, or of what `check` accepts. */
export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value, path) => (value === null ? null : check(value, path));
}

/** Returns a check that accepts only these values. */
export function only<const T extends string | number | boolean | null>(...choices: readonly T[]): Check<T> {
  return (value, path) => oneOf(value, path, choices);
}

/** Returns a check of a whole number in [least, most]. */
export function within(least: number, most?: number): Check<number> {
  return (value, path) => whole(value, path, least, most);
}

/** Tests if a value is an object with members: no list, no typed array, not null. */
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

/** Checks a finite number in [least, most]. */
export function number(value: unknown, path: string, least = -Infinity, most = Infinity): number {
  if (!isFiniteNumber(value) || value < least || value > most) throw unfit(path, numbersIn(least, most), value);
  return value;
}

function numbersIn(least: number, most: number): string {
  if (most < Infinity) return `a number in [${least}, ${most}]`;
  return least === -Infinity ? 'a finite number' : `a number from ${least}`;
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
