import { OnlineClassifier, type OnlineOptions } from 'halfspace';
import type { Disk } from '../../src/disk/disk.ts';
import {
  type Example,
  type ModelContent,
  ModelRefusal,
  type Models,
  type Note,
  openModels,
  type ServedModel,
} from '../../src/index.ts';
import { copyName, numbersIn, snapshotName } from '../../src/journal/names.ts';
import { ModelState } from '../../src/state/model-state.ts';
import { decodeSnapshot } from '../../src/state/snapshot-file.ts';
import { givenId } from './drafts.ts';
import { exampleOf, poison, shadowChangeOf, uninterrupted } from './examples.ts';
import { type Chance, UnreliableDisk } from './unreliable-disk.ts';

const name = 'm';
const dir = '/d';

/** A model that was put into service, or was to be. */
interface Incarnation {
  /** The label's field, which tells it from others. */
  readonly label: string;
  readonly begin: () => ModelState;
  /** Sequence numbers of the acknowledged examples, by id; null for a change of the shadow, which has one, too. */
  readonly acknowledged: Map<string, number | null>;
  /** True after a change of the shadow was acknowledged: none drops it. */
  hasShadow: boolean;
}

/** Events of a schedule, to see that schedules reach them. */
export interface Tally {
  acknowledged: number;
  crashes: number;
  powerLosses: number;
  refusedStarts: number;
  faults: number;
  replaced: number;
  retired: number;
  shadows: number;
  /** Starts with a damaged snapshot. */
  damaged: number;
}

/**
 * Runs a service through crashes, losses of power and faults of its disk, and checks after each start that nothing that
 * was acknowledged is lost or learned twice. At last the state must equal, byte for byte, that of a service that was
 * never interrupted.
 *
 * @throws Error for the first claim that does not hold.
 */
