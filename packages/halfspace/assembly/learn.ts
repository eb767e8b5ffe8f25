// The mistake-driven loop. One template for all layouts, compiled for perceptron steps and for computed steps
// (`sized`), so that the perceptron's loop stays minimal. The loop that logs its updates (`logged`) is compiled once
// for all layouts and steps, to keep the module small; it is slower. Contract: src/kernels/kernels.ts.

import * as layout from '../src/kernels/layout';
import { addTo, get, set, wordAt } from './memory';
import {
  add, dimensionOf, dot, highOf, indicesFrom, indicesOf, layoutOf, lowOf, offsetsOf, rowCount, rowStart, squaredNorm, valuesFrom,
} from './rows';

/**
 * Returns τ of the passive-aggressive step kinds, for the loss 1 − m and the squared norm n ≥ 0 of x with the constant.
 * NaN if n overflows: a step of 0 would hide that.
 */
function stepSize(kind: i32, m: f64, n: f64, h: f64, aggressiveness: f64): f64 {
  if (n == Infinity) return NaN;
  const loss = 1 - m;
  if (kind == layout.stepSoftened) return loss / (n + 0.5 / (h * aggressiveness));
  const whole = loss / n;
  return kind == layout.stepCapped ? min(h * aggressiveness, whole) : whole;
}

/** Returns true if a row of doubles has a nonzero value although its squared norm is 0. */
function hasValue(x: usize, count: i32): bool {
  for (let k = 0; k < count; k++) if (get(x, k) != 0) return true;
  return false;
}

/** Returns 1 if a is on the wrong side for y. Without branch, because half of the predictions of a sign would fail. */
// @ts-ignore: decorator
@inline
export function isMistaken(a: f64, y: f64, tiePositive: i32): i32 {
  return (<i32>(a > 0) | (tiePositive & ~<i32>(a < 0))) ^ <i32>(y > 0);
}

/** Returns true if score a makes an update for y with m = y·a, by one of the conditions of layout.ts. */
// @ts-ignore: decorator
@inline
function isDue(condition: f64, m: f64, a: f64, y: f64, threshold: f64): bool {
  if (condition == layout.updateAtMost) return !(m > threshold);
  if (condition == layout.updateBelow) return !(m >= threshold);
  return <i32>(a >= 0) != <i32>(y > 0);
}

/** Writes back the counts of every rule, and returns the number of examples shown. */
export function finish(
  state: usize, bias: f64, biasSum: f64, clock: f64, updates: f64, mistaken: i32, shown: i32, cleanStreak: f64,
): i32 {
  set(state, layout.bias, bias);
  set(state, layout.biasSum, biasSum);
  set(state, layout.clock, clock);
  set(state, layout.updates, updates);
  set(state, layout.cleanStreak, cleanStreak);
  addTo(state, layout.mistakes, <f64>mistaken);
  addTo(state, layout.examples, <f64>shown);
  return shown;
}

