import { type Members, number, oneOf, unfit, whole } from '../json.ts';
import * as layout from '../kernels/layout.ts';
import { largestDimension } from './kernel-memory-learner.ts';

/*
 * Checks of states that several rules share. A state may come from an untrusted file: every number must be in its
 * range, and lists that belong together must have equal lengths. A learner accepts any state that passes.
 */

/** Checks the state of a {@link MistakeDriven} learner. Returns the number of features. */
export function checkLinearState(state: Members, averaging: boolean, scalars = layout.stateSize as number): number {
  const length = checkWeights(state);
  checkSums(state, length, averaging);
  checkScalars(state.scalars, scalars, checkUpdateScalars);
  return length;
}

/** Checks the weights and returns their number. */
export function checkWeights(state: Members): number {
  const { length } = checkDoubles(state.weights, 'weights');
  if (length > largestDimension) throw unfit('weights', `at most ${largestDimension} numbers`, length);
  return length;
}

export function checkSums({ sums }: Members, length: number, averaging: boolean): void {
  if (averaging) checkDoubles(sums, 'sums', length);
  else if (sums !== null) throw unfit('sums', 'null', sums);
}

export function checkScalars(value: unknown, length: number, check: (scalars: Float64Array) => void): Float64Array {
  if (!(value instanceof Float64Array) || value.length !== length)
    throw unfit('scalars', `${length} numbers`, value instanceof Float64Array ? value.length : value);
  check(value);
  return value;
}

/** Checks the scalars that all rules share, at the same positions. */
export function checkCounts(scalars: Float64Array): void {
  number(scalars[layout.bias], 'bias');
  number(scalars[layout.biasSum], 'biasSum');
  number(scalars[layout.biasConstant], 'biasConstant', 0);
  number(scalars[layout.clock], 'clock', 0);
  const examples = whole(scalars[layout.examples], 'examples');
  whole(scalars[layout.updates], 'updates', 0, examples);
  whole(scalars[layout.mistakes], 'mistakes', 0, examples);
  whole(scalars[layout.cleanStreak], 'quiet', 0, examples);
  for (const limit of [layout.cleanStreakLimit, layout.updateLimit])
    if (scalars[limit] !== Infinity) whole(scalars[limit], 'limits');
  oneOf(scalars[layout.tie], 'tie', [-1, 1]);
}

/** Checks the scalars of rules that learn by the kernel `learn`. */
export function checkUpdateScalars(scalars: Float64Array): void {
  checkCounts(scalars);
  whole(scalars[layout.condition], 'condition', 0, 2);
  number(scalars[layout.threshold], 'threshold', 0);
  whole(scalars[layout.stepKind], 'stepKind', 0, 3);
  number(scalars[layout.aggressiveness], 'aggressiveness', 0);
}

export function checkDoubles(value: unknown, name: string, length?: number): Float64Array {
  if (!(value instanceof Float64Array)) throw unfit(name, 'a list of doubles', value);
  if (length !== undefined && value.length !== length) throw unfit(name, `${length} numbers`, value.length);
  if (!value.every(Number.isFinite)) throw unfit(name, 'finite numbers', 'others');
  return value;
}
