import { OnlineClassifier } from 'halfspace';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { type ClientOptions, ServiceClient, type ServiceError } from '../../src/client/index.ts';
import { createApp } from '../../src/http/app.ts';
import { fetchOf } from '../support/app-fetch.ts';
import { flowers, unlabelled } from '../support/examples.ts';
import { naiveModels } from '../support/naive-models.ts';

const examples = flowers.slice(0, 12).map((flower) => ({ row: unlabelled(flower), label: flower.kind as string }));
const options = { classes: ['lily', 'rose'] };

/** Events of a network and of a service between a client and an application. */
const mishaps = {
  none: (asked: () => Promise<Response>) => asked(),
  /** The request does not come. */
  unsent: async () => Promise.reject(new TypeError('fetch failed')),
  /** The request came, and its answer was lost. */
  unanswered: async (asked: () => Promise<Response>) => {
    await asked();
    throw new TypeError('terminated');
  },
  /** The answer breaks off. */
  torn: async (asked: () => Promise<Response>) => {
    const text = await (await asked()).text();
    const first = new TextEncoder().encode(text.slice(0, text.length / 2));
    let pulls = 0;
    const pull = (controller: ReadableStreamDefaultController) =>
      pulls++ === 0 ? controller.enqueue(first) : controller.error(new TypeError('terminated'));
    return new Response(new ReadableStream({ pull }));
  },
  busy: async () => problem(503, 'busy', { 'retry-after': '0' }),
  gateway: async () => new Response('<html>', { status: 502 }),
};

const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ type: 'about:blank', title: '', status, detail: 'no', code }), { status, headers });

test('whatever is lost on the way, each example is learned once, in order', async () => {
  const direct = new OnlineClassifier(options);
  for (const { row, label } of examples) direct.learn(row, label);
  const names = Object.keys(mishaps) as (keyof typeof mishaps)[];
  const models = naiveModels();
  const app = await createApp(models);
  const sent = fetchOf(app);
  let ways: readonly (keyof typeof mishaps)[] = [];
  let requests = 0;
  const service = new ServiceClient('http://service', {
    // Four mishaps in a row are fewer than the attempts; waits are short.
    fetch: (...asked) => mishaps[ways[requests++ % ways.length]!](() => sent(...asked)),
    random: () => -1,
  });
  const mostlyNone = fc.array(fc.constantFrom(...names), { maxLength: 4 }).map((some) => [...some, 'none'] as const);
  const calls = fc.array(fc.constantFrom('one', 'many', 'lines'), { minLength: 1, maxLength: 5 });
  await forAllAsync(15, mostlyNone, calls, fc.integer({ min: 1, max: 7 }), async (some, kinds, mostRows) => {
    await models.put('m', { kind: 'learning', options });
    [ways, requests] = [some, 0];
    const model = service.model('m');
    let learned = 0;
    for (let i = 0; i < examples.length; i += 4) {
      const part = examples.slice(i, i + 4);
      const kind = kinds[i % kinds.length]!;
      if (kind === 'one') for (const each of part) learned += Number((await model.learn(each)).sequence > 0);
      else if (kind === 'many') learned += (await model.learnAll(part)).outcomes.length;
      else for await (const outcome of model.learnStream(part, { mostRows })) learned += Number('sequence' in outcome);
    }
    expect(learned).toBe(examples.length);
    expect(models.get('m')!.stateFile()).toBe(direct.save());
  });
  await app.close();
});

type Call = (service: ServiceClient) => Promise<unknown>;

/** Asks with answers from a list, and returns the outcome with the number of requests and the waits in milliseconds. */
async function asked(answers: (() => Promise<Response> | Response)[], call: Call, given: ClientOptions = {}) {
  let requests = 0;
  const fetch = async () => answers[Math.min(requests++, answers.length - 1)]!();
  const service = new ServiceClient('http://service', { fetch, random: () => 0, ...given });
  const outcome = await call(service).catch((error: ServiceError) => error.code ?? error);
  return { requests, outcome };
}

const predict = (service: ServiceClient) => service.model('m').predict({});
const busy = (seconds?: number) => () =>
  problem(503, 'busy', seconds === undefined ? {} : { 'retry-after': String(seconds) });
const answer = () => new Response('{"class":"a"}');
const unreachable = () => Promise.reject(new TypeError('fetch failed'));
const refusedPut = (service: ServiceClient) => service.model('m').put({ kind: 'learning' });

describe('a request', () => {
  test.each<[what: string, answers: (() => Promise<Response> | Response)[], call: Call, expected: object]>([
    ['that is refused for now is sent again', [busy(0), answer], predict, { requests: 2, outcome: { class: 'a' } }],
    ['is sent a bounded number of times', [unreachable], predict, { requests: 3, outcome: 'unreachable' }],
    ['that is told to wait for long is not sent again', [busy(61)], predict, { requests: 1, outcome: 'busy' }],
    ['that is wrong is not sent again', [() => problem(400, 'request-invalid')], predict, { requests: 1 }],
    ['may go through a proxy', [() => new Response('', { status: 504 }), answer], predict, { requests: 2 }],
    ['for a page gets an error', [() => new Response('<p>')], predict, { requests: 1, outcome: 'answer-unknown' }],
    ['that changes a model is sent again if it was refused', [busy(0), answer], refusedPut, { requests: 2 }],
    [
      'that changes a model is sent once, if nobody knows',
      [unreachable],
      refusedPut,
      { outcome: 'unreachable', requests: 1 },
    ],
    ['for health is sent once', [busy(0)], (service) => service.isReady(), { requests: 1, outcome: false }],
  ])('%s', async (_, answers, call, expected) => {
    expect(await asked(answers, call, { retries: 2 })).toMatchObject(expected);
  });

  test('waits as long as it was told, and longer by chance', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    // 2 s, and the half of 250 ms to all of it; then twice as much.
    for (const [random, wait] of [
      [0, 2125],
      [1, 2250],
    ] as const) {
      let requests = 0;
      const fetch = async () => (requests++ < 2 ? busy(2)() : answer());
      const asked = new ServiceClient('http://service', { fetch, random: () => random }).model('m').predict({});
      for (const [ms, expected] of [
        [wait - 1, 1],
        [1, 2],
        [wait + (wait - 2000) - 1, 2],
        [1, 3],
      ] as const) {
        await vi.advanceTimersByTimeAsync(ms);
        expect({ random, requests }).toEqual({ random, requests: expected });
      }
      await asked;
    }
  });

  test('ends with its signal, while it runs, while it waits, and before', async () => {
    const never = (_: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init!.signal!.addEventListener('abort', () => reject(new TypeError('aborted')));
      });
    for (const fetch of [never, busy(30)]) {
      const leave = new AbortController();
      const service = new ServiceClient('http://service', { fetch: fetch as typeof globalThis.fetch });
      const running = service.model('m').predict({}, { signal: leave.signal });
      setTimeout(() => leave.abort('enough'), 5);
      await expect(running).rejects.toBe('enough');
      await expect(service.models({ signal: leave.signal })).rejects.toBe('enough');
    }
    const late = await asked([], predict, { fetch: never as typeof fetch, timeoutMs: 5, retries: 1 });
    expect(late.outcome).toBe('timeout');
  });
});

test('a client with an unknown option is refused', () => {
  expect(() => new ServiceClient('http://service', { token: 'x' } as ClientOptions)).toThrow('got "token"');
});
