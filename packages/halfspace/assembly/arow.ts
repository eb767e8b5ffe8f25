// Adaptive regularisation of weights. State positions: src/kernels/layout.ts. The same loop, easier to read:
// src/kernels/reference-learn.ts.

import * as layout from '../src/kernels/layout';
import { finish, isMistaken } from './learn';
import { get, set, wordAt } from './memory';
import { listNonzeros, placesOf } from './nonzeros';

/** Returns Σ xⱼ·wⱼ over a list with places as byte offsets; lanes as in vectors.ts. */
// @ts-ignore: decorator
@inline
function dotListed(x: usize, place: usize, count: i32, weights: usize): f64 {
  let front = f64x2.splat(0), back = f64x2.splat(0);
  const end = x + ((<usize>count & ~3) << 3);
  for (; x < end; x += 32, place += 16) {
    let w = v128.load64_zero(weights + <usize>load<u32>(place));
    w = v128.load64_lane(weights + <usize>load<u32>(place, 4), w, 1);
    front = f64x2.add(front, f64x2.mul(v128.load(x), w));
    w = v128.load64_zero(weights + <usize>load<u32>(place, 8));
    w = v128.load64_lane(weights + <usize>load<u32>(place, 12), w, 1);
    back = f64x2.add(back, f64x2.mul(v128.load(x, 16), w));
  }
  let s0 = f64x2.extract_lane(front, 0), s1 = f64x2.extract_lane(front, 1), s2 = f64x2.extract_lane(back, 0);
  const s3 = f64x2.extract_lane(back, 1);
  const rest = count & 3;
  if (rest > 0) s0 += load<f64>(x) * load<f64>(weights + <usize>load<u32>(place));
  if (rest > 1) s1 += load<f64>(x, 8) * load<f64>(weights + <usize>load<u32>(place, 4));
  if (rest > 2) s2 += load<f64>(x, 16) * load<f64>(weights + <usize>load<u32>(place, 8));
  return (s0 + s1) + (s2 + s3);
}

/** Returns xᵀΣx in the same way, and writes Σx to `along`. */
// @ts-ignore: decorator
@inline
function varianceListed(x: usize, place: usize, count: i32, variances: usize, along: usize): f64 {
  let front = f64x2.splat(0), back = f64x2.splat(0);
  const end = x + ((<usize>count & ~3) << 3);
  for (; x < end; x += 32, place += 16, along += 32) {
    let z = v128.load64_zero(variances + <usize>load<u32>(place));
    z = f64x2.mul(v128.load64_lane(variances + <usize>load<u32>(place, 4), z, 1), v128.load(x));
    v128.store(along, z);
    front = f64x2.add(front, f64x2.mul(v128.load(x), z));
    z = v128.load64_zero(variances + <usize>load<u32>(place, 8));
    z = f64x2.mul(v128.load64_lane(variances + <usize>load<u32>(place, 12), z, 1), v128.load(x, 16));
    v128.store(along, z, 16);
    back = f64x2.add(back, f64x2.mul(v128.load(x, 16), z));
  }
  let s0 = f64x2.extract_lane(front, 0), s1 = f64x2.extract_lane(front, 1), s2 = f64x2.extract_lane(back, 0);
  const s3 = f64x2.extract_lane(back, 1);
  const rest = <usize>count & 3;
  for (let n: usize = 0; n < rest; n++) {
    const z = load<f64>(variances + <usize>load<u32>(place + (n << 2))) * load<f64>(x + (n << 3));
    store<f64>(along + (n << 3), z);
    const product = load<f64>(x + (n << 3)) * z;
    if (n == 0) s0 += product;
    else if (n == 1) s1 += product;
    else s2 += product;
  }
  return (s0 + s1) + (s2 + s3);
}

/** If (r/h) / v is below 2⁻⁴⁰, a variance may lose all its digits in one step. */
const steepShare: f64 = 9.094947017729282e-13;

