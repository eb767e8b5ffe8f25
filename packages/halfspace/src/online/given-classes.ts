import { HalfspaceError, quote, quoteNames } from '../errors.ts';
import { OnlineClasses } from './classes.ts';
import type { OnlineOptions, OnlinePlan } from './options.ts';
import type { OnlineState } from './state-file.ts';

/** Returns the classes of a new classifier: those of the option, in its order, so that the last of two is positive. */
export function classesOf(
  { classes, positive }: OnlinePlan,
  state: OnlineState | undefined,
  options: OnlineOptions,
): OnlineClasses {
  const isClosed = classes !== null;
  if (state !== undefined) return new OnlineClasses(isClosed, state.classes, state.labelTypes);
  const given = new OnlineClasses(isClosed, classes ?? (positive === null ? [] : [positive]));
  for (const label of options.classes ?? (options.positive === undefined ? [] : [options.positive])) given.give(label);
  if (new Set(given.names).size < given.size)
    throw new HalfspaceError('option-invalid', `classes must be different; got ${quote(classes)}`);
  if (positive !== null && given.find(positive) < 0)
    throw new HalfspaceError(
      'option-invalid',
      `positive must be one of the classes ${quoteNames(given.names)}; got ${quote(positive)}`,
    );
  return given;
}