export async function runSchedule(chance: Chance, tally: Tally): Promise<void> {
  const { setTimeout, clearTimeout } = globalThis;
  // Turns of the event loop are the clock, so a seed has one schedule.
  const makeTimer = (act: () => void) => {
    const timer = { isSet: true, unref: () => timer };
    void pause()
      .then(pause)
      .then(pause)
      .then(() => timer.isSet && act());
    return timer;
  };
  const clear = (timer: ReturnType<typeof makeTimer>) => {
    timer.isSet = false;
  };
  Object.assign(globalThis, { setTimeout: makeTimer, clearTimeout: clear });
  try {
    await run(chance, tally);
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
}

async function run(chance: Chance, tally: Tally): Promise<void> {
  const disk = new UnreliableDisk(chance);
  const schedule = new Schedule(chance, tally);
  const phases = 2 + below(chance, 4);
  for (let phase = 0; phase < phases; phase++) {
    const crashAt = chance(0.75) ? 1 + below(chance, chance(0.5) ? 60 : 400) : Number.POSITIVE_INFINITY;
    const { disk: seen, died } = disk.start({ crashAt, trouble: chance(0.5) ? 0.02 : 0 });
    await Promise.race([died, schedule.serve(seen, () => disk.heal())]);
    schedule.end();
    if (crashAt !== Number.POSITIVE_INFINITY) tally.crashes++;
    if (chance(0.5)) {
      disk.losePower();
      tally.powerLosses++;
    } else disk.kill();
  }
  disk.heal();
  const { disk: seen } = disk.start({ crashAt: Number.POSITIVE_INFINITY, trouble: 0 });
  await schedule.finish(seen);
  schedule.check(disk);
  disk.losePower();
  if (chance(0.5)) schedule.damage(disk);
  const { disk: again } = disk.start({ crashAt: Number.POSITIVE_INFINITY, trouble: 0 });
  await schedule.finish(again);
  schedule.check(disk);
}

class Schedule {
  readonly #chance: Chance;
  readonly #tally: Tally;
  #examples = 0;
  #incarnations = 0;
  /** The model in service as far as the clients know; null: none. */
  #serving: Incarnation | null = null;
  /** Other models that may be in service after a crash. */
  #doubtful = new Set<Incarnation | null>();
  /** Number of changes of models that were begun or ended. */
  #changes = 0;
  #isChanging = false;
  /** Number of processes that ended. */
  #process = 0;
  /** Ids that were sent, for retries. */
  readonly #sent: string[] = [];

  constructor(chance: Chance, tally: Tally) {
    this.#chance = chance;
    this.#tally = tally;
  }

  /** Lets the clients of a process that died hear nothing more. */
  end(): void {
    this.#process++;
  }

  async serve(disk: Disk, heal: () => void): Promise<void> {
    let models: Models;
    this.#isChanging = false;
    try {
      models = await this.#open(disk);
    } catch (error) {
      // Only the disk's own errors may keep the service from starting.
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (!['EIO', 'ENOSPC'].includes(code) && !(code === 'write-failed' && /\bE(IO|NOSPC)\b/.test(message)))
        throw error;
      this.#tally.refusedStarts++;
      return;
    }
    const clients = Array.from({ length: 1 + below(this.#chance, 4) }, () => this.#client(models));
    clients.push(this.#operator(models));
    await Promise.all(clients);
    heal();
    await this.#waitForHealth(models);
    if (this.#chance(0.7))
      await models.close().catch((error) => {
        // Told at the end if the disk failed; the next start sees what that meant.
        if (error.code !== 'write-failed') throw error;
      });
  }

  /** Opens without trouble and ends in order. */
  async finish(disk: Disk): Promise<void> {
    const models = await this.#open(disk);
    const fault = models.list().find((each) => each.fault !== null)?.fault;
    if (fault !== undefined) throw fault;
    await models.close();
  }

  /** Checks the files of a service that ended in order. */
  check(disk: UnreliableDisk): void {
    const serving = this.#serving;
    const folder = `${dir}/models/${name}/`;
    const paths = disk.paths.filter((path) => path.startsWith(folder));
    if (serving === null) {
      assert(paths.length === 0, `files of no model: ${paths}`);
      return;
    }
    const names = paths.map((path) => path.split('/').at(-1)!);
    const { segments, snapshots } = numbersIn(names);
    const both = [snapshotName(snapshots[0]!), copyName(snapshots[0]!)];
    assert(paths.length === 4 && segments.length === 1, `one of each file: ${names}`);
    const [bytes, copy] = both.map((each) => disk.content(paths[names.indexOf(each)]!)) as [Uint8Array, Uint8Array];
    assert(Buffer.compare(bytes, copy) === 0, 'the copy differs from the snapshot');
    const { sequence, ids } = decodeSnapshot(bytes);
    const learned = new Map(ids.map(([id, at]) => [givenId(id), at]));
    assert(learned.size === ids.length, 'an id is there twice');
    for (const [id, at] of serving.acknowledged)
      assert(at === null ? learned.has(id) : learned.get(id) === at, `${id} at ${at}, is ${learned.get(id)}`);
    const state = uninterrupted(serving.begin(), ids, sequence);
    assert(Buffer.compare(state.snapshot(), bytes) === 0, 'the state differs from that of an uninterrupted run');
  }

  /** Changes or removes the snapshot or its copy. */
  damage(disk: UnreliableDisk): void {
    const paths = disk.paths.filter((path) => path.startsWith(`${dir}/models/${name}/`) && /snapshot-\d+$/.test(path));
    if (paths.length === 0) return;
    this.#tally.damaged++;
    const path = paths[below(this.#chance, paths.length)]!;
    disk.change(path, this.#chance(0.2) ? null : below(this.#chance, disk.content(path).length));
  }

  async #open(disk: Disk): Promise<Models> {
    const onNote = ({ level }: Note) => {
      if (level === 'error') this.#tally.faults++;
    };
    const models = await openModels({ dir, disk, segmentBytes: 1024, retryAfter: 1, strict: true, onNote });
    const model = models.get(name);
    if (model?.fault?.message.includes('until the service starts again')) {
      // A full disk is only read. It answers, and that is all.
      await models.close();
      throw Object.assign(model.fault, { code: 'ENOSPC' });
    }
    const found = [this.#serving, ...this.#doubtful].find(
      (each) => (each?.label ?? null) === (model?.description.label ?? null),
    );
    assert(found !== undefined, `one of the models that may be in service; got ${model?.description.label}`);
    this.#serving = found!;
    this.#doubtful.clear();
    // What was acknowledged is learned, also before anything else happens.
    for (const at of found?.acknowledged.values() ?? [])
      assert((at ?? 0) <= model!.version.sequence, `record ${at} is there`);
    return models;
  }

  async #client(models: Models): Promise<void> {
    const process = this.#process;
    const calls = 5 + below(this.#chance, 30);
    for (let call = 0; call < calls && process === this.#process; call++) {
      const model = models.get(name);
      if (model === null) {
        await pause();
        continue;
      }
      if (this.#chance(0.1)) await this.#changeShadow(model);
      else await this.#learn(model);
      if (this.#chance(0.2)) await pause();
    }
  }

  async #learn(model: ServedModel): Promise<void> {
    const examples: Example[] = Array.from({ length: this.#chance(0.7) ? 1 : 1 + below(this.#chance, 8) }, () => {
      if (this.#chance(0.03)) return poison;
      if (this.#sent.length > 0 && this.#chance(0.15))
        return exampleOf(this.#sent[below(this.#chance, this.#sent.length)]!);
      const id = `${this.#examples++}`;
      this.#sent.push(id);
      return exampleOf(id);
    });
    const [serving, changes, isChanging] = [this.#serving, this.#changes, this.#isChanging];
    const process = this.#process;
    try {
      const outcomes = await model.learn(examples);
      if (process !== this.#process) return;
      this.#tally.acknowledged += outcomes.length;
      // A model that came into service meanwhile may have learned them.
      if (serving === null || this.#serving !== serving || this.#changes !== changes || isChanging) return;
      // Whatever was to replace it did not.
      this.#doubtful.clear();
      for (const [k, outcome] of outcomes.entries()) {
        const { id } = examples[k]!;
        if ('refused' in outcome) {
          assert(id === undefined, `a good example is refused: ${outcome.refused.message}`);
          continue;
        }
        const before = serving.acknowledged.get(id!);
        assert(before === undefined || before === outcome.sequence, `${id} has two places`);
        serving.acknowledged.set(id!, outcome.sequence);
      }
    } catch (error) {
      if (error instanceof ModelRefusal && ['model-read-only', 'model-unknown'].includes(error.reason)) await pause();
      else throw error;
    }
  }

  /** Begins a shadow, and after one is there surely, promotes it now and then; the model before stays as the shadow. */
  async #changeShadow(model: ServedModel): Promise<void> {
    const serving = this.#serving;
    // It must not wait for a model that replaces this one: that has another label, and no shadow.
    if (serving === null || this.#isChanging) return;
    const [changes, process] = [this.#changes, this.#process];
    const known = [...serving.acknowledged.keys()].filter((id) => id.startsWith('promote'));
    const isRetry = known.length > 0 && this.#chance(0.3);
    const kind = serving.hasShadow && this.#chance(0.7) ? 'promote' : 'start';
    const id = isRetry ? known[below(this.#chance, known.length)]! : `${kind} ${this.#examples++}`;
    const change = isRetry ? ({ kind: 'promote' } as const) : shadowChangeOf(id, serving.label);
    try {
      await model.changeShadow(change, id);
      if (process !== this.#process || this.#serving !== serving || this.#changes !== changes) return;
      this.#doubtful.clear();
      serving.hasShadow = true;
      this.#tally.shadows++;
      if (!isRetry) serving.acknowledged.set(id, null);
    } catch (error) {
      if (error instanceof ModelRefusal && ['model-read-only', 'model-unknown'].includes(error.reason)) await pause();
      else throw error;
    }
  }

  async #operator(models: Models): Promise<void> {
    const changes = below(this.#chance, 4) + (models.get(name) === null ? 1 : 0);
    const process = this.#process;
    for (let change = 0; change < changes; change++) {
      for (let turn = below(this.#chance, 20); turn > 0; turn--) await pause();
      if (process !== this.#process) return;
      if (models.get(name) !== null && this.#chance(0.2)) await this.#change(null, () => models.retire(name));
      else {
        const { incarnation, content } = this.#newContent();
        await this.#change(incarnation, () => models.put(name, content));
      }
    }
  }

  async #change(to: Incarnation | null, change: () => Promise<unknown>): Promise<void> {
    this.#changes++;
    this.#isChanging = true;
    this.#doubtful.add(to);
    const process = this.#process;
    try {
      await change();
      if (process !== this.#process) return;
      this.#serving = to;
      this.#doubtful.clear();
      if (to === null) this.#tally.retired++;
      else this.#tally.replaced++;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'write-failed') throw error;
    } finally {
      if (process === this.#process) {
        this.#changes++;
        this.#isChanging = false;
      }
    }
  }

  #newContent(): { readonly incarnation: Incarnation; readonly content: ModelContent } {
    const label = `label ${this.#incarnations++}`;
    const options: OnlineOptions = { label, columns: { x: 'number' }, drift: 'page-hinkley', window: 20 };
    const begin = () => ModelState.begin(name, new OnlineClassifier(options), 100_000);
    const content: ModelContent = this.#chance(0.5)
      ? { kind: 'learning', options }
      : { kind: 'learned', state: new OnlineClassifier(options).save() };
    return { incarnation: { label, begin, acknowledged: new Map(), hasShadow: false }, content };
  }

  async #waitForHealth(models: Models): Promise<void> {
    for (let turn = 0; models.list().some(({ fault }) => fault !== null); turn++) {
      assert(turn < 1000, 'the service does not recover on a healthy disk');
      await pause();
    }
  }
}

const below = (chance: Chance, bound: number) => Math.floor(chance.next() * bound);
const pause = () => new Promise((resolve) => setImmediate(resolve));

function assert(holds: boolean, claim: string): void {
  if (!holds) throw new Error(claim);
}
