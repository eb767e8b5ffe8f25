import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDeep } from '../../../../test/support/quick.ts';
import { checkModels, createApp, type Example, type Models, openModels } from '../../src/index.ts';
import { asking } from '../support/asking.ts';
import { flowerModel, temporaryFolder } from '../support/examples.ts';

const example = (k: number): Example => ({
  row: { x: k % 7, colour: `c${k % 3}` },
  label: k % 7 > 3 ? 'a' : 'b',
  id: `${k}`,
});
const names = ['a', 'b', 'frozen'];

/** Writes a folder of three models, as a kill leaves it: with snapshots and a journal behind them. */
async function writeFolder(): Promise<string> {
  const [dir, killed] = [temporaryFolder(), join(temporaryFolder(), 'killed')];
  const models = await openModels({ dir, segmentBytes: 1024 });
  for (const name of ['a', 'b']) await models.put(name, { kind: 'learning', options: {} });
  await models.put('frozen', { kind: 'frozen', file: await flowerModel() });
  for (let k = 0; k < 40; k++)
    for (const name of ['a', 'b']) await models.get(name)!.learn([example(2 * k), example(2 * k + 1)]);
  // A copy of files that change their names while it is made has no state of them.
  await expect.poll(() => filesIn(dir).filter((path) => /closed|partial/.test(path)), { timeout: 20_000 }).toEqual([]);
  cpSync(dir, killed, { recursive: true, filter: (path) => !path.endsWith('/lock') });
  await models.close();
  return killed;
}

/** Lists all files below a folder. */
const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(dir, path)).isFile())
    .sort();
const contents = (dir: string) => filesIn(dir).map((path) => [path, readFileSync(join(dir, path), 'latin1')]);

type Damage = (path: string, at: number) => void;
const damages: Readonly<Record<string, Damage>> = {
  'a flipped bit': (path, at) => {
    const bytes = readFileSync(path);
    bytes[at % bytes.length]! ^= 1 << (at & 7);
    writeFileSync(path, bytes);
  },
  'a cut': (path, at) => writeFileSync(path, readFileSync(path).subarray(0, at % statSync(path).size)),
  'a removal': (path) => rmSync(path),
  'a folder in place of it': (path) => {
    rmSync(path);
    mkdirSync(path);
  },
  'another name': (path) => renameSync(path, `${path}0`),
  'a copy under another name': (path) => cpSync(path, join(path, '../snapshot-99999999')),
  'a stray file': (path) => writeFileSync(join(path, '../notes.txt'), 'mine'),
  'a stray name of a journal': (path) => writeFileSync(join(path, '../journal-00000000000000000003'), 'x'),
};

test('whatever is wrong with a model, the others are served; it is as it was acknowledged, or set aside and repaired', async () => {
  const whole = await writeFolder();
  const given = await openModels({ dir: join(whole, '../opened'), segmentBytes: 1024 }).then(async (models) => {
    await models.close();
    rmSync(join(whole, '../opened'), { recursive: true });
    const copy = join(temporaryFolder(), 'copy');
    cpSync(whole, copy, { recursive: true });
    return openModels({ dir: copy });
  });
  const versions = Object.fromEntries(names.map((name) => [name, given.get(name)!.version]));
  await given.close();
  const broken = { setAside: 0, served: 0, repaired: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(damages)),
      fc.constantFrom(...names),
      fc.nat(),
      fc.nat(),
      async (damage, name, file, at) => {
        const dir = join(temporaryFolder(), 'damaged');
        cpSync(whole, dir, { recursive: true });
        const own = filesIn(join(dir, 'models', name));
        damages[damage]!(join(dir, 'models', name, own[file % own.length]!), at);
        const before = contents(join(dir, 'models', name));
        const checked = await checkModels({ dir });
        expect(contents(join(dir, 'models', name))).toEqual(before);
        expect(checked.map((each) => each.name)).toEqual(names);
        const found = checked.find((each) => each.name === name)!;
        for (const each of checked) if (each !== found) expect(each).toMatchObject({ state: 'whole', notes: [] });
        const notes: string[] = [];
        const models = await openModels({ dir, onNote: ({ model, message }) => notes.push(`${model}: ${message}`) });
        for (const each of names) if (each !== name) expect(models.get(each)!.version).toEqual(versions[each]);
        const model = models.get(name);
        if (model === null) {
          broken.setAside++;
          expect([...models.setAside.keys()]).toEqual([name]);
          expect(notes.join()).toContain(`${name}: set aside, and not served:`);
          expect(contents(join(dir, 'models', name))).toEqual(before);
          await expect(openModels({ dir: join(dir), strict: true })).rejects.toThrow(/locked/);
          expect(found.state).toMatch(/repairable|unreadable/);
        } else {
          broken.served++;
          expect(found).toMatchObject({ state: 'whole', sequence: model.version.sequence });
          // Bytes that are missing or changed in the last group of the journal are as a crash leaves them, and are told.
          if (damage !== 'a cut' && damage !== 'a flipped bit')
            expect([damage, model.version]).toEqual([damage, versions[name]]);
          else if (model.version.sequence < versions[name]!.sequence) expect(notes.join()).toMatch(/are lost/);
        }
        await models.close();
        if (found.state !== 'repairable') return;
        broken.repaired++;
        expect(found.notes.join()).toMatch(/expected/);
        const repaired = await checkModels({ dir, repair: true });
        expect(repaired.find((each) => each.name === name)).toEqual({ ...found, state: 'repaired' });
        // Nothing of what was there is gone, and what could be read is served.
        const kept = [...contents(join(dir, 'retired')), ...contents(join(dir, 'models', name))].map(
          ([, bytes]) => bytes,
        );
        for (const [path, bytes] of before) if (!/current/.test(path!)) expect(kept).toContain(bytes);
        const again = await openModels({ dir, strict: true });
        expect(again.get(name)!.version.sequence).toBe(found.sequence);
        expect(found.sequence).toBeLessThanOrEqual(versions[name]!.sequence);
        if (name !== 'frozen') await again.get(name)!.learn([example(1000)]);
        await again.close();
      },
    ),
    // Each file of each model is missing once.
    {
      numRuns: isDeep ? 300 : 20,
      examples: names.flatMap((name) => [0, 1, 2, 3].map((file) => ['a removal', name, file, 0])),
    },
  );
  expect(Math.min(broken.setAside, broken.served, broken.repaired)).toBeGreaterThan(5);
});

