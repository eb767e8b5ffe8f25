import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from 'halfspace/runs';
import { expect, test } from 'vitest';
import { realDisk } from '../../src/disk/real-disk.ts';
import { replay } from '../../src/models/replay.ts';
import { ModelState } from '../../src/state/model-state.ts';
import { Clients, type KnownName } from '../support/clients.ts';
import { flowerModel, temporaryFolder } from '../support/examples.ts';
import { StartedCommand } from '../support/started-command.ts';

/** TEST_KILLS=500 kills that often, however long it takes. */
const kills = Number(process.env.TEST_KILLS ?? Number.POSITIVE_INFINITY);
const mostSeconds = process.env.TEST_KILLS === undefined ? 45 : Number.POSITIVE_INFINITY;
const fewestKills = 20;

test('after kill −9 at any moment all that was acknowledged is learned once', { timeout: 3_600_000 }, async () => {
  const folder = temporaryFolder();
  const dir = join(folder, 'service');
  const random = new Random(Number(process.env.TEST_SEED ?? 17));
  const clients = new Clients(['m', 'n'], random);
  const file = join(folder, 'flowers.model.json');
  const settings = join(folder, 'settings.json');
  // A machine that is stopped for a moment is not too busy.
  const given = { files: [file], dir, port: 0, segmentBytes: 4096, logLevel: 'warn' };
  writeFileSync(settings, JSON.stringify(given));
  const frozen = await flowerModel();
  mkdirSync(dir);
  const seen = { kills: 0, atStart: 0, whileChanging: 0, withPartialFiles: 0, whileRotating: 0 };
  let startMs = 1000;
  let checkedRetired = 0;
  const begin = performance.now();

  const start = () => {
    // Each start replaces the frozen model.
    const text = seen.kills % 2 === 0 ? frozen : `${frozen}\n`;
    writeFileSync(file, text);
    return {
      service: new StartedCommand(['--config', settings]),
      digest: createHash('sha256').update(text).digest('hex'),
    };
  };

  /** Fails unless the service has all that it acknowledged in its lives. */
  const check = async (service: StartedCommand, digest: string) => {
    const shown = async (path: string) => {
      const answer = await service.ask(`v1/models${path}`);
      if (answer === null || answer.status > 200) throw new Error(`expected an answer; got ${answer?.text}`);
      return { json: JSON.parse(answer.text), text: answer.text, tag: answer.headers.etag };
    };
    if ((await service.url) === null) throw new Error(`expected the service to start; got ${service.log}`);
    const { models } = (await shown('')).json;
    const labels = new Map<string, string>(models.map(({ name, label }: Record<string, string>) => [name, label]));
    expect((await shown('/flowers')).tag).toBe(`"0-${digest.slice(0, 32)}"`);
    for (const known of clients.names) resolveChange(known, labels.get(known.name) ?? null);
    expect([...labels.keys()].sort()).toEqual(
      ['flowers', ...clients.names.flatMap(({ name, serving }) => (serving === null ? [] : [name]))].sort(),
    );
    for (const { name, serving } of clients.names) {
      if (serving === null) continue;
      serving.check(readFileSync(snapshotIn(join(dir, 'models', name))));
      const { text, tag } = await shown(`/${name}/state`);
      const { sequence, digest: ofState, classifier, watcher } = serving.state;
      expect(tag).toBe(`"${sequence}-${ofState}"`);
      expect(text).toBe(classifier.save());
      const { version, ...watched } = (await shown(`/${name}/watch`)).json;
      expect(watched).toEqual(JSON.parse(JSON.stringify(watcher.report())));
    }
    await checkRetired();
  };

  const resolveChange = (known: KnownName, label: string | null) => {
    const { change, serving } = known;
    known.change = null;
    if (change !== null && label === (change.to?.label ?? null)) clients.settle(known, change.to);
    else expect(label).toBe(serving?.label ?? null);
  };

  const checkRetired = async () => {
    for (const { name, model } of clients.retired.slice(checkedRetired)) {
      // What was replaced is there, too, and what a kill left of a model that never came into service.
      const folders = readdirSync(join(dir, 'retired')).filter((each) => each.startsWith(`${name}-`));
      const states = await Promise.all(
        folders.map((each) =>
          replay(
            realDisk,
            join(dir, 'retired', each),
            (bytes) => ModelState.load(bytes, name),
            () => {},
          ).catch(() => null),
        ),
      );
      const own = states.find((each) => each?.state.classifier.label === model.label);
      // A replacement removes all but the latest.
      if (own == null) expect(folders.length).toBeGreaterThanOrEqual(8);
      else model.check(own.state.snapshot());
    }
    checkedRetired = clients.retired.length;
  };

  while (seen.kills < kills && (seen.kills < fewestKills || performance.now() - begin < 1000 * mostSeconds)) {
    const { service, digest } = start();
    seen.kills++;
    if (clients.chance(0.25)) {
      await sleep((0.4 + random.uniform()) * startMs);
      seen.atStart++;
      await service.kill();
      continue;
    }
    const from = performance.now();
    await service.url;
    startMs = performance.now() - from;
    await check(service, digest);
    const running = clients.run(service);
    await Promise.race([sleep(random.uniform() * (clients.chance(0.5) ? 60 : 400)), running]);
    clients.stop();
    await service.kill();
    await running;
    if (clients.names.some(({ change, shadowChange }) => change !== null || shadowChange !== null))
      seen.whileChanging++;
    const files = readdirSync(join(dir, 'models'), { recursive: true }) as string[];
    if (files.some((each) => each.endsWith('.partial'))) seen.withPartialFiles++;
    if (files.filter((each) => /journal-\d+$/.test(each)).length > clients.names.filter((each) => each.serving).length)
      seen.whileRotating++;
  }

  const { service, digest } = start();
  await service.url;
  await check(service, digest);
  service.process.kill('SIGTERM');
  expect(await service.ended).toEqual([0, null]);
  console.log(
    `${JSON.stringify({ ...seen, ...clients.counts })} in ${Math.round((performance.now() - begin) / 1000)} s`,
  );
  expect(clients.counts.acknowledged).toBeGreaterThan(seen.kills);
});

/** Returns the path of the newest snapshot of the generation in service. */
function snapshotIn(folder: string): string {
  const { generation } = JSON.parse(readFileSync(join(folder, 'current'), 'utf8').split('\n')[0]!);
  const names = readdirSync(join(folder, generation)).filter((name) => /^snapshot-\d+$/.test(name));
  return join(folder, generation, names.sort().at(-1)!);
}
