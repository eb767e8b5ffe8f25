/**
 * Times single answers of a Predictor, with everything it needs in memory: the median of nine samples, after as many to
 * warm up.
 *
 * records MODEL FILE.ndjson     raw objects of a table
 * names MODEL FILE.vw [MOST]    objects of numbers by name, as JSON.parse makes them; of each document the first MOST words
 * vector LENGTH                 Float64Arrays
 *
 * prints {"questions": different ones, "fields": of one, on average, "nanoseconds": [per answer, one per sample]}
 */
import { readFileSync } from 'node:fs';
import { decodeModel, Predictor, train } from 'halfspace';
import { denseBatch } from 'halfspace/rules';
import { arraySource } from 'halfspace/runs';
import { Random } from '../data/random.mjs';

/** Number of different rows: enough that no prediction is cached, few enough that they stay in the caches. */
const most = 500;
const samples = 9;
const sampleMilliseconds = 40;

const [kind, ...args] = process.argv.slice(2);
const { ask, questions } = await { records, names, vector }[kind](...args);
const nanoseconds = [];
let sink = 0;
for (let s = -samples; s < samples; s++) {
  const began = performance.now();
  let answers = 0;
  do {
    for (const question of questions) sink += ask(question);
    answers += questions.length;
  } while (performance.now() - began < sampleMilliseconds);
  if (s >= 0) nanoseconds.push(((performance.now() - began) * 1e6) / answers);
}
if (Number.isNaN(sink)) throw new Error('expected scores; got NaN');
const fields = questions.reduce((sum, question) => sum + Object.keys(question).length, 0) / questions.length;
console.log(JSON.stringify({ questions: questions.length, fields, nanoseconds }));

function records(model, file) {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(0, most);
  return asking(
    predictorOf(model),
    lines.map((line) => {
      const { answer: _, ...record } = JSON.parse(line);
      return record;
    }),
  );
}

function names(model, file, words = Infinity) {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(0, most);
  const texts = lines.map((line) => {
    const pairs = line.split(' ').slice(2, 2 + Number(words));
    return `{${pairs.map((pair) => `"f^${pair.replace(':', '":')}`).join(',')}}`;
  });
  return asking(
    predictorOf(model),
    texts.map((text) => JSON.parse(text)),
  );
}

async function vector(text) {
  const random = new Random(1);
  const draw = () => Float64Array.from({ length: Number(text) }, () => random.normal());
  const rows = Array.from({ length: most }, draw);
  const labels = rows.map((x) => (x[0] - x[1] + random.normal() > 0 ? 1 : -1));
  const { model } = await train(arraySource(denseBatch(rows, labels)), {
    rule: 'averaged',
    order: 'cyclic',
    passes: 5,
  });
  const predictor = new Predictor(model);
  return { questions: rows, ask: (x) => predictor.score(x) };
}

function predictorOf(file) {
  return new Predictor(decodeModel(readFileSync(file, 'utf8')));
}

function asking(predictor, questions) {
  return { questions, ask: (row) => (predictor.predict(row) === predictor.model.classes[1] ? 1 : 0) };
}
