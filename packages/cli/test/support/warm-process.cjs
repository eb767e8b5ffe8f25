// Runs commands one after the other in one process, each as if it were alone: what it prints, its exit status, its
// listeners and its threads end with it. Requests and answers go through two named pipes, each a length and JSON.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const threads = require('node:worker_threads');

const [command, from, to] = process.argv.slice(2);
const bundle = path.resolve(path.dirname(command), '../dist');
/** Parts of the command without a state: they are loaded once. */
const kept = new Set(
  ['library', 'certify', 'report-page-vega', 'tables-duckdb-api'].map((name) => path.join(bundle, `${name}.js`)),
);

/** The run that is under way. */
let run = null;

const writeSync = fs.writeSync;
const streams = { 1: 'out', 2: 'err' };
fs.writeSync = (descriptor, data, ...rest) => {
  const name = streams[descriptor];
  if (name === undefined) return writeSync(descriptor, data, ...rest);
  const all = Buffer.from(data);
  const [offset = 0, length = all.length - offset] = typeof data === 'string' ? [] : rest;
  const bytes = all.subarray(offset, offset + length);
  run?.[name].push(bytes);
  return bytes.length;
};
for (const [descriptor, name] of Object.entries(streams)) {
  const stream = descriptor === '1' ? process.stdout : process.stderr;
  stream.write = (data, encoding, done = encoding) => {
    run?.[name].push(Buffer.from(data, typeof encoding === 'string' ? encoding : 'utf8'));
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
}
class Thread extends threads.Worker {
  constructor(...given) {
    super(...given);
    run?.threads.push(this);
  }
}
threads.Worker = Thread;
process.exit = (status) => run?.end(status ?? process.exitCode ?? 0);
process.on('uncaughtException', (error) => {
  run?.err.push(Buffer.from(`${error.stack}\n`));
  run?.end(1);
});

/** Runs the command; resolves at its end. */
function execute({ cwd, args }) {
  process.chdir(cwd);
  process.argv = [process.execPath, command, ...args];
  process.exitCode = undefined;
  delete globalThis[Symbol.for('halfspace.interruption')];
  const began = performance.now();
  process.uptime = () => (performance.now() - began) / 1000;
  for (const file of Object.keys(require.cache))
    if (file.startsWith(bundle) && !kept.has(file)) delete require.cache[file];
  return new Promise((resolve) => {
    const own = { out: [], err: [], threads: [], end: null };
    own.end = (status) => {
      if (run !== own) return;
      for (const listener of process.listeners('exit')) listener(status);
      run = null;
      for (const name of ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
      for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
      for (const thread of own.threads) thread.terminate();
      const [out, err] = [own.out, own.err].map((pieces) => Buffer.concat(pieces).toString('base64'));
      resolve({ status, out, err });
    };
    run = own;
    require(path.join(bundle, 'main.js'));
  });
}

/** Reads so many bytes; null at the end. */
function read(descriptor, length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const count = fs.readSync(descriptor, bytes, at, length - at, null);
    if (count === 0) return null;
    at += count;
  }
  return bytes;
}

function write(descriptor, text) {
  const bytes = Buffer.from(text);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(bytes.length);
  for (const part of [head, bytes])
    for (let at = 0; at < part.length; ) at += writeSync(descriptor, part, at, part.length - at);
}

async function serve() {
  const requests = fs.openSync(from, 'r');
  const answers = fs.openSync(to, 'w');
  for (;;) {
    const head = read(requests, 4);
    const body = head && read(requests, head.readUInt32LE());
    if (body === null) break;
    write(answers, JSON.stringify(await execute(JSON.parse(body.toString()))));
  }
  process.reallyExit(0);
}

serve();
