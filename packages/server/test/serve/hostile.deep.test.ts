import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { flowerModel } from '../support/flowers.ts';
import { temporaryFolder } from '../support/folder.ts';
import {
  expectAnswer,
  expectNoPatience,
  expectRefusal,
  hostileLimits,
  openIdle,
  refusedRequests,
} from '../support/hostile-clients.ts';
import { StartedCommand } from '../support/started-command.ts';

const many = 10_000;

/** Starts the command with a frozen model `f` and a model `m` that learns. */
async function started(limits: object) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'f.model.json'), await flowerModel());
  const settings = join(folder, 'settings.json');
  writeFileSync(settings, JSON.stringify({ files: ['f.model.json'], dir: 'dir', port: 0, limits }));
  const service = new StartedCommand(['--config', settings]);
  const port = Number(new URL((await service.url)!).port);
  await service.ask('v1/models/m', { method: 'PUT', body: { kind: 'learning' } });
  let examples = 0;
  const answers = async () => {
    await expectAnswer(port);
    const learned = await service.ask('v1/models/m/learn', { body: { row: { x: 1 }, label: 'a' } });
    expect(JSON.parse(learned!.text)).toMatchObject({ sequence: ++examples, duplicate: false });
  };
  await answers();
  return { service, port, answers };
}

test('the command refuses what no client of good will sends, and answers and learns after each', async () => {
  const { service, port, answers } = await started(hostileLimits);
  for (const request of refusedRequests) {
    await expectRefusal(port, request);
    await answers();
  }
  await expectNoPatience(port);
  await answers();
  // A refusal is no fault, and the log has nothing that clients sent.
  expect(service.log).not.toMatch(/"level":[56]0|__proto__|evil|passwd/);
  service.process.kill('SIGTERM');
  expect(await service.ended).toEqual([0, null]);
});

test('the command answers and learns beside 10,000 connections that say nothing, and closes them in time', async () => {
  const { service, port, answers } = await started({ connections: many + 100, headerSeconds: 30 });
  const { closed } = await openIdle(port, many);
  for (let i = 0; i < 200; i++) await answers();
  await closed;
  await answers();
  service.process.kill('SIGTERM');
  expect(await service.ended).toEqual([0, null]);
});
