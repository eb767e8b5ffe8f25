// npm run fuzz -- TARGET… [--minutes N] [--seed N] [--jobs N] [--input FILE]
//
// Fuzzes all readers. The rule: any bytes give a result or a HalfspaceError, within 5 seconds and 300 MiB. Inputs that
// reach new code are kept and mutated further (guided by V8's coverage). An input that breaks the rule is minimised,
// saved in fuzz/findings and printed with a command that repeats it. Exit status 1: an input broke the rule.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const worker = join(here, 'dist/worker.mjs');
const names = [
  ...['libsvm', 'vw', 'csv', 'tsv', 'json', 'ndjson', 'parquet', 'gzip', 'zstd'],
  ...['model', 'learner', 'state', 'stream', 'certificate', 'ledger', 'features', 'options', 'rows'],
  ...['liblinear', 'onnx', 'coefficients'],
  ...['arrow', 'job', 'mix', 'service'],
];
/** Limits of processor time, because the machine may be busy, and of wall time, for inputs that wait for ever. */
const mostMs = { cpu: 5000, clock: 60_000 };
/** Time limit for the start of a process and its seeds, on a busy machine. */
const startMs = 120_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    jobs: { type: 'string' },
    input: { type: 'string' },
  },
});
const asked = positionals.length === 0 || positionals.includes('all') ? names : positionals;
const unknown = asked.find((name) => !names.includes(name));
const minutes = Number(values.minutes ?? 1);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const jobs = Number(values.jobs ?? Math.min(4, availableParallelism()));
if (unknown !== undefined || !(minutes > 0) || !Number.isSafeInteger(seed) || !(jobs >= 1)) {
  console.error(
    `usage: npm run fuzz -- [${names.join(' | ')} | all] [--minutes N] [--seed N] [--jobs N] [--input FILE]`,
  );
  process.exit(2);
}

await build({
  entryPoints: [join(here, 'src/worker.ts')],
  outfile: worker,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['@duckdb/node-bindings', 'highs'],
  // Bundled from the sources, so that there is one HalfspaceError class and coverage counts the source code.
  alias: {
    halfspace: join(here, '../packages/halfspace/src/index.ts'),
    ...Object.fromEntries(
      ['rules', 'metrics', 'margins', 'ledger', 'tree'].map((name) => [
        `halfspace/${name}`,
        join(here, `../packages/halfspace/src/face/${name}.ts`),
      ]),
    ),
    'halfspace/predict': join(here, '../packages/halfspace/src/face/predict.ts'),
    'halfspace/predict/text': join(here, '../packages/halfspace/src/face/predict-text.ts'),
    'halfspace/export': join(here, '../packages/halfspace/src/export/index.ts'),
    'halfspace/internal/checks': join(here, '../packages/halfspace/src/internal/checks.ts'),
    'halfspace/internal/models': join(here, '../packages/halfspace/src/internal/models.ts'),
    'halfspace/internal/tables': join(here, '../packages/halfspace/src/internal/tables.ts'),
    'halfspace/internal': join(here, '../packages/halfspace/src/internal.ts'),
    'halfspace/printable': join(here, '../packages/halfspace/src/printable.ts'),
    'halfspace/node': join(here, '../packages/halfspace/src/node/index.ts'),
    'halfspace-certify': join(here, '../packages/certify/src/index.ts'),
    'halfspace-distributed': join(here, '../packages/distributed/src/index.ts'),
  },
  // Named so that it does not meet an import of a bundled module.
  banner: {
    js: "import { createRequire as bannerRequire } from 'node:module'; const require = bannerRequire(import.meta.url);",
  },
  logLevel: 'error',
});

