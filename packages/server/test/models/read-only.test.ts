import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.ts';
import { realDisk } from '../../src/disk/real-disk.ts';
import { createApp, type Models, openModels } from '../../src/index.ts';
import { asking } from '../support/asking.ts';
import { temporaryFolder } from '../support/examples.ts';

const example = (k: number) => ({ row: { x: k % 7 }, label: k % 7 > 3 ? 'a' : 'b' });
const options = { kind: 'learning', options: {} } as const;

async function opened(dir: string, disk: Disk = realDisk): Promise<Models> {
  const models = await openModels({ dir, disk, retryAfter: 5, segmentBytes: 1024 });
  if (models.get('m') === null) await models.put('m', options);
  return models;
}

/** Returns the number of examples that a fresh service knows. */
async function known(dir: string): Promise<number> {
  const models = await openModels({ dir });
  const { sequence } = models.get('m')!.version;
  await models.close();
  return sequence;
}

const losses: Readonly<Record<string, (dir: string) => void>> = {
  lock: (dir) => rmSync(join(dir, 'lock')),
  'whole folder': (dir) => rmSync(dir, { recursive: true }),
  'folder of the model': (dir) => rmSync(join(dir, 'models/m'), { recursive: true }),
};

test.each(Object.keys(losses))(
  'without its %s a service acknowledges nothing more, and its end fails',
  async (what) => {
    const dir = join(temporaryFolder(), 'models');
    const models = await opened(dir);
    const model = models.get('m')!;
    await model.learn([example(1), example(2)]);
    losses[what]!(dir);
    for (let k = 0; k < 3; k++)
      await expect(model.learn([example(k)])).rejects.toThrow(/expected to write to the disk/);
    expect(model.fault).not.toBeNull();
    expect(model.answer({ x: 1 }).class).not.toBeNull();
    if (what === 'lock') {
      // Another one takes over what was acknowledged, and keeps it.
      const next = await openModels({ dir });
      expect(next.get('m')!.version.sequence).toBe(2);
      await next.get('m')!.learn([example(3)]);
      await expect(model.learn([example(4)])).rejects.toThrow(/expected to write to the disk/);
      await expect(models.close()).rejects.toThrow(/expected models whose files could be written; got m:/);
      await next.close();
      expect(await known(dir)).toBe(3);
    } else await expect(models.close()).rejects.toThrow(/expected models whose files could be written; got m:/);
  },
);

test('a folder that goes while nothing is learned is told at the end', async () => {
  const dir = join(temporaryFolder(), 'models');
  const models = await opened(dir);
  await models.get('m')!.learn([example(1)]);
  losses['whole folder']!(dir);
  await expect(models.close()).rejects.toThrow(/expected models whose files could be written; got m:/);
});

test('a journal that was removed is written again from memory, and nothing acknowledged is lost', async () => {
  const dir = temporaryFolder();
  const models = await opened(dir);
  const model = models.get('m')!;
  await model.learn([example(1), example(2)]);
  const folder = join(dir, 'models/m/00000001');
  for (const name of readdirSync(folder)) if (name.startsWith('journal')) rmSync(join(folder, name));
  let learned = 2;
  for (let k = 0; learned < 5; k++) {
    await model.learn([example(k)]).then(
      () => learned++,
      () => new Promise((resolve) => setTimeout(resolve, 5)),
    );
    if (k > 1000) throw new Error('expected a model that learns again; got one that does not');
  }
  await models.close();
  expect(await known(dir)).toBe(5);
});

/** Returns a disk on which nothing can be written. */
function full(code: string): Disk {
  const refuse = () => Promise.reject(Object.assign(new Error(`${code}: no write`), { code }));
  return { ...realDisk, makeFolder: refuse, create: refuse, openToAppend: refuse, rename: refuse, lock: refuse };
}

test.each(['ENOSPC', 'EROFS', 'EACCES'])(
  'on a disk with %s a start answers, refuses to learn, and changes nothing',
  async (code) => {
    const [dir, killed] = [temporaryFolder(), join(temporaryFolder(), 'killed')];
    const first = await opened(dir);
    for (let k = 0; k < 50; k++) await first.get('m')!.learn([example(k)]);
    cpSync(dir, killed, { recursive: true });
    await first.close();
    const before = readdirSync(killed, { recursive: true });
    const notes: string[] = [];
    const models = await openModels({ dir: killed, disk: full(code), onNote: ({ message }) => notes.push(message) });
    const ask = await asking(await createApp(models));
    expect(models.get('m')!.version.sequence).toBe(50);
    expect((await ask({ method: 'POST', url: '/v1/models/m/predict', body: { row: { x: 1 } } })).status).toBe(200);
    const learned = await ask({ method: 'POST', url: '/v1/models/m/learn', body: example(1) });
    expect(learned.json).toMatchObject({ status: 503, code: 'model-read-only' });
    expect((await ask({ method: 'PUT', url: '/v1/models/n', body: options })).json).toMatchObject({ status: 507 });
    expect((await ask({ method: 'DELETE', url: '/v1/models/m' })).json).toMatchObject({ status: 507 });
    expect((await ask({ url: '/readyz' })).status).toBe(503);
    expect(notes.join()).toContain(`${code}: no write`);
    await models.close();
    expect(readdirSync(killed, { recursive: true })).toEqual(before);
    // There is nothing to answer with, so nothing is hidden.
    await expect(openModels({ dir: join(killed, 'new'), disk: full(code) })).rejects.toThrow(code);
  },
);
