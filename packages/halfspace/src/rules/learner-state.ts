import { HalfspaceError, quote } from '../errors.ts';
import { arowSlot } from '../kernels/arow.ts';
import { slot } from '../kernels/kernels.ts';
import { sgdSchedule, sgdSlot } from '../kernels/sgd.ts';
import { checkDualState } from '../model/dual-file.ts';
import type { LearnerState } from './learner.ts';
import { largestDimension } from './mistake-driven.ts';

/*
 * Checks of a learner's state, which may come from a file of anyone: every number is in its range, and every list is as long as the others
 * that it belongs to. What a learner does with a state that passes is what it does with its own.
 */

type Fields = Readonly<Record<string, unknown>>;

/** @throws HalfspaceError `model-invalid` for what is no state of any rule. @returns the state. */
export function checkLearnerState(value: unknown): LearnerState {
  const state = object(value, 'state');
  if ('machines' in state) checkOneVersusRest(state);
  else if ('classes' in state) checkMulticlass(state);
  else checkTwoClasses(state);
  return value as LearnerState;
}

function checkOneVersusRest(state: Fields): void {
  const { machines, rule } = state;
  if (!Array.isArray(machines)) throw unfit('machines', 'a list', machines);
  for (const each of machines) {
    const machine = object(each, 'machines');
    if (machine.rule !== rule) throw unfit('machines', `learners by the rule ${quote(rule)}`, machine.rule);
    checkTwoClasses(machine);
  }
  if (machines.length === 0 && typeof rule !== 'string') throw unfit('rule', 'a rule', rule);
  whole(state.known, 'known', machines.length);
  whole(state.examples, 'examples');
  number(state.clock, 'clock', 0);
}

const multiclassRules = ['averaged', 'perceptron', 'margin', 'passive-aggressive'];

function checkMulticlass(state: Fields): void {
  if (!multiclassRules.includes(state.rule as string))
    throw unfit('rule', `one of ${multiclassRules.join(', ')}`, state.rule);
  const options = object(state.options, 'options');
  flag(options.averaging, 'options.averaging');
  number(options.biasConstant, 'options.biasConstant', 0);
  whole(options.condition, 'options.condition', 1);
  number(options.threshold, 'options.threshold', 0);
  whole(options.stepKind, 'options.stepKind', 3);
  number(options.aggressiveness, 'options.aggressiveness', 0);
  const dimension = whole(state.dimension, 'dimension', largestDimension);
  const { classes } = state;
  if (!Array.isArray(classes)) throw unfit('classes', 'a list', classes);
  whole(options.classes, 'options.classes', classes.length);
  for (const each of classes) {
    const own = object(each, 'classes');
    doubles(own.weights, 'weights', dimension);
    doubles(own.sums, 'sums', options.averaging === true ? dimension : 0);
    number(own.bias, 'bias');
    number(own.biasSum, 'biasSum');
    flag(own.seen, 'seen');
  }
  const progress = object(state.progress, 'progress');
  const examples = whole(progress.examples, 'examples');
  for (const name of ['updates', 'mistakes', 'quiet']) whole(progress[name], name, examples);
  number(progress.clock, 'clock', 0);
}

function checkTwoClasses(state: Fields): void {
  const check = typeof state.rule === 'string' && Object.hasOwn(checks, state.rule) ? checks[state.rule]! : null;
  if (check === null) throw unfit('rule', `one of ${Object.keys(checks).join(', ')}`, state.rule);
  check(state);
}

/** The rules of two classes, by how their states are checked. */
const checks: Readonly<Record<string, (state: Fields) => void>> = {
  averaged: (state) => checkLinear(state, true),
  perceptron: (state) => checkLinear(state, false),
  margin: (state) => checkLinear(state, false),
  'passive-aggressive': (state) => checkLinear(state, false),
  pocket: checkPocket,
  arow: checkArow,
  sgd: checkSgd,
  voted: (state) => {
    checkLinear(state, false);
    if (object(state.dual, 'dual').aggregate !== 'voted') throw unfit('dual.aggregate', 'voted', state.dual);
    checkDualState(state.dual, largestDimension, false);
  },
  kernel: (state) => {
    checkScalars(state.scalars, slot.size, checkSlots);
    const budget = state.budget === null ? null : whole(state.budget, 'budget');
    if (budget === 0) throw unfit('budget', 'null, or a whole number from 1', budget);
    whole(state.seed, 'seed');
    const mistakes = checkDualState(state.dual, largestDimension, budget !== null);
    if (budget !== null && mistakes > budget) throw unfit('dual.rows', `at most ${budget}, the budget`, mistakes);
  },
};

/** @returns the number of features. */
function checkLinear(state: Fields, averaging: boolean, scalars = slot.size as number): number {
  const length = doubles(state.weights, 'weights').length;
  if (length > largestDimension) throw unfit('weights', `at most ${largestDimension} numbers`, length);
  if (averaging) doubles(state.sums, 'sums', length);
  else if (state.sums !== null) throw unfit('sums', 'null', state.sums);
  checkScalars(state.scalars, scalars, checkSlots);
  return length;
}

function checkPocket(state: Fields): void {
  const length = checkLinear(state, false, slot.size + 5);
  doubles(object(state.vectors, 'vectors').pocket, 'pocket', length);
  const [bias, pocketRun, right, run, standing] = (state.scalars as Float64Array).subarray(slot.size);
  number(bias, 'pocket bias');
  whole(pocketRun, 'pocket run');
  number(right, 'pocket right', -1);
  whole(run, 'run');
  whole(standing, 'standing', 2);
}

