import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from 'halfspace/runs';
import { expect, test } from 'vitest';
import type { Models } from '../../src/models/contract.ts';
import { openModels } from '../../src/models/open-models.ts';
import { exampleOf, temporaryFolder } from '../support/examples.ts';
import { UnreliableDisk } from '../support/unreliable-disk.ts';

const filesOf = (dir: string) =>
  (readdirSync(dir, { recursive: true }) as string[]).filter((each) => /(snapshot|journal)-\d+$/.test(each));

test('an archive gives the model as of every record behind its oldest snapshot, until it is purged', async () => {
  const random = new Random(3);
  const dir = temporaryFolder();
  const settings = { dir, segmentBytes: 4096, archive: 3 };
  let models = await openModels(settings);
  await models.put('m', { kind: 'learning', options: {} });
  /** The versions by their sequence numbers. */
  const digests = [models.get('m')!.version.digest];
  for (let k = 1; k <= 300; k++) {
    await models.get('m')!.learn([exampleOf(`${k}`)]);
    digests[k] = models.get('m')!.version.digest;
    if (random.uniform() < 0.01) {
      await models.close();
      models = await openModels(settings);
    }
  }
  const model = models.get('m')!;
  // What is being made of the files ends before.
  await model.file('snapshot', 300);
  const oldest = Math.min(
    ...filesOf(dir).flatMap((each) => /\/snapshot-(\d+)$/.exec(each)?.slice(1).map(Number) ?? []),
  );
  expect(oldest).toBeGreaterThan(0);
  expect(filesOf(dir).filter((each) => /\/snapshot/.test(each))).toHaveLength(4);
  for (let at = oldest; at <= 300; at += 1 + Math.floor(random.uniform() * 9))
    expect((await model.file('snapshot', at))!.version).toEqual({ sequence: at, digest: digests[at] });
  await expect(model.file('snapshot', oldest - 1)).rejects.toMatchObject({ reason: 'version-unknown' });
  await models.put('m', { kind: 'learning', options: {} });
  expect(filesOf(join(dir, 'retired')).length).toBeGreaterThan(4);
  await models.purge('m', '00000001');
  expect(filesOf(dir)).toHaveLength(3);
  await models.close();
});

test.each(['everysec', 'no'] as const)(
  'with appendfsync %s a kill loses nothing, and a loss of power only the latest examples',
  async (appendfsync) => {
    const random = new Random(5);
    const chance = Object.assign((p: number) => random.uniform() < p, { next: () => random.uniform() });
    let lost = 0;
    for (let round = 0; round < 40; round++) {
      const machine = new UnreliableDisk(chance);
      const start = (): Promise<Models> => {
        const { disk } = machine.start({ crashAt: Number.POSITIVE_INFINITY, trouble: 0 });
        return openModels({ dir: '/d', disk, appendfsync, segmentBytes: 8192, strict: true });
      };
      let models = await start();
      await models.put('m', { kind: 'learning', options: {} });
      const digests = [models.get('m')!.version.digest];
      const learn = async (count: number) => {
        for (let k = 0; k < count; k++) {
          await models.get('m')!.learn([exampleOf(`${digests.length}`)]);
          digests.push(models.get('m')!.version.digest);
        }
      };
      await learn(round);
      machine.kill();
      models = await start();
      expect(models.get('m')!.version).toEqual({ sequence: round, digest: digests.at(-1) });
      await learn(round);
      machine.losePower();
      models = await start();
      const { sequence, digest } = models.get('m')!.version;
      // The start after the kill made all until then durable.
      expect(sequence).toBeGreaterThanOrEqual(round);
      expect(digest).toBe(digests[sequence]);
      lost += 2 * round - sequence;
      await models.close();
    }
    expect(lost).toBeGreaterThan(0);
  },
);
