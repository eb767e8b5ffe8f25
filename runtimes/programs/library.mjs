// Prints a line for each thing that the library makes of fixed examples: its name and the SHA-256 of its bytes.
import { createHash } from 'node:crypto';
import { bytesSource } from '../../packages/halfspace/dist/data/in-memory.js';
import { TextSource } from '../../packages/halfspace/dist/data/text.js';
import { libsvmFormat, vwFormat } from '../../packages/halfspace/dist/data/text-format.js';
import * as metrics from '../../packages/halfspace/dist/face/metrics.js';
import { createKernels, rules } from '../../packages/halfspace/dist/face/rules.js';
import { arrays, encodeModel, Predictor, rows as rowsOf, train } from '../../packages/halfspace/dist/index.js';
import { Random } from '../../packages/halfspace/dist/random.js';
import { trainOnce } from '../../packages/halfspace/dist/train/train-once.js';

const random = new Random(5);
const number = () => Math.round((random.uniform() * 4 - 2) * 1e7) / 1e7;
const choose = (items) => items[random.below(items.length)];

function libsvmText(classes) {
  return Array.from({ length: 200 }, () => {
    const values = [number(), number(), number(), number()];
    const score = values[0] - 2 * values[1] + 0.5 * values[2] + 0.3 * number();
    const label = classes === 2 ? (score > 0 ? 1 : -1) : score > 1 ? 3 : score < -1 ? 1 : 2;
    return `${label} ${values.map((value, j) => `${3 * j + 1}:${value}`).join(' ')}\n`;
  }).join('');
}

const rows = Array.from({ length: 200 }, () => {
  const size = number();
  const colour = choose(['red', 'grün', 'blue', '日本']);
  const said = choose(['a free prize', 'see you at home', 'call me now', 'the prize is free now', 'at home now']);
  const day = new Date(Date.UTC(2024, random.below(12), 1 + random.below(28)));
  return {
    size,
    colour,
    said,
    day,
    sure: random.below(2) === 1,
    y: size + (colour === 'red' ? 1 : 0) > 0.3 * number(),
  };
});

const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 24);
const tell = (name, value) =>
  console.log(`${name} ${digest(typeof value === 'string' ? value : JSON.stringify(value))}`);

const text = (kernels, bytes, format) =>
  new TextSource({ name: 'x', open: () => [bytesSource(bytes, 'x')], format: format(kernels), kernels });
const numbers = (bytes) => {
  const lines = bytes
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
  const values = lines.map((line) => line.slice(1).map((pair) => Number(pair.split(':')[1])));
  return arrays(
    values,
    lines.map(([label]) => Number(label)),
  );
};

for (const name of ['wasm', 'reference']) {
  const kernels = createKernels(name);
  const learn = async (title, source, options) => {
    const { model, report } = await trainOnce(source, { seed: 3, kernels, ...options });
    tell(`${name}: ${title}`, encodeModel(model) + JSON.stringify(report));
  };
  for (const classes of [2, 3]) {
    const data = libsvmText(classes);
    const open = () => (name === 'wasm' ? text(kernels, data, libsvmFormat) : numbers(data).open({ kernels }));
    for (const rule of Object.keys(rules)) {
      const passes = rule === 'tree' ? {} : { passes: 4, order: 'shuffled' };
      try {
        await learn(`${rule}, ${classes} classes`, await open(), { rule, ...passes });
      } catch (error) {
        tell(`${name}: ${rule}, ${classes} classes, refused`, error.message);
      }
    }
    if (classes === 2)
      for (const loss of ['hinge', 'squared-hinge', 'logistic', 'modified-huber'])
        await learn(`sgd, ${loss}`, await open(), { rule: 'sgd', loss, passes: 4, order: 'random' });
  }
  if (name === 'wasm') {
    const words = rows.map(({ y, said, size }) => `${y ? 1 : -1} |w ${said} |n size:${size}\n`).join('');
    await learn('Vowpal Wabbit, by name', text(kernels, words, vwFormat), { passes: 4 });
    const hashed = (kernels) => vwFormat(kernels, { bits: 9 });
    await learn('Vowpal Wabbit, hashed', text(kernels, words, hashed), { passes: 4 });
  }
  for (const calibrate of ['platt', 'isotonic']) {
    const { model } = await train(rowsOf(rows, { label: 'y' }), {
      seed: 3,
      rule: 'averaged',
      calibrate,
    });
    tell(`table, ${calibrate}`, encodeModel(model));
    const predictor = new Predictor(model);
    tell(
      `table, ${calibrate}, probabilities`,
      rows.map((row) => predictor.probabilities(row)),
    );
  }
}

const scores = Float64Array.from({ length: 500 }, () => number());
const labels = scores.map((score) => (score + number() > 0 ? 1 : -1));
const platt = metrics.fitPlatt(scores, labels);
const probabilities = scores.map((score) => metrics.probabilityOf(platt, score));
tell('platt', platt);
tell('losses', [metrics.logLoss(probabilities, labels), metrics.brierScore(probabilities, labels)]);
tell('test of differences', [metrics.mcNemarTest(41, 19), metrics.mcNemarTest(9, 2)]);
tell('t-test', metrics.correctedResampledTTest(Float64Array.of(0.1, 0.02, -0.03, 0.07, 0.01), 0.25));
