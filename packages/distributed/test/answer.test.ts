import { Float64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { encodeModel } from 'halfspace';
import { expect, test } from 'vitest';
import { framed } from '../src/frames.ts';
import { answer, decodeMixState, mix, modelOf, parseJob, progressOf, work } from '../src/index.ts';

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
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 5, max: 3000 }), fc.boolean(), async (size, inBlocks) => {
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
    }),
    { numRuns: 4 },
  );
});

test('a refused request is answered, and the next one too', async () => {
  const good = request({ task: 'work', shard: 0 }, nothing, [blockOf([1, -2])]);
  const blocks = [[1], [Number.NEGATIVE_INFINITY, 3], [4]].map(blockOf);
  const bad = [
    request({ task: 'work', shard: 1 }, nothing, blocks),
    request({ task: 'work', job: { ...job, rule: { name: 'tree' } } }, nothing, blocks),
    request({ task: 'work', shard: 1 }, nothing, [blockOf([1]), new Uint8Array(9)]),
    request({ task: 'mix' }, nothing, []),
    request({ task: 'model' }, nothing, []),
    framed(new TextEncoder().encode('{'), nothing, nothing),
    request({ task: 'play' }, nothing, [blockOf([1])]),
    request({ task: 'work', shard: -1 }, nothing, [blockOf([1])]),
  ];
  const heads = (await ask(join(bad.flatMap((each) => [each, good])))).map(({ head }) => head);
  expect(heads.map(({ status }) => status)).toEqual([3, 0, 2, 0, 3, 0, 3, 0, 2, 0, 2, 0, 2, 0, 2, 0]);
  expect(heads[0]!.message).toMatch(/^shard 1, id #-Infinity, column "x": expected .*-Infinity/);
  expect(heads[2]!.message).toMatch(/expected a rule that can be mixed/);
  expect(heads[4]!.message).toMatch(/^shard 1: expected an Arrow IPC stream; got/);
  expect(heads[10]!.message).toBe('request: expected a request as JSON; got other text');
  expect(heads[6]!.message).toMatch(/got none of shard 0/);
});

test('an input that is cut is refused at every byte', async () => {
  const whole = request({ task: 'work', shard: 0 }, nothing, [blockOf([1, -2])]);
  for (let length = 1; length < whole.length; length += 7)
    await expect(ask(whole.subarray(0, length))).rejects.toThrow('expected whole frames; got an input that is cut');
  expect(await ask(nothing)).toEqual([]);
});
