import { HalfspaceError, quote } from '../errors.ts';

/*
 * Checks of members of a model's JSON, each of which returns what it was given. `path` is the member's place, for messages. All throw
 * HalfspaceError `model-invalid`.
 */

const longestName = 1 << 20;

export type Members = Readonly<Record<string, unknown>>;

/** The members of an object; with `expected`, exactly these, and perhaps those of `optional`. */
export function members(
  value: unknown,
  path: string,
  expected?: readonly string[],
  optional: readonly string[] = [],
): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unfit(path, 'an object', value);
  if (expected !== undefined) {
    const absent = expected.find((key) => !Object.hasOwn(value, key));
    if (absent !== undefined) throw unfit(`${path}.${absent}`, 'there', 'nothing');
    const strange = Object.keys(value).find((key) => !expected.includes(key) && !optional.includes(key));
    if (strange !== undefined) throw unfit(path, `an object of ${expected.join(', ')}`, strange);
  }
  return value as Members;
}

export function list(value: unknown, path: string, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > most) throw unfit(path, `a list of at most ${most}`, value);
  return value;
}

export function text(value: unknown, path: string): string {
  if (typeof value !== 'string' || value.length > longestName) throw unfit(path, 'a name', value);
  return value;
}

export function finite(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw unfit(path, 'a finite number', value);
  return value;
}

export function whole(value: unknown, path: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most)
    throw unfit(path, `a whole number in [${least}, ${most}]`, value);
  return value as number;
}

export function oneOf<T extends string | boolean | null>(value: unknown, path: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw unfit(path, choices.slice(0, 10).join(', '), value);
  return found;
}

export function checkRising(names: readonly string[], path: string, compare: (a: string, b: string) => number): void {
  for (let i = 1; i < names.length; i++)
    if (compare(names[i - 1]!, names[i]!) >= 0) throw unfit(path, 'in rising order', names[i]);
}

export function unfit(path: string, expected: string, got: unknown): HalfspaceError {
  return new HalfspaceError('model-invalid', `expected "${path}" to be ${expected}; got ${quote(got)}`);
}
