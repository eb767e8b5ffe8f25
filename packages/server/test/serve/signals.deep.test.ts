import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { openModels } from '../../src/models/open-models.ts';
import { temporaryFolder } from '../support/examples.ts';
import { StartedCommand } from '../support/started-command.ts';

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const example = { row: { x: 1 }, label: 'a' };

/** A stream of examples that is being learned. */
class Stream {
  readonly #request: ClientRequest;
  readonly #lines: Promise<AsyncIterator<string>>;

  constructor(url: string, key: string) {
    const headers = { ...bearer(key), 'content-type': 'application/x-ndjson' };
    this.#request = request(new URL('v1/models/m/learn', url), { method: 'POST', headers });
    this.#request.on('error', () => {});
    this.#lines = once(this.#request, 'response').then(([answer]) =>
      createInterface({ input: answer as IncomingMessage })[Symbol.asyncIterator](),
    );
  }

  /** Learns an example, and returns its position in the journal. */
  async learn(): Promise<number> {
    this.#request.write(`${JSON.stringify(example)}\n`);
    return JSON.parse((await (await this.#lines).next()).value).sequence;
  }

  end(): void {
    this.#request.end();
  }
}

test('keys change by a hangup; a termination request ends what runs, and a second one ends at once', async () => {
  const folder = temporaryFolder();
  const dir = join(folder, 'dir');
  const settings = join(folder, 'settings.json');
  const write = (key: string) => {
    const sha256 = createHash('sha256').update(key).digest('hex');
    const keys = [{ name: key, sha256, scopes: ['predict', 'learn', 'admin'] }];
    writeFileSync(settings, JSON.stringify({ dir, port: 0, keys }));
  };
  const start = async () => {
    const service = new StartedCommand(['--config', settings]);
    return { service, url: (await service.url)! };
  };
  write('old');
  const { service, url } = await start();
  const statusOf = async (key: string) => (await service.ask('v1/models', { headers: bearer(key) }))!.status;
  const hangUp = async (expected: RegExp) => {
    const from = service.log.length;
    service.process.kill('SIGHUP');
    await expect.poll(() => service.log.slice(from)).toMatch(expected);
  };
  await service.ask('v1/models/m', { method: 'PUT', headers: bearer('old'), body: { kind: 'learning' } });
  const stream = new Stream(url, 'old');
  expect(await stream.learn()).toBe(1);

  write('new');
  await hangUp(/"keys":\["new"\]/);
  expect([await statusOf('old'), await statusOf('new')]).toEqual([401, 200]);
  writeFileSync(settings, '{"keys": [');
  await hangUp(/"level":50.*the keys stay as they are: .*expected settings in JSON/);
  expect([await statusOf('old'), await statusOf('new')]).toEqual([401, 200]);
  expect(await stream.learn()).toBe(2);

  // Clients that never pause, on connections that stay open.
  let most = 0;
  const refused = new Set<string>();
  const clients = Array.from({ length: 8 }, async () => {
    for (;;) {
      const answer = await service.ask('v1/models/m/learn', { headers: bearer('new'), body: example });
      if (answer === null) return;
      const { sequence, code } = JSON.parse(answer.text);
      if (answer.status === 200) most = Math.max(most, sequence);
      else refused.add(`${answer.status} ${code}`);
    }
  });
  while (most < 50) await new Promise((resolve) => setImmediate(resolve));
  service.process.kill('SIGTERM');
  await Promise.all(clients);
  most = Math.max(most, await stream.learn());
  stream.end();
  expect(await service.ended).toEqual([0, null]);
  expect([...refused].filter((each) => each !== '503 service-ending')).toEqual([]);
  const models = await openModels({ dir });
  expect(models.get('m')!.version.sequence).toBe(most);
  await models.close();

  write('old');
  const { service: second, url: again } = await start();
  const endless = new Stream(again, 'old');
  expect(await endless.learn()).toBe(most + 1);
  second.process.kill('SIGTERM');
  await expect.poll(() => second.ask('livez')).toBe(null);
  second.process.kill('SIGTERM');
  expect(await second.ended).toEqual([null, 'SIGTERM']);
});
