import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchFolder } from '../run/process.mjs';
import { post, wholeHttp } from './load.mjs';

/**
 * A program that predicts and learns over the network, and how its requests are written.
 *
 * @typedef {object} Service
 * @property {string} name
 * @property {(folder: string) => Promise<Running>} start
 * @property {(row: Row) => string} predict
 * @property {(rows: Row[]) => string} predictMany
 * @property {(row: Row, label: string, id: number) => string} learn
 * @property {(bytes: Buffer, rows: number) => number} whole bytes of a whole answer for that number of rows; 0: not whole yet
 *
 * @typedef {Record<string, string | number>} Row
 *
 * @typedef {object} Running
 * @property {number} port
 * @property {(signal: NodeJS.Signals) => Promise<void>} end
 * @property {() => Promise<number>} learned number of rows that the model has learned
 */

export const halfspaceCommand = join(benchFolder, '../packages/cli/bin/halfspace.cjs');

/** @type {Service} */
export const halfspace = {
  name: 'halfspace serve',
  predict: (row) => post('/v1/models/bench/predict', JSON.stringify({ row })),
  predictMany: (rows) => post('/v1/models/bench/predict', JSON.stringify({ rows })),
  learn: (row, label, id) => post('/v1/models/bench/learn', JSON.stringify({ row, label, id: String(id) })),
  whole: wholeHttp,
  async start(folder) {
    const child = spawn(
      process.execPath,
      [halfspaceCommand, 'serve', '--dir', join(folder, 'halfspace'), '--port', '0'],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const url = await firstMatch(child, /http:\/\/127\.0\.0\.1:(\d+)/);
    const port = Number(url[1]);
    const model = `http://127.0.0.1:${port}/v1/models/bench`;
    if ((await fetch(model)).status === 404) {
      const body = JSON.stringify({ kind: 'learning', options: { rule: 'perceptron', classes: ['0', '1'] } });
      const put = await fetch(model, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
      if (!put.ok) throw new Error(await put.text());
    }
    const learned = async () => (await (await fetch(model)).json()).examples;
    return { port, end: ending(child), learned };
  },
};

/** @param {string} python @returns {Service} */
export const river = (python) => ({
  name: 'river behind FastAPI',
  predict: (row) => post('/predict', JSON.stringify({ row })),
  predictMany: (rows) => post('/predict-many', JSON.stringify({ rows })),
  learn: (row, label) => post('/learn', JSON.stringify({ row, label })),
  whole: wholeHttp,
  async start() {
    const port = await freePort();
    const words = ['-m', 'uvicorn', 'river_service:app', '--port', String(port), '--log-level', 'warning'];
    const cwd = join(benchFolder, 'src/service');
    const child = spawn(python, [...words, '--no-access-log'], { cwd, stdio: 'ignore' });
    await listening(port);
    const learned = async () => (await (await fetch(`http://127.0.0.1:${port}/learned`)).json()).learned;
    return { port, end: ending(child), learned };
  },
});

/**
 * Vowpal Wabbit's daemon: a line for each example, a line for each answer. A child process serves one connection at a time, so there is one for
 * each connection; they share the weights without locks. The model is written when the daemon ends.
 *
 * @param {string} program
 * @param {number} connections
 *
 * @returns {Service}
 */
export const vowpalWabbit = (program, connections) => ({
  name: 'vw --daemon',
  predict: (row) => `| ${features(row)}\n`,
  predictMany: (rows) => rows.map((row) => `| ${features(row)}\n`).join(''),
  learn: (row, label) => `${label === '1' ? 1 : -1} | ${features(row)}\n`,
  whole: wholeLines,
  async start(folder) {
    const port = await freePort();
    const model = join(folder, 'vw.model');
    const words = [
      '--daemon',
      '--foreground',
      '--port',
      port,
      '--num_children',
      connections,
      '--loss_function',
      'hinge',
    ];
    const given = existsSync(model) ? ['-i', model] : [];
    // A group of its own: a signal to the daemon alone leaves its children, which hold the weights.
    const grouped = { stdio: 'ignore', detached: true };
    const child = spawn(program, [...words.map(String), '-f', model, '--quiet', ...given], grouped);
    await listening(port);
    const end = ending(child, (signal) => process.kill(-child.pid, signal));
    return { port, end, learned: () => learnedByVowpalWabbit(port) };
  },
});

const features = (row) =>
  Object.entries(row)
    .map(([name, value]) => (typeof value === 'number' ? `${name}:${value}` : `${name}=${value}`))
    .join(' ');

/** Bytes of an answer of `rows` lines; 0: not whole yet. */
function wholeLines(bytes, rows) {
  let end = 0;
  for (let line = 0; line < rows; line++) {
    end = bytes.indexOf('\n', end) + 1;
    if (end === 0) return 0;
  }
  return end;
}

/** Number of learned rows: 0 if the weight of the constant is 0, which every example moves; otherwise unknown. */
async function learnedByVowpalWabbit(port) {
  const socket = connect(port, '127.0.0.1');
  socket.end('| \n');
  let text = '';
  for await (const bytes of socket) text += bytes;
  return Number(text) === 0 ? 0 : Number.NaN;
}

export const ending =
  (child, kill = (signal) => child.kill(signal)) =>
  async (signal) => {
    const gone = new Promise((resolve) => child.on('exit', resolve));
    kill(signal);
    await gone;
  };

export function firstMatch(child, pattern) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (bytes) => {
      text += bytes;
      const found = pattern.exec(text);
      if (found !== null) resolve(found);
    });
    child.on('exit', () => reject(new Error(`expected ${pattern}; got ${text}`)));
  });
}

async function freePort() {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.on('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listening(port) {
  for (let tries = 0; tries < 200; tries++) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('connect', () => resolve(true) || socket.destroy());
      socket.on('error', () => resolve(false));
    });
    if (isOpen) return;
    await sleep(100);
  }
  throw new Error(`expected a service on port ${port}; got none after 20 seconds`);
}
