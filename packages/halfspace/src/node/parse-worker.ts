// A parsing thread: takes ranges of a file as long as there are any, and gives their rows to the learning thread in shared memory.
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type PackedBatch, pack, packCompactly, packedLayout } from '../data/packed.ts';
import { formatPlace, HalfspaceError } from '../errors.ts';
import type { Block, Kernels } from '../kernels/kernels.ts';
import { createReferenceKernels } from '../kernels/reference.ts';
import { createWasmKernels } from '../kernels/wasm.ts';
import {
  type PackedRows,
  type ParseFailure,
  type ParseJob,
  type ParseMessage,
  type ParserSetup,
  slotsPerThread,
  word,
} from './parse-protocol.ts';
import { lastingPart, RangeParser, type RangePart } from './range-parser.ts';

type Rows = Extract<RangePart, { kind: 'rows' }>;

const setup = workerData as ParserSetup;
const words = new Int32Array(setup.words);
const port = setup.port as MessagePort;
let kernels: Kernels;
/** Where rows are packed before they go to a slot. */
let staging: Block<Uint8Array>;
const slots: (SharedArrayBuffer | null)[] = Array.from({ length: slotsPerThread }, () => null);
const firstSlot = word.slots + setup.thread * slotsPerThread;
let slot = 0;
let likelyPlaces = 0;
let compact = true;

void workUntilEnded();

async function workUntilEnded(): Promise<void> {
  for (;;) {
    const jobs = Atomics.load(words, word.jobs);
    if (Atomics.load(words, word.ended) === 1) break;
    const received = receiveMessageOnPort(port);
    if (received === undefined) Atomics.wait(words, word.jobs, jobs);
    else await work(received.message as ParseJob);
  }
  port.close();
}

async function work(job: ParseJob): Promise<void> {
  kernels ??= (job.module === null ? null : createWasmKernels(job.module)) ?? createReferenceKernels();
  staging ??= kernels.uint8(0);
  const next = new Int32Array(job.next);
  const parser = new RangeParser(kernels, job);
  compact = !parser.numbersNames;
  for (;;) {
    const range = Atomics.add(next, 0, 1);
    if (range >= job.ranges || Atomics.load(words, word.ended) === 1) break;
    try {
      for await (const part of parser.parts(job, range)) {
        const told = part.kind === 'rows' ? packed(part) : lastingPart(part);
        if (told === null) return;
        send({ job: job.number, range, ...told });
      }
    } catch (error) {
      send({ job: job.number, range, ...failure(error) });
    }
    send({ job: job.number, range, kind: 'end' });
  }
  parser.free();
}

function send(message: ParseMessage): void {
  port.postMessage(message);
  Atomics.add(words, word.news, 1);
  Atomics.notify(words, word.news);
}

/** Rows, in the next slot; null when the work is over. */
function packed({ batch, lines, facts, names }: Rows): PackedRows | null {
  // Waits until the slot was given back.
  while (Atomics.load(words, firstSlot + slot) === 1) {
    Atomics.wait(words, firstSlot + slot, 1);
    if (Atomics.load(words, word.ended) === 1) return null;
  }
  const { shape } = packInto(batch);
  const { bytes } = packedLayout(shape);
  let memory: SharedArrayBuffer | null = null;
  if ((slots[slot]?.byteLength ?? 0) < bytes) {
    memory = new SharedArrayBuffer(bytes + (bytes >> 2));
    slots[slot] = memory;
  }
  new Uint8Array(slots[slot]!).set(staging.array.subarray(0, bytes));
  Atomics.store(words, firstSlot + slot, 1);
  const told = { kind: 'rows', shape, lines, facts, slot, memory, names } as const;
  slot = (slot + 1) % slotsPerThread;
  return told;
}

function packInto(batch: Rows['batch']): PackedBatch {
  if (compact && batch.kind === 'sparse') {
    const small = packCompactly(kernels, batch, likelyPlaces, staging);
    if (small !== null) {
      likelyPlaces = small.packed.shape.places!;
      return small.packed;
    }
    compact = false;
  }
  return pack(kernels, batch, staging).packed;
}

function failure(error: unknown): ParseFailure {
  if (!(error instanceof HalfspaceError))
    return { kind: 'failure', code: null, message: String((error as Error)?.stack ?? error), where: {} };
  const { code, message, where } = error;
  const place = formatPlace(where);
  return { kind: 'failure', code, message: place === '' ? message : message.slice(place.length + 2), where };
}
