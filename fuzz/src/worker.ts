// Runs the inputs of one target until its time is over. Its messages are lines of JSON on standard output; the input that it is at lies in a
// file, with its number before it, so that whoever watches this process knows it even where the process is stuck or gone.
import { openSync, readFileSync, writeSync } from 'node:fs';
import { Random } from 'halfspace';
import { Coverage } from './coverage.ts';
import { type Fault, judge } from './judge.ts';
import { minimise } from './minimise.ts';
import { mutate } from './mutate.ts';
import { bytesOf, type Target } from './target.ts';
import { targets } from './targets.ts';

interface Order {
  readonly target: string;
  readonly seed: number;
  readonly seconds: number;
  /** Where the present input goes. */
  readonly present: string;
  /** One input to run instead. */
  readonly input?: string | undefined;
  /** Signatures of faults that are known already. */
  readonly known: readonly string[];
}

const order = JSON.parse(process.argv[2]!) as Order;
const target = targets.find(({ name }) => name === order.target)!;
const file = openSync(order.present, 'w');
let count = 0;
let warm = false;
/** Signatures of faults that were told. */
const seen = new Set<string>();

const tell = (message: object) => void process.stdout.write(`${JSON.stringify(message)}\n`);

/** Bytes beyond which a process takes more than its input needs. */
const mostMemory = 300 * 2 ** 20;
/** Peak of the resident set, in bytes. */
const peak = () => process.resourceUsage().maxRSS * 1024;

async function run(bytes: Uint8Array): Promise<Fault | null> {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(++count, 0);
  head.writeUInt32LE(bytes.length, 4);
  writeSync(file, Buffer.concat([head, bytes]), 0, bytes.length + 8, 0);
  const before = peak();
  const fault = await judge(target, bytes);
  const more = peak() - before;
  if (warm && more > mostMemory)
    return { signature: 'memory', message: `the process grew by ${Math.round(more / 2 ** 20)} MiB` };
  return fault;
}

if (order.input !== undefined) {
  await warmUp(await target.seeds());
  tell({ fault: await run(new Uint8Array(readFileSync(order.input))), count });
} else await fuzz(target);
process.exit(0);

/** Loads and compiles what the target needs, which takes memory once. */
async function warmUp(seeds: readonly Uint8Array[]): Promise<void> {
  for (const seed of [...seeds, ...seeds]) {
    const fault = await run(seed);
    if (fault !== null) await report(fault, seed);
  }
  warm = true;
}

async function fuzz({ seeds, words, mutate: structured }: Target): Promise<void> {
  const random = new Random(order.seed);
  // Words of formats that are no text are written with one character for each byte.
  const binary = ['gzip', 'zstd', 'parquet', 'ledger'].includes(order.target);
  const pieces = words.map((word) => (binary ? new Uint8Array(Buffer.from(word, 'latin1')) : bytesOf(word)));
  // Functions that are compiled before are not counted.
  const coverage = new Coverage();
  const queue = [...(await seeds())];
  await warmUp(queue);
  coverage.news();
  const until = performance.now() + 1000 * order.seconds;
  const batch: Uint8Array[] = [];
  while (performance.now() < until) {
    // New inputs of the queue are more likely to lead on.
    const recent =
      random.below(3) === 0 ? random.below(queue.length) : queue.length - 1 - random.below(Math.min(queue.length, 40));
    const from = queue[recent]!;
    const other = queue[random.below(queue.length)]!;
    let input = random.below(2) === 0 ? (structured?.(from, random) ?? null) : null;
    if (input === null || random.below(8) === 0) input = mutate(input ?? from, other, pieces, random);
    const fault = await run(input);
    if (fault !== null) await report(fault, input);
    batch.push(input);
    // Asking for coverage takes longer than many an input, so several share a question.
    if (batch.length < 24 && performance.now() < until) continue;
    if (coverage.news() > 0)
      for (const each of batch) if (queue.length < 3000 && each.length < 1 << 15) queue.push(each);
    batch.length = 0;
    tell({ count, queue: queue.length, blocks: coverage.blocks });
  }
}

async function report(fault: Fault, input: Uint8Array): Promise<void> {
  if (order.known.includes(fault.signature) || seen.has(fault.signature)) return;
  seen.add(fault.signature);
  const smallest =
    fault.signature === 'memory'
      ? input
      : await minimise(input, async (bytes) => (await run(bytes))?.signature === fault.signature);
  tell({ fault, input: Buffer.from(smallest).toString('base64') });
}
