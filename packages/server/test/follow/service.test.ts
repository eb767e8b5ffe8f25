import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ServiceClient } from '../../src/client/index.ts';
import { type ServeOptions, serve } from '../../src/serve/serve.ts';
import { flowerModel, folderOfSuite } from '../support/examples.ts';

const folder = folderOfSuite();
const tokens = { owner: 'owner-of-the-writer', follower: 'follower-of-the-writer' };
const keyOf = (name: keyof typeof tokens, scopes: ('predict' | 'learn' | 'follow' | 'admin')[]) => ({
  name,
  sha256: createHash('sha256').update(tokens[name]).digest('hex'),
  scopes,
});
const begin = (options: ServeOptions) => serve({ port: 0, log: pino({ level: 'silent' }), ...options });

/** Waits until something holds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}

test('a follower answers as its writer, sends changes there, and goes on as a writer', async () => {
  const keys = [keyOf('owner', ['predict', 'learn', 'admin']), keyOf('follower', ['predict', 'follow'])];
  const file = join(folder, 'flowers.model.json');
  writeFileSync(file, await flowerModel());
  writeFileSync(join(folder, 'key.txt'), `${tokens.follower}\n`);
  const writer = await begin({ dir: join(folder, 'writer'), files: [file], keys });
  const owner = new ServiceClient(writer.url, { key: tokens.owner });
  const [fruit, gone] = [owner.model('fruit'), owner.model('gone')];
  for (const model of [fruit, gone]) await model.put({ kind: 'learning', options: { label: 'fruit' } });
  await fruit.learnAll([
    { row: { skin: 'smooth' }, label: 'apple' },
    { row: { skin: 'rough' }, label: 'orange' },
  ]);

  const follow = { url: writer.url, key: join(folder, 'key.txt') };
  const dir = join(folder, 'follower');
  const follower = await begin({ dir, follow });
  const reader = new ServiceClient(follower.url, { retries: 0 });
  await until(() => reader.isReady());
  const versionsOf = async (client: ServiceClient) =>
    (await client.models()).map(({ name, version }) => ({ name, version }));
  expect(await versionsOf(reader)).toEqual(await versionsOf(owner));
  const copy = reader.model('fruit');
  expect(await copy.predict({ skin: 'rough' })).toEqual(await fruit.predict({ skin: 'rough' }));

  // All later records come, too, and models that go.
  await fruit.beginShadow({ rule: 'arow' });
  const { version } = await fruit.learn({ row: { skin: 'rough', size: 2 }, label: 'melon' });
  await until(async () => (await copy.describe()).version.digest === version.digest);
  expect(await copy.shadow()).toEqual(await fruit.shadow());
  await gone.retire();
  await until(async () => (await reader.models()).length === 2);

  const refused = { status: 409, code: 'model-follows', message: expect.stringContaining(writer.url) };
  const example = { row: { skin: 'rough' }, label: 'orange' };
  for (const change of [
    () => copy.learn(example),
    () => copy.feedback('answer-0', 'orange'),
    () => copy.predict(example.row, { remember: true }),
    () => copy.put({ kind: 'learning' }),
    () => copy.retire(),
    () => copy.promoteShadow(),
  ])
    await expect(change()).rejects.toMatchObject(refused);
  const lag = { behindRecords: 0, contactSeconds: expect.any(Number) };
  expect(await (await fetch(`${follower.url}readyz`)).json()).toEqual({ status: 'ok', following: lag });
  const metrics = await (await fetch(`${follower.url}metrics`)).text();
  expect(metrics).toMatch(/^halfspace_model_behind_records\{model="fruit"\} 0$/m);
  expect(metrics).toMatch(/^halfspace_follower_contact_seconds \d/m);

  // A follower has all that its writer acknowledged before it ended, outlives it, and takes its place on demand.
  const last = fruit.learnAll(Array.from({ length: 2000 }, (_, size) => ({ row: { size }, label: 'apple' })));
  await until(async () => (await fruit.describe()).version.sequence > version.sequence);
  const closed = writer.close();
  const end = (await last).version;
  await closed;
  const before = await versionsOf(reader);
  expect(before).toContainEqual({ name: 'fruit', version: end });
  expect(await reader.isReady()).toBe(true);
  await follower.close();
  const promoted = await begin({ dir });
  const next = new ServiceClient(promoted.url);
  expect(await versionsOf(next)).toEqual(before);
  expect((await next.model('fruit').learn(example)).sequence).toBe(end.sequence + 1);
  await promoted.close();
});

test('a follower whose files were damaged begins anew', async () => {
  const writer = await begin({ dir: join(folder, 'sound') });
  const model = new ServiceClient(writer.url).model('m');
  await model.put({ kind: 'learning' });
  const { version } = await model.learn({ row: { x: 1 }, label: 'a' });
  const options = { dir: join(folder, 'damaged'), follow: { url: writer.url } };
  for (const time of ['first', 'second']) {
    const follower = await begin(options);
    expect(follower.setAside).toEqual(time === 'first' ? [] : ['m']);
    const reader = new ServiceClient(follower.url);
    await until(() => reader.isReady());
    await until(async () => (await reader.model('m').describe()).version.digest === version.digest);
    await follower.close();
    const files = readdirSync(options.dir, { recursive: true, encoding: 'utf8' });
    for (const each of files.filter((name) => /models.*snapshot-/.test(name)))
      writeFileSync(join(options.dir, each), 'damaged');
  }
  await writer.close();
});

test('the key of a follower reads journals and snapshots, and changes nothing', async () => {
  const keys = [keyOf('owner', ['predict', 'learn', 'admin']), keyOf('follower', ['follow'])];
  const writer = await begin({ dir: join(folder, 'keyed'), keys });
  await new ServiceClient(writer.url, { key: tokens.owner }).model('m').put({ kind: 'learning' });
  const ask = async (path: string, key = tokens.follower, method = 'GET') => {
    const response = await fetch(`${writer.url}v1/models/m${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
    });
    if (response.ok) {
      await response.body?.cancel();
      return response.status;
    }
    return `${response.status} ${(await response.json()).code}`;
  };
  const { headers } = await fetch(`${writer.url}v1/models/m`, { headers: { authorization: `Bearer ${tokens.owner}` } });
  const after = headers.get('etag')!.slice(1, -1);
  expect(await ask('/snapshot')).toBe(200);
  expect(await ask(`/journal?after=${after}`)).toBe(200);
  expect(await ask(`/journal?after=${after}`, tokens.owner)).toBe(200);
  expect(await ask(`/journal?after=${after.replace('0-', '1-')}`)).toBe('412 version-differs');
  expect(await ask(`/journal?after=0-${'0'.repeat(32)}`)).toBe('412 version-differs');
  expect(await ask('/journal')).toBe('400 request-invalid');
  expect(await ask('/journal?after=now')).toBe('400 request-invalid');
  expect(await ask('', tokens.follower, 'DELETE')).toBe('403 key-refused');
  expect(await ask('/state')).toBe('403 key-refused');
  await writer.close();
});

test.each<[what: string, options: ServeOptions, message: string]>([
  ['without a folder', { follow: { url: 'http://127.0.0.1:1' } }, 'with --dir, and no model files'],
  ['with model files', { dir: folder, files: ['a.json'], follow: { url: 'http://127.0.0.1:1' } }, 'got "a.json"'],
  ['of no address', { dir: folder, follow: { url: 'writer:4310' } }, 'expected the address of a service'],
  ['of an address with a key', { dir: folder, follow: { url: 'http://a:secret@b' } }, 'follow.key of the settings'],
  ['with a key that is not there', { dir: folder, follow: { url: 'http://b', key: '/none' } }, 'ENOENT'],
])('a follower %s does not start', async (_, options, message) => {
  await expect(begin(options)).rejects.toThrow(message);
  await expect(begin(options)).rejects.not.toThrow('secret');
});
