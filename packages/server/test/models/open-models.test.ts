import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeModel, OnlineClassifier, type OnlineOptions, Predictor } from 'halfspace';
import { Random } from 'halfspace/runs';
import { describe, expect, it, test } from 'vitest';
import { realDisk } from '../../src/disk/real-disk.ts';
import { refusalOf } from '../../src/http/problem.ts';
import { type Alarm, type Example, memoryModels, openModels } from '../../src/index.ts';
import { temporaryFolder } from '../support/examples.ts';

const example = (k: number): Example => ({
  row: { x: ((k * 37) % 101) - 50, y: ((k * 53) % 97) - 48, colour: ['red', 'green', 'blue'][k % 3]! },
  label: (k * 37) % 101 > (k * 53) % 97 ? 'yes' : 'no',
  id: `example ${k}`,
});
const examples = Array.from({ length: 300 }, (_, k) => example(k));

/** A classifier that learned from examples. */
function learned(from: readonly Example[]): OnlineClassifier {
  const classifier = new OnlineClassifier();
  for (const { row, label } of from) classifier.learn(row, label);
  return classifier;
}

test('a model has the state of a classifier that was never interrupted, after each new start', async () => {
  const dir = temporaryFolder();
  let at = 0;
  for (const [round, end] of [1, 7, 100, 299, 300].entries()) {
    const models = await openModels({ dir });
    const model = round === 0 ? await models.put('m', { kind: 'learning', options: {} }) : models.get('m')!;
    expect(model.version.sequence).toBe(at);
    // Some in one call, the others in calls of their own.
    const now = examples.slice(at, end);
    const batch = model.learn(now.slice(0, 3));
    const single = now.slice(3).map((each) => model.learn([each]));
    const outcomes = [...(await batch), ...(await Promise.all(single)).flat()];
    expect(outcomes).toMatchObject(now.map((_, k) => ({ sequence: at + k + 1, duplicate: false })));
    at = end;
    expect(model.stateFile()).toBe(learned(examples.slice(0, at)).save());
    if (at > 1) expect(model.modelFile()).toBe(encodeModel(learned(examples.slice(0, at)).model()));
    await models.close();
  }
});

test('examples with one id are learned once: in one call, at the same time, later, after a new start', async () => {
  const dir = temporaryFolder();
  const models = await openModels({ dir });
  const model = await models.put('m', { kind: 'learning', options: {} });
  const [first, second, third] = [example(0), example(1), example(0)];
  const [together, after] = await Promise.all([model.learn([first, second, third]), model.learn([third])]);
  expect(together).toMatchObject([{ sequence: 1 }, { sequence: 2 }, { sequence: 1, duplicate: true }]);
  expect(after).toEqual([{ sequence: 1, duplicate: true, answer: null }]);
  await models.close();
  const again = await openModels({ dir });
  expect(await again.get('m')!.learn([second])).toEqual([{ sequence: 2, duplicate: true, answer: null }]);
  expect(again.get('m')!.stateFile()).toBe(learned([first, second]).save());
  await again.close();
});

test('more examples than memory should hold are refused until the disk has caught up, and none that was taken is lost', async () => {
  const models = await openModels({ dir: temporaryFolder() });
  const model = await models.put('m', { kind: 'learning', options: {} });
  const mebibyte: Example = { row: { pad: 'x'.repeat(2 ** 20) }, label: 'a', importance: 0 };
  const calls = await Promise.allSettled(Array.from({ length: 80 }, () => model.learn([mebibyte])));
  const taken = calls.filter(({ status }) => status === 'fulfilled').length;
  expect(taken).toBe(64);
  for (const call of calls.slice(taken))
    expect(refusalOf((call as PromiseRejectedResult).reason)).toMatchObject({
      ...{ status: 503, code: 'busy', headers: { 'retry-after': '5' } },
    });
  expect(await model.learn([example(0)])).toMatchObject([{ sequence: taken + 1 }]);
  await models.close();
});

