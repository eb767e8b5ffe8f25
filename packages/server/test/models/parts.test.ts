import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OnlineClassifier } from 'halfspace';
import { Random } from 'halfspace/runs';
import { describe, expect, test } from 'vitest';
import { isDeep, some } from '../../../../test/support/quick.ts';
import { checkModels, createApp, type Example, type ModelContent, type Models, openModels } from '../../src/index.ts';
import { readContent } from '../../src/models/read-content.ts';
import { ModelState } from '../../src/state/model-state.ts';
import { asking } from '../support/asking.ts';
import { temporaryFolder } from '../support/examples.ts';
import { runSchedule, type Tally } from '../support/schedule.ts';
import type { Chance } from '../support/unreliable-disk.ts';

const example = (k: number): Example => ({ row: { x: k % 7, colour: `c${k % 30}` }, label: k % 7 > 3 ? 'a' : 'b' });
const examples = Array.from({ length: 200 }, (_, k) => example(k));

/** The segments are so short that all files are made of the journal. */
async function opened(dir: string, onNote = (_: { message: string }) => {}): Promise<Models> {
  const models = await openModels({ dir, segmentBytes: 1024, onNote });
  if (models.get('m') === null) await models.put('m', { kind: 'learning', options: {} });
  return models;
}

/** The bytes of `OnlineClassifier.save` after some examples. */
function learned(count: number): string {
  const classifier = new OnlineClassifier();
  for (const { row, label } of examples.slice(0, count)) classifier.learn(row, label);
  return classifier.save();
}

test('files of a model are those of the version they name, whatever is learned and written meanwhile', async () => {
  const models = await opened(temporaryFolder());
  const model = models.get('m')!;
  const asked: ReturnType<typeof model.file>[] = [];
  for (const [k, each] of examples.entries()) {
    const learning = model.learn([each]);
    if (k % 20 === 19) for (const part of ['state', 'snapshot'] as const) asked.push(model.file(part));
    await learning;
  }
  for (const [k, each] of (await Promise.all(asked)).entries()) {
    const { version, bytes } = each!;
    if (k % 2 === 0) expect(Buffer.from(bytes).toString()).toBe(learned(version.sequence));
    else expect(ModelState.load(bytes, 'm')).toMatchObject({ ...version });
  }
  expect(Buffer.from((await model.file('model'))!.bytes).toString()).toBe(model.modelFile());
  await models.close();
});

test('the state as of each record since the last snapshot is that of a model that learned no more', async () => {
  const models = await opened(temporaryFolder());
  const model = models.get('m')!;
  const versions = [model.version];
  for (const each of examples.slice(0, 60)) {
    await model.learn([each]);
    versions.push(model.version);
  }
  let told = 0;
  for (const { sequence, digest } of versions.toReversed()) {
    const found = await model.file('snapshot', sequence).catch((error) => error as Error);
    if (found instanceof Error) {
      expect(found).toMatchObject({ reason: 'version-unknown' });
      continue;
    }
    told++;
    expect(found!.version).toEqual({ sequence, digest });
    const put = await models.put('m2', { kind: 'snapshot', bytes: found!.bytes });
    expect(put.stateFile()).toBe(learned(sequence));
  }
  expect(told).toBeGreaterThan(1);
  for (const sequence of [61, 2 ** 40]) await expect(model.file('snapshot', sequence)).rejects.toThrow('to 60; got');
  await models.close();
});

test('files that the disk changed while the service ran are written again from memory', async () => {
  const dir = temporaryFolder();
  const notes: string[] = [];
  const models = await opened(dir, ({ message }) => notes.push(message));
  const model = models.get('m')!;
  for (const each of examples.slice(0, 50)) await model.learn([each]);
  const folder = join(dir, 'models/m/00000001');
  for (const name of readdirSync(folder).filter((each) => each.includes('snapshot'))) {
    const bytes = readFileSync(join(folder, name));
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(join(folder, name), bytes);
  }
  expect(Buffer.from((await model.file('state'))!.bytes).toString()).toBe(learned(50));
  for (const each of examples.slice(50)) await model.learn([each]);
  await models.close();
  expect(await checkModels({ dir })).toMatchObject([{ name: 'm', state: 'whole', sequence: 200 }]);
  const again = await opened(dir);
  expect(again.get('m')!.stateFile()).toBe(learned(200));
  await again.close();
});

const [first, second]: readonly [Example, Example] = [
  { row: { size: 1, colour: 'red' }, label: 'a' },
  { row: { size: 2, colour: 'blue' }, label: 'b' },
];

/** Opens a service with a model `m`. */
async function begin(dir = temporaryFolder()) {
  const models = await openModels({ dir });
  if (models.get('m') === null) await models.put('m', { kind: 'learning', options: {} });
  const ask = await asking(await createApp(models, { limits: { body: 2 ** 25 } }));
  const learn = async (body: object, headers = {}) =>
    (await ask({ method: 'POST', url: '/v1/models/m/learn', body, headers })).json;
  return { models, learn };
}

