import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Follower } from '../../src/follow/follower.ts';
import { type App, createApp } from '../../src/http/app.ts';
import { type FollowingModels, ModelRefusal, type Models, type ServedModel } from '../../src/models/contract.ts';
import { openFollowing, openModels } from '../../src/models/open-models.ts';
import { exampleOf, shadowChangeOf } from './examples.ts';
import { type Chance, UnreliableDisk } from './unreliable-disk.ts';

const dir = '/d';
const names = ['m', 'n'];
const usual = { dir, segmentBytes: 4096, retryAfter: 20 };
type Settings = Omit<Parameters<typeof openModels>[0], 'disk'>;
const times = { listMs: 20, firstWait: 5, longestWait: 50 };
const never = { crashAt: Number.POSITIVE_INFINITY, trouble: 0 };

/** Events of schedules, to see that schedules reach them. */
export interface FollowTally {
  learned: number;
  shadows: number;
  replaced: number;
  retired: number;
  writerCrashes: number;
  followerCrashes: number;
  followerFaults: number;
  /** Beginnings of a follower with a snapshot. */
  snapshots: number;
  /** Parts of journals that a follower appended. */
  parts: number;
}

/** A service on a disk of its own, which is started again and again at the same port. */
class Machine {
  readonly disk: UnreliableDisk;
  readonly #writer: (() => string) | null;
  readonly #settings: Settings;
  readonly #tally: FollowTally;
  models!: Models;
  /** Messages of a follower, in their order. */
  readonly told: string[] = [];
  #app!: App;
  #follower: Follower | null = null;
  #port = 0;

