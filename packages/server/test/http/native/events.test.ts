import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { EventStream, heartbeatMs } from '../../../src/http/events/event-stream.ts';
import { type Example, openModels } from '../../../src/index.ts';
import { temporaryFolder } from '../../support/examples.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A service with a model `m` that learns. */
async function service(limits = {}) {
  const models = await openModels({ dir: temporaryFolder() });
  const model = await models.put('m', { kind: 'learning', options: {} });
  const app = await createApp(models, { tickMs: 20, limits, origins: ['https://a.example'] });
  const url = `${await app.listen({ port: 0 })}/v1/models/m/events`;
  closing.push(
    () => models.close(),
    async () => {
      // fetch opens a connection for the next request, after one that was left.
      const closed = app.close();
      app.server.closeAllConnections();
      await closed;
    },
  );
  return { models, model, app, url };
}

interface Event {
  readonly event: string;
  readonly id: number;
  readonly data: Record<string, unknown>;
}

/** Reads events until one fits, or the stream ends. */
async function read(response: Response, until: (event: Event) => boolean): Promise<Event[]> {
  const events: Event[] = [];
  let text = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = Object.fromEntries(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => line.split(/: (.*)/s).slice(0, 2)),
      );
      text = text.slice(end + 2);
      if (fields.event === undefined) continue;
      const event = { event: fields.event, id: Number(fields.id), data: JSON.parse(fields.data) };
      events.push(event);
      if (until(event)) return events;
    }
  }
  return events;
}

/** Examples whose labels turn round after 600, and one of whose fields moves after 900. */
const flipped = Array.from(
  { length: 1200 },
  (_, k): Example => ({ row: { x: (k % 20) - 10, y: (k % 3) + (k < 900 ? 0 : 9) }, label: k % 20 > 10 === k < 600 }),
);

test('readers get alarms and states, and one that comes again gets the alarms that it missed', async () => {
  const { model, url } = await service();
  const response = await fetch(url, { headers: { origin: 'https://a.example' } });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('access-control-allow-origin')).toBe('https://a.example');
  expect(response.headers.get('x-request-id')).toMatch(/./);
  const reading = read(response, ({ event, id }) => event === 'state' && id === 1200);
  await model.learn(flipped);
  const events = await reading;
  const { alarms } = model.watch!;
  expect(alarms.length).toBeGreaterThan(1);
  const told = events.filter(({ event }) => event === 'alarm');
  expect(told.map(({ data }) => data)).toEqual(alarms);
  expect(told.map(({ id }) => id)).toEqual(alarms.map(({ sequence }) => sequence));
  const [first, last] = [events[0]!, events.at(-1)!];
  expect(first).toMatchObject({ event: 'state', id: 0, data: { examples: 0, fault: null } });
  const { confusion: _, ...metrics } = model.metrics!;
  expect(last.data).toEqual(
    JSON.parse(JSON.stringify({ version: model.version, examples: 1200, fault: null, metrics, shadow: null })),
  );
  for (const [from, missed] of [
    [alarms[0]!.sequence, alarms.filter(({ sequence }) => sequence > alarms[0]!.sequence)],
    [1200, []],
    [10_000, alarms],
  ] as const) {
    const again = await read(await fetch(url, { headers: { 'last-event-id': `${from}` } }), (e) => e.event === 'state');
    expect(again.slice(0, -1).map(({ data }) => data)).toEqual(missed);
  }
  const wrong = await fetch(url, { headers: { 'last-event-id': 'x' } });
  expect([wrong.status, (await wrong.json()).code]).toEqual([400, 'request-invalid']);
});

test('a stream ends when its model is retired, and when the service ends', async () => {
  const { models, app, url } = await service();
  await models.put('other', { kind: 'learning', options: {} });
  const [one, other] = [await fetch(url), await fetch(url.replace('/m/', '/other/'))];
  const reading = read(one, () => false);
  await models.retire('m');
  expect((await reading).map(({ event }) => event)).toEqual(['state', 'retired']);
  await app.close();
  expect((await read(other, () => false)).map(({ event }) => event)).toEqual(['state']);
});

test('more readers than allowed are told to come later, and room is made when one leaves', async () => {
  const { url } = await service({ readers: 2 });
  const leave = new AbortController();
  await fetch(url, { signal: leave.signal });
  const second = await fetch(url);
  const third = await fetch(url);
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '5']);
  leave.abort();
  let status = 503;
  for (let k = 0; status === 503 && k < 500; k++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const next = await fetch(url);
    status = next.status;
    await next.body!.cancel();
  }
  expect(status).toBe(200);
  await second.body!.cancel();
});

test('a reader that does not read is cut off, with little memory spent on it', async () => {
  const stopped = new Promise<number>((resolve) => {
    const server = createServer((_, response) => {
      let events = 0;
      let isOpen = true;
      const stream = new EventStream(response, {}, () => {
        isOpen = false;
        resolve(events);
      });
      const go = () => {
        if (!isOpen) return;
        stream.send('state', events++, 'x'.repeat(10_000));
        setImmediate(go);
      };
      go();
    });
    server.listen(0, '127.0.0.1', () => {
      const socket = connect({ port: (server.address() as AddressInfo).port }, () => {
        socket.pause();
        socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      });
      socket.on('error', () => {});
      closing.push(async () => {
        socket.destroy();
        server.close();
      });
    });
  });
  // The system's buffers hold some MiB.
  expect(await stopped).toBeLessThan(5000);
});

test('a comment keeps a quiet stream open', async () => {
  const written: string[] = [];
  const response = {
    once() {},
    on() {},
    writeHead() {},
    writableLength: 0,
    write: (text: string) => void written.push(text),
  };
  const stream = new EventStream(response as never, {}, () => {});
  written.length = 0;
  for (let ms = 0; ms < 2 * heartbeatMs; ms += 1000) {
    if (ms === 5000) stream.send('state', 1, {});
    stream.pass(1000);
  }
  expect(written).toEqual(['event: state\nid: 1\ndata: {}\n\n', ':\n\n']);
});
