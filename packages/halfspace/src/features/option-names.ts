import { HalfspaceError, quote } from '../errors.ts';
import { suggestion } from './nearest.ts';

/** Every option that a type has, so that the compiler finds one that is missing here. */
export type OptionNames<T> = { readonly [K in keyof Required<T>]: true };

/**
 * Refuses what is no option of `what`: a name that was mistyped would otherwise change nothing, without a word. A member that is undefined
 * counts as absent.
 *
 * @throws HalfspaceError `option-invalid`, with the name that may have been meant.
 */
export function checkOptionNames(given: unknown, known: OptionNames<object>, what: string): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new HalfspaceError('option-invalid', `expected the options of ${what} as an object; got ${quote(given)}`);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const names = Object.keys(known);
    const has = names.length === 0 ? 'none' : names.join(', ');
    throw new HalfspaceError(
      'option-invalid',
      `expected options that ${what} has (${has}); got ${quote(name)}${suggestion(name, names)}`,
    );
  }
}