const reused = { status: 422, code: 'idempotency-key-reused' };

test('an id or a key that stood for another example is refused, whatever differs', async () => {
  const { models, learn } = await begin();
  await learn(first, { 'idempotency-key': 'k' });
  await learn({ ...first, id: 'a' });
  for (const other of [second, { ...first, label: 'b' }, { ...first, importance: 2 }, { ...first, row: {} }]) {
    expect(await learn(other, { 'idempotency-key': 'k' })).toMatchObject(reused);
    const { outcomes } = await learn({ examples: [other, first].map((each) => ({ ...each, id: 'a' })) });
    expect(outcomes).toMatchObject([{ problem: reused }, { duplicate: true }]);
  }
  // Of examples that wait for the disk, too.
  const { outcomes } = await learn({ examples: [first, second].map((each) => ({ ...each, id: 'b' })) });
  expect(outcomes).toMatchObject([{ sequence: 3, duplicate: false }, { problem: reused }]);
  expect((await learn({ ...first, id: 'a\u0000b' })).code).toBe('option-invalid');
  await models.close();
});

test('what is learned can be read again: longer labels and rows are refused, however large a body may be', async () => {
  const dir = temporaryFolder();
  const { models, learn } = await begin(dir);
  for (const sign of some(['漢', '\u0000'], 2)) {
    const most = 2 ** 22 - 200;
    const wide = (length: number) => ({
      ...second,
      row: { text: sign.repeat(Math.floor(length / (JSON.stringify(sign).length - 2))) },
    });
    expect(await learn({ ...first, label: sign.repeat(1024) })).toMatchObject({ duplicate: false });
    expect((await learn({ ...first, label: sign.repeat(1025) })).code).toBe('request-invalid');
    expect(await learn([{ ...first, label: sign.repeat(1025) }])).toMatchObject([
      { problem: { code: 'label-classes' } },
    ]);
    expect(await learn(wide(most))).toMatchObject({ duplicate: false });
    expect((await learn(wide(2 * most + 2000))).code).toMatch(/row-malformed|body-too-large/);
  }
  const { version } = models.get('m')!;
  const copy = `${temporaryFolder()}/copy`;
  cpSync(dir, copy, { recursive: true, filter: (path) => !path.endsWith('/lock') });
  await models.close();
  // As after a kill: the journal is all that there is.
  const again = await openModels({ dir: copy });
  expect(again.get('m')!.version).toEqual(version);
  await again.close();
});

describe('schedules', () => {
  const schedules = isDeep ? 10_000 : 20;
  /** A busy machine takes a quarter of an hour for all of them. */
  const longestMs = 3_600_000;
  const first = Number(process.env.TEST_SCHEDULE ?? 1);

  /** Makes the random choices of a schedule. */
  function chanceOf(seed: number): Chance {
    const random = new Random(seed);
    const next = () => random.uniform();
    return Object.assign((probability: number) => next() < probability, { next });
  }

  test(
    `nothing acknowledged is lost or learned twice in ${schedules} schedules of crashes and faults`,
    async () => {
      const tally: Tally = {
        acknowledged: 0,
        crashes: 0,
        powerLosses: 0,
        refusedStarts: 0,
        faults: 0,
        replaced: 0,
        retired: 0,
        shadows: 0,
        damaged: 0,
      };
      for (let seed = first; seed < first + schedules; seed++)
        try {
          await runSchedule(chanceOf(seed), tally);
        } catch (error) {
          throw new Error(`in schedule ${seed}; TEST_SCHEDULE=${seed} begins with it`, { cause: error });
        }
      // Otherwise the schedules test little.
      for (const [event, count] of Object.entries(tally))
        expect({ event, isCommon: count >= schedules / 10 }).toEqual({ event, isCommon: true });
    },
    longestMs,
  );
});

test('what another thread has read of a file makes the same model', async () => {
  const models = await opened(temporaryFolder());
  const model = models.get('m')!;
  await model.changeShadow({ kind: 'start', options: { rule: 'arow', calibrate: true } });
  await model.learn(examples);
  const contents: ModelContent[] = [
    { kind: 'snapshot', bytes: (await model.file('snapshot'))!.bytes },
    { kind: 'learned', state: model.stateFile()! },
    { kind: 'frozen', file: model.modelFile() },
  ];
  for (const content of contents) {
    const first = await models.put('first', content);
    const [version, file] = [first.version, (await first.file('snapshot'))?.bytes ?? first.modelFile()];
    // A message to a thread is such a clone.
    const second = await models.put('first', structuredClone(readContent(content, 'first')));
    expect(second.version).toEqual(version);
    expect((await second.file('snapshot'))?.bytes ?? second.modelFile()).toEqual(file);
    const asked = { row: { x: 3, colour: 'c1', size: 7 }, label: 'a' };
    expect(second.answer(asked.row)).toEqual(first.answer(asked.row));
    if (content.kind !== 'frozen') expect((await second.learn([asked]))[0]).toMatchObject({ duplicate: false });
  }
  await models.close();
});