const scratch = mkdtempSync(join(tmpdir(), 'halfspace-fuzz-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** Runs a worker to its end, or until it hangs. @returns the reason why it was killed, or null. */
function follow(order, onMessage) {
  const child = spawn(process.execPath, ['--max-old-space-size=1024', worker, JSON.stringify(order)], {
    env: { ...process.env, TMPDIR: scratch },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let errors = '';
  child.stderr.on('data', (piece) => {
    errors = (errors + piece).slice(-2000);
  });
  child.stdout.on('data', (piece) => {
    said += piece;
    const lines = said.split('\n');
    said = lines.pop();
    for (const line of lines) onMessage(JSON.parse(line));
  });
  let last = 0;
  let since = { clock: performance.now(), cpu: 0 };
  let stuck = false;
  const watch = setInterval(() => {
    const { count } = presentOf(order);
    const clock = performance.now();
    const cpu = cpuOf(child.pid) ?? clock;
    if (count !== last || count === 0) {
      if (count !== last) since = { clock, cpu };
      last = count;
      stuck = count === 0 && clock - since.clock > startMs;
    } else stuck = cpu - since.cpu > mostMs.cpu || clock - since.clock > mostMs.clock;
    if (stuck) child.kill('SIGKILL');
  }, 200);
  return new Promise((ended) =>
    child.on('close', (status, signal) => {
      clearInterval(watch);
      if (stuck) ended(`more than ${mostMs.cpu / 1000} s`);
      else ended(status === 0 ? null : `the process ended by ${signal ?? `status ${status}`}\n${errors.trim()}`);
    }),
  );
}

/** Returns the processor time of a process in milliseconds; null if the system does not report it. */
function cpuOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return null;
  }
}

function presentOf({ present }) {
  try {
    const bytes = readFileSync(present);
    return { count: bytes.readUInt32LE(0), input: bytes.subarray(8, 8 + bytes.readUInt32LE(4)) };
  } catch {
    return { count: 0, input: Buffer.alloc(0) };
  }
}

const findings = [];
function found(target, message, input) {
  const folder = join(here, 'findings');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${target}-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`);
  writeFileSync(path, input);
  findings.push(path);
  const shown = JSON.stringify(Buffer.from(input.subarray(0, 300)).toString('latin1'));
  console.log(`\n${target}: ${message}\n  input  ${shown}${input.length > 300 ? ` … ${input.length} bytes` : ''}`);
  console.log(`  again  npm run fuzz -- ${target} --input ${relative(process.cwd(), path)}`);
}

async function takesTooMuch(target, input) {
  const path = join(scratch, 'large');
  writeFileSync(path, input);
  let signature;
  const order = { target, seed, seconds: 1, present: join(scratch, 'present'), input: path, known: [] };
  const death = await follow(order, ({ fault }) => {
    signature = fault?.signature;
  });
  return death !== null || signature === 'memory';
}

async function fuzz(target, index) {
  const total = { target, inputs: 0, kept: 0, blocks: 0, found: 0 };
  const known = [];
  const large = [];
  const seconds = (60 * minutes * Math.min(jobs, asked.length)) / asked.length;
  const until = performance.now() + 1000 * seconds;
  for (let round = 0; performance.now() < until && round < 20; round++) {
    const left = (until - performance.now()) / 1000;
    const present = join(scratch, `${target}-${round}`);
    const order = { target, seed: (seed + 1000 * index + round) >>> 0, seconds: left, present, known };
    let inputs = 0;
    const death = await follow(order, (message) => {
      if (message.count !== undefined) inputs = message.count;
      if (message.queue !== undefined) Object.assign(total, { kept: message.queue, blocks: message.blocks });
      if (message.fault === undefined) return;
      known.push(message.fault.signature);
      if (message.fault.signature === 'memory') {
        large.push(Buffer.from(message.input, 'base64'));
        return;
      }
      total.found++;
      found(target, message.fault.message, Buffer.from(message.input, 'base64'));
    });
    // Memory of this input alone, not of all inputs together.
    for (const input of large.splice(0))
      if (await takesTooMuch(target, input)) {
        total.found++;
        found(target, 'more than 300 MiB', input);
      }
    if (death !== null) {
      const { input, count } = presentOf(order);
      inputs = count;
      total.found++;
      found(target, death, input);
    }
    total.inputs += inputs;
    if (death === null) break;
  }
  return total;
}

if (values.input !== undefined) {
  for (const target of asked) {
    const order = { target, seed, seconds: 1, present: join(scratch, target), input: values.input, known: [] };
    let message = 'nothing wrong';
    const death = await follow(order, ({ fault }) => {
      if (fault != null) message = fault.message;
    });
    console.log(`${target}: ${death ?? message}`);
    if (death !== null || message !== 'nothing wrong') process.exitCode = 1;
  }
} else {
  console.log(`seed ${seed}, ${minutes} min, ${jobs} at a time`);
  const started = performance.now();
  const waiting = asked.map((target, index) => [target, index]);
  const totals = [];
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) totals.push(await fuzz(...next));
    }),
  );
  totals.sort((a, b) => names.indexOf(a.target) - names.indexOf(b.target));
  const line = (...cells) =>
    console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(12) : String(cell).padStart(10))).join(''));
  console.log('');
  line('target', 'inputs', 'kept', 'blocks', 'found');
  for (const { target, inputs, kept, blocks, found } of totals) line(target, inputs, kept, blocks, found);
  line(
    'all',
    totals.reduce((sum, { inputs }) => sum + inputs, 0),
    '',
    '',
    findings.length,
  );
  console.log(`${((performance.now() - started) / 1000).toFixed(0)} s`);
  if (findings.length > 0) process.exitCode = 1;
}
