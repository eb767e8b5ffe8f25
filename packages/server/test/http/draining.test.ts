import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { naiveModels } from '../support/naive-models.ts';

test('an application that closes answers what it began, and is not ready for more', async () => {
  const models = naiveModels();
  await models.put('m', { kind: 'learning', options: {} });
  const app = await createApp(models);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (piece) => {
    received += piece.toString();
  });
  const body = '{"row":{"x":1},"label":"a"}';
  const ask = (line: string, ...headers: string[]) =>
    socket.write([line, 'host: here', ...headers, '', ''].join('\r\n'));
  ask('POST /v1/models/m/learn HTTP/1.1', 'content-type: application/json', `content-length: ${body.length}`);
  await once(app.server, 'request');
  const closed = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  socket.write(body);
  await expect.poll(() => received).toMatch(/^HTTP\/1\.1 200 [\s\S]*"sequence":1/);
  ask('GET /readyz HTTP/1.1');
  await once(socket, 'close');
  await closed;
  expect(received).toMatch(/HTTP\/1\.1 503 [\s\S]*connection: close[\s\S]*"code":"service-ending"/i);
});

test('before it ends it says that it is not ready, and answers all the same', async () => {
  const models = naiveModels();
  await models.put('m', { kind: 'learning', options: {} });
  const app = await createApp(models);
  const status = async (path: string) => (await app.inject(path)).statusCode;
  expect([await status('/readyz'), await status('/v1/models')]).toEqual([200, 200]);
  app.drain();
  expect([await status('/readyz'), await status('/livez'), await status('/v1/models')]).toEqual([503, 200, 200]);
  await app.close();
});