test('an example that cannot be learned is refused, changes nothing, and may come again', async () => {
  const dir = temporaryFolder();
  const models = await openModels({ dir });
  const model = await models.put('m', { kind: 'learning', options: { columns: { x: 'number' } } });
  await model.learn([example(0), example(1)]);
  const { digest } = model.version;
  const state = model.stateFile();
  const wrong = [
    { row: { x: Number.NaN }, label: 1 },
    { row: { x: { y: 1 } }, label: 1 },
    { row: [1, 'a'], label: 1 },
    { row: 'x', label: 1 },
    { row: { x: 1 }, label: null },
    { row: { x: 1 }, label: {} },
    { row: { x: 1 }, label: 1, importance: -1 },
    { row: { x: 1 }, label: 1, id: '' },
  ] as unknown as Example[];
  for (const each of await model.learn(wrong)) expect(each).toHaveProperty('refused.code');
  expect(model.version).toEqual({ sequence: 2, digest });
  const poison = { row: { x: 'seven' }, label: 'yes', id: 'p' };
  expect(await model.learn([poison])).toMatchObject([{ refused: { code: 'number-invalid' } }]);
  expect(model.version).toEqual({ sequence: 2, digest });
  expect(model.stateFile()).toBe(state);
  expect(await model.learn([{ ...example(2), id: 'p' }])).toMatchObject([{ sequence: 3, duplicate: false }]);
  await models.close();
});

test('a label that follows by the id of an answer is learned once', async () => {
  const dir = temporaryFolder();
  const models = await openModels({ dir });
  const limits = { predictions: 2 };
  const model = await models.put('m', { kind: 'learning', options: {}, limits });
  await model.learn(examples.slice(0, 20));
  const ids = examples.slice(20, 23).map(({ row }) => model.answer(row, { remember: true }).id!);
  await expect(model.feedback(ids[0]!, 'yes')).rejects.toThrow(/one of the latest predictions/);
  expect(await model.feedback(ids[1]!, examples[21]!.label)).toMatchObject({ sequence: 21, duplicate: false });
  expect(await model.feedback(ids[1]!, examples[21]!.label)).toMatchObject({ sequence: 21, duplicate: true });
  expect(model.stateFile()).toBe(learned([...examples.slice(0, 20), examples[21]!]).save());
  expect(model.answer(examples[0]!.row).id).toBe(null);
  await models.close();
});

test('a model is replaced and retired only if it is the expected one, and its files follow', async () => {
  const dir = temporaryFolder();
  const models = await openModels({ dir });
  const put = models.put('m', { kind: 'learning', options: {} }, 'none');
  const model = await put;
  await expect(models.put('m', { kind: 'learning', options: {} }, 'none')).rejects.toThrow(/no model of this name/);
  const before = model.version;
  await model.learn(examples);
  await expect(models.put('m', { kind: 'frozen', file: model.modelFile() }, before)).rejects.toThrow(
    /expected version/,
  );
  await expect(models.retire('m', before)).rejects.toThrow(/expected version/);
  await expect(models.put('m', { kind: 'frozen', file: '{}' })).rejects.toThrow();
  await expect(models.put('../m', { kind: 'learning', options: {} })).rejects.toThrow(/name of a model/);

  const state = model.stateFile()!;
  expect(await models.put('m', { kind: 'learned', state }, model.version)).toBe(model);
  expect(model).toMatchObject({ version: { sequence: 0 }, description: { examples: 300 } });
  expect(readdirSync(join(dir, 'models/m')).sort()).toEqual(['00000002', 'current']);
  const file = encodeModel(learned(examples).model());
  await models.put('m', { kind: 'frozen', file });
  expect(model.answer(example(3).row).scores).toEqual([
    ...new Predictor(learned(examples).model()).scores(example(3).row),
  ]);
  await expect(model.learn([example(1)])).rejects.toThrow(/a frozen one/);

  await models.retire('m', model.version);
  expect(models.list()).toEqual([]);
  await expect(model.learn([example(1)])).rejects.toThrow(/was retired/);
  await models.put('m', { kind: 'learning', options: {} });
  await models.close();
  expect(readdirSync(join(dir, 'retired')).length).toBe(3);
  const again = await openModels({ dir });
  expect(again.get('m')).toMatchObject({ kind: 'learning', version: { sequence: 0 } });
  await again.close();
});

