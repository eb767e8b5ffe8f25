/**
 * Trains and evaluates an npm perceptron on libsvm text. These packages read no files: the reading here is the plainest
 * that a user would write, and is timed apart.
 *
 * train PACKAGE DATA MODEL PASSES     prints {"loadSeconds", "fitSeconds"}
 * evaluate PACKAGE DATA MODEL         prints {"accuracy"}
 * nothing PACKAGE                     only loads the package
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const adapters = {
  'wink-perceptron'() {
    // Not a dependency, so the compiler must not resolve it. The user installs it for the comparison.
    const create = require(/** @type {string} */ ('wink-perceptron'));
    const perceptron = create();
    return {
      learn(examples, passes) {
        perceptron.defineConfig({ maxIterations: passes, shuffleData: false });
        perceptron.learn(examples.map(({ features, positive }) => [features, { label: positive ? 'yes' : 'no' }]));
      },
      classify: (features) => perceptron.predict(features) === 'yes',
      save: () => perceptron.exportJSON(),
      load: (text) => perceptron.importJSON(text),
    };
  },
  limdu() {
    const { Perceptron } = require('limdu').classifiers;
    const create = (passes) => new Perceptron({ learning_rate: 1, retrain_count: passes - 1 });
    let perceptron = create(1);
    return {
      learn(examples, passes) {
        perceptron = create(passes);
        perceptron.trainBatch(
          examples.map(({ features, positive }) => ({ input: features, output: positive ? 1 : 0 })),
        );
      },
      classify: (features) => perceptron.classify(features) === 1,
      save: () => JSON.stringify(perceptron.toJSON()),
      load: (text) => perceptron.fromJSON(JSON.parse(text)),
    };
  },
};

function read(path) {
  const lines = readFileSync(path, 'latin1').trimEnd().split('\n');
  return lines.map((line) => {
    const [label, ...pairs] = line.split(' ');
    const features = {};
    for (const pair of pairs) {
      const colon = pair.indexOf(':');
      features[pair.slice(0, colon)] = Number(pair.slice(colon + 1));
    }
    return { features, positive: Number(label) > 0 };
  });
}

const [task, key, data, model, passes] = process.argv.slice(2);
const peer = adapters[key]();
if (task === 'train') {
  const began = performance.now();
  const examples = read(data);
  const loaded = performance.now();
  peer.learn(examples, Number(passes));
  const fitted = performance.now();
  writeFileSync(model, peer.save());
  console.log(JSON.stringify({ loadSeconds: (loaded - began) / 1000, fitSeconds: (fitted - loaded) / 1000 }));
} else if (task === 'evaluate') {
  peer.load(readFileSync(model, 'utf8'));
  const examples = read(data);
  const right = examples.filter(({ features, positive }) => peer.classify(features) === positive).length;
  console.log(JSON.stringify({ accuracy: right / examples.length }));
}
