// Answers and learns a stream row by row with halfspace. Prints microseconds per row and prequential accuracy as JSON;
// with probabilities, also their log loss, and that of a fit to all scores afterwards.
//
//   node halfspace-stream.mjs FILE OPTIONS record|vector
import { readFileSync } from 'node:fs';
import { OnlineClassifier } from 'halfspace';
import { fitPlatt, logLoss, probabilityOf } from 'halfspace/metrics';

const [file, options, form] = process.argv.slice(2);
const stream = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const rows = stream.map(([, record]) => (form === 'vector' ? Float64Array.from(Object.values(record)) : record));
const labels = stream.map(([label]) => label);

const parsed = JSON.parse(options);
const classifier = new OnlineClassifier(parsed);
const names = ['0', '1'];
const scores = parsed.calibrate ? new Float64Array(rows.length) : null;
let right = 0;
const began = process.hrtime.bigint();
for (let i = 0; i < rows.length; i++) {
  const answer = classifier.learn(rows[i], labels[i]);
  if (answer.class === names[labels[i]]) right++;
  if (scores !== null) scores[i] = answer.scores[0] ?? 0;
}
const microseconds = Number(process.hrtime.bigint() - began) / 1000 / rows.length;
const losses = scores === null ? {} : { logLoss: classifier.metrics.logLoss, fitted: fittedAfterwards() };
console.log(JSON.stringify({ microseconds, accuracy: right / rows.length, rows: rows.length, ...losses }));

/** The log loss, of the rows that had a probability, of Platt's sigmoid fitted to all rows with their labels. */
function fittedAfterwards() {
  const signs = Float64Array.from(labels, (label) => 2 * label - 1);
  const fit = fitPlatt(scores, signs);
  const counts = [0, 0];
  let first = 0;
  while (Math.min(...counts) < 20) counts[labels[first++]]++;
  const probabilities = scores.map((score) => probabilityOf(fit, score));
  return logLoss(probabilities.subarray(first), signs.subarray(first));
}
