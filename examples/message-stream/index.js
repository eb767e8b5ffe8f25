import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { OnlineClassifier } from 'halfspace';
import { consume } from './topic.js';

// The state and the offset are saved together, so each message is learned exactly once.
const saved = existsSync('state.json') ? JSON.parse(readFileSync('state.json', 'utf8')) : null;
const classifier = saved ? OnlineClassifier.load(saved.classifier) : new OnlineClassifier();
let offset = saved?.offset ?? 0;
let right = 0;
console.log(`starts at message ${offset}`);

const from = offset;
for await (const message of consume({ from, to: Number(process.argv[2] ?? 10_000) })) {
  const { fraud, ...payment } = JSON.parse(message.value);
  const before = classifier.learn(payment, fraud);
  if (before.class === String(fraud)) right++;
  offset = message.offset + 1;
  if (offset % 1000 === 0) save();
}
save();

console.log(`${((100 * right) / (offset - from)).toFixed(1)} % were judged correctly before they were learned`);
console.log(`a payment at night: fraud is ${classifier.predict({ merchant: 'games', amount: 290, hour: 3 })}`);

function save() {
  writeFileSync('state.json.new', JSON.stringify({ offset, classifier: classifier.save() }));
  renameSync('state.json.new', 'state.json');
}
