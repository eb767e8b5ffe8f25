// A parsing thread. Takes free ranges of a file and passes their rows to the learning thread in shared memory.
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type PackedBatch, pack, packCompactly, packedLayout } from '../../data/packed.ts';
import { createTextParser } from '../../data/text-parser.ts';
import { formatPlace, HalfspaceError } from '../../errors.ts';
import type { Block } from '../../kernels/block.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { createWasmKernels } from '../../kernels/wasm.ts';
import {
  header,
  headerOf,
  held,
  type ParseFailure,
  type ParseJob,
  type ParseMessage,
  type ParserSetup,
  slotsPerThread,
  word,
  writeShape,
} from './parse-protocol.ts';
import { RangeParser, type RangePart } from './range-parser.ts';

/** Shared memory of one slot. Batches are packed into it as into kernel memory. It grows when needed. */
class SlotMemory implements Block<Uint8Array> {
  buffer = new SharedArrayBuffer(0);
  array: Uint8Array = new Uint8Array(this.buffer);
  /** True if `buffer` has not been sent to the other thread yet. */
  fresh = false;

  get length(): number {
    return this.array.length;
  }

  /** Grows with some spare room, because the next contents will have a similar size. */
  resize(length: number): void {
    const buffer = new SharedArrayBuffer(length + (length >> 2));
    const array = new Uint8Array(buffer);
    array.set(this.array.subarray(0, length));
    this.buffer = buffer;
    this.array = array;
    this.fresh = true;
  }

  free(): void {}
}

type Rows = Extract<RangePart, { kind: 'rows' }>;

const setup = workerData as ParserSetup;
const words = new Int32Array(setup.words);
const port = setup.port as MessagePort;
let kernels: Kernels;
/** Buffer for making rows compact before they go to a slot. */
let staging: Block<Uint8Array>;
let likelyPlaces = 0;
let compact = true;

/** The current slot, and whether it is being filled. */
let slot = 0;
let filling = false;
const memories = Array.from({ length: slotsPerThread }, () => new SlotMemory());
const firstSlot = setup.thread * slotsPerThread;
const headers = memories.map((_, i) => headerOf(setup.headers, firstSlot + i));

void workUntilEnded();

async function workUntilEnded(): Promise<void> {
  for (;;) {
    const jobs = Atomics.load(words, word.jobs);
    if (ended()) break;
    const received = receiveMessageOnPort(port);
    if (received === undefined) Atomics.wait(words, word.jobs, jobs);
    else await work(received.message as ParseJob);
  }
  port.close();
}

function ended(): boolean {
  return Atomics.load(words, word.ended) === 1;
}

async function work(job: ParseJob): Promise<void> {
  kernels ??= createWasmKernels(job.module as WebAssembly.Module)!;
  staging ??= kernels.uint8(0);
  const next = new Int32Array(job.next);
  const parser = createTextParser(kernels, job.recipe);
  const ranges = new RangeParser(kernels, job, parser);
  // Names must be renumbered, which needs rows as they are, unless a model has numbered them.
  compact = parser.names === null || ('known' in job.recipe && job.recipe.known !== null);
  for (;;) {
    const range = Atomics.add(next, 0, 1);
    if (range >= job.ranges || ended()) break;
    try {
      for await (const part of ranges.parts(job, range)) {
        if (!begin(job.number, range)) return;
        if (part.kind === 'rows') putRows(part);
        // Copies the line: otherwise the whole buffer behind it would be sent.
        else putMessage(part.kind === 'refused' ? { ...part, line: part.line.slice() } : part);
      }
    } catch (error) {
      if (!begin(job.number, range)) return;
      putMessage(failure(error));
    }
    // Only now is the last part known, so each part waits for the next one before it is published.
    if (!filling && !begin(job.number, range)) return;
    headers[slot]![header.last] = 1;
    publish();
  }
  ranges.free();
  parser.free();
}

/** Publishes a slot being filled, and waits until the next one is empty. @returns false if the work is over. */
function begin(job: number, range: number): boolean {
  if (filling) publish();
  const at = word.slots + firstSlot + slot;
  // A closing pool first sets `ended`, then empties all slots. So a parser that sees a full slot and no `ended` is
  // woken. Testing `ended` only after waking is not enough: a slot filled after that would never be emptied.
  while (Atomics.load(words, at) === 1) {
    if (ended()) return false;
    Atomics.wait(words, at, 1);
  }
  headers[slot]!.fill(0);
  headers[slot]![header.job] = job;
  headers[slot]![header.range] = range;
  filling = true;
  return true;
}

function publish(): void {
  Atomics.store(words, word.slots + firstSlot + slot, 1);
  Atomics.add(words, word.news, 1);
  Atomics.notify(words, word.news);
  slot = (slot + 1) % slotsPerThread;
  filling = false;
}

function send(message: ParseMessage): void {
  port.postMessage(message);
}

function putRows({ batch, lines, facts, names }: Rows): void {
  const memory = memories[slot]!;
  const { shape } = packInto(memory, batch);
  const { bytes } = packedLayout(shape);
  const nameBytes = names === null ? 0 : names.to - names.from;
  if (nameBytes > 0) {
    if (memory.length < bytes + nameBytes) memory.resize(bytes + nameBytes);
    memory.array.set(names!.block.array.subarray(names!.from, names!.to), bytes);
  }
  const to = headers[slot]!;
  if (memory.fresh) {
    to[header.fresh] = 1;
    memory.fresh = false;
    send(memory.buffer);
  }
  to[header.held] = held.rows;
  to[header.lines] = lines;
  to[header.zeroIndex] = facts.zeroIndex ? 1 : 0;
  to[header.unknown] = facts.unknown;
  to[header.names] = names?.count ?? 0;
  to[header.nameBytes] = nameBytes;
  writeShape(to, shape);
}

function packInto(memory: SlotMemory, batch: Rows['batch']): PackedBatch {
  if (compact && batch.kind === 'sparse') {
    // Only kernels write compact rows, and only to their own memory.
    const small = packCompactly(kernels, batch, likelyPlaces, staging);
    if (small !== null) {
      likelyPlaces = small.packed.shape.places!;
      const { bytes } = packedLayout(small.packed.shape);
      if (memory.length < bytes) memory.resize(bytes);
      memory.array.set(staging.array.subarray(0, bytes));
      return small.packed;
    }
    compact = false;
  }
  return pack(kernels, batch, memory).packed;
}

function putMessage(message: Exclude<ParseMessage, SharedArrayBuffer>): void {
  headers[slot]![header.held] = held.message;
  send(message);
}

function failure(error: unknown): ParseFailure {
  if (!(error instanceof HalfspaceError))
    return { kind: 'failure', code: null, message: String((error as Error)?.stack ?? error), where: {} };
  const { code, message, where } = error;
  const place = formatPlace(where);
  return { kind: 'failure', code, message: place === '' ? message : message.slice(place.length + 2), where };
}
