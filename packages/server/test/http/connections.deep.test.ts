import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { flowerModel } from '../support/flowers.ts';
import { expectAnswer, openIdle } from '../support/hostile-clients.ts';
import { naiveModels } from '../support/naive-models.ts';

const many = 10_000;

test('with 10,000 connections that say nothing the service answers, and closes them in time', async () => {
  const models = naiveModels();
  await models.put('f', { kind: 'frozen', file: await flowerModel() });
  const app = await createApp(models, { limits: { connections: many + 100, headerSeconds: 30 } });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const { closed } = await openIdle(port, many);
  // A client's connection is open before the service has taken it from the queue of the system.
  const taken = () => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)));
  await expect.poll(taken, { timeout: 10_000 }).toBe(many);
  for (let i = 0; i < 200; i++) await expectAnswer(port);
  await closed;
  await expectAnswer(port);
  await app.close();
});