test('alarms are told to listeners and kept, also after the model was replaced and after a new start', async () => {
  const dir = temporaryFolder();
  const models = await openModels({ dir });
  const model = await models.put('m', { kind: 'learning', options: {} });
  await models.put('m', { kind: 'learning', options: {} });
  const alarms: Alarm[] = [];
  const stop = model.onAlarm((alarm) => alarms.push(alarm));
  const flipped = (k: number): Example => ({ row: { x: (k % 20) - 10 }, label: k % 20 > 10 === k < 600 });
  const outcomes = await model.learn(Array.from({ length: 1200 }, (_, k) => flipped(k)));
  const drifts = outcomes.flatMap((each, k) => ('answer' in each && each.answer?.drift ? [k + 1] : []));
  expect(drifts.length).toBeGreaterThan(0);
  expect(alarms.map(({ sequence }) => sequence)).toEqual(drifts);
  expect(model.watch).toMatchObject({ examples: 1200, alarms });
  stop();
  const { watch } = model;
  await models.close();
  const again = await openModels({ dir });
  expect(again.get('m')!.watch).toEqual(watch);
  await again.close();
});

test.each<OnlineOptions>([
  {},
  { drift: 'adwin' },
  { drift: 'page-hinkley' },
  { drift: { name: 'adwin', direction: 'both', delta: 0.01 } },
])(
  'one change of the errors is one alarm in answers, figures and for listeners, with the options %j',
  async (options) => {
    const models = await openModels({ dir: temporaryFolder() });
    for (let seed = 0; seed < 5; seed++) {
      const random = new Random(seed);
      const model = await models.put(`m${seed}`, { kind: 'learning', options: { ...options, rule: 'sgd' } });
      const heard: Alarm[] = [];
      model.onAlarm((alarm) => heard.push(alarm));
      // The more frequent class is answered always, so errors are those of the label.
      const examples = Array.from({ length: 3000 }, (_, k): Example => {
        const isRare = k > 0 && random.uniform() < (k < 1500 ? 0.05 : 0.35);
        return { row: { x: 'same' }, label: isRare ? 'b' : 'a' };
      });
      const outcomes = await model.learn(examples);
      const drifts = outcomes.flatMap((each, k) => ('answer' in each && each.answer?.drift ? [k + 1] : []));
      const { alarms, errorAlarms } = model.watch!;
      expect(drifts).toHaveLength(1);
      expect(drifts[0]).toBeGreaterThan(1500);
      expect(heard.map(({ sequence }) => sequence)).toEqual(drifts);
      expect(alarms).toEqual(heard);
      expect(errorAlarms.adwin + errorAlarms['page-hinkley']).toBe(1);
    }
    await models.close();
  },
);

test('a folder has one service at a time', async () => {
  const dir = temporaryFolder();
  const models = await openModels({ dir });
  await expect(openModels({ dir })).rejects.toMatchObject({ code: 'write-failed' });
  await models.close();
  await (await openModels({ dir })).close();
});

test('frozen models need no folder, and models that learn do', async () => {
  const model = learned(examples).model();
  const models = memoryModels({ penguins: encodeModel(model) });
  const served = models.get('penguins')!;
  expect(served.answer(example(9).row)).toMatchObject({ class: new Predictor(model).predict(example(9).row) });
  await expect(models.put('m', { kind: 'learning', options: {} })).rejects.toThrow(/start the service with a folder/);
  await expect(served.learn([example(1)])).rejects.toThrow(/a frozen one/);
  await models.close();
});

describe('a folder that the system refuses', () => {
  const refused = expect.objectContaining({
    name: 'HalfspaceError',
    code: 'write-failed',
    message: expect.stringMatching(/expected a folder for models, which can be read and written; got .*choose another/),
  });

  it('is named if it is a file, is in one, or is no place for files', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const dir of [file, join(file, 'models'), '/dev/null', ...(existsSync('/proc/self') ? ['/proc'] : [])])
      await expect(openModels({ dir })).rejects.toEqual(refused);
  });

  it('is named whichever call of the disk fails, with whatever code', async () => {
    const dir = temporaryFolder();
    const models = await openModels({ dir });
    await models.put('m', { kind: 'learning', options: {} });
    await models.close();
    for (const code of ['EIO', 'ENOSPC', 'EMFILE', 'EINVAL', 'ELOOP'])
      for (const call of ['makeFolder', 'lock', 'list', 'read', 'size', 'openToAppend'] as const) {
        const fails = () => Promise.reject(Object.assign(new Error(`${code}: failed`), { code }));
        const disk = { ...realDisk, [call]: fails };
        const opened = await openModels({ dir, disk }).catch((error) => error);
        // The models of a folder that is only read are served, and so are the others if one cannot be read.
        if (opened instanceof Error) expect(opened).toEqual(refused);
        else await opened.close();
      }
  });
});
