import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OnlineClassifier, type OnlineOptions } from 'halfspace';
import { Random } from 'halfspace/internal';
import { expect, test } from 'vitest';
import type { Learned } from '../../src/models/contract.ts';
import { ModelState } from '../../src/state/model-state.ts';
import { decodeSnapshot } from '../../src/state/snapshot-file.ts';
import { exampleOf, uninterrupted } from '../support/examples.ts';
import { temporaryFolder } from '../support/folder.ts';
import { KilledService } from '../support/killed-service.ts';

/** TEST_KILLS=500 kills that often, however long it takes. */
const kills = Number(process.env.TEST_KILLS ?? Number.POSITIVE_INFINITY);
const mostSeconds = process.env.TEST_KILLS === undefined ? 50 : Number.POSITIVE_INFINITY;
const fewestKills = 20;

const optionsOf = (label: string): OnlineOptions => ({ label, window: 20, drift: 'page-hinkley' });

/** The model in service, or one that was to replace it when the service died. */
interface Incarnation {
  readonly label: string;
  readonly acknowledged: Map<string, number>;
}

test('after kill −9 at any moment all that was acknowledged is learned once', { timeout: 3_600_000 }, async () => {
  const dir = temporaryFolder();
  const random = new Random(17);
  const chance = (probability: number) => random.uniform() < probability;
  /** The model in service, and one that is being put into service, as the clients were told. */
  const known: { serving: Incarnation | null; coming: Incarnation | null } = { serving: null, coming: null };
  let examples = 0;
  let models = 0;
  const seen = { kills: 0, atStart: 0, whileReplacing: 0, acknowledged: 0 };
  const begin = performance.now();

  while (seen.kills < kills && (seen.kills < fewestKills || performance.now() - begin < 1000 * mostSeconds)) {
    const service = new KilledService(dir);
    await service.opening;
    seen.kills++;
    if (chance(0.25)) {
      await sleep(random.uniform() * 20);
      seen.atStart++;
      await service.kill();
      continue;
    }
    const { label, sequence } = await service.open;
    if (known.coming !== null && label === known.coming.label) known.serving = known.coming;
    known.coming = null;
    expect(label).toBe(known.serving?.label ?? null);
    expect(sequence).toBeGreaterThanOrEqual(Math.max(0, ...(known.serving?.acknowledged.values() ?? [])));

    let isDead = false;
    const replace = async () => {
      const next: Incarnation = { label: `label ${models++}`, acknowledged: new Map() };
      known.coming = next;
      await service.call('put', { options: optionsOf(next.label) });
      if (isDead) return;
      Object.assign(known, { serving: next, coming: null });
    };
    if (known.serving === null) await replace();
    const client = async () => {
      while (!isDead) {
        const learned = [...known.serving!.acknowledged.keys()];
        const batch = Array.from({ length: chance(0.8) ? 1 : 20 }, () =>
          exampleOf(
            chance(0.1) && learned.length > 0
              ? learned[Math.floor(random.uniform() * learned.length)]!
              : `${examples++}`,
          ),
        );
        const [taught, isReplacing] = [known.serving!, known.coming !== null];
        const outcomes = await service.call<Learned[]>('learn', { examples: batch });
        // A model that came meanwhile may have learned them.
        if (isDead || isReplacing || known.coming !== null || taught !== known.serving) continue;
        for (const [k, outcome] of outcomes.entries()) {
          if ('refused' in outcome) throw new Error('expected an example to be learned; got a refusal');
          const { sequence: at } = outcome;
          expect(taught.acknowledged.get(batch[k]!.id!) ?? at).toBe(at);
          taught.acknowledged.set(batch[k]!.id!, at);
        }
        seen.acknowledged += outcomes.length;
      }
    };
    const failed = Promise.all(Array.from({ length: 16 }, client)).then(() => {});
    await Promise.race([sleep(random.uniform() * 60), failed]);
    if (chance(0.2)) {
      void replace();
      await Promise.race([sleep(random.uniform() * 5), failed]);
      if (known.coming !== null) seen.whileReplacing++;
    }
    isDead = true;
    await service.kill();
  }

  const last = new KilledService(dir);
  const { label } = await last.open;
  if (known.coming !== null && label === known.coming.label) known.serving = known.coming;
  await last.end();
  const folder = join(dir, 'models/m');
  const [generation, ...others] = readdirSync(folder).filter((name) => name !== 'current');
  expect(others).toEqual([]);
  const files = readdirSync(join(folder, generation!)).sort();
  expect(files.length).toBe(2);
  const bytes = readFileSync(join(folder, generation!, files.find((name) => name.startsWith('snapshot'))!));
  const { sequence, ids } = decodeSnapshot(bytes);
  expect(ids.length).toBe(sequence);
  const learned = new Map(ids);
  for (const [id, at] of known.serving!.acknowledged) expect(learned.get(id)).toBe(at);
  const state = uninterrupted(
    ModelState.begin(new OnlineClassifier(optionsOf(known.serving!.label)), 100_000),
    ids,
    sequence,
  );
  expect(Buffer.compare(state.snapshot(), bytes)).toBe(0);
  console.log(`${JSON.stringify(seen)} in ${Math.round((performance.now() - begin) / 1000)} s`);
  expect(seen.acknowledged).toBeGreaterThan(seen.kills);
});
