import { HalfspaceError, quote } from '../errors.ts';
import { readable } from '../readable.ts';
import { suggestion } from './nearest.ts';

type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;

/** Returns the names of all options of type T, given as words. The compiler refuses a text that lacks one. */
export const optionNames =
  <T>() =>
  <const S extends string>(names: [keyof T, Words<S>] extends [Words<S>, keyof T] ? S : never): readonly string[] =>
    names.split(' ');

/**
 * Refuses options that `what` does not have: a mistyped name would otherwise be ignored in silence. A member that is
 * undefined counts as absent.
 *
 * @throws HalfspaceError `option-invalid`, with the nearest known name.
 */
export function checkOptionNames(given: unknown, names: readonly string[], what: string): void {
  const entries = readable(
    `the options of ${what}`,
    () => (typeof given !== 'object' || given === null || Array.isArray(given) ? null : Object.entries(given)),
    'option-invalid',
  );
  if (entries === null)
    throw new HalfspaceError('option-invalid', `expected the options of ${what} as an object; got ${quote(given)}`);
  for (const [name, value] of entries) {
    if (value === undefined || names.includes(name)) continue;
    const has = names.length === 0 ? 'none' : names.join(', ');
    throw new HalfspaceError(
      'option-invalid',
      `expected options that ${what} has (${has}); got ${quote(name)}${suggestion(name, names)}`,
    );
  }
}