test('a model that is set aside is told, refused with 409, and retired with all of its files', async () => {
  const dir = await writeFolder();
  writeFileSync(join(dir, 'models/a/current'), 'x');
  writeFileSync(join(dir, 'models/.DS_Store'), 'x');
  await expect(openModels({ dir, strict: true })).rejects.toMatchObject({ code: 'source-corrupt' });
  const models: Models = await openModels({ dir });
  const ask = await asking(await createApp(models));
  expect((await ask({ url: '/readyz' })).json).toEqual({ status: 'degraded', setAside: ['a'] });
  expect((await ask({ url: '/metrics' })).text).toContain('halfspace_models_set_aside 1');
  const before = contents(join(dir, 'models/a'));
  const refused = { status: 409, code: 'model-set-aside' };
  for (const [method, path, body] of [
    ['POST', 'a/predict', { row: { x: 1 } }],
    ['POST', 'a/learn', { row: { x: 1 }, label: 'a' }],
    ['PUT', 'a', { kind: 'learning' }],
  ] as const)
    expect((await ask({ method, url: `/v1/models/${path}`, body })).json).toMatchObject(refused);
  expect((await ask({ method: 'POST', url: '/v1/models/b/predict', body: { row: { x: 1 } } })).status).toBe(200);
  expect((await ask({ method: 'DELETE', url: '/v1/models/a' })).status).toBe(204);
  expect(contents(join(dir, 'retired/a-unread-1'))).toEqual(before);
  expect((await ask({ method: 'PUT', url: '/v1/models/a', body: { kind: 'learning' } })).status).toBe(201);
  expect((await ask({ url: '/readyz' })).json).toEqual({ status: 'ok' });
  await models.close();
});

test('folders that a person made are neither served nor removed', async () => {
  const dir = await writeFolder();
  const at = (path: string) => join(dir, 'models', path);
  for (const path of ['empty', 'kept/00000001', 'a/00000007']) mkdirSync(at(path), { recursive: true });
  writeFileSync(at('a/00000007/notes.txt'), 'mine');
  cpSync(at('a'), at('copy'), { recursive: true });
  cpSync(at('frozen'), at('frozen-copy'), { recursive: true });
  const notes: string[] = [];
  const models = await openModels({ dir, onNote: ({ model, message }) => notes.push(`${model}: ${message}`) });
  expect(models.list().map(({ name }) => name)).toEqual(names);
  expect([...models.setAside.keys()]).toEqual(['copy', 'frozen-copy', 'kept']);
  expect(notes.join('\n')).toContain('expected files of the model "copy"; got those of "a"');
  expect(notes.join('\n')).toMatch(/^empty: left alone/m);
  expect(readFileSync(join(dir, 'retired/a-00000007/notes.txt'), 'utf8')).toBe('mine');
  // A name that only has an empty folder is free.
  await models.put('empty', { kind: 'learning', options: {} });
  await models.close();
  for (const path of ['kept/00000001', 'copy/current', 'copy/00000007/notes.txt', 'frozen-copy/current'])
    expect(existsSync(at(path))).toBe(true);
  // The files of one model in the folder of another are found, too.
  rmSync(at('b/00000001'), { recursive: true });
  cpSync(at('a/00000001'), at('b/00000001'), { recursive: true });
  const again = await openModels({ dir });
  expect(again.setAside.get('b')!.message).toContain('expected files of the model "b"; got those of "a"');
  await again.close();
});
