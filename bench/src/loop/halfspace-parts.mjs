// What the kernels compute is the library's whole inner loop. They are no public entry.
import { ExampleStore } from '../../../packages/halfspace/dist/data/store.js';
import * as layout from '../../../packages/halfspace/dist/kernels/layout.js';
import { createKernels } from '../../../packages/halfspace/dist/kernels/load.js';

export const kernels = createKernels();

/** Numbers in a batch, about the size that reading text makes. */
const batchNumbers = 32 * 1024;

/** A learner of `dimension` weights at zero that no stop rule ends. @param {string} rule */
export function freshLearner(rule, dimension) {
  const weights = kernels.float64(dimension);
  const sums = rule === 'averaged' ? kernels.float64(dimension) : null;
  const state = kernels.float64(layout.stateSize);
  state.array[layout.biasConstant] = 1;
  state.array[layout.cleanStreakLimit] = Infinity;
  state.array[layout.updateLimit] = Infinity;
  state.array[layout.condition] = layout.updateAtMost;
  state.array[layout.tie] = -1;
  return { kind: 'mistake-driven', weights, sums, state };
}

/** Makes an averaged learner's weights the mean ones, w − u / clock. Returns the bias that goes with them. */
export function finish({ weights, sums, state }) {
  let bias = state.array[layout.bias];
  if (sums !== null) {
    const clock = state.array[layout.clock];
    weights.array.forEach((w, j) => {
      weights.array[j] = w - sums.array[j] / clock;
    });
    bias -= state.array[layout.biasSum] / clock;
  }
  return bias;
}

export function freeLearner(learner) {
  learner?.weights.free();
  learner?.sums?.free();
  learner?.state.free();
}

/** Sparse examples as training keeps them between passes: in the store, in batches. */
export function storedSparse({ rows, labels, offsets, indices, values }) {
  const store = new ExampleStore(kernels, { compact: true, memoryBudget: Infinity });
  const dimension = indices.reduce((most, index) => Math.max(most, index), 0) + 1;
  for (let from = 0; from < rows; ) {
    let to = from + 1;
    while (to < rows && offsets[to + 1] - offsets[from] <= batchNumbers) to++;
    store.append({
      kind: 'sparse',
      rows: to - from,
      dimension,
      labels: labels.subarray(from, to),
      importance: null,
      offsets: offsets.slice(from, to + 1).map((offset) => offset - offsets[from]),
      indices: indices.subarray(offsets[from], offsets[to]),
      values: values.subarray(offsets[from], offsets[to]),
    });
    from = to;
  }
  return { store, numbers: values.length, dimension };
}

/** Dense rows in the store: as float32 where the library keeps such values as they are, as doubles otherwise. */
export function storedDense({ rows, labels, values }, dimension) {
  const filled = (width) => {
    const store = new ExampleStore(kernels, { compact: true, memoryBudget: Infinity });
    const step = Math.ceil(batchNumbers / dimension);
    for (let from = 0; from < rows; from += step) {
      const to = Math.min(rows, from + step);
      const some = values.subarray(from * dimension, to * dimension);
      store.append({
        kind: 'dense',
        rows: to - from,
        dimension,
        labels: labels.subarray(from, to),
        importance: null,
        values: width === 4 ? some : Float64Array.from(some),
      });
    }
    return store;
  };
  return { store: filled(keepsFloat32() ? 4 : 8), numbers: values.length, dimension };
}

function keepsFloat32() {
  const store = new ExampleStore(kernels, { compact: true });
  const common = { rows: 1, dimension: 2, labels: Float64Array.of(1), importance: null };
  store.append({ kind: 'dense', ...common, values: Float32Array.of(0.1, 0.2) });
  const { values } = store.load(0);
  const kept = values instanceof Float32Array && values[1] === Math.fround(0.2);
  store.free();
  return kept;
}
