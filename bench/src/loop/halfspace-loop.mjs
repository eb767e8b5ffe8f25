/**
 * Times halfspace's learning loop alone: examples in memory, passes from a zero start, no file and no stop rule. RULE
 * "score" times the scoring of batches instead, by what a perceptron learned in one pass.
 *
 * RULE FOLDER PASSES REPEATS [COLUMNS]   with COLUMNS dense rows, otherwise sparse examples; prints
 *   {"numbers", "nanoseconds": [per number and pass, one per repeat], "accuracy", "kernels", "values"}
 */
import { join } from 'node:path';
import { readArrays, readDenseArrays } from './arrays.mjs';
import { finish, freeLearner, freshLearner, kernels, storedDense, storedSparse } from './halfspace-parts.mjs';

const [rule, folder, passes, repeats, columns] = process.argv.slice(2);
const read = (part) =>
  columns === undefined
    ? storedSparse(readArrays(join(folder, part)))
    : storedDense(readDenseArrays(join(folder, part)), Number(columns));
const train = read('train');
const heldout = read('heldout');
const dimension = Math.max(train.dimension, heldout.dimension);
const scores = new Float64Array(mostRows(train.store, heldout.store));

let learner = freshLearner(rule, dimension);
if (rule === 'score') learn();
const nanoseconds = [];
for (let repeat = -1; repeat < Number(repeats); repeat++) {
  if (rule !== 'score') {
    freeLearner(learner);
    learner = freshLearner(rule, dimension);
  }
  const began = performance.now();
  for (let pass = 0; pass < Number(passes); pass++)
    if (rule === 'score') score(train.store, finish(learner));
    else learn();
  const perNumber = ((performance.now() - began) * 1e6) / (train.numbers * Number(passes));
  if (repeat >= 0) nanoseconds.push(perNumber); // the first run warms up
}
const { numbers, store } = train;
const values = store.load(0).values.constructor.name;
const accuracy = score(heldout.store, finish(learner)) / heldout.store.rows;
console.log(JSON.stringify({ numbers, nanoseconds, accuracy, kernels: kernels.name, values }));

function learn() {
  for (let c = 0; c < train.store.chunks; c++) {
    const batch = train.store.load(c);
    kernels.learn(batch, 0, batch.rows, learner);
  }
}

/** Scores every example and returns how many get their class. */
function score(store, bias) {
  let right = 0;
  for (let c = 0; c < store.chunks; c++) {
    const batch = store.load(c);
    kernels.scoreInto(batch, learner.weights, bias, 1, scores);
    const { labels } = batch;
    for (let i = 0; i < batch.rows; i++) if (scores[i] > 0 === labels[i] > 0) right++;
  }
  return right;
}

function mostRows(...stores) {
  const rows = (store) => Array.from({ length: store.chunks }, (_, c) => store.load(c).rows);
  return Math.max(...stores.flatMap(rows));
}
