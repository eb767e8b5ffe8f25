import { createHash } from 'node:crypto';
import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import type { InjectOptions } from 'fastify';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { type App, createApp } from '../../src/http/app.ts';
import { type NaiveModel, naiveModels } from '../support/naive-models.ts';

/** Stands in everything that a client sends, each time with another end. */
const mark = 'Marker';
const token = `${mark}-token`;
const key = {
  name: 'shop',
  sha256: createHash('sha256').update(token).digest('hex'),
  scopes: ['predict', 'learn', 'admin'],
};

/** Makes an application with a model that learns, `m`, one whose disk failed, and one that fails. */
async function begin(logRows: boolean) {
  let log = '';
  const stream = new Writable({
    write(piece, _, done) {
      log += piece;
      done();
    },
  });
  const models = naiveModels();
  for (const name of ['m', 'full', 'broken']) await models.put(name, { kind: 'learning', options: {} });
  (models.get('full') as NaiveModel).fault = new Error('ENOSPC');
  const failing = (row: unknown): never => {
    throw new TypeError(`expected a right program; got\n    at ${JSON.stringify(row)}`);
  };
  Object.assign(models.get('broken')!, { answer: failing, learn: failing, explain: failing });
  const app = await createApp(models, {
    log: pino({ level: 'trace' }, stream),
    keys: [key as never],
    hosts: ['here'],
    limits: { body: 10_000 },
    logRows,
  });
  onTestFinished(() => app.close());
  const lines = () =>
    log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { app, text: () => log, lines };
}

/** Sends a request to an application. A list is sent as lines, a text as it is. */
async function ask(app: App, { body, headers, ...rest }: { body?: object | string } & InjectOptions) {
  const isLines = Array.isArray(body);
  const lines = isLines ? body.map((each) => `${JSON.stringify(each)}\n`).join('') : body;
  const type = { 'content-type': isLines ? 'application/x-ndjson' : 'application/json' };
  const sent = lines === undefined ? {} : { payload: lines };
  return app.inject({ ...rest, ...sent, headers: { ...(lines === undefined ? {} : type), ...headers } });
}

let count = 0;
const marked = () => `${mark}${count++}`;

/** Requests of every route, with marks in all places. */
function* requests(app: App) {
  const routes = Object.entries(app.swagger().paths as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => ({ path, method: method.toUpperCase() })),
  );
  const bodies = () => {
    const row = { [marked()]: marked(), x: 1 };
    const [label, id] = [marked(), marked()];
    const example = { row, label, id };
    return [
      undefined,
      { row, of: id, remember: true },
      { rows: [row, [marked()]], probabilities: true },
      example,
      { examples: [example, { row: { x: marked() }, label: 1 }] },
      { id, label },
      { kind: 'learning', options: { [marked()]: marked() } },
      { kind: 'learning', options: { label, classes: [marked(), marked()] } },
      { options: { rule: marked() } },
      { inputs: [{ name: marked(), datatype: 'BYTES', shape: [1, 1], data: [marked()] }] },
      [example, example, { row: marked() }, { ...example, label: null }],
      `{"row": {"${marked()}`,
      `{"row": "${marked().repeat(2000)}"}`,
      `"${'\\ud800'}${marked()}"`,
    ];
  };
  // A model that is made has its name in the log.
  for (const { path, method } of routes)
    for (const name of ['m', 'full', 'broken', method === 'PUT' ? 'new' : marked()])
      for (const body of bodies())
        for (const authorization of [`Bearer ${token}`, `Bearer ${marked()}`].slice(0, name === 'm' ? 2 : 1))
          yield {
            method: method as 'GET',
            url: `${path.replaceAll(/\{\w+\}/g, name)}?${marked()}=${marked()}&probabilities=${marked()}`.replace(
              name === 'm' ? /$/ : /\?.*/,
              '',
            ),
            ...(body === undefined ? {} : { body }),
            headers: {
              authorization,
              host: 'here',
              'idempotency-key': marked(),
              'x-request-id': marked(),
              ...(method === 'PUT' && name !== 'm' ? { 'if-none-match': '*' } : { 'if-match': `"${marked()}"` }),
              ...(count % 7 === 0 ? { origin: `https://${marked()}.example` } : {}),
              ...(count % 11 === 0 ? { host: marked() } : {}),
              ...(count % 13 === 0 ? { 'content-type': `text/${marked()}` } : {}),
            },
          };
  yield { url: `/${marked()}`, headers: { host: 'here' } };
  yield { url: `/v1/models/%${marked()}`, headers: { host: 'here' } };
}

/** Sends bytes and closes the connection. */
async function sendAndGo(app: App, text: string): Promise<void> {
  const { port } = app.server.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, () => setTimeout(() => socket.destroy(), 5)));
    socket.on('error', () => {}).on('close', () => resolve());
  });
}

test('nothing that a client sent is in the log', async () => {
  const { app, text, lines } = await begin(false);
  await app.ready();
  const found = new Set<number>();
  for (const asked of requests(app)) if (!asked.url.includes('/events')) found.add((await ask(app, asked)).statusCode);
  expect([...found].sort()).toEqual(
    expect.arrayContaining([200, 400, 401, 403, 404, 409, 413, 415, 421, 422, 500, 503]),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const head = `POST /v1/models/broken/learn HTTP/1.1\r\nhost: here\r\nauthorization: Bearer ${token}\r\n`;
  const body = `{"row":{"x":"${marked()}"},"label":"a"}\n`;
  await sendAndGo(app, `${marked()}\r\n\r\n`);
  await sendAndGo(app, `${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n${body}`);
  await sendAndGo(
    app,
    `${head}content-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
  );
  expect(
    text()
      .split('\n')
      .filter((line) => line.includes(mark)),
  ).toEqual([]);
  const answered = lines().filter(({ msg }) => msg === 'a request was answered');
  expect(answered.length).toBeGreaterThan(1000);
  expect(answered).toContainEqual(
    expect.objectContaining({
      level: 20,
      method: 'POST',
      path: '/v1/models/:name/learn',
      model: 'm',
      key: 'shop',
      status: 200,
    }),
  );
  expect(lines()).toContainEqual(
    expect.objectContaining({
      level: 50,
      error: 'TypeError',
      at: expect.arrayContaining([expect.stringContaining('logging.test.ts')]),
    }),
  );
});

test('what clients sent is in the log if that is asked for, but no key', async () => {
  const { app, text, lines } = await begin(true);
  await app.ready();
  const headers = { host: 'here', authorization: `Bearer ${token}`, 'idempotency-key': 'secret-key' };
  const row = { colour: 'violet' };
  await ask(app, { method: 'POST', url: '/v1/models/m/learn', headers, body: { row, label: 'a' } });
  const failed = await ask(app, { method: 'POST', url: '/v1/models/broken/predict', headers, body: { row } });
  const found = lines();
  expect(found).toContainEqual(expect.objectContaining({ body: { row, label: 'a' } }));
  expect(found).toContainEqual(
    expect.objectContaining({ level: 50, request: failed.json().request, message: expect.stringContaining('violet') }),
  );
  expect(text()).not.toMatch(/Marker|secret-key/);
});
