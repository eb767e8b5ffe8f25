import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Alarm } from '../../src/index.ts';
import { Webhook, type WebhookOptions } from '../../src/serve/webhook.ts';

const alarm = (sequence: number): Alarm => ({
  sequence,
  examples: sequence,
  of: 'input',
  input: 'größe',
  detector: 'adwin',
  before: 1,
  after: 2,
});

/** A receiver that answers by these statuses in turn, then by 204, and a webhook that posts to it. */
async function receiver(statuses: readonly number[], options: WebhookOptions = {}) {
  const received: { readonly body: { readonly sequence: number }; readonly key: unknown; readonly status: number }[] =
    [];
  const losses: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const status = statuses[received.length] ?? 204;
    received.push({ body: JSON.parse(text), key: request.headers['idempotency-key'], status });
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret`;
  const webhook = new Webhook(url, (message) => losses.push(message), { firstDelay: 1, attempts: 4, ...options });
  onTestFinished(() => {
    webhook.close();
    server.closeAllConnections();
    server.close();
  });
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  return { webhook, received, losses, until };
}

test('alarms come in order, each again until it is taken, with one key', async () => {
  const { webhook, received, losses, until } = await receiver([204, 500, 429, 503, 204]);
  for (const sequence of [1, 2, 3]) webhook.send('m', alarm(sequence));
  await until(() => received.length === 6);
  expect(received.map(({ body, status }) => [body.sequence, status])).toEqual([
    [1, 204],
    [2, 500],
    [2, 429],
    [2, 503],
    [2, 204],
    [3, 204],
  ]);
  expect(received[0]!.body).toEqual({ model: 'm', ...alarm(1) });
  expect(new Set(received.map(({ key }) => key)).size).toBe(3);
  expect(losses).toEqual([]);
});

test('an alarm is given up after the last attempt, a refusal, or a redirect, and others follow', async () => {
  const { webhook, received, losses, until } = await receiver([500, 500, 500, 500, 404, 302]);
  for (const sequence of [1, 2, 3, 4]) webhook.send('m', alarm(sequence));
  await until(() => received.length === 7);
  expect(received.map(({ body }) => body.sequence)).toEqual([1, 1, 1, 1, 2, 3, 4]);
  expect(losses.map((loss) => loss.replace(/:\d+/, ''))).toEqual(
    [500, 404, 302].map((status) => `an alarm for the webhook at 127.0.0.1 was given up: the answer was ${status}`),
  );
});

test('of too many alarms the oldest are given up, and the end leaves nothing running', async () => {
  const { webhook, received, losses, until } = await receiver(Array(4).fill(500), { waiting: 3, firstDelay: 20 });
  for (let sequence = 1; sequence <= 10; sequence++) webhook.send('m', alarm(sequence));
  expect(losses).toHaveLength(7);
  await until(() => received.length === 6);
  expect(received.map(({ body }) => body.sequence)).toEqual([1, 1, 1, 1, 9, 10]);
  webhook.close();
  webhook.send('m', alarm(11));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(received).toHaveLength(6);
});
