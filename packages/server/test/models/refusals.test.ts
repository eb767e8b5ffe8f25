import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OnlineOptions } from 'halfspace';
import { expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { createApp } from '../../src/http/app.ts';
import {
  type Example,
  type Learned,
  type Models,
  openModels,
  type ServedModel,
  type ShadowChange,
} from '../../src/index.ts';
import { temporaryFolder } from '../support/examples.ts';

/** Its weights grow with every mistake, so whether an example is refused depends on those before it. */
const diverging = { name: 'sgd', loss: 'squared-hinge', schedule: 'constant', rate: 1, penalty: 'none' } as const;

const options: OnlineOptions[] = [
  {},
  { classes: ['yes', 'no'] },
  { positive: 'yes', maxFields: 2 },
  { rule: diverging, scale: 'none' },
  { maxFeatures: 4, calibrate: true, drift: 'adwin' },
];

/** Examples of which many are refused: by the journal's form, by the classifier, or because of examples before them. */
const example: fc.Arbitrary<Example> = fc.record({
  row: fc.oneof(
    { weight: 6, arbitrary: fc.record({ x: fc.constantFrom(-9, 9, 1e50), colour: fc.constantFrom('red', 'blue') }) },
    ...[{ x: 'seven' }, { x: Number.NaN }, { x: 1e70 }, { x: undefined }, { colour: { deep: 1 } }, { y: 1 }, {}].map(
      (row) => fc.constant(row),
    ),
    // A model of records refuses lists, and one of lists refuses records: the first one decides.
    ...[[1, 2], [0, 1, 2, 3, 4], Float64Array.of(3, 1), { indices: [2], values: [1] }, 'text', null].map((row) =>
      fc.constant(row),
    ),
  ),
  label: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('yes', 'no') },
    fc.constantFrom<unknown>('maybe', null, ' ', Number.NaN, 3n, true, {}),
  ),
  importance: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, fc.constantFrom(0, 2, -1, Infinity)),
  id: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.constantFrom('a', 'b', 'c', 'd', '')),
}) as fc.Arbitrary<Example>;

type Call = readonly Example[] | ShadowChange;
const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 3, arbitrary: example.map((each) => [each]) },
  { weight: 3, arbitrary: fc.array(example, { maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom<ShadowChange[]>({ kind: 'promote' }, { kind: 'drop' }) },
  { weight: 1, arbitrary: fc.constant<ShadowChange>({ kind: 'start', options: { rule: 'arow' } }) },
  { weight: 1, arbitrary: fc.constant<ShadowChange>({ kind: 'start', options: { window: 0 } }) },
);

/** Returns the bytes of all files of the model `m`. */
function filesIn(dir: string): Record<string, Buffer> {
  const folder = join(dir, 'models', 'm');
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(paths.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name))]));
}

const observed = (model: ServedModel) => {
  const { version, metrics, watch, shadow, classes } = model;
  return { version, metrics, watch, shadow, classes, state: model.stateFile() };
};

const isTaken = (outcome: Learned) => !('refused' in outcome);

test('what is refused changes nothing: not the version, not the journal, not what is learned later or after a crash', async () => {
  let [refused, taken] = [0, 0];
  await forAllAsync(60, fc.constantFrom(...options), fc.array(call, { maxLength: 12 }), async (given, calls) => {
    const dirs = [temporaryFolder(), temporaryFolder()] as const;
    const [all, good] = await Promise.all(dirs.map((dir) => openModels({ dir })));
    const content = { kind: 'learning', options: given } as const;
    const model = await all!.put('m', content);
    const other = await good!.put('m', content);
    // The files of a service that was killed, and of one that never met what is refused.
    const compare = () => expect(filesIn(dirs[0])).toEqual(filesIn(dirs[1]));
    for (const each of calls) {
      const [before, files] = [observed(model), filesIn(dirs[0])];
      if ('kind' in each) {
        const error = await model.changeShadow(each).catch((reason: Error) => reason);
        if (error === undefined) await other.changeShadow(each);
        else {
          refused++;
          expect(observed(model)).toEqual(before);
          expect(filesIn(dirs[0])).toEqual(files);
        }
      } else {
        const outcomes = await model.learn(each);
        const accepted = each.filter((_, k) => isTaken(outcomes[k]!));
        expect(await other.learn(accepted)).toEqual(outcomes.filter(isTaken));
        refused += each.length - accepted.length;
        taken += accepted.length;
        if (accepted.length === 0) {
          expect(observed(model)).toEqual(before);
          expect(filesIn(dirs[0])).toEqual(files);
        }
      }
      expect(observed(model)).toEqual(observed(other));
      compare();
    }
    const killed = temporaryFolder();
    cpSync(dirs[0], killed, { recursive: true, filter: (path) => !path.endsWith('lock') });
    const expected = observed(model);
    await Promise.all([all!.close(), good!.close()]);
    for (const dir of [killed, dirs[0]]) {
      const again = await openModels({ dir });
      expect(observed(again.get('m')!)).toEqual(expected);
      await again.close();
    }
  });
  expect(Math.min(refused, taken)).toBeGreaterThan(8);
});

