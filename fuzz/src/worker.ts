// Runs the inputs of one target until its time is over. Its messages are JSON lines on standard output. The current
// input is in a file, preceded by its number, so that the parent process can read it even if this process hangs or
// crashes.
import { openSync, readFileSync, writeSync } from 'node:fs';
import { Random } from 'halfspace/internal';
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
  /** Path of the file for the current input. */
  readonly present: string;
  /** A single input to run instead. */
  readonly input?: string | undefined;
  /** Signatures of known faults. */
  readonly known: readonly string[];
}

const order = JSON.parse(process.argv[2]!) as Order;
const target = targets.find(({ name }) => name === order.target)!;
const file = openSync(order.present, 'w');
let count = 0;
let warm = false;
/** Signatures of reported faults. */
const seen = new Set<string>();

const tell = (message: object) => void process.stdout.write(`${JSON.stringify(message)}\n`);

/** Memory limit in bytes; more than this is not justified by any input. */
const mostMemory = 300 * 2 ** 20;
/** Returns the peak of the resident set in bytes. */
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

/** Loads and compiles the target's code, so that its memory is not counted for an input. */
async function warmUp(seeds: readonly Uint8Array[]): Promise<void> {
  for (const seed of [...seeds, ...seeds]) {
    const fault = await run(seed);
    if (fault !== null) await report(fault, seed);
  }
  warm = true;
}

async function fuzz({ seeds, words, mutate: structured }: Target): Promise<void> {
  const random = new Random(order.seed);
  // Keywords of binary formats have one character per byte.
  const binary = ['gzip', 'zstd', 'parquet', 'ledger', 'arrow'].includes(order.target);
  const pieces = words.map((word) => (binary ? new Uint8Array(Buffer.from(word, 'latin1')) : bytesOf(word)));
  // Functions that were compiled before the start of coverage are not counted.
  const coverage = new Coverage();
  const queue = [...(await seeds())];
  await warmUp(queue);
  coverage.news();
  const until = performance.now() + 1000 * order.seconds;
  const batch: Uint8Array[] = [];
  while (performance.now() < until) {
    // Newer inputs of the queue are more likely to reach new code.
    const recent =
      random.below(3) === 0 ? random.below(queue.length) : queue.length - 1 - random.below(Math.min(queue.length, 40));
    const from = queue[recent]!;
    const other = queue[random.below(queue.length)]!;
    let input = random.below(2) === 0 ? (structured?.(from, random) ?? null) : null;
    if (input === null || random.below(8) === 0) input = mutate(input ?? from, other, pieces, random);
    const fault = await run(input);
    if (fault !== null) await report(fault, input);
    batch.push(input);
    // Reading the coverage takes longer than many inputs, so it is read once for several.
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
