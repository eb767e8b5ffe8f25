import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeModel, OnlineClassifier, Predictor } from 'halfspace';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServeOptions, type Service, serve } from '../../src/serve/serve.ts';
import { flowerModel, flowers, unlabelled } from '../support/examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-serve-'));
const at = (name: string) => join(folder, name);
const running: Service[] = [];
let file: string;

beforeAll(async () => {
  file = await flowerModel();
  writeFileSync(at('flowers.model.json'), file);
});
afterAll(async () => {
  for (const service of running) await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const begin = async (options: ServeOptions) => {
  const service = await serve({ port: 0, log: pino({ level: 'silent' }), ...options });
  running.push(service);
  return service;
};

/** Sends JSON, and returns the JSON of the answer. */
async function send({ url }: Service, method: string, path: string, body?: object | string) {
  const response = await fetch(new URL(path, url), {
    method,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
  });
  return JSON.parse(await response.text());
}

test('a model file is served, and nothing learns without a folder', async () => {
  const service = await begin({ files: [at('flowers.model.json')] });
  expect(service.names).toEqual(['flowers']);
  expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const row = unlabelled(flowers[0]!);
  const answer = await send(service, 'POST', 'v1/models/flowers/predict', { row });
  expect(answer.class).toBe(new Predictor(decodeModel(file)).predict(row));
  expect(await send(service, 'PUT', 'v1/models/new', { kind: 'learning' })).toMatchObject({ code: 'option-invalid' });
});

test('what was learned is there after a new start, with the same bits', async () => {
  const dir = at('service');
  const examples = flowers.map((flower) => ({ row: unlabelled(flower), label: flower.kind as string }));
  const direct = new OnlineClassifier();
  for (const { row, label } of examples) direct.learn(row, label);
  const first = await begin({ dir, files: [at('flowers.model.json')] });
  await send(first, 'PUT', 'v1/models/new', { kind: 'learning' });
  await send(first, 'POST', 'v1/models/new/learn', { examples: examples.slice(0, 40) });
  await expect(begin({ dir })).rejects.toThrow(/another process|in use|lock/);
  await first.close();
  await expect(fetch(first.url)).rejects.toThrow();
  const second = await begin({ dir });
  expect(second.names).toEqual(['flowers', 'new']);
  await send(second, 'POST', 'v1/models/new/learn', { examples: examples.slice(40) });
  const state = await (await fetch(new URL('v1/models/new/state', second.url))).text();
  expect(state).toBe(direct.save());
  await second.close();
  writeFileSync(at('new.json'), file);
  await expect(begin({ dir, files: [at('new.json')] })).rejects.toThrow('expected a file with the name of no model');
  await expect(begin({ dir, files: [at('new.json')] })).rejects.toThrow('rename the file');
});

describe('the service does not start', () => {
  const files = () => [at('flowers.model.json')];
  test.each<[what: string, options: () => ServeOptions, message: RegExp]>([
    ['without a model or a folder', () => ({}), /expected model files, or --dir/],
    ['without the file', () => ({ files: [at('none.json')] }), /none\.json: expected a model file; got no such file/],
    ['on an address of other machines', () => ({ files: files(), host: '0.0.0.0' }), /expected keys.*"0\.0\.0\.0"/],
    ['on a taken port', () => ({ files: files(), port: Number(new URL(running[0]!.url).port) }), /EADDRINUSE/],
  ])('%s', async (_, options, message) => {
    await expect(begin(options())).rejects.toThrow(message);
  });

  test('with a file that is no model, whose name it tells', async () => {
    writeFileSync(at('broken.json'), '{"format":"halfspace-model"}');
    await expect(begin({ files: [...files(), at('broken.json')] })).rejects.toThrow(/broken\.json: /);
  });
});
