import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type App, createApp } from '../../src/http/app.ts';
import { flowerModel } from '../support/flowers.ts';
import {
  exchange,
  expectAnswer,
  expectNoPatience,
  expectRefusal,
  get,
  hostileLimits,
  refusedRequests,
} from '../support/hostile-clients.ts';
import { naiveModels } from '../support/naive-models.ts';

const models = naiveModels();
let app: App;
let port: number;

beforeAll(async () => {
  await models.put('f', { kind: 'frozen', file: await flowerModel() });
  app = await createApp(models, { limits: { ...hostileLimits, connections: 50 }, hosts: ['127.0.0.1'] });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

// After each the service answers as before.
const answers = () => expectAnswer(port);
beforeEach(answers);
afterAll(answers);

describe('refused:', () => {
  test.each(refusedRequests)('%s', (...request) => expectRefusal(port, request));
});

test('nothing of a request reaches the prototype of all objects', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as { size?: number }).size).toBeUndefined();
});

test('an expectation that nobody knows is answered as the request is', async () => {
  const sent = get('/livez').replace('connection:', 'expect: 100-coniinue\r\nconnection:');
  expect(await exchange(port, sent)).toMatch(/^HTTP\/1\.1 200 /);
});

test('headers and bodies that do not come in time are refused', () => expectNoPatience(port));

test('connections beyond the limit are closed, and the first ones go on', async () => {
  const sockets = Array.from({ length: 80 }, () => connect(port, '127.0.0.1'));
  const closed = new Set<Socket>();
  for (const socket of sockets) socket.on('error', () => {}).on('close', () => closed.add(socket));
  while (closed.size < 30) await new Promise((resolve) => setTimeout(resolve, 5));
  const open = sockets.find((socket) => !closed.has(socket))!;
  const answer = new Promise<string>((resolve) => open.once('data', (piece) => resolve(piece.toString())));
  open.write(get('/livez'));
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of sockets) socket.destroy();
  while (closed.size < sockets.length) await new Promise((resolve) => setTimeout(resolve, 5));
});
