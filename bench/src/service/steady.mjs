// Measures how steady `halfspace serve` answers: predictions of a learning model with many features, at a fixed rate, while it learns at a
// fixed rate, writes snapshots, and is asked for its files or given large ones. Beside each figure is that of a plain HTTP server in a process
// of its own, which answers at once and gets the same requests at the same times: it tells what the machine adds.
//
//   node bench/src/service/steady.mjs [--features 500000] [--seconds 20] [--learns 1000] [--predicts 200] [--only state,put-state]
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Random } from '../data/random.mjs';
import { describeMachine } from '../machine.mjs';
import { load, post, wholeHttp } from './load.mjs';
import { ending, firstMatch, halfspaceCommand } from './services.mjs';

const { values: options } = parseArgs({
  options: {
    features: { type: 'string', default: '500000' },
    seconds: { type: 'string', default: '20' },
    learns: { type: 'string', default: '1000' },
    predicts: { type: 'string', default: '200' },
    only: { type: 'string' },
    segment: { type: 'string', default: String(2 ** 20) },
  },
});
const [features, seconds, learns, predicts] = ['features', 'seconds', 'learns', 'predicts'].map((name) =>
  Number(options[name]),
);
const wordsInRow = 10;
const wordsInFirstRows = 1000;

const folder = mkdtempSync(join(tmpdir(), 'halfspace-bench-'));
const settings = join(folder, 'settings.json');
writeFileSync(
  settings,
  JSON.stringify({ dir: 'models', port: 0, segmentBytes: Number(options.segment), budget: { bytes: 2 ** 30 } }),
);
const service = spawn(process.execPath, [halfspaceCommand, 'serve', '--config', settings], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
// Answers as long as those of the service.
const plain = spawn(process.execPath, [
  '--eval',
  `const answer = 'x'.repeat(150);
  const server = require('node:http').createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-length': answer.length }).end(answer));
  }).listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`,
]);
try {
  const [port, plainPort] = await Promise.all(
    [service, plain].map(async (child) => Number((await firstMatch(child, /http:\/\/127\.0\.0\.1:(\d+)/))[1])),
  );
  await measure(`http://127.0.0.1:${port}/v1/models`, port, plainPort);
} finally {
  await Promise.all([service, plain].map((child) => ending(child)('SIGKILL')));
  rmSync(folder, { recursive: true });
}

async function measure(models, port, plainPort) {
  const model = `${models}/bench`;
  await put(model, JSON.stringify({ kind: 'learning', options: { columns: 'bag', maxFeatures: features } }));
  for (let from = 0; from < features; from += 20 * wordsInFirstRows) {
    const examples = Array.from({ length: 20 }, (_, k) => {
      const first = from + k * wordsInFirstRows;
      return { row: rowOf(wordsInFirstRows, (j) => first + j), label: String(k % 2) };
    });
    await send(`${model}/learn`, { examples });
  }
  const random = new Random(5);
  const rows = Array.from({ length: 2000 }, () => rowOf(wordsInRow, () => random.below(features)));
  const at = (texts) => (k) => texts[k % texts.length];
  const learn = at(rows.map((row, k) => post('/v1/models/bench/learn', JSON.stringify({ row, label: String(k % 2) }))));
  const predict = at(rows.map((row) => post('/v1/models/bench/predict', JSON.stringify({ row }))));
  const [state, snapshot, file] = await Promise.all(
    ['state', 'snapshot', 'model'].map(async (part) => (await ask(`${model}/${part}`)).arrayBuffer()),
  );
  const get = (part) => async () => (await ask(`${model}/${part}`)).arrayBuffer();
  const give = (bytes, type) => () => put(`${models}/other`, bytes, type);
  const phases = [
    ['idle', 0, null],
    ['learn', learns, null],
    ['state', learns, get('state')],
    ['snapshot', learns, get('snapshot')],
    ['model', learns, get('model')],
    ['explain', learns, async () => (await send(`${model}/explain`, { row: rows[0] })).json()],
    ['put-state', learns, give(state, 'application/json')],
    ['put-snapshot', learns, give(snapshot, 'application/octet-stream')],
    ['put-model', learns, give(file, 'application/json')],
  ].filter(([name]) => options.only === undefined || options.only.split(',').includes(name));

  const { cpu, cores, node } = describeMachine();
  const megabytes = (bytes) => Math.round(bytes.byteLength / 1e6);
  console.log(
    `${features} features; state ${megabytes(state)} MB, snapshot ${megabytes(snapshot)} MB, model ${megabytes(file)} MB; ` +
      `${predicts} predictions a second; ${seconds} s each; Node ${node}, ${cores} cores of ${cpu}.\n`,
  );
  console.log(
    '| with | learns / s | calls | snapshots | load | predict: median, ms | p99 | most | plain server: p99 | most |',
  );
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|');
  for (const [name, rate, call] of phases) {
    const common = { seconds, whole: wholeHttp };
    const isOver = new AbortController();
    const calls = call === null ? Promise.resolve(0) : repeat(call, isOver.signal);
    const snapshots = countSnapshots(isOver.signal);
    const [asked, other, learned] = await Promise.all([
      load({ ...common, port, connections: 16, rate: predicts, request: predict }),
      load({ ...common, port: plainPort, connections: 16, rate: predicts, request: predict }),
      rate === 0 ? { perSecond: 0 } : load({ ...common, port, connections: 64, rate, request: learn }),
    ]);
    isOver.abort();
    const figures = [asked.median, asked.p99, asked.most, other.p99, other.most].map((each) => each.toFixed(1));
    const counts = [Math.round(learned.perSecond), await calls, await snapshots, loadavg()[0].toFixed(1)];
    console.log(`| ${[name, ...counts, ...figures].join(' | ')} |`);
  }
}

/** Repeats a call until the signal. Returns how often it was made. */
async function repeat(call, signal) {
  let calls = 0;
  for (; !signal.aborted; calls++) await call();
  return calls;
}

/** Counts snapshots of the model that come until the signal. */
async function countSnapshots(signal) {
  const seen = new Set();
  const look = () => {
    for (const name of readdirSync(join(folder, 'models/models/bench'), { recursive: true }))
      if (/(^|\/)snapshot-\d+$/.test(name)) seen.add(name);
  };
  look();
  const before = seen.size;
  while (!signal.aborted) {
    await sleep(100);
    look();
  }
  return seen.size - before;
}

function put(model, body, type = 'application/json') {
  return ask(model, { method: 'PUT', headers: { 'content-type': type }, body });
}

function send(url, value) {
  return ask(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });
}

async function ask(url, request) {
  const answer = await fetch(url, request);
  if (!answer.ok) throw new Error(`expected an answer of ${url}; got ${answer.status}: ${await answer.text()}`);
  return answer;
}

function rowOf(words, word) {
  return Object.fromEntries(Array.from({ length: words }, (_, j) => [`word-${word(j)}`, 1 + (j % 3)]));
}
