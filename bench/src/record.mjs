// Keeps results of the bench or of its comparison of accuracies as data of the documentation, whose pages draw them:
// node bench/src/record.mjs bench/results/DATE.json docs/measurements/speed.json
import { readFileSync, writeFileSync } from 'node:fs';
import { recorded } from './report/recorded.mjs';

const [from, to] = process.argv.slice(2);
if (to === undefined) {
  console.error('expected the file of the results and the file to write; usage: node bench/src/record.mjs FROM TO');
  process.exitCode = 2;
} else {
  const results = recorded(JSON.parse(readFileSync(from, 'utf8')));
  writeFileSync(to, `${JSON.stringify(results, null, 2)}\n`);
}