function checkArow(state: Fields): void {
  const length = doubles(state.weights, 'weights').length;
  if (length > largestDimension) throw unfit('weights', `at most ${largestDimension} numbers`, length);
  if (state.sums !== null) doubles(state.sums, 'sums', length);
  for (const variance of doubles(object(state.vectors, 'vectors').variances, 'variances', length))
    number(variance, 'variances', 0, 1);
  checkScalars(state.scalars, arowSlot.size, (scalars) => {
    checkCounts(scalars);
    if (!(number(scalars[arowSlot.r], 'r', 0) > 0)) throw unfit('r', 'above 0', scalars[arowSlot.r]);
    number(scalars[arowSlot.biasVariance], 'biasVariance', 0, 1);
  });
}

function checkSgd(state: Fields): void {
  const { length } = doubles(state.weights, 'weights');
  if (length > largestDimension) throw unfit('weights', `at most ${largestDimension} numbers`, length);
  const scalars = checkScalars(state.scalars, sgdSlot.size, checkCounts);
  whole(scalars[sgdSlot.loss], 'loss', 4);
  whole(scalars[sgdSlot.schedule], 'schedule', 2);
  if (!(number(scalars[sgdSlot.rate], 'rate', 0) > 0)) throw unfit('rate', 'above 0', scalars[sgdSlot.rate]);
  number(scalars[sgdSlot.power], 'power', 0, 1);
  number(scalars[sgdSlot.alpha], 'alpha', 0);
  number(scalars[sgdSlot.l1Ratio], 'l1Ratio', 0, 1);
  number(scalars[sgdSlot.penaltyClock], 'penaltyClock', 0);
  number(scalars[sgdSlot.biasSquares], 'biasSquares', 0);
  whole(scalars[sgdSlot.averaging], 'averaging', 1);
  if (scalars[sgdSlot.averaging] === 1) doubles(state.sums, 'sums', length);
  else if (state.sums !== null) throw unfit('sums', 'null', state.sums);
  const vectors = object(state.vectors, 'vectors');
  doubles(vectors.scaled, 'scaled', length);
  const clock = scalars[sgdSlot.clock]!;
  const adaptive = scalars[sgdSlot.schedule] === sgdSchedule.adaptive;
  // No feature was settled later than now.
  for (const settled of doubles(vectors.settled, 'settled', length))
    number(settled, 'settled', 0, adaptive ? clock : scalars[sgdSlot.penaltyClock]!);
  for (const second of doubles(vectors.second, 'second', length))
    number(second, 'second', 0, adaptive ? Infinity : clock * clock);
}

function checkScalars(value: unknown, length: number, check: (scalars: Float64Array) => void): Float64Array {
  if (!(value instanceof Float64Array) || value.length !== length)
    throw unfit('scalars', `${length} numbers`, value instanceof Float64Array ? value.length : value);
  check(value);
  return value;
}

/** The scalars that learners by all rules have, at the same positions. */
function checkCounts(scalars: Float64Array): void {
  number(scalars[slot.bias], 'bias');
  number(scalars[slot.biasSum], 'biasSum');
  number(scalars[slot.biasConstant], 'biasConstant', 0);
  number(scalars[slot.clock], 'clock', 0);
  const examples = whole(scalars[slot.examples], 'examples');
  whole(scalars[slot.updates], 'updates', examples);
  whole(scalars[slot.mistakes], 'mistakes', examples);
  whole(scalars[slot.quiet], 'quiet', examples);
  for (const limit of [slot.quietLimit, slot.updateLimit])
    if (scalars[limit] !== Infinity) whole(scalars[limit], 'limits');
  if (scalars[slot.tie] !== 1 && scalars[slot.tie] !== -1) throw unfit('tie', '-1 or 1', scalars[slot.tie]);
}

function checkSlots(scalars: Float64Array): void {
  checkCounts(scalars);
  whole(scalars[slot.condition], 'condition', 2);
  number(scalars[slot.threshold], 'threshold', 0);
  whole(scalars[slot.stepKind], 'stepKind', 3);
  number(scalars[slot.aggressiveness], 'aggressiveness', 0);
}

function object(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
    throw unfit(name, 'an object', value);
  return value as Fields;
}

function doubles(value: unknown, name: string, length?: number): Float64Array {
  if (!(value instanceof Float64Array)) throw unfit(name, 'a list of doubles', value);
  if (length !== undefined && value.length !== length) throw unfit(name, `${length} numbers`, value.length);
  if (!value.every(Number.isFinite)) throw unfit(name, 'finite numbers', 'others');
  return value;
}

function number(value: unknown, name: string, least = -Infinity, most = Infinity): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < least || value > most)
    throw unfit(name, `a finite number${least === -Infinity ? '' : ` in [${least}, ${most}]`}`, value);
  return value;
}

function whole(value: unknown, name: string, most = Number.MAX_SAFE_INTEGER): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) > most)
    throw unfit(name, `a whole number in [0, ${most}]`, value);
  return value as number;
}

function flag(value: unknown, name: string): void {
  if (typeof value !== 'boolean') throw unfit(name, 'true or false', value);
}

function unfit(name: string, expected: string, got: unknown): HalfspaceError {
  return new HalfspaceError('model-invalid', `expected "${name}" of a learner to be ${expected}; got ${quote(got)}`);
}
