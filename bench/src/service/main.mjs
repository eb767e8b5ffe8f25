// Compares `halfspace serve` with river behind FastAPI and with `vw --daemon`, on records of 15 mixed fields: answers and learned rows per
// second, latency, and the rows that are left after `kill -9`. The load generator runs on the same machine.
//
//   node bench/src/service/main.mjs [--seconds 5] [--connections 64] [--python python3] [--vw vw]
//
// The Python needs `pip install river fastapi uvicorn`; without them river is left out. `--vw` names the native program of Vowpal Wabbit: the
// daemon of its Python package (9.11) ends a connection at the first line. **It listens on all addresses of the machine**, so run it where
// nobody else reaches that, such as in a network of its own: `unshare -rn sh -c 'ip link set lo up; node …'`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from '../machine.mjs';
import { mixedStream } from '../online/streams.mjs';
import { findPython } from '../peers.mjs';
import { output } from '../run/process.mjs';
import { load } from './load.mjs';
import { halfspace, river, vowpalWabbit } from './services.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64' },
    python: { type: 'string', default: 'python3' },
    vw: { type: 'string' },
  },
});
const seconds = Number(options.seconds);
const connections = Number(options.connections);
const rowsInBatch = 1000;

const python = findPython(options.python);
const hasRiver = python !== null && output([python, '-c', 'import river, fastapi, uvicorn']) !== null;
const services = [halfspace];
if (hasRiver) services.push(river(python));
if (options.vw !== undefined) services.push(vowpalWabbit(options.vw, connections));

const folder = mkdtempSync(join(tmpdir(), 'halfspace-bench-'));
try {
  const stream = readFileSync(mixedStream(20_000, folder), 'utf8').trim().split('\n');
  const rows = stream.map((line) => JSON.parse(line));
  const { cpu, cores, node } = describeMachine();
  console.log(`${connections} connections, ${seconds} s each, Node ${node}, ${cores} cores of ${cpu}.\n`);
  console.log('| service | work | rows per second | median, ms | p99, ms |');
  console.log('|---|---|--:|--:|--:|');
  for (const service of services) await measure(service, rows);
  console.log('\n| service | acknowledged | there after kill -9 and a new start |');
  console.log('|---|--:|--:|');
  for (const service of services) await kill(service, rows);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(service, rows) {
  const own = mkdtempSync(join(folder, 'service-'));
  const running = await service.start(own);
  const common = { port: running.port, connections, seconds };
  const row = (k) => rows[k % rows.length][1];
  const work = [];
  const learn = (k) => service.learn(row(k), String(rows[k % rows.length][0]), k);
  work.push(['learn one row', 1, { ...common, request: learn }]);
  // Texts are made before the clock starts, because the generator shares the machine.
  const single = rows.map(([, each]) => service.predict(each));
  work.push(['predict one row', 1, { ...common, request: (k) => single[k % single.length] }]);
  const batches = [];
  for (let from = 0; from + rowsInBatch <= rows.length; from += rowsInBatch)
    batches.push(service.predictMany(rows.slice(from, from + rowsInBatch).map(([, each]) => each)));
  const request = (k) => batches[k % batches.length];
  work.push([`predict ${rowsInBatch} rows, 4 connections`, rowsInBatch, { ...common, connections: 4, request }]);
  try {
    for (const [name, each, given] of work) {
      const { perSecond, median, p99 } = await load({ ...given, whole: (bytes) => service.whole(bytes, each) });
      const speed = Math.round(perSecond * each).toLocaleString('en');
      console.log(`| ${service.name} | ${name} | ${speed} | ${median.toFixed(1)} | ${p99.toFixed(1)} |`);
    }
  } finally {
    await running.end('SIGTERM');
  }
}

async function kill(service, rows) {
  const own = mkdtempSync(join(folder, 'kill-'));
  const { port, end } = await service.start(own);
  const request = (k) => service.learn(rows[k % rows.length][1], String(rows[k % rows.length][0]), k);
  const { all } = await load({
    port,
    connections: 8,
    seconds: 1,
    warmUp: 0,
    request,
    whole: (bytes) => service.whole(bytes, 1),
  });
  await end('SIGKILL');
  const again = await service.start(own);
  console.log(`| ${service.name} | ${all} | ${await again.learned()} |`);
  await again.end('SIGTERM');
}
