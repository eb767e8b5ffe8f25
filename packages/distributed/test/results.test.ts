import { Float64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { encodeModel, HalfspaceError } from 'halfspace';
import { beforeAll, describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../test/support/properties.ts';
import { seal, unseal } from '../../halfspace/src/shards/sealed.ts';
import { framed } from '../src/answer.ts';
import {
  answer,
  decodeMixState,
  type Job,
  type MixState,
  mix,
  mixPart,
  modelOf,
  parseJob,
  progressOf,
  type ResultFile,
  work,
} from '../src/index.ts';
import { jobOf, streamOf } from './engine.ts';

const rows = [-3, -2, 5, 1, -4, 2, 7, -1].map((x) => ({ x, y: x > 0 ? 'up' : 'down' }));
const members = { columns: { x: { kind: 'number' } }, shards: 2, passes: 3, patience: undefined };
const jobs = [jobOf(members), jobOf({ ...members, rule: { name: 'perceptron' } }), jobOf({ ...members, seed: 2 })];

/** A step of a training: its job, the state before it and the results of all shards. */
interface Step {
  readonly job: Job;
  readonly state: MixState | null;
  readonly results: readonly ResultFile[];
}

const steps: Step[] = [];
/** Trainings of these jobs, and of the first one on other rows. */
const trainings = [...jobs.map((job) => ({ job, shift: 0 })), { job: jobs[0]!, shift: 0.5 }];

beforeAll(async () => {
  for (const [t, { job, shift }] of trainings.entries()) {
    let state: MixState | null = null;
    while (state?.next !== null) {
      const results: ResultFile[] = [];
      for (let k = 0; k < job.shards; k++) {
        const own = rows.filter((_, i) => i % job.shards === k).map(({ x, y }) => ({ x: x + shift, y }));
        const bytes = await work(job, state, k, streamOf(own, { x: 'number', y: 'text' }));
        results.push({ name: `training ${t}, step ${steps.length}, shard ${k}`, bytes });
      }
      steps.push({ job, state, results });
      state = decodeMixState(await mix(job, state, results), 'state');
    }
  }
});

const refusal = async (run: () => unknown): Promise<HalfspaceError> => {
  try {
    await run();
  } catch (error) {
    expect(error).toBeInstanceOf(HalfspaceError);
    return error as HalfspaceError;
  }
  throw new Error('expected a refusal; got none');
};

describe('the results of a step', () => {
  test('are refused by the names of their files if a member is missing, although the digest fits', async () => {
    const kind = { format: 'halfspace-result', what: '', code: 'source-corrupt' } as const;
    for (const { job, state, results } of steps.slice(0, 6)) {
      const [{ bytes }, ...others] = results as [ResultFile, ResultFile];
      const read = () => unseal(kind, new TextDecoder().decode(bytes), '').members as Record<string, object[]>;
      const [members, [found]] = [read(), read().found as [Record<string, unknown>]];
      const damaged = [
        ...Object.keys(members).map((name) => ({ ...members, [name]: undefined })),
        ...Object.keys(found).map((name) => ({ ...members, found: [{ ...found, [name]: undefined }] })),
        { ...members, found: [] },
      ];
      for (const each of damaged) {
        const file = { name: 'shard-0.result', bytes: new TextEncoder().encode(seal(kind, each)) };
        expect((await refusal(() => mix(job, state, [file, ...others]))).message).toMatch(/^shard-0.result: expected /);
      }
    }
  });

  test('are mixed only with its job and its state; others are refused by the names of their files', async () => {
    const alike = (a: Step, b: Step) =>
      JSON.stringify(a.job) === JSON.stringify(b.job) && a.state?.digest === b.state?.digest;
    for (const { job, state } of steps)
      for (const other of steps) {
        if (alike({ job, state, results: [] }, other)) continue;
        if (other.state !== null && JSON.stringify(job) !== JSON.stringify(other.job)) {
          expect((await refusal(() => mix(job, other.state, other.results))).message).toMatch(
            /^state: expected a state of this/,
          );
          expect((await refusal(() => modelOf(job, other.state!))).message).toMatch(
            /^state: expected a state of this job/,
          );
        }
        const { message } = await refusal(() => mix(job, state, other.results));
        expect(message).toMatch(/^training \d, step \d+, shard \d: expected a result of/);
        expect(await refusal(() => mixPart(job, state, other.results.slice(1)))).toBeInstanceOf(HalfspaceError);
      }
  });

  test('are refused if one of them is of another step, or there twice, or absent', async () => {
    for (const [s, { job, state, results }] of steps.entries()) {
      const [first, second] = results;
      expect((await refusal(() => mix(job, state, [first!]))).message).toContain('got none of shard 1');
      expect((await refusal(() => mix(job, state, [first!, second!, first!]))).message).toContain('another one of');
      const before = steps[s - 1];
      if (before !== undefined) await refusal(() => mix(job, state, [before.results[0]!, second!]));
    }
  });

  test('and states that were changed in any byte, or cut, are refused', async () => {
    await forAllAsync(200, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), async (s, at, change) => {
      const { job, state, results } = steps[s % steps.length]!;
      const bytes = results[0]!.bytes.slice();
      const place = at % (bytes.length - 1);
      bytes[place] = bytes[place]! ^ change;
      const damaged = { name: 'damaged', bytes };
      expect((await refusal(() => mix(job, state, [damaged, results[1]!]))).message).toMatch(/^damaged: expected/);
      const cut = { name: 'cut', bytes: results[0]!.bytes.slice(0, place) };
      await refusal(() => mix(job, state, [cut, results[1]!]));
      const text = await mix(job, state, results);
      const edited = Buffer.from(text);
      const letter = at % (edited.length - 1);
      edited[letter] = edited[letter]! ^ change;
      await refusal(() => decodeMixState(edited.toString(), 'state'));
      await refusal(() => decodeMixState(text.slice(0, letter), 'state'));
    });
  });

  test('of a finished training are not asked for', async () => {
    const { job, state, results } = steps.at(-1)!;
    const finished = decodeMixState(await mix(job, state, results), 'state');
    const run = () => work(job, finished, 0, streamOf(rows, { x: 'number', y: 'text' }));
    expect((await refusal(run)).message).toContain('write its model');
  });
});

const job = {
  ...{ format: 'halfspace-job', version: 1, label: 'y', id: 'id', columns: { x: { kind: 'number' } } },
  ...{ rule: { name: 'averaged' }, shards: 2, passes: 3 },
};
const nothing = new Uint8Array(0);

function blockOf(rows: readonly number[]): Uint8Array {
  const table = new Table({
    x: vectorFromArray(rows as never, new Float64()),
    y: vectorFromArray(rows.map((x) => (x > 0 ? 'yes' : 'no')) as never, new Utf8()),
    id: vectorFromArray(rows.map((x) => `#${x}`) as never, new Utf8()),
  });
  return tableToIPC(table, 'stream');
}

function request(head: object, state: Uint8Array, blocks: readonly Uint8Array[]): Uint8Array {
  return framed(new TextEncoder().encode(JSON.stringify({ job, ...head })), state, ...blocks, nothing);
}

/** Sends bytes in pieces of a size. Returns heads and bytes of all answers. */
async function ask(bytes: Uint8Array, size = 65_536): Promise<{ head: Record<string, unknown>; made: Uint8Array }[]> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const found: Uint8Array[] = [];
  for await (const given of answer(pieces()))
    for (let at = 0; at < given.length; ) {
      const length = new DataView(given.buffer, given.byteOffset + at).getUint32(0, true);
      found.push(given.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
  return found.flatMap((each, k) =>
    k % 2 === 0 ? [{ head: JSON.parse(new TextDecoder().decode(each)), made: found[k + 1]! }] : [],
  );
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

const shards = [
  [[-2, 1], [3]],
  [
    [-1, -4, 2],
    [5, -3],
  ],
];

test('requests give the bytes of the functions, in pieces of any size and blocks of any rows', async () => {
  await forAllAsync(4, fc.integer({ min: 5, max: 3000 }), fc.boolean(), async (size, inBlocks) => {
    const parsed = parseJob(JSON.stringify(job));
    let state = nothing;
    for (;;) {
      const known = state.length === 0 ? null : decodeMixState(new TextDecoder().decode(state), 'state');
      const wanted = await Promise.all(
        shards.map(async (rows, k) => {
          async function* whole() {
            yield blockOf(rows.flat());
          }
          return { name: `${k}`, bytes: await work(parsed, known, k, whole()) };
        }),
      );
      const works = shards.map((rows, shard) =>
        request({ task: 'work', shard }, state, (inBlocks ? rows : [rows.flat()]).map(blockOf)),
      );
      const results = await ask(join(works), size);
      expect(results.map(({ made }) => made)).toEqual(wanted.map(({ bytes }) => bytes));
      const given = results.map(({ made }) => made).reverse();
      const [{ head, made }] = (await ask(request({ task: 'mix' }, state, given), size)) as [never];
      const text = new TextDecoder().decode(made);
      expect(text).toBe(await mix(parsed, known, wanted));
      expect(head).toEqual({ status: 0, progress: progressOf(decodeMixState(text, 'state')) });
      state = made;
      if (decodeMixState(text, 'state').next === null) break;
    }
    const [told] = await ask(request({ task: 'model' }, state, []), size);
    const model = await modelOf(parsed, decodeMixState(new TextDecoder().decode(state), 'state'));
    expect(new TextDecoder().decode(told!.made)).toBe(encodeModel(model));
  });
});

test('a refused request is answered, and the next one too', async () => {
  const good = join([
    request({ task: 'work', shard: 0 }, nothing, [blockOf([1, -2])]),
    request({ task: 'check' }, nothing, []),
  ]);
  const blocks = [[1], [Number.NEGATIVE_INFINITY, 3], [4]].map(blockOf);
  const bad = [
    request({ task: 'work', shard: 1 }, nothing, blocks),
    request({ task: 'work', job: { ...job, rule: { name: 'tree' } } }, nothing, blocks),
    request({ task: 'work', shard: 1 }, nothing, [blockOf([1]), new Uint8Array(9)]),
    request({ task: 'mix' }, nothing, []),
    request({ task: 'check', job: { ...job, shards: 0 } }, nothing, []),
    request({ task: 'model' }, nothing, []),
    framed(new TextEncoder().encode('{'), nothing, nothing),
    request({ task: 'play' }, nothing, [blockOf([1])]),
    request({ task: 'work', shard: -1 }, nothing, [blockOf([1])]),
  ];
  const heads = (await ask(join(bad.flatMap((each) => [each, good])))).map(({ head }) => head);
  expect(heads.map(({ status }) => status)).toEqual([3, 2, 3, 3, 2, 2, 2, 2, 2].flatMap((status) => [status, 0, 0]));
  expect(heads[0]!.message).toMatch(/^shard 1, id #-Infinity, column "x": expected .*-Infinity/);
  expect(heads[3]!.message).toMatch(/expected a rule that can be mixed/);
  expect(heads[6]!.message).toMatch(/^shard 1: expected an Arrow IPC stream; got/);
  expect(heads[18]!.message).toBe('request: expected a request as JSON; got other text');
  expect(heads[9]!.message).toMatch(/got none of shard 0/);
});

test('an input that is cut is refused at every byte', async () => {
  const whole = request({ task: 'work', shard: 0 }, nothing, [blockOf([1, -2])]);
  for (let length = 1; length < whole.length; length += 7)
    await expect(ask(whole.subarray(0, length))).rejects.toThrow('expected whole frames; got an input that is cut');
  expect(await ask(nothing)).toEqual([]);
});
