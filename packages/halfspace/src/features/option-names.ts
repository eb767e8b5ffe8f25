import { HalfspaceError, quote } from '../errors.ts';
import { readable } from '../readable.ts';
import { suggestion } from './nearest.ts';

/** The names of all options of type T. The compiler reports a name that is missing here. */
export type OptionNames<T> = { readonly [K in keyof Required<T>]: true };

/**
 * Refuses options that `what` does not have: a mistyped name would otherwise be ignored in silence. A member that is
 * undefined counts as absent.
 *
 * @throws HalfspaceError `option-invalid`, with the nearest known name.
 */
export function checkOptionNames(given: unknown, known: OptionNames<object>, what: string): void {
  const entries = readable(
    `the options of ${what}`,
    () => (typeof given !== 'object' || given === null || Array.isArray(given) ? null : Object.entries(given)),
    'option-invalid',
  );
  if (entries === null)
    throw new HalfspaceError('option-invalid', `expected the options of ${what} as an object; got ${quote(given)}`);
  for (const [name, value] of entries) {
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const names = Object.keys(known);
    const has = names.length === 0 ? 'none' : names.join(', ');
    throw new HalfspaceError(
      'option-invalid',
      `expected options that ${what} has (${has}); got ${quote(name)}${suggestion(name, names)}`,
    );
  }
}
