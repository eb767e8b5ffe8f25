// Compares the accuracy of training in K shards with one machine after as many passes, on held-out rows. The figures are the same on any
// machine. `halfspace-distributed` must be built.
//
//   node bench/src/shards/accuracy.mjs --data DIR [--shards 2,4,8,16] [--passes 5] [--documents 200000] [--rules averaged,…]
//        [--sets adult,w8a,documents]
import { parseArgs } from 'node:util';
import { tableFromIPC } from 'apache-arrow';
import { decodeMixState, mix, modelOf, parseJob, predict, work } from 'halfspace-distributed';
import { table } from '../report/table.mjs';
import { adult, documents, w8a } from './data.mjs';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: '.' },
    shards: { type: 'string', default: '2,4,8,16' },
    passes: { type: 'string', default: '5' },
    documents: { type: 'string', default: '200000' },
    rules: { type: 'string', default: 'averaged,perceptron,margin,passive-aggressive,sgd,arow' },
    sets: { type: 'string', default: 'adult,w8a,documents' },
  },
});
const make = {
  adult: () => adult(options.data),
  w8a: () => w8a(options.data),
  documents: () => documents(Number(options.documents)),
};
const counts = [1, ...options.shards.split(',').map(Number)];

const lines = [];
for (const name of options.sets.split(',')) {
  const set = make[name]();
  if (set === null) {
    console.error(`${name} is not in ${options.data}: left out`);
    continue;
  }
  const test = set.encode(set.test);
  const shards = new Map(
    counts.map((K) => [K, Array.from({ length: K }, (_, k) => set.encode(set.train.filter((_, i) => i % K === k)))]),
  );
  for (const rule of options.rules.split(',')) {
    const accuracies = [];
    for (const K of counts) {
      const text = { ...set.features, rule: { name: rule }, shards: K, passes: Number(options.passes) };
      const job = parseJob(JSON.stringify({ format: 'halfspace-job', version: 1, label: 'y', ...text }));
      const model = await trained(job, shards.get(K));
      accuracies.push(100 * (await accuracy(job, model, test, set)));
      console.error(`${name} ${rule}: ${K} shards, ${accuracies.at(-1).toFixed(2)} %`);
    }
    const [one, ...others] = accuracies;
    const isWithin = others.every((each) => each >= one - 0.5);
    lines.push([name, rule, ...accuracies.map((each) => each.toFixed(2)), isWithin ? 'yes' : 'no']);
  }
}
const header = ['data', 'rule', 'one machine, %', ...counts.slice(1).map((K) => `K = ${K}, %`), 'within half a point'];
console.log(table(header, lines));

async function trained(job, shards) {
  let state = null;
  do {
    const results = [];
    for (const [k, bytes] of shards.entries())
      results.push({ name: `${k}`, bytes: await work(job, state, k, piecesOf(bytes)) });
    state = decodeMixState(await mix(job, state, results), 'state');
  } while (state.next !== null);
  return modelOf(job, state);
}

async function accuracy(job, model, bytes, { test, labelOf }) {
  let right = 0;
  let at = 0;
  for await (const found of predict(job, model, piecesOf(bytes)))
    for (const label of tableFromIPC(found).getChild('class')) if (label === labelOf(test[at++])) right++;
  return right / test.length;
}

async function* piecesOf(bytes) {
  for (let from = 0; from < bytes.length; from += 1 << 20) yield bytes.subarray(from, from + (1 << 20));
}
