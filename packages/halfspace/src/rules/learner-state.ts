import { finite, type Members, number, oneOf, unfit, whole } from '../json.ts';
import { slot } from '../kernels/kernels.ts';
import { largestDimension } from './mistake-driven.ts';

/*
 * Checks that the states of several rules share. A state may come from a file of anyone: every number must be in its range, and lists that
 * belong together must have the same length. A learner treats a state that passes like its own.
 */

/** Checks the state of a {@link MistakeDriven} learner. Returns the number of features. */
export function checkLinearState(state: Members, averaging: boolean, scalars = slot.size as number): number {
  const length = checkWeights(state);
  checkSums(state, length, averaging);
  checkScalars(state.scalars, scalars, checkUpdateScalars);
  return length;
}

/** Returns the number of weights. */
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

/** Checks the scalars that all rules have, at the same positions. */
export function checkCounts(scalars: Float64Array): void {
  finite(scalars[slot.bias], 'bias');
  finite(scalars[slot.biasSum], 'biasSum');
  number(scalars[slot.biasConstant], 'biasConstant', 0);
  number(scalars[slot.clock], 'clock', 0);
  const examples = whole(scalars[slot.examples], 'examples');
  whole(scalars[slot.updates], 'updates', 0, examples);
  whole(scalars[slot.mistakes], 'mistakes', 0, examples);
  whole(scalars[slot.quiet], 'quiet', 0, examples);
  for (const limit of [slot.quietLimit, slot.updateLimit])
    if (scalars[limit] !== Infinity) whole(scalars[limit], 'limits');
  oneOf(scalars[slot.tie], 'tie', [-1, 1]);
}

/** Checks the scalars of rules that learn by the kernel `learn`. */
export function checkUpdateScalars(scalars: Float64Array): void {
  checkCounts(scalars);
  whole(scalars[slot.condition], 'condition', 0, 2);
  number(scalars[slot.threshold], 'threshold', 0);
  whole(scalars[slot.stepKind], 'stepKind', 0, 3);
  number(scalars[slot.aggressiveness], 'aggressiveness', 0);
}

export function checkDoubles(value: unknown, name: string, length?: number): Float64Array {
  if (!(value instanceof Float64Array)) throw unfit(name, 'a list of doubles', value);
  if (length !== undefined && value.length !== length) throw unfit(name, `${length} numbers`, value.length);
  if (!value.every(Number.isFinite)) throw unfit(name, 'finite numbers', 'others');
  return value;
}
