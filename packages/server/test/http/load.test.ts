import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type App, createApp } from '../../src/http/app.ts';
import type { RequestLimits } from '../../src/http/limits.ts';
import { NaiveModel, naiveModels } from '../support/naive-models.ts';

const apps: App[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

/** A model that learns when it is told to. */
class HeldModel extends NaiveModel {
  #go = () => {};
  readonly #held = new Promise<void>((resolve) => {
    this.#go = resolve;
  });
  calls = 0;

  release(): void {
    this.#go();
  }

  override async learn(...given: Parameters<NaiveModel['learn']>) {
    this.calls++;
    await this.#held;
    return super.learn(...given);
  }
}

async function service(limits: Partial<RequestLimits>) {
  const models = naiveModels();
  const model = new HeldModel('m', { options: {} });
  models.all.set('m', model);
  const app = await createApp(models, { limits });
  apps.push(app);
  const ask = (path: string, payload: object) => app.inject({ method: 'POST', url: `/v1/models/m/${path}`, payload });
  return { model, app, ask };
}

const row = { row: { x: 1 } };
const example = { ...row, label: 'a' };

test('requests are refused while as many as may wait for their answers, and only then', async () => {
  const { model, app, ask } = await service({ waiting: 3 });
  const waiting = Array.from({ length: 3 }, () => ask('learn', example));
  await expect.poll(() => model.calls).toBe(3);
  for (const path of ['learn', 'predict']) {
    const refused = await ask(path, example);
    expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([503, 'busy', '5']);
  }
  for (const probe of ['/livez', '/readyz', '/openapi.json']) expect((await app.inject(probe)).statusCode).toBe(200);
  model.release();
  expect((await Promise.all(waiting)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  for (let k = 0; k < 10; k++) expect((await ask('learn', example)).statusCode).toBe(200);
});

test('a request that is refused, or whose client left, keeps no place', async () => {
  const { model, app, ask } = await service({ waiting: 1 });
  for (let k = 0; k < 3; k++) expect((await ask('learn', { row: 1 })).statusCode).toBe(400);
  for (let k = 0; k < 3; k++) expect((await ask('learnt', example)).statusCode).toBe(404);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const body = JSON.stringify(example);
  const head = `POST /v1/models/m/learn HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const leaving = connect(port, '127.0.0.1');
  leaving.write(head + body);
  await expect.poll(() => model.calls).toBe(1);
  leaving.destroy();
  // A client that has not sent its body yet keeps nobody out.
  const slow = connect(port, '127.0.0.1');
  const came = once(app.server, 'request');
  slow.write(head);
  await came;
  model.release();
  await expect.poll(async () => (await ask('predict', row)).statusCode).toBe(200);
  expect((await ask('learn', example)).statusCode).toBe(200);
  slow.destroy();
});

test('streams and readers of events take no place', async () => {
  const { model, app, ask } = await service({ waiting: 1 });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const events = await fetch(`http://127.0.0.1:${port}/v1/models/m/events`);
  const stream = ask('learn', example);
  const lines = app.inject({
    method: 'POST',
    url: '/v1/models/m/learn',
    payload: JSON.stringify(example),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  await expect.poll(() => model.calls).toBe(2);
  model.release();
  expect([(await stream).statusCode, (await lines).statusCode]).toEqual([200, 200]);
  expect((await ask('predict', row)).statusCode).toBe(200);
  await events.body!.cancel();
});

test('an event loop that is late refuses nobody: the machine may be busy with other things', async () => {
  const { app, ask } = await service({});
  await app.ready();
  for (let k = 0; k < 3; k++) {
    const end = Date.now() + 1100;
    while (Date.now() < end);
    expect((await ask('predict', row)).statusCode).toBe(200);
    await new Promise(setImmediate);
  }
});

test('a route has limits of its own', async () => {
  const { model, ask } = await service({
    routes: { '/v1/models/{name}/predict': { body: 1024 }, '/v1/models/{name}/learn': { rate: 3 } },
  });
  model.release();
  const long = { row: { x: 'y'.repeat(2000) } };
  expect((await ask('predict', long)).statusCode).toBe(413);
  expect((await ask('explain', long)).statusCode).not.toBe(413);
  const asked = async (path: string) => {
    const found: number[] = [];
    for (let k = 0; k < 8; k++) found.push((await ask(path, example)).statusCode);
    return found;
  };
  expect(await asked('learn')).toContain(429);
  expect(await asked('explain')).not.toContain(429);
  await expect(service({ routes: { '/v1/models/{name}/lern': { rate: 1 } } })).rejects.toThrow(
    'expected paths of /openapi.json in limits.routes; got "/v1/models/{name}/lern"',
  );
});

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
