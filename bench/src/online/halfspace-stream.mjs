// Answers and learns a stream row by row with halfspace. Prints microseconds per row and prequential accuracy as JSON.
//
//   node halfspace-stream.mjs FILE OPTIONS record|vector
import { readFileSync } from 'node:fs';
import { OnlineClassifier } from 'halfspace';

const [file, options, form] = process.argv.slice(2);
const stream = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const rows = stream.map(([, record]) => (form === 'vector' ? Float64Array.from(Object.values(record)) : record));
const labels = stream.map(([label]) => label);

const classifier = new OnlineClassifier(JSON.parse(options));
const names = ['0', '1'];
let right = 0;
const began = process.hrtime.bigint();
for (let i = 0; i < rows.length; i++) if (classifier.learn(rows[i], labels[i]).class === names[labels[i]]) right++;
const microseconds = Number(process.hrtime.bigint() - began) / 1000 / rows.length;
console.log(JSON.stringify({ microseconds, accuracy: right / rows.length, rows: rows.length }));
