import { cpSync } from 'node:fs';
import type { OnlineOptions } from 'halfspace';
import { expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { createApp } from '../../src/http/app.ts';
import { type ModelBudget, openModels } from '../../src/index.ts';
import { type Asked, asking } from '../support/asking.ts';
import { temporaryFolder } from '../support/examples.ts';

const budget: ModelBudget = { bytes: 2 ** 17, features: 40, classes: 3, keptBytes: 1500 };

/** Asks a service with a model `m`. */
async function begin(options: OnlineOptions = {}, given: Partial<ModelBudget> = budget) {
  const dir = temporaryFolder();
  const models = await openModels({ dir, budget: given });
  const model = await models.put('m', { kind: 'learning', options });
  const ask = await asking(await createApp(models));
  return { dir, models, model, ask: ({ url, ...asked }: Asked) => ask({ ...asked, url: `/v1/models/m/${url}` }) };
}

const name = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.string({ maxLength: 300 }));
const value = fc.oneof(
  fc.nat(20).map((k) => `level ${k}`),
  fc.string({ maxLength: 3000 }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.boolean(),
  fc.constant(null),
);
const row = fc.oneof(
  { weight: 6, arbitrary: fc.dictionary(name, value, { maxKeys: 8 }) },
  fc.nat(60).map((index) => ({ indices: [index], values: [1] })),
);
const label = fc.oneof({ weight: 6, arbitrary: fc.constantFrom('x', 'y', 'z') }, name);
const key = fc.constantFrom('one', 'two', 'three', undefined);
const post = (url: string, body?: fc.Arbitrary<object>) =>
  fc.record({ method: fc.constant('POST' as const), url: fc.constant(url), key, body: body ?? fc.constant(undefined) });
const learner = fc.constantFrom<OnlineOptions[]>({ rule: 'arow' }, { columns: 'bag' }, { classes: ['x', 'y', 'z'] });
/** Requests that teach, keep rows, label kept rows, and begin, promote and drop shadows, with keys that come again. */
const request = fc.oneof(
  { weight: 6, arbitrary: post('learn', fc.record({ row, label })) },
  {
    weight: 3,
    arbitrary: post('learn', fc.record({ examples: fc.array(fc.record({ row, label }), { maxLength: 9 }) })),
  },
  { weight: 3, arbitrary: post('predict', fc.record({ row, remember: fc.constant(true) })) },
  { weight: 2, arbitrary: post('feedback', fc.record({ id: fc.constant('latest'), label })) },
  { weight: 3, arbitrary: post('shadow', fc.record({ options: learner })) },
  { weight: 3, arbitrary: post('promote') },
  {
    weight: 1,
    arbitrary: fc.record({
      method: fc.constant('DELETE' as const),
      url: fc.constant('shadow'),
      key,
      body: fc.constant(undefined),
    }),
  },
);

test('whatever is asked, a model stays within its budget, and all that was acknowledged is there after a kill', async () => {
  const statuses = new Set<string>();
  await forAllAsync(60, learner, fc.array(request, { minLength: 10, maxLength: 24 }), async (options, requests) => {
    const { dir, models, model, ask } = await begin(options);
    let latest = 'none';
    let acknowledged = 0;
    for (const { key, body, ...each } of requests) {
      const sent = body === undefined || !('id' in body) ? body : { ...body, id: latest };
      const headers = key === undefined ? {} : { 'idempotency-key': key };
      const { status, json } = await ask({ ...each, ...(sent === undefined ? {} : { body: sent }), headers });
      expect(status, JSON.stringify(json)).toBeLessThan(500);
      for (const { sequence, problem } of [json ?? {}, ...(json?.outcomes ?? [])]) {
        acknowledged = Math.max(acknowledged, sequence ?? 0);
        statuses.add(`${each.url} ${problem?.code ?? json?.code ?? status}`);
      }
      if (each.url === 'predict' && status === 200) latest = json.id ?? latest;
      const { learners, keptBytes } = model.usage!;
      expect(keptBytes).toBeLessThanOrEqual(budget.keptBytes);
      for (const used of learners)
        for (const name of ['bytes', 'features', 'classes'] as const)
          expect(used[name], name).toBeLessThanOrEqual(budget[name]);
    }
    expect(model.version.sequence).toBeGreaterThanOrEqual(acknowledged);
    const killed = temporaryFolder();
    cpSync(dir, killed, { recursive: true, filter: (path) => !path.endsWith('lock') });
    const expected = [model.version, model.stateFile(), model.shadow, model.usage!.learners];
    await models.close();
    // A smaller budget, too: a start replays what was learned, and refuses nothing of it.
    const again = await openModels({
      dir: killed,
      strict: true,
      budget: { bytes: 2 ** 16, features: 1, classes: 2 },
    });
    const restarted = again.get('m')!;
    const { version, shadow, usage } = restarted;
    expect([version, restarted.stateFile(), shadow, usage!.learners]).toEqual(expected);
    await again.close();
  });
  for (const each of ['learn 200', 'learn model-full', 'feedback 200', 'promote 200', 'learn idempotency-key-reused'])
    expect([...statuses]).toContain(each);
});

test('at its budget a model refuses what is new, says so, and learns what it knows', async () => {
  const { models, model, ask } = await begin({ columns: { colour: 'category' } });
  const learn = (colour: string, label = 'x') =>
    ask({ method: 'POST', url: 'learn', body: { row: { colour }, label } });
  let k = 0;
  for (; (await learn(`colour ${k}`, k % 2 ? 'x' : 'y')).status === 200; k++);
  const before = model.version;
  expect(await learn('another')).toMatchObject({
    status: 422,
    json: {
      code: 'model-full',
      detail:
        'expected a model of at most 40 features; got one that would have 41: leave out fields, levels, words and classes that are new, or raise budget.features of the service',
    },
  });
  expect(model.version).toEqual(before);
  expect((await learn('colour 3')).json).toMatchObject({ sequence: k + 1, duplicate: false });
  expect((await learn('colour 3', 'z')).status).toBe(200);
  expect((await learn('colour 3', 'w')).json).toMatchObject({ code: 'model-full' });
  await models.close();
});

test('an example that is too much for the shadow is refused, and the model has not learned it', async () => {
  const { models, model, ask } = await begin({ classes: ['x', 'y'], columns: 'bag', maxFeatures: 4 });
  await ask({ method: 'POST', url: 'shadow', body: { options: { columns: 'bag' } } });
  const row = Object.fromEntries(Array.from({ length: 41 }, (_, k) => [`f${k}`, 1]));
  const learn = (row: object) => ask({ method: 'POST', url: 'learn', body: { row, label: 'x' } });
  expect((await learn(row)).json).toMatchObject({
    code: 'model-full',
    detail: expect.stringMatching(/^expected a shadow/),
  });
  expect([model.version.sequence, model.description.examples, model.shadow!.examples]).toEqual([1, 0, 0]);
  await ask({ method: 'DELETE', url: 'shadow' });
  expect((await learn(row)).status).toBe(200);
  await models.close();
});

test('a learner that is larger than the budget from the start is refused', async () => {
  const { models, ask } = await begin();
  const classes = ['a', 'b', 'c', 'd'];
  expect((await ask({ method: 'POST', url: 'shadow', body: { options: { classes } } })).json.code).toBe('model-full');
  await expect(models.put('n', { kind: 'learning', options: { classes } })).rejects.toThrow(
    /at most 3 classes; got one/,
  );
  await models.close();
});

test('the oldest kept rows go first, by their bytes; a row that is too long is not kept', async () => {
  const { models, model } = await begin();
  const rows = [150, 150, 150, 1000, 150].map((length) => ({ text: 'a'.repeat(length) }));
  const ids = rows.map((each) => model.answer(each, { remember: true }).id);
  expect(ids[3]).toBeNull();
  const outcomes = [];
  for (const id of ids)
    outcomes.push(
      await model.feedback(id ?? '', 'x').then(
        () => 'learned',
        (error) => error.reason,
      ),
    );
  expect(outcomes).toEqual(['prediction-unknown', 'prediction-unknown', 'learned', 'prediction-unknown', 'learned']);
  await models.close();
});

test('the metrics have the memory of each model, and long names of columns and classes are shortened', async () => {
  const { models, model } = await begin({}, {});
  const [long, other] = ['é'.repeat(500) + 1, 'é'.repeat(500) + 2] as const;
  await model.learn([
    { row: { [long]: 1, [other]: 2 }, label: long },
    { row: { [long]: 1 }, label: other },
  ]);
  await model.changeShadow({ kind: 'start', options: {} });
  const { text } = await (await asking(await createApp(models)))({ url: '/metrics' });
  const lines = text.split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(300);
  expect(lines.filter((line) => line.startsWith('halfspace_model_class_share_ratio'))).toHaveLength(2);
  const { learners, keptBytes } = model.usage!;
  for (const [metric, used] of Object.entries({
    memory_bytes: 'bytes',
    features: 'features',
    classes: 'classes',
  } as const))
    for (const each of learners)
      expect(lines).toContain(`halfspace_model_${metric}{model="m",learner="${each.learner}"} ${each[used]}`);
  expect(lines).toContain(`halfspace_model_kept_rows_bytes{model="m"} ${keptBytes}`);
  await models.close();
});

test('a budget that is none is refused', async () => {
  const dir = temporaryFolder();
  await expect(openModels({ dir, budget: { bytes: 1 } })).rejects.toThrow(
    'the member of the budget "bytes" must be a whole number in [65536, 1099511627776]; got 1',
  );
  await expect(openModels({ dir, budget: { rows: 1 } as object })).rejects.toThrow(/expected one of bytes, features/);
});
