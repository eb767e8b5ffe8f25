import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFolder } from '../../src/disk/lock.ts';
import { ownIdentity } from '../../src/disk/process-identity.ts';
import { temporaryFolder } from '../support/folder.ts';

const times = { touch: 20, patience: 200 };
const token = 'of another';

test('one process has the lock until it gives it back', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'lock');
  const unlock = await lockFolder(path, times);
  await expect(lockFolder(path, times)).rejects.toThrow(`process ${process.pid}`);
  await unlock();
  const again = await lockFolder(path, times);
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
  await (await lockFolder(path, patient))();
  // The number of this process, which had another start.
  writeFileSync(path, JSON.stringify({ ...ownIdentity(), start: '1', token }));
  await (await lockFolder(path, patient))();
});

test('of many that come at once to a lock of a dead process, one gets it', async () => {
  const path = join(temporaryFolder(), 'lock');
  for (let round = 0; round < 5; round++) {
    writeFileSync(path, JSON.stringify({ ...ownIdentity(), start: '1', token: `${token} ${round}` }));
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(path, times)));
    const got = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(got.length).toBe(1);
    await got[0]!();
  }
});

test('a lock of another place is taken over when its file is not touched any more', async () => {
  const path = join(temporaryFolder(), 'lock');
  const elsewhere = { host: 'elsewhere', pid: 1, start: '1', place: 'another boot', token };
  const unlock = await lockFolder(path, times);
  // The holder goes on to touch it.
  writeFileSync(path, JSON.stringify(elsewhere));
  await expect(lockFolder(path, times)).rejects.toThrow(/process 1 on elsewhere/);
  await unlock();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(elsewhere);
  await (await lockFolder(path, times))();
  // A power loss may empty the file.
  writeFileSync(path, '');
  await (await lockFolder(path, times))();
});