/** Returns σ − `taken`, which exactly is at least σ·`least`; corrects rounding below that. */
// @ts-ignore: decorator
@inline
function lessVariance(variance: f64, taken: f64, least: f64): f64 {
  const less = variance - taken;
  const floor = variance * least;
  return less < 0.5 * floor ? floor : less;
}

/** Updates weights, sums and variances with this correction. Not inlined, because it is rare. */
function moveSteeply(
  places: usize, looked: usize, count: i32, step: f64, s: f64, beta: f64, least: f64,
  weights: usize, sums: usize, variances: usize,
): void {
  for (let n: usize = 0; n < <usize>count; n++) {
    const at = <usize>load<u32>(places + (n << 2));
    const along = load<f64>(looked + (n << 3));
    store<f64>(weights + at, load<f64>(weights + at) + step * along);
    if (sums) store<f64>(sums + at, load<f64>(sums + at) + s * along);
    store<f64>(variances + at, lessVariance(load<f64>(variances + at), beta * along * along, least));
  }
}

/** Shows examples [from, to) to a learner by this rule. `list`: see nonzeros.ts; `sums` may be 0. */
export function learnArow(
  batch: usize, from: i32, to: i32, list: usize, capacity: i32, weights: usize, variances: usize, sums: usize, state: usize,
): i32 {
  const labels = wordAt(batch, layout.batchLabels), importance = wordAt(batch, layout.batchImportance);
  const c = get(state, layout.biasConstant);
  const cleanStreakLimit = get(state, layout.cleanStreakLimit), updateLimit = get(state, layout.updateLimit);
  const tiePositive = <i32>(get(state, layout.tie) > 0);
  const r = get(state, layout.r);
  const looked = list + (<usize>capacity << 3);
  const places = placesOf(list, capacity);
  let bias = get(state, layout.bias), biasSum = get(state, layout.biasSum);
  let clock = get(state, layout.clock), updates = get(state, layout.updates);
  let cleanStreak = get(state, layout.cleanStreak);
  let mistaken = 0;
  let biasVariance = get(state, layout.biasVariance);

  let i = from;
  while (i < to) {
    const y = get(labels, i);
    const h = importance ? get(importance, i) : 1.0;
    const count = listNonzeros(batch, i, list, capacity, 0, 3);
    i++;
    const a = dotListed(list, places, count, weights) + bias * c;
    mistaken += isMistaken(a, y, tiePositive);

    const m = y * a;
    let update = h > 0 && !(m >= 1);
    if (update) {
      // Σx, and the variance of the score.
      const constant = biasVariance * c;
      const v = varianceListed(list, places, count, variances, looked) + constant * c;
      update = count > 0 || c != 0;
      if (update) {
        // NaN if v overflows: a step of 0 would hide that.
        const share = r / h;
        const beta = v < Infinity ? 1 / (v + share) : NaN;
        const step = (1 - m) * beta * y;
        const s = clock * step;
        bias += step * constant;
        if (sums) biasSum += s * constant;
        biasVariance = lessVariance(biasVariance, beta * constant * constant, share * beta);
        if (share < v * steepShare) moveSteeply(places, looked, count, step, s, beta, share * beta, weights, sums, variances);
        else for (let n: usize = 0; n < <usize>count; n++) {
          const at = <usize>load<u32>(places + (n << 2));
          const along = load<f64>(looked + (n << 3));
          store<f64>(weights + at, load<f64>(weights + at) + step * along);
          if (sums) store<f64>(sums + at, load<f64>(sums + at) + s * along);
          store<f64>(variances + at, load<f64>(variances + at) - beta * along * along);
        }
      }
    }
    clock += h;
    if (update) {
      updates += 1;
      cleanStreak = 0;
      if (updates >= updateLimit) break;
    } else {
      cleanStreak += 1;
      if (cleanStreak >= cleanStreakLimit) break;
    }
  }

  set(state, layout.biasVariance, biasVariance);
  return finish(state, bias, biasSum, clock, updates, mistaken, i - from, cleanStreak);
}
