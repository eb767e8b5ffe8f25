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

const [rule, folder, passes, repeats] = process.argv.slice(2);
const kernels = createKernels();
const train = batchInKernelMemory(readArrays(join(folder, 'train')));
const heldout = batchInKernelMemory(readArrays(join(folder, 'heldout')));
const dimension = Math.max(train.dimension, heldout.dimension);

const nanoseconds = [];
let learner;
for (let repeat = -1; repeat < Number(repeats); repeat++) {
  learner?.weights.free();
  learner?.sums?.free();
  learner?.state.free();
  learner = freshLearner();
  const began = performance.now();
  for (let pass = 0; pass < Number(passes); pass++) kernels.learn(train, null, 0, train.rows, learner);
  const perNonzero = ((performance.now() - began) * 1e6) / (train.values.length * Number(passes));
  if (repeat >= 0) nanoseconds.push(perNonzero); // the first run warms up
}
const { length: nonzeros } = train.values;
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
