/**
 * Times halfspace's learning loop alone: examples in memory, passes from a zero start, no file and no stop rule.
 *
 * RULE FOLDER PASSES REPEATS     prints {"nonzeros", "nanoseconds": [per nonzero and pass, one per repeat], "accuracy", "kernels"}
 */
import { join } from 'node:path';
import { readArrays } from './arrays.mjs';

// The kernels lie beside the library's entry; what they compute is the library's whole inner loop.
const beside = (file) => import(new URL(file, import.meta.resolve('halfspace')).href);
const { createKernels } = await beside('kernels/load.js');
const { slot, updateCondition } = await beside('kernels/kernels.js');
const { ExampleStore } = await beside('data/store.js');

const [rule, folder, passes, repeats] = process.argv.slice(2);
const kernels = createKernels();
const { store: train, nonzeros, dimension: trained } = stored(readArrays(join(folder, 'train')));
const heldout = batchInKernelMemory(readArrays(join(folder, 'heldout')));
const dimension = Math.max(trained, heldout.dimension);

const nanoseconds = [];
let learner;
for (let repeat = -1; repeat < Number(repeats); repeat++) {
  learner?.weights.free();
  learner?.sums?.free();
  learner?.state.free();
  learner = freshLearner();
  const began = performance.now();
  for (let pass = 0; pass < Number(passes); pass++)
    for (let c = 0; c < train.chunks; c++) {
      const batch = train.load(c);
      kernels.learn(batch, null, 0, batch.rows, learner);
    }
  const perNonzero = ((performance.now() - began) * 1e6) / (nonzeros * Number(passes));
  if (repeat >= 0) nanoseconds.push(perNonzero); // the first run warms up
}
console.log(JSON.stringify({ nonzeros, nanoseconds, accuracy: accuracy(), kernels: kernels.name }));

function freshLearner() {
  const weights = kernels.float64(dimension);
  const sums = rule === 'averaged' ? kernels.float64(dimension) : null;
  const state = kernels.float64(slot.size);
  state.array[slot.biasConstant] = 1;
  state.array[slot.quietLimit] = Infinity;
  state.array[slot.updateLimit] = Infinity;
  state.array[slot.condition] = updateCondition.atMost;
  state.array[slot.tie] = -1;
  return { weights, sums, state };
}

/** The examples as training keeps them between passes: in the store, in batches of the size that reading text makes. */
function stored({ rows, labels, offsets, indices, values }) {
  const store = new ExampleStore(kernels, { compact: true, memoryBudget: Infinity });
  const dimension = indices.reduce((most, index) => Math.max(most, index), 0) + 1;
  for (let from = 0; from < rows; ) {
    let to = from + 1;
    while (to < rows && offsets[to + 1] - offsets[from] <= 32 * 1024) to++;
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
  return { store, nonzeros: values.length, dimension };
}

/** Copies the arrays in, so that the timed calls find them where they compute. */
function batchInKernelMemory({ rows, labels, offsets, indices, values }) {
  const copies = {
    labels: kernels.float64(labels.length),
    offsets: kernels.uint32(offsets.length),
    indices: kernels.uint32(indices.length),
    values: kernels.float64(values.length),
  };
  copies.labels.array.set(labels);
  copies.offsets.array.set(offsets);
  copies.indices.array.set(indices);
  copies.values.array.set(values);
  return {
    kind: 'sparse',
    rows,
    dimension: indices.reduce((most, index) => Math.max(most, index), 0) + 1,
    importance: null,
    // Read afresh at every use: kernel memory may have grown.
    get labels() {
      return copies.labels.array;
    },
    get offsets() {
      return copies.offsets.array;
    },
    get indices() {
      return copies.indices.array;
    },
    get values() {
      return copies.values.array;
    },
  };
}

/** On the held-out examples; an averaged learner's mean weights are w − u / clock. */
function accuracy() {
  const { weights, sums, state } = learner;
  let bias = state.array[slot.bias];
  if (sums !== null) {
    const clock = state.array[slot.clock];
    weights.array.forEach((w, j) => {
      weights.array[j] = w - sums.array[j] / clock;
    });
    bias -= state.array[slot.biasSum] / clock;
  }
  const scores = new Float64Array(heldout.rows);
  kernels.scoreInto(heldout, weights, bias, state.array[slot.biasConstant], scores);
  const { labels } = heldout;
  return scores.reduce((right, score, i) => right + (score > 0 === labels[i] > 0 ? 1 : 0), 0) / heldout.rows;
}
