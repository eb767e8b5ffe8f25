import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { OnlineClassifier } from 'halfspace';
import { consume } from './topic.js';

// The state and the offset are saved together, so each message is learned exactly once.
const saved = existsSync('state.json') ? JSON.parse(readFileSync('state.json', 'utf8')) : null;
const classifier = saved ? OnlineClassifier.load(saved.classifier) : new OnlineClassifier();
let offset = saved?.offset ?? 0;
console.log(`starts at message ${offset}`);

for await (const message of consume({ from: offset, to: Number(process.argv[2] ?? 10_000) })) {
  const { fraud, ...payment } = JSON.parse(message.value);
  classifier.learn(payment, fraud);
  offset = message.offset + 1;
  if (offset % 1000 === 0) save();
}
save();

const { accuracy, window } = classifier.metrics;
console.log(
  `judged correctly before they were learned: ${percent(accuracy)}, of the latest ${percent(window.accuracy)}`,
);
console.log(`a payment at night: fraud is ${classifier.predict({ merchant: 'games', amount: 290, hour: 3 })}`);

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function save() {
  writeFileSync('state.json.new', JSON.stringify({ offset, classifier: classifier.save() }));
  renameSync('state.json.new', 'state.json');
}