  /** @param writer returns the URL of the service that is followed; null: none is. */
  constructor(chance: Chance, writer: (() => string) | null, tally: FollowTally) {
    this.disk = new UnreliableDisk(chance);
    this.#writer = writer;
    this.#settings = {
      ...usual,
      appendfsync: (['always', 'everysec', 'no'] as const)[Math.floor(chance.next() * 3)]!,
      archive: Math.floor(chance.next() * 3),
    };
    this.#tally = tally;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(trouble = 0): Promise<void> {
    const { disk } = this.disk.start({ ...never, trouble: 0 });
    if (this.#writer === null) this.models = await openModels({ ...this.#settings, disk, strict: true });
    else {
      const models = await openFollowing({ ...this.#settings, disk }, this.#writer());
      const append = models.append.bind(models);
      Object.assign(models, {
        append: async (...given: Parameters<FollowingModels['append']>) => {
          await append(...given);
          this.#tally.parts++;
        },
      });
      const tell = (_: string, message: string, model: string | null) => {
        this.told.push(`${model}: ${message}`);
        if (message.startsWith('begun with a snapshot')) this.#tally.snapshots++;
      };
      this.#follower = new Follower(models, { url: this.#writer() }, tell, times);
      this.models = models;
    }
    this.told.push('started');
    this.#app = await createApp(this.models, { following: this.#follower ?? undefined });
    await this.#app.listen({ host: '127.0.0.1', port: this.#port });
    this.#port = (this.#app.server.address() as AddressInfo).port;
    if (trouble > 0) this.disk.trouble(trouble);
  }

  /** Ends in order. */
  async stop(): Promise<void> {
    this.disk.heal();
    await this.#app.close();
    await this.#follower?.close();
    await this.models.close().catch((error) => {
      // Its disk failed until now.
      if (error.code !== 'write-failed') throw error;
    });
  }

  /** Dies, with what was not synced. */
  async crash(): Promise<void> {
    this.disk.losePower();
    // Its operations never return.
    void this.#follower?.close();
    const closed = this.#app.close();
    this.#app.closeConnections();
    await closed;
  }
}

/**
 * Runs a writer, a follower of it and a follower of that one through random changes, crashes, losses of power and
 * faults of the followers' disks. At last all have the same versions and the same bytes, also after a promotion.
 *
 * @throws Error for the first claim that does not hold.
 */
export async function runFollowing(chance: Chance, tally: FollowTally): Promise<void> {
  const below = (bound: number) => Math.floor(chance.next() * bound);
  const writer = new Machine(chance, null, tally);
  await writer.start();
  const first = new Machine(chance, () => writer.url, tally);
  const second = new Machine(chance, () => (isChain ? first : writer).url, tally);
  const isChain = chance(0.5);
  await first.start();
  await second.start();
  const followers = [first, second];
  let examples = 0;

  const teach = async (model: ServedModel) => {
    try {
      if (chance(0.15)) {
        const kind = model.shadow !== null && chance(0.7) ? 'promote' : 'start';
        const label = model.description.label!;
        const change =
          model.shadow !== null && chance(0.2)
            ? chance(0.5)
              ? ({ kind: 'drop' } as const)
              : ({ kind: 'share', share: chance.next() } as const)
            : shadowChangeOf(`${kind} ${below(9)}`, label);
        await model.changeShadow(change, chance(0.5) ? `${examples++}` : undefined);
        tally.shadows++;
      } else if (chance(0.2)) {
        const { row, label } = exampleOf(`${examples++}`);
        const { id } = model.answer(row, { remember: true });
        await model.feedback(id!, label);
        tally.learned++;
      } else {
        const count = chance(0.2) ? 100 : 1 + below(8);
        const learned = await model.learn(Array.from({ length: count }, () => exampleOf(`${examples++}`)));
        tally.learned += learned.length;
      }
    } catch (error) {
      if (!(error instanceof ModelRefusal)) throw error;
    }
  };

  const act = async () => {
    const name = names[below(2)]!;
    const model = writer.models.get(name);
    if (model === null || chance(0.05)) {
      await writer.models.put(name, { kind: 'learning', options: { label: `label ${examples}`, window: 20 } });
      tally.replaced++;
    } else if (chance(0.03)) {
      await writer.models.retire(name);
      tally.retired++;
    } else if (chance(0.06)) {
      if (chance(0.7)) {
        await writer.crash();
        tally.writerCrashes++;
      } else await writer.stop();
      await writer.start();
    } else if (chance(0.12)) {
      const follower = followers[below(2)]!;
      if (chance(0.7)) {
        await follower.crash();
        tally.followerCrashes++;
      } else await follower.stop();
      const isTroubled = chance(0.4);
      if (isTroubled) tally.followerFaults++;
      await follower.start(isTroubled ? 0.03 : 0);
    } else await teach(model);
    if (chance(0.3)) await sleep(below(30));
  };

  for (let step = 20 + below(60); step > 0; step--) await act();
  for (const follower of followers) follower.disk.heal();
  for (const follower of followers)
    await equal(writer.models, follower.models).catch((error) => {
      throw new Error(`${error.message}: ${follower.told.slice(-25).join('; ')}`);
    });
  // A promotion: it learns on as the writer does.
  await second.stop();
  const { disk } = second.disk.start(never);
  const promoted = await openModels({ ...usual, disk, strict: true });
  for (const model of writer.models.list()) {
    for (const each of [model, promoted.get(model.name)!]) await each.learn([exampleOf('7'), exampleOf('8')]);
  }
  await equal(writer.models, promoted);
  await promoted.close();
  await first.stop();
  await writer.stop();
}

/** Waits until models have the versions of others, and compares all bytes then. @throws Error if they never have. */
async function equal(of: Models, at: Models): Promise<void> {
  const versions = (models: Models) => JSON.stringify(models.list().map(({ name, version }) => ({ name, version })));
  for (let turn = 0; versions(of) !== versions(at); turn++) {
    // A follower waits 30 seconds for an answer before it asks again.
    if (turn > 6000) throw new Error(`expected ${versions(of)}; got ${versions(at)}`);
    await sleep(10);
  }
  for (const model of of.list()) {
    const [here, there] = [model, at.get(model.name)!].map((each) => each.file('snapshot'));
    if (Buffer.compare((await here!)!.bytes, (await there!)!.bytes) !== 0)
      throw new Error(`expected the bytes of ${model.name}; got others`);
  }
}
