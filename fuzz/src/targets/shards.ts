import {
  Bool,
  type DataType,
  DateDay,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int8,
  Int64,
  List,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { decodeModel, encodeModel, HalfspaceError } from 'halfspace';
import type { Random } from 'halfspace/internal';
import { answer, decodeMixState, type Job, type MixState, mix, modelOf, parseJob, work } from 'halfspace-distributed';
import { framed } from '../../../packages/distributed/src/frames.ts';
import { seal } from '../../../packages/distributed/src/sealed.ts';
import { digestOfJob } from '../../../packages/distributed/src/state.ts';
import { mutateJson } from '../mutate-json.ts';
import { bytesOf, demand, type Json, same, type Target, textOf } from '../target.ts';

const rows = Array.from({ length: 12 }, (_, i) => ({
  size: i % 5 === 0 ? null : ((i * 7) % 11) - 5,
  float: i / 4,
  large: BigInt(i),
  open: i % 3 === 0,
  day: new Date(86_400_000 * i),
  colour: ['red', 'green', null][i % 3]!,
  said: 'a free prize é'.slice(0, i),
  vector: Array.from({ length: i % 4 }, (_, k) => k - i),
  y: ['p', 'q', 'r'][i % 3]!,
}));
const types: Readonly<Record<string, DataType>> = {
  ...{ size: new Float64(), float: new Float32(), large: new Int64(), open: new Bool(), day: new DateDay() },
  ...{ colour: new Dictionary(new Utf8(), new Int8()), said: new Utf8(), y: new Utf8() },
  vector: new List(new Field('item', new Float64(), true)),
};
const columns = {
  ...{ size: { kind: 'number' }, float: { kind: 'number', bins: 2 }, large: { kind: 'number' } },
  ...{ open: { kind: 'boolean' }, day: { kind: 'date' }, colour: { kind: 'category' }, said: { kind: 'text' } },
};

/** Returns some rows as an Arrow stream. */
function streamOf(some: typeof rows, names = Object.keys(types)): Uint8Array {
  const vectors = names.map((name): [string, Json] => [
    name,
    vectorFromArray(some.map((row) => (row as Json)[name]) as never, types[name]!),
  ]);
  return tableToIPC(new Table(Object.fromEntries(vectors)), 'stream');
}

const usual = { format: 'halfspace-job', version: 1, label: 'y', shards: 2, passes: 2 };
const jobs = [
  { ...usual, columns, crosses: [['colour', 'float']], rule: { name: 'averaged' }, holdout: 0.2, calibrate: 'platt' },
  { ...usual, vector: 'vector', rule: { name: 'sgd' }, positive: 'p', patience: 1, passes: 3 },
  { ...usual, columns: { size: { kind: 'number' } }, rule: { name: 'arow' }, id: 'said', mixing: 'uniform', seed: 7 },
];
const parsed = jobs.map((job) => parseJob(JSON.stringify(job)));
const wide = streamOf(rows);
const streams = [wide, streamOf(rows.slice(0, 5), ['vector', 'y']), streamOf(rows.slice(6), ['size', 'y', 'said'])];

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Changes one to three numbers of an input in place, so that what follows stays where it is. */
function changeNumbers(bytes: Uint8Array, random: Random): Uint8Array {
  const changed = bytes.slice();
  const view = new DataView(changed.buffer);
  for (let changes = 1 + random.below(3); changes > 0 && bytes.length >= 8; changes--) {
    const at = random.below(bytes.length - 7);
    const before = view.getInt32(at, true);
    const value = [0, 1, -1, 2 ** random.below(31), before + 1, before - 1, before * 2, 2 ** 31 - 1][random.below(8)]!;
    const bytesOfNumber = [1, 4, 8][random.below(3)];
    if (bytesOfNumber === 1) changed[at] = random.below(256);
    else if (bytesOfNumber === 4) view.setInt32(at & ~3, value, true);
    else view.setBigInt64(at & ~7, BigInt(value), true);
  }
  return changed;
}

const arrowTarget: Target = {
  name: 'arrow',
  words: ['\xff\xff\xff\xff', '\x00\x00\x00\x00\x00\x00\x00\x00', '\xff\xff\xff\xff\x00\x00\x00\x00'],
  seeds: () => streams,
  mutate: changeNumbers,
  async run(bytes, choice) {
    // An empty block ends a request.
    if (bytes.length === 0) return;
    const k = choice % jobs.length;
    const found = work(parsed[k]!, null, 0, inPieces(bytes, 1 + (choice % 997)));
    const [told, result] = await answered({ task: 'work', job: jobs[k], shard: 0 }, bytes);
    try {
      same('pieces change nothing', textOf(await found), textOf(result));
    } catch (error) {
      if (!(error instanceof HalfspaceError)) throw error;
      same('requests fail alike', told.message, error.message);
      throw error;
    }
  },
};

/** Returns head and bytes of the answer to a request with one block. */
async function answered(head: object, block: Uint8Array): Promise<[Json, Uint8Array]> {
  const frames = framed(bytesOf(JSON.stringify(head)), new Uint8Array(0), block, new Uint8Array(0));
  let made = new Uint8Array(0);
  for await (const bytes of answer(inPieces(frames, 65_536))) made = new Uint8Array(bytes);
  const end = 4 + new DataView(made.buffer).getUint32(0, true);
  return [JSON.parse(textOf(made.subarray(4, end))), made.subarray(end + 4)];
}

const jobTarget: Target = {
  name: 'job',
  words: [
    '"columns"',
    '"vector":"v"',
    '"kind":"number"',
    '"holdout":0.5',
    '"rule":{"name":"sgd"}',
    '"shards":3',
    'null',
  ],
  seeds: () => jobs.map((job) => bytesOf(JSON.stringify(job))),
  mutate: (bytes, random) => mutateJson(bytes, random),
  async run(bytes) {
    const job = parseJob(textOf(bytes));
    same('a job is read as it was written', parseJob(JSON.stringify(job)), job);
    await finished({ ...job, passes: Math.min(job.passes, 3), shards: 1 });
  },
};

/** Trains on all rows in one shard, from a state on. Returns the states of all steps. */
async function finished(job: Job, from: MixState | null = null): Promise<string[]> {
  const texts: string[] = [];
  let state = from;
  while (state?.next !== null && texts.length < 20) {
    const results: { name: string; bytes: Uint8Array }[] = [];
    for (let k = 0; k < job.shards; k++)
      results.push({ name: `${k}`, bytes: await work(job, state, k, inPieces(k === 0 ? wide : streams[0]!, 4096)) });
    texts.push(await mix(job, state, results));
    state = decodeMixState(texts.at(-1)!, 'state');
  }
  if (state?.next === null) decodeModel(encodeModel(await modelOf(job, state)));
  return texts;
}

const mixTarget: Target = {
  name: 'mix',
  words: [
    '"next":"learn"',
    '"next":null',
    '"apart":null',
    '"best":null',
    '"calibration":null',
    '"stopping":0',
    '[[1,0]]',
  ],
  async seeds() {
    const all = await Promise.all(parsed.map((job) => finished(job)));
    return all.flat().map(bytesOf);
  },
  /** Changes members and writes their digest again, so that they are read. */
  mutate(bytes, random) {
    return mutateJson(bytes, random, (value) => {
      if (typeof value !== 'object' || value === null) return value;
      const { format, version: _, digest: __, ...members } = value as Json;
      if (random.below(4) === 0 && typeof members.train === 'string')
        members.train = textOf(mutateJson(bytesOf(members.train), random) ?? bytesOf(''));
      return JSON.parse(seal({ format: `${format}`, what: '', code: 'model-invalid' }, members));
    });
  },
  async run(bytes) {
    const state = decodeMixState(textOf(bytes), 'x.state');
    demand(state.next === null || typeof state.next === 'string', 'a step has a name');
    await finished(parsed.find((job) => digestOfJob(job) === state.job) ?? parsed[0]!, state);
  },
};

export const shardTargets: readonly Target[] = [arrowTarget, jobTarget, mixTarget];
