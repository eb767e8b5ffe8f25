import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { flowerModel } from '../support/flowers.ts';
import { naiveModels } from '../support/naive-models.ts';

const many = 10_000;
/** Opens connections that say nothing, and tells when all are open and when all are closed. */
const client = `
  const { connect } = require('node:net');
  const { once } = require('node:events');
  const [port, many] = process.argv.slice(1).map(Number);
  let closed = 0;
  (async () => {
    for (let open = 0; open < many; open += 250) {
      const some = Array.from({ length: 250 }, () => connect(port, '127.0.0.1'));
      await Promise.all(some.map((socket) => once(socket, 'connect')));
      for (const socket of some)
        socket.on('error', () => {}).on('close', () => ++closed === many && console.log('closed')).resume();
    }
    console.log('open');
  })();
`;

test('with 10,000 connections that say nothing the service answers, and closes them in time', async () => {
  const models = naiveModels();
  await models.put('f', { kind: 'frozen', file: await flowerModel() });
  const app = await createApp(models, { limits: { connections: many + 100, headerSeconds: 30 } });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const ask = async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}/v1/models/f/predict`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"row":{"size":1}}',
    });
    return status;
  };
  // A process of its own: both ends of so many connections may be more than one may have.
  const child = spawn(process.execPath, ['-e', client, String(port), String(many)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('open');
  // A client's connection is open before the service has taken it from the queue of the system.
  const taken = () => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)));
  await expect.poll(taken, { timeout: 10_000 }).toBe(many);
  for (let i = 0; i < 200; i++) expect(await ask()).toBe(200);
  expect((await lines.next()).value).toBe('closed');
  expect(await ask()).toBe(200);
  child.kill();
  await app.close();
});
