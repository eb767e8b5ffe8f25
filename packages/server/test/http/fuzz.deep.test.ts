import { createHash } from 'node:crypto';
import { type AddressInfo, connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../../src/http/app.ts';
import { type Models, openModels } from '../../src/index.ts';
import { flowerModel, folderOfSuite } from '../support/examples.ts';
import { hostileRequests, type Paths, type RawRequest } from '../support/hostile-requests.ts';

const token = 'a-long-secret';
const sha256 = createHash('sha256').update(token).digest('hex');
const keys = [{ name: 'all', sha256, scopes: ['predict', 'learn', 'admin'] as const }];
const limits = { headerSeconds: 0.3, requestSeconds: 0.5, body: 100_000, rows: 200, features: 64 };

let models: Models;
let app: App;
let port: number;
let file: string;
const logged: string[] = [];
const faults: string[] = [];

beforeAll(async () => {
  file = await flowerModel();
  models = await openModels({ dir: folderOfSuite() });
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
  app = await createApp(models, { limits, hosts: ['127.0.0.1'], log, tickMs: 50 });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  const closed = app.close();
  app.server.closeAllConnections();
  await closed;
  await models.close();
});

/** Brings the models back that requests have changed or retired. */
async function restore() {
  const small = { ids: 100, predictions: 100 };
  await models.put('frozen', { kind: 'frozen', file });
  await models.put('fruit', { kind: 'learning', options: { label: 'fruit', calibrate: true }, limits: small });
  await models.put('numbers', { kind: 'learning', options: { classes: ['a', 'b'] }, limits: small });
  for (const { name } of models.list()) if (!['frozen', 'fruit', 'numbers'].includes(name)) await models.retire(name);
  const examples = ['apple', 'orange', 'apple', 'pear'].map((label, i) => ({
    row: { weight: i, skin: `s${i % 2}` },
    label,
  }));
  await models.get('fruit')!.learn(examples);
}

/** Sends bytes, ends, and returns what comes back; of a stream of events its begin. */
function exchange(bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    // A request that is not whole would wait for its end.
    const timer = setTimeout(() => socket.destroy(), 5000);
    socket.on('data', (piece) => {
      answer += piece.toString();
      if (answer.includes('text/event-stream') && answer.includes('\n\n')) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer);
    });
  });
}

/** A sentence for people. */
const sentence = /^(.{0,300}: )?(expected .+|.+ must be .+|the service .+)$/s;
/** What only the log may tell. */
const secret = /node_modules|\.[jt]s:\d|TypeError|undefined|\[object/;

/** Returns the status of an answer, and what is wrong with it. */
function judged({ bytes }: RawRequest, answer: string): { status: number; fault: string | null } {
  const [head = '', ...rest] = answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '').split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0);
  if (status < 200 || status >= 500) return { status, fault: 'the status' };
  if (status < 400 || bytes.subarray(0, 5).toString() === 'HEAD ') return { status, fault: null };
  if (!/^content-type: application\/problem\+json/im.test(head)) return { status, fault: 'the media type' };
  // What follows may be the answer to bytes that were taken for another request.
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
  const problem = JSON.parse(Buffer.from(rest.join('\r\n\r\n')).subarray(0, length).toString());
  if (problem.status !== status) return { status, fault: 'the status of the problem' };
  if (!/^[a-z]+(-[a-z]+)*$/.test(problem.code)) return { status, fault: 'the code' };
  if (!sentence.test(problem.detail) || problem.detail.length > 800) return { status, fault: 'the sentence' };
  return { status, fault: secret.test(problem.detail) ? 'a secret' : null };
}

const collect = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

/** Bytes that are in use after all garbage is gone. */
async function memory(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function send(requests: readonly RawRequest[], counts: Map<number, number>) {
  for (let i = 0; i < requests.length; i += 500) {
    await restore();
    const queue = requests.slice(i, i + 500).values();
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        for (const request of queue) {
          const answer = await exchange(request.bytes);
          const { status, fault } = judged(request, answer);
          counts.set(status, (counts.get(status) ?? 0) + 1);
          if (fault !== null)
            faults.push(`${fault} of ${answer.slice(0, 900)}\nto ${request.bytes.toString('latin1').slice(0, 900)}`);
        }
      }),
    );
  }
}

test('10,000 requests, of good will and of none, get no 500, leave nothing behind, and stop nobody', async () => {
  await app.ready();
  const { paths, components } = app.swagger() as unknown as {
    paths: Paths;
    components: { schemas: Record<string, never> };
  };
  const requests = fc.sample(hostileRequests(paths, components.schemas, token), 12_000);
  const counts = new Map<number, number>();
  await send(requests.slice(0, 2000), counts);
  const before = await memory();
  counts.clear();
  await send(requests.slice(2000, 7000), counts);
  app.setKeys(keys);
  await send(requests.slice(7000), counts);
  app.setKeys(null);
  const after = await memory();
  expect(faults.slice(0, 20).join('\n\n')).toBe('');
  expect(logged).toEqual([]);
  expect(after - before).toBeLessThan(8 * 2 ** 20);
  // The requests are of all kinds.
  expect([...counts.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 409, 412, 415, 421, 422]));
  expect(counts.get(200)!).toBeGreaterThan(1000);
  await restore();
  for (let i = 0; i < 1000; i++) {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/v1/models/fruit/learn',
      headers: { host: '127.0.0.1' },
      payload: { row: { weight: i }, label: 'apple' },
    });
    expect(statusCode).toBe(200);
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
});
