import { quote } from '../errors.ts';
import { finite, flag, list, type Members, members, number, oneOf, positive, readAs, unfit, whole } from '../json.ts';
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

/** @throws HalfspaceError `model-invalid` for what is no state of any rule. @returns the state. */
export function checkLearnerState(value: unknown): LearnerState {
  return readAs({ prefix: 'in the state of a learner, ' }, () => {
    const state = members(value, 'state');
    if ('machines' in state) checkOneVersusRest(state);
    else if ('classes' in state) checkMulticlass(state);
    else checkTwoClasses(state);
    return value as LearnerState;
  });
}

function checkOneVersusRest(state: Members): void {
  const { rule } = state;
  const machines = list(state.machines, 'machines');
  for (const each of machines) {
    const machine = members(each, 'machines');
    if (machine.rule !== rule) throw unfit('machines', `learners by the rule ${quote(rule)}`, machine.rule);
    checkTwoClasses(machine);
  }
  if (machines.length === 0 && typeof rule !== 'string') throw unfit('rule', 'a rule', rule);
  whole(state.known, 'known', 0, machines.length);
  whole(state.examples, 'examples');
  number(state.clock, 'clock', 0);
}

const multiclassRules = ['averaged', 'perceptron', 'margin', 'passive-aggressive'];

function checkMulticlass(state: Members): void {
  oneOf(state.rule, 'rule', multiclassRules);
  const options = members(state.options, 'options');
  flag(options.averaging, 'options.averaging');
  number(options.biasConstant, 'options.biasConstant', 0);
  whole(options.condition, 'options.condition', 0, 1);
  number(options.threshold, 'options.threshold', 0);
  whole(options.stepKind, 'options.stepKind', 0, 3);
  number(options.aggressiveness, 'options.aggressiveness', 0);
  const dimension = whole(state.dimension, 'dimension', 0, largestDimension);
  const classes = list(state.classes, 'classes');
  whole(options.classes, 'options.classes', 0, classes.length);
  for (const each of classes) {
    const own = members(each, 'classes');
    doubles(own.weights, 'weights', dimension);
    doubles(own.sums, 'sums', options.averaging === true ? dimension : 0);
    finite(own.bias, 'bias');
    finite(own.biasSum, 'biasSum');
    flag(own.seen, 'seen');
  }
  const progress = members(state.progress, 'progress');
  const examples = whole(progress.examples, 'examples');
  for (const name of ['updates', 'mistakes', 'quiet']) whole(progress[name], name, 0, examples);
  number(progress.clock, 'clock', 0);
}

function checkTwoClasses(state: Members): void {
  const check = typeof state.rule === 'string' && Object.hasOwn(checks, state.rule) ? checks[state.rule]! : null;
  if (check === null) throw unfit('rule', `one of ${Object.keys(checks).join(', ')}`, state.rule);
  check(state);
}

/** The rules of two classes, by how their states are checked. */
const checks: Readonly<Record<string, (state: Members) => void>> = {
  averaged: (state) => checkLinear(state, true),
  perceptron: (state) => checkLinear(state, false),
  margin: (state) => checkLinear(state, false),
  'passive-aggressive': (state) => checkLinear(state, false),
  pocket: checkPocket,
  arow: checkArow,
  sgd: checkSgd,
  voted: (state) => {
    checkLinear(state, false);
    if (members(state.dual, 'dual').aggregate !== 'voted') throw unfit('dual.aggregate', 'voted', state.dual);
    checkDualState(state.dual, largestDimension, false);
  },
  kernel: (state) => {
    checkScalars(state.scalars, slot.size, checkSlots);
    const budget = state.budget === null ? null : whole(state.budget, 'budget', 1);
    whole(state.seed, 'seed');
    const mistakes = checkDualState(state.dual, largestDimension, budget !== null);
    if (budget !== null && mistakes > budget) throw unfit('dual.rows', `at most ${budget}, the budget`, mistakes);
  },
};

/** @returns the number of features. */
function checkLinear(state: Members, averaging: boolean, scalars = slot.size as number): number {
  const length = doubles(state.weights, 'weights').length;
  if (length > largestDimension) throw unfit('weights', `at most ${largestDimension} numbers`, length);
  if (averaging) doubles(state.sums, 'sums', length);
  else if (state.sums !== null) throw unfit('sums', 'null', state.sums);
  checkScalars(state.scalars, scalars, checkSlots);
  return length;
}

function checkPocket(state: Members): void {
  const length = checkLinear(state, false, slot.size + 5);
  doubles(members(state.vectors, 'vectors').pocket, 'pocket', length);
  const [bias, pocketRun, right, run, standing] = (state.scalars as Float64Array).subarray(slot.size);
  finite(bias, 'pocket bias');
  whole(pocketRun, 'pocket run');
  number(right, 'pocket right', -1);
  whole(run, 'run');
  whole(standing, 'standing', 0, 2);
}

function checkArow(state: Members): void {
  const length = doubles(state.weights, 'weights').length;
  if (length > largestDimension) throw unfit('weights', `at most ${largestDimension} numbers`, length);
  if (state.sums !== null) doubles(state.sums, 'sums', length);
  for (const variance of doubles(members(state.vectors, 'vectors').variances, 'variances', length))
    number(variance, 'variances', 0, 1);
  checkScalars(state.scalars, arowSlot.size, (scalars) => {
    checkCounts(scalars);
    positive(scalars[arowSlot.r], 'r');
    number(scalars[arowSlot.biasVariance], 'biasVariance', 0, 1);
  });
}

function checkSgd(state: Members): void {
  const { length } = doubles(state.weights, 'weights');
  if (length > largestDimension) throw unfit('weights', `at most ${largestDimension} numbers`, length);
  const scalars = checkScalars(state.scalars, sgdSlot.size, checkCounts);
  whole(scalars[sgdSlot.loss], 'loss', 0, 4);
  whole(scalars[sgdSlot.schedule], 'schedule', 0, 2);
  positive(scalars[sgdSlot.rate], 'rate');
  number(scalars[sgdSlot.power], 'power', 0, 1);
  number(scalars[sgdSlot.alpha], 'alpha', 0);
  number(scalars[sgdSlot.l1Ratio], 'l1Ratio', 0, 1);
  number(scalars[sgdSlot.penaltyClock], 'penaltyClock', 0);
  number(scalars[sgdSlot.biasSquares], 'biasSquares', 0);
  whole(scalars[sgdSlot.averaging], 'averaging', 0, 1);
  if (scalars[sgdSlot.averaging] === 1) doubles(state.sums, 'sums', length);
  else if (state.sums !== null) throw unfit('sums', 'null', state.sums);
  const vectors = members(state.vectors, 'vectors');
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

function checkSlots(scalars: Float64Array): void {
  checkCounts(scalars);
  whole(scalars[slot.condition], 'condition', 0, 2);
  number(scalars[slot.threshold], 'threshold', 0);
  whole(scalars[slot.stepKind], 'stepKind', 0, 3);
  number(scalars[slot.aggressiveness], 'aggressiveness', 0);
}

function doubles(value: unknown, name: string, length?: number): Float64Array {
  if (!(value instanceof Float64Array)) throw unfit(name, 'a list of doubles', value);
  if (length !== undefined && value.length !== length) throw unfit(name, `${length} numbers`, value.length);
  if (!value.every(Number.isFinite)) throw unfit(name, 'finite numbers', 'others');
  return value;
}
