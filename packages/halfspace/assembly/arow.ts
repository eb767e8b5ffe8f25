// Adaptive regularisation of weights; slots are those of src/kernels/arow.ts, and src/kernels/reference-arow.ts has the same
// loop to read.

import { dotDense } from './dot';
import { listNonzeros } from './nonzeros';

/** `list` has three columns of `capacity` places, see nonzeros.ts. */
export function learnArow(
  layout: i32, from: i32, to: i32,
  offsets: usize, indices: usize, values: usize, dimension: i32, high: f64, low: f64, labels: usize, importance: usize,
  list: usize, capacity: i32, weights: usize, variances: usize, sums: usize, state: usize,
): i32 {
  const c = load<f64>(state, 16);
  const quietLimit = load<f64>(state, 64);
  const updateLimit = load<f64>(state, 72);
  const tie = load<f64>(state, 96);
  const r = load<f64>(state, 104);
  const looked = list + ((<usize>capacity) << 3);
  const features = list + ((<usize>capacity) << 4);
  let bias = load<f64>(state);
  let biasSum = load<f64>(state, 8);
  let clock = load<f64>(state, 24);
  let updates = load<f64>(state, 32);
  let mistakes = load<f64>(state, 40);
  let quiet = load<f64>(state, 56);
  let biasVariance = load<f64>(state, 112);

  let i = from;
  while (i < to) {
    const y = load<f64>(labels + ((<usize>i) << 3));
    const h = importance ? load<f64>(importance + ((<usize>i) << 3)) : 1.0;
    const count = listNonzeros(layout, i, offsets, indices, values, dimension, high, low, list, capacity);
    i++;
    for (let n: usize = 0; n < <usize>count; n++)
      store<f64>(looked + (n << 3), load<f64>(weights + ((<usize>load<u32>(features + (n << 2))) << 3)));
    const a = dotDense(list, looked, count) + bias * c;
    if ((a > 0 ? 1.0 : a < 0 ? -1.0 : tie) != y) mistakes += 1;

    const m = y * a;
    let update = h > 0 && m < 1;
    if (update) {
      // Σx, and the variance of the score.
      for (let n: usize = 0; n < <usize>count; n++) {
        const sigma = load<f64>(variances + ((<usize>load<u32>(features + (n << 2))) << 3));
        store<f64>(looked + (n << 3), sigma * load<f64>(list + (n << 3)));
      }
      const constant = biasVariance * c;
      const v = dotDense(list, looked, count) + constant * c;
      update = v > 0;
      if (update) {
        const beta = 1 / (v + r / h);
        const step = (1 - m) * beta * y;
        const s = clock * step;
        bias += step * constant;
        if (sums) biasSum += s * constant;
        biasVariance -= beta * constant * constant;
        for (let n: usize = 0; n < <usize>count; n++) {
          const at = (<usize>load<u32>(features + (n << 2))) << 3;
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
      quiet = 0;
      if (updates >= updateLimit) break;
    } else {
      quiet += 1;
      if (quiet >= quietLimit) break;
    }
  }

  store<f64>(state, bias);
  store<f64>(state, biasSum, 8);
  store<f64>(state, clock, 24);
  store<f64>(state, updates, 32);
  store<f64>(state, mistakes, 40);
  store<f64>(state, load<f64>(state, 48) + <f64>(i - from), 48);
  store<f64>(state, quiet, 56);
  store<f64>(state, biasVariance, 112);
  return i - from;
}
