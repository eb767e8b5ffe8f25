import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { lockFolder, ownIdentity } from '../../src/disk/lock.ts';
import { temporaryFolder } from '../support/examples.ts';

const times = { touch: 20, patience: 200 };
const token = 'of another';

test('one process has the lock until it gives it back', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'lock');
  const { unlock } = await lockFolder(path, times);
  await expect(lockFolder(path, times)).rejects.toThrow(`process ${process.pid}`);
  await unlock();
  const { unlock: again } = await lockFolder(path, times);
  // A late end of the first one takes nothing away.
  await unlock();
  await expect(lockFolder(path, times)).rejects.toThrow(/stop that service/);
  await again();
  expect(readdirSync(folder)).toEqual([]);
});

test.skipIf(process.platform !== 'linux')('the lock of a dead process is taken over at once', async () => {
  const path = join(temporaryFolder(), 'lock');
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  const patient = { touch: 20, patience: 1e9 };
  writeFileSync(path, JSON.stringify({ ...ownIdentity(), pid: child.pid, token }));
  await (await lockFolder(path, patient)).unlock();
  // The number of this process, which had another start.
  writeFileSync(path, JSON.stringify({ ...ownIdentity(), start: '1', token }));
  await (await lockFolder(path, patient)).unlock();
});

test('of many that come at once to a lock of a dead process, one gets it', async () => {
  const path = join(temporaryFolder(), 'lock');
  for (let round = 0; round < 5; round++) {
    writeFileSync(path, JSON.stringify({ ...ownIdentity(), start: '1', token: `${token} ${round}` }));
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(path, times)));
    const got = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(got.length).toBe(1);
    await got[0]!.unlock();
  }
});

test('a lock of another place is taken over when its file is not touched any more', async () => {
  const path = join(temporaryFolder(), 'lock');
  const elsewhere = { host: 'elsewhere', pid: 1, start: '1', place: 'another boot', token };
  writeFileSync(path, JSON.stringify(elsewhere));
  // The holder goes on to touch it.
  const touching = setInterval(() => utimesSync(path, new Date(), new Date()), times.touch);
  await expect(lockFolder(path, times)).rejects.toThrow(/process 1 on elsewhere/);
  clearInterval(touching);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(elsewhere);
  await (await lockFolder(path, times)).unlock();
  // A power loss may empty the file.
  writeFileSync(path, '');
  await (await lockFolder(path, times)).unlock();
});

test.each([
  ['removed', (path: string) => rmSync(path)],
  ['replaced by another one', (path: string) => renameSync(other(path), path)],
  ['written over', (path: string) => writeFileSync(path, readFileSync(other(path)))],
])('a lock that was %s is missed', async (_, change) => {
  const path = join(temporaryFolder(), 'lock');
  const lock = await lockFolder(path, times);
  lock.check();
  change(path);
  await vi.waitFor(() => expect(() => lock.check()).toThrow(/got none, or that of another one/));
  const before = existsSync(path) ? readFileSync(path, 'utf8') : null;
  await lock.unlock();
  expect(existsSync(path) ? readFileSync(path, 'utf8') : null).toBe(before);
});

/** Writes the file of another lock, and returns its path. */
function other(path: string): string {
  writeFileSync(`${path}-other`, JSON.stringify({ ...ownIdentity(), token }));
  return `${path}-other`;
}

test.skipIf(process.platform !== 'linux')('what killed processes left beside the lock is removed', async () => {
  const path = join(temporaryFolder(), 'lock');
  writeFileSync(`${path}.0123`, JSON.stringify({ ...ownIdentity(), start: '1', token }));
  writeFileSync(`${path}.4567`, JSON.stringify({ ...ownIdentity(), token }));
  await (await lockFolder(path, times)).unlock();
  expect(readdirSync(join(path, '..'))).toEqual(['lock.4567']);
});
