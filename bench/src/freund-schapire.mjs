/**
 * The experiment of Freund & Schapire 1999, section 5, on ten thousand digits: the perceptron with the kernel (1 +
 * x·x')^d, one digit against the rest, judged by the last, the averaged and the voted vectors after more and more
 * epochs.
 *
 * node bench/src/freund-schapire.mjs --data DIR [--degrees 1,2,3] [--epochs 0.1,1,2,3] [--rows N]
 *
 * Every fifth row (i % 5 = 4) is held out. Markdown goes to stdout.
 */
import { parseArgs } from 'node:util';
import { DualScorer } from 'halfspace/internal';
import { createKernels } from 'halfspace/rules';
import { againstRest, batchOf, readMnist } from './data/mnist.mjs';

const aggregates = ['last', 'averaged', 'voted'];
const classes = 10;

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    degrees: { type: 'string', default: '1,2,3' },
    epochs: { type: 'string', default: '0.1,1,2,3' },
    rows: { type: 'string', default: '10000' },
  },
});
if (options.data === undefined) throw new Error('expected --data DIR, the folder of the mnist10k files; got nothing');
const numbersOf = (text) => text.split(',').map(Number);

const mnist = readMnist(options.data);
const numbers = [...mnist.rows.keys()].slice(0, Number(options.rows));
const train = numbers.filter((i) => i % 5 !== 4);
const test = numbers.filter((i) => i % 5 === 4);
const trainBatch = batchOf(mnist, train);
const testBatch = batchOf(mnist, test);

console.log(`${train.length} digits learned from, ${test.length} held out; errors in percent of those held out.\n`);
console.log('| d | epochs | last | averaged | voted | mistakes | support vectors | seconds |');
console.log('|--:|-------:|-----:|---------:|------:|---------:|----------------:|--------:|');
for (const degree of numbersOf(options.degrees)) experiment(degree, numbersOf(options.epochs));

function experiment(degree, checkpoints) {
  const kernels = createKernels();
  const began = performance.now();
  // For degree 1 the learner can use the vectors themselves, which is faster. Mistakes and votes are the same.
  const learners = Array.from({ length: classes }, () =>
    degree === 1 ? createLearner(kernels, 'voted') : createLearner(kernels, 'kernel', { degree }),
  );
  const batches = learners.map((_, digit) => againstRest(trainBatch, mnist, train, digit));
  let shown = 0;
  for (const epochs of checkpoints) {
    const end = Math.round(epochs * train.length);
    while (shown < end) {
      const from = shown % train.length;
      const to = Math.min(train.length, from + end - shown);
      learners.forEach((learner, digit) => {
        learner.learn(batches[digit], from, to);
      });
      shown += to - from;
    }
    const duals = learners.map((learner) => learner.dual());
    const errors = judge(kernels, duals);
    const percent = aggregates.map((aggregate) => ((100 * errors[aggregate]) / test.length).toFixed(2));
    const mistakes = learners.reduce((sum, { progress }) => sum + progress.updates, 0);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`| ${[degree, epochs, ...percent, mistakes, supportVectors(duals), seconds].join(' | ')} |`);
  }
}

/**
 * Returns the number of held-out rows with a wrong prediction: the digit with the largest score, the first of equal
 * ones.
 */
function judge(kernels, duals) {
  const best = Object.fromEntries(
    aggregates.map((aggregate) => [aggregate, new Float64Array(test.length).fill(-Infinity)]),
  );
  const chosen = Object.fromEntries(aggregates.map((aggregate) => [aggregate, new Uint8Array(test.length)]));
  const scores = Object.fromEntries(aggregates.map((aggregate) => [aggregate, new Float64Array(test.length)]));
  duals.forEach((dual, digit) => {
    const scorer = new DualScorer(kernels, dual);
    scorer.allInto(testBatch, scores);
    scorer.free();
    for (const aggregate of aggregates)
      scores[aggregate].forEach((score, i) => {
        if (score <= best[aggregate][i]) return;
        best[aggregate][i] = score;
        chosen[aggregate][i] = digit;
      });
  });
  const wrong = (aggregate) =>
    test.reduce((sum, i, at) => sum + (chosen[aggregate][at] === mnist.digits[i] ? 0 : 1), 0);
  return Object.fromEntries(aggregates.map((aggregate) => [aggregate, wrong(aggregate)]));
}

/** Returns the number of distinct rows that the ten models store. */
function supportVectors(duals) {
  const rows = new Set();
  for (const { support } of duals) {
    const { offsets, indices, values } = support;
    for (let row = 0; row + 1 < offsets.length; row++)
      rows.add(
        `${indices.subarray(offsets[row], offsets[row + 1])} ${values.subarray(offsets[row], offsets[row + 1])}`,
      );
  }
  return rows.size;
}
