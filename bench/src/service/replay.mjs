// Measures the start of a service after a crash: records of 15 mixed fields, each with an id, are learned durably by a process that
// is killed; then fresh processes replay its journal from the first record on, each in a copy of the folder.
//
//   node bench/src/service/replay.mjs [--rows 300000] [--rounds 5]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openModels } from 'halfspace-server';
import { describeMachine } from '../machine.mjs';
import { mixedStream } from '../online/streams.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '300000' }, rounds: { type: 'string', default: '5' } },
});
const [task, folder, stream] = positionals;
if (task === 'learn') await learn(folder, stream);
else if (task === 'open') await open(folder);
else measure(Number(options.rows), Number(options.rounds));

function measure(rows, rounds) {
  const work = mkdtempSync(join(tmpdir(), 'halfspace-bench-'));
  try {
    const learned = join(work, 'learned');
    run('learn', learned, mixedStream(rows, work));
    const journal = readdirSync(learned, { recursive: true }).find((path) => /journal-\d+$/.test(path));
    const bytes = statSync(join(learned, journal)).size / rows;
    const speeds = Array.from({ length: rounds }, (_, round) => {
      const copy = join(work, `copy-${round}`);
      cpSync(learned, copy, { recursive: true });
      return Number(run('open', copy));
    }).sort((a, b) => a - b);
    const { cpu, cores, node } = describeMachine();
    const [least, median, most] = [0, rounds >> 1, rounds - 1].map((k) => Math.round(speeds[k]).toLocaleString('en'));
    console.log(`Node ${node}, ${cores} cores of ${cpu}. ${rows} records of ${bytes.toFixed(0)} bytes in the journal.`);
    console.log(`Replayed records per second: median ${median} (${least} to ${most}) of ${rounds} starts.`);
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Runs a task in a process of its own. Returns what it printed. */
function run(...words) {
  const { stdout, stderr, signal, status } = spawnSync(process.execPath, [import.meta.filename, ...words]);
  if (signal !== 'SIGKILL' && status !== 0) throw new Error(`${words[0]} ended with ${status}: ${stderr}`);
  return stdout.toString();
}

async function learn(dir, path) {
  // One segment: nothing of the journal is replaced by a snapshot.
  const models = await openModels({ dir, segmentBytes: 2 ** 30 });
  const model = await models.put('bench', { kind: 'learning', options: {} });
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  for (let from = 0; from < lines.length; from += 1000) {
    const examples = lines.slice(from, from + 1000).map((line, k) => {
      const [label, row] = JSON.parse(line);
      return { row, label, id: `example-${from + k}` };
    });
    await model.learn(examples);
  }
  process.kill(process.pid, 'SIGKILL');
}

/** Prints the records per second, with the first snapshot, which a start writes after a replay. */
async function open(dir) {
  const begin = performance.now();
  const models = await openModels({ dir });
  const seconds = (performance.now() - begin) / 1000;
  console.log(models.get('bench').version.sequence / seconds);
  process.exit();
}
