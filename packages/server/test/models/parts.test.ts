import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OnlineClassifier } from 'halfspace';
import { expect, test } from 'vitest';
import { checkModels, type Example, type Models, openModels } from '../../src/index.ts';
import { ModelState } from '../../src/state/model-state.ts';
import { temporaryFolder } from '../support/folder.ts';

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
      expect(found).toMatchObject({ name: 'VersionUnknown' });
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