// @ts-ignore: decorator
@inline
function learnRows(
  kind: i32, sized: bool, log: usize, timed: bool, batch: usize, order: usize, from: i32, to: i32,
  weights: usize, sums: usize, state: usize,
): i32 {
  const dimension = dimensionOf(kind, batch);
  const offsets = offsetsOf(kind, batch), indices = indicesOf(kind, batch);
  const values = wordAt(batch, layout.batchValues);
  const labels = wordAt(batch, layout.batchLabels), importance = wordAt(batch, layout.batchImportance);
  const high = highOf(kind, batch), low = lowOf(kind, batch);
  const c = get(state, layout.biasConstant);
  const cleanStreakLimit = max(1, ceil(get(state, layout.cleanStreakLimit)));
  const updateLimit = get(state, layout.updateLimit);
  const condition = get(state, layout.condition), threshold = get(state, layout.threshold);
  const tiePositive = <i32>(get(state, layout.tie) > 0);
  let bias = get(state, layout.bias), biasSum = get(state, layout.biasSum);
  let clock = get(state, layout.clock), updates = get(state, layout.updates);
  let mistaken = 0;
  let entries = 0;

  // Streaks are counted from row `since` on. Without an update, the loop ends before row `stop`.
  const streak = <i32>min(<f64>(to - from), cleanStreakLimit);
  let since = <f64>from - get(state, layout.cleanStreak);
  let stop = <i32>min(<f64>to, max(<f64>from + 1, since + cleanStreakLimit));
  let k = from;
  while (k < stop) {
    const i = order ? load<u32>(order + (<usize>k << 2)) : k;
    // The log is input here: entry k still holds the clock of example k, because at most k entries were written.
    if (timed) clock = get(log, 1 + layout.entrySize * (k - from) + layout.entryStep);
    k++;
    const y = get(labels, i);
    const h = importance ? get(importance, i) : 1.0;
    const start = rowStart(kind, i, offsets, dimension), count = rowCount(kind, i, start, offsets, dimension);
    const at = indicesFrom(kind, indices, start), x = valuesFrom(kind, values, start);
    const a = dot(kind, at, x, count, high, low, weights) + bias * c;

    const m = y * a;
    mistaken += isMistaken(a, y, tiePositive);
    let update = h > 0 && isDue(condition, m, a, y, threshold);
    let g = h * y;
    const stepKind = sized ? <i32>get(state, layout.stepKind) : layout.stepPerceptron;
    if (sized && update && stepKind != layout.stepPerceptron) {
      const n = squaredNorm(kind, x, count, high, low) + c * c;
      // Squares of 32-bit floats and short decimals never underflow.
      const some = n > 0 || ((kind == layout.sparseRows || kind == layout.denseRows) && hasValue(x, count));
      const step = some ? stepSize(stepKind, m, n, h, get(state, layout.aggressiveness)) : 0.0;
      update = step != 0;
      g = step * y;
    }
    if (update) {
      const s = clock * g;
      bias += g * c;
      if (sums) biasSum += s * c;
      add(kind, at, x, count, high, low, g, weights, s, sums);
      if (log) {
        const entry = 1 + layout.entrySize * entries++;
        set(log, entry + layout.entryPlace, <f64>(k - 1));
        set(log, entry + layout.entryScore, a);
        set(log, entry + layout.entryStep, g);
      }
      updates += 1;
      since = <f64>k;
      stop = updates < updateLimit ? min(to, k + streak) : k;
    }
    clock += h;
  }

  if (log) set(log, 0, <f64>entries);
  return finish(state, bias, biasSum, clock, updates, mistaken, k - from, <f64>k - since);
}

/** One compiled loop per layout. `Step` is `void` for perceptron steps, `f64` for computed steps. */
function learnLayout<Index, Value, Step>(
  batch: usize, order: usize, from: i32, to: i32, weights: usize, sums: usize, state: usize,
): i32 {
  return learnRows(layoutOf<Index, Value>(), !isVoid<Step>(), 0, false, batch, order, from, to, weights, sums, state);
}

function learnSteps<Step>(
  batch: usize, order: usize, from: i32, to: i32, weights: usize, sums: usize, state: usize,
): i32 {
  const kind = <i32>wordAt(batch, layout.batchLayout);
  if (kind == layout.sparseRows) return learnLayout<u32, f64, Step>(batch, order, from, to, weights, sums, state);
  if (kind == layout.compactRows) return learnLayout<u16, i32, Step>(batch, order, from, to, weights, sums, state);
  if (kind == layout.singleRows) return learnLayout<void, f32, Step>(batch, order, from, to, weights, sums, state);
  return learnLayout<void, f64, Step>(batch, order, from, to, weights, sums, state);
}

function learnLogged(
  log: usize, timed: bool, batch: usize, order: usize, from: i32, to: i32, weights: usize, sums: usize, state: usize,
): i32 {
  const kind = <i32>wordAt(batch, layout.batchLayout);
  return learnRows(kind, true, log, timed, batch, order, from, to, weights, sums, state);
}

/** Shows examples to a mistake-driven learner. `log`, `order` and `sums` may be 0. */
export function learn(
  batch: usize, order: usize, from: i32, to: i32, weights: usize, sums: usize, state: usize, log: usize, timed: bool,
): i32 {
  if (log) return learnLogged(log, timed, batch, order, from, to, weights, sums, state);
  return <i32>get(state, layout.stepKind) == layout.stepPerceptron
    ? learnSteps<void>(batch, order, from, to, weights, sums, state)
    : learnSteps<f64>(batch, order, from, to, weights, sums, state);
}