test('calls that do not wait for each other are refused as if each came after the one before it', async () => {
  await forAllAsync(40, fc.constantFrom(...options), fc.array(call, { maxLength: 12 }), async (given, calls) => {
    const both = [await openModels({ dir: temporaryFolder() }), await openModels({ dir: temporaryFolder() })];
    const begin = (models: Models) => models.put('m', { kind: 'learning', options: given });
    const [at, once] = (await Promise.all(both.map(begin))) as [ServedModel, ServedModel];
    const run = (model: ServedModel, each: Call) =>
      'kind' in each ? model.changeShadow(each).catch((reason: Error) => reason.message) : model.learn(each);
    const together = await Promise.all(calls.map((each) => run(at, each)));
    for (const [k, each] of calls.entries()) expect(await run(once, each)).toEqual(together[k]);
    expect(observed(at)).toEqual(observed(once));
    for (const models of both) await models.close();
  });
});

test('examples on which the weights diverge are refused, wherever they stand in a call', async () => {
  const models = await openModels({ dir: temporaryFolder() });
  const content = { kind: 'learning', options: { rule: diverging, scale: 'none' } } as const;
  const examples = Array.from({ length: 300 }, (_, k): Example => ({ row: [9, k % 7], label: k % 2 }));
  const [together, each] = [await models.put('a', content), await models.put('b', content)];
  const outcomes = await together.learn(examples);
  const first = outcomes.findIndex((outcome) => !isTaken(outcome));
  expect(outcomes[first]).toMatchObject({ refused: { code: 'weights-overflow' } });
  for (const example of examples.slice(0, first)) await each.learn([example]);
  const before = observed(each);
  expect(isTaken((await each.learn([examples[first]!]))[0]!)).toBe(false);
  expect(observed(each)).toEqual(before);
  expect(together.version.sequence).toBe(outcomes.filter(isTaken).length);
  await models.close();
});

test('the 1001st class of one call is refused, and the classes before it are learned', async () => {
  const models = await openModels({ dir: temporaryFolder() });
  const model = await models.put('m', { kind: 'learning', options: { rule: 'perceptron' } });
  const examples = Array.from({ length: 1003 }, (_, k): Example => ({ row: [k % 7], label: `class ${k % 1002}` }));
  const outcomes = await model.learn(examples);
  expect(outcomes.flatMap((each, k) => (isTaken(each) ? [] : [k]))).toEqual([1000, 1001]);
  expect(model.version.sequence).toBe(1001);
  await models.close();
});

test('a refusal by HTTP leaves the ETag, also of a label that follows an answer', async () => {
  const models = await openModels({ dir: temporaryFolder() });
  const model = await models.put('m', {
    kind: 'learning',
    options: { classes: ['yes', 'no'], columns: { x: 'number' } },
  });
  const app = await createApp(models);
  const send = (path: string, payload: object) =>
    app.inject({ method: 'POST', url: `/v1/models/m/${path}`, payload, headers: { 'idempotency-key': 'k' } });
  const tag = async () => (await app.inject('/v1/models/m')).headers.etag;
  await model.learn([{ row: { x: 1 }, label: 'yes' }]);
  const before = [await tag(), model.stateFile()];
  const { id } = (await send('predict', { row: { x: 2 }, remember: true })).json();
  for (const [path, payload] of [
    ['learn', { row: { x: 'seven' }, label: 'no' }],
    ['learn', { row: [1], label: 'no' }],
    ['learn', { row: { x: 1 }, label: 'maybe' }],
    ['feedback', { id, label: 'maybe' }],
  ] as const) {
    expect((await send(path, payload)).statusCode).toBe(422);
    expect([await tag(), model.stateFile()]).toEqual(before);
  }
  // The key and the id of what was refused are free for what is right.
  expect((await send('learn', { row: { x: 2 }, label: 'no' })).json()).toMatchObject({ sequence: 2, duplicate: false });
  expect((await send('feedback', { id, label: 'no' })).json()).toMatchObject({ sequence: 3, duplicate: false });
  await app.close();
  await models.close();
});
