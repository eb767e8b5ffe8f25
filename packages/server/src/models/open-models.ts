import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/checks';
import type { Disk, FolderLock } from '../disk/disk.ts';
import { guardedDisk, readOnlyDisk } from '../disk/guarded-disk.ts';
import { realDisk } from '../disk/real-disk.ts';
import type { SyncPolicy } from '../journal/segment-writer.ts';
import type { Alarm } from '../watch/alarm.ts';
import {
  type FollowingModels,
  follows,
  isSetAside,
  type JournalPart,
  type KeptVersion,
  type ModelBudget,
  type ModelContent,
  ModelRefusal,
  type Models,
  type PutContent,
  type ServedModel,
  type Version,
} from './contract.ts';
import { FrozenModel } from './frozen-model.ts';
import type { InnerModel } from './inner-model.ts';
import { budgetOf } from './limits.ts';
import { checkModelName } from './model-name.ts';
import { type Generation, ModelStore, unknownVersion } from './model-store.ts';
import { partMaker } from './parts-in-threads.ts';
import type { Note, Settings } from './settings.ts';
import { checkVersion, Slot } from './slot.ts';

/** Largest number of archived snapshots of a model. */
export const mostArchived = 10_000;

export interface OpenModelsOptions {
  /** The folder of the service, which is created. One process at a time uses it. */
  readonly dir: string;
  /** Default: the disk of the system. */
  readonly disk?: Disk | undefined;
  /** Number of bytes of a journal after which a snapshot is taken, in [1024, 2³⁰]. Default 64 MiB. */
  readonly segmentBytes?: number | undefined;
  /**
   * Number of snapshots before the last one that stay, with the records behind them, in [0, {@link mostArchived}]:
   * `GET …/snapshot?sequence=N` reads from there. Default 0.
   */
  readonly archive?: number | undefined;
  /** Time at which records are made durable. Default `always`. */
  readonly appendfsync?: SyncPolicy | undefined;
  /** Time in milliseconds from a failure of the disk to the next attempt, in [1, 3,600,000]. Default 3000. */
  readonly retryAfter?: number | undefined;
  /** True: a model whose files cannot be read is an error. Default false: it is set aside; the others are served. */
  readonly strict?: boolean | undefined;
  /** Default: as of {@link ModelBudget}. */
  readonly budget?: Partial<ModelBudget> | undefined;
  /** Is told what no caller is told: bytes that were left out, failures of the disk and their ends. Default: nobody. */
  readonly onNote?: ((note: Note) => void) | undefined;
}

/**
 * Opens the models of a folder. Every model is as it was when the last example was acknowledged, whatever ended the
 * process before.
 *
 * @throws HalfspaceError `write-failed` if another process uses the folder, or the system refuses it; with `strict`,
 *   `source-corrupt` if a file is damaged or missing, with the place and what to do.
 */
export function openModels(options: OpenModelsOptions): Promise<Models> {
  return open(options, null);
}

/** Opens the models of a folder that follow those of a writer. @throws as {@link openModels}. */
export function openFollowing(options: OpenModelsOptions, writer: string): Promise<FollowingModels> {
  return open(options, writer);
}

async function open(options: OpenModelsOptions, writer: string | null): Promise<OpenModels> {
  const { dir, disk = realDisk, strict = false, onNote = () => {} } = options;
  const given = {
    writer,
    segmentBytes: within('segmentBytes', options.segmentBytes ?? 2 ** 26, 1024, 2 ** 30),
    archive: within('archive', options.archive ?? 0, 0, mostArchived),
    sync: options.appendfsync ?? 'always',
    retryAfter: within('retryAfter', options.retryAfter ?? 3000, 1, 3_600_000),
    budget: budgetOf(options.budget),
    makePart: partMaker(disk),
    onNote,
  };
  const lock = await lockOf(disk, dir).catch((error) => {
    throw folderFault(error, dir);
  });
  const { readOnly } = lock;
  const settings: Settings = {
    ...given,
    // A folder that is only read is not tidied up either.
    disk: readOnly === null ? guardedDisk(disk, lock.check) : readOnlyDisk(disk, readOnly),
    readOnly,
  };
  try {
    const store = await ModelStore.open(dir, settings);
    const setAside = new Map<string, Error>();
    const generations = await store.load((name, error) => {
      if (strict) throw error;
      setAside.set(name, error);
      onNote({ level: 'error', model: name, message: `set aside, and not served: ${error.message}` });
    });
    return new OpenModels(store, generations, setAside, settings, () => lock.unlock());
  } catch (error) {
    await lock.unlock();
    throw folderFault(error, dir);
  }
}

/** Returns the error for a folder that the system refuses to read or to write; other errors as they are. */
function folderFault(error: unknown, dir: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof HalfspaceError || code === undefined) return error;
  return new HalfspaceError(
    'write-failed',
    `expected a folder for models, which can be read and written; got ${message}: choose another folder`,
    { source: dir },
  );
}

/** Codes of errors of a disk that cannot be written at all. */
const readOnlyCodes: readonly unknown[] = ['EACCES', 'EDQUOT', 'ENOSPC', 'EPERM', 'EROFS'];

/** Locks a folder. If it cannot be written, nothing is locked, and `readOnly` is the reason. */
export async function lockOf(disk: Disk, dir: string): Promise<FolderLock & { readonly readOnly: Error | null }> {
  try {
    await disk.makeFolder(dir);
    const { check, unlock } = await disk.lock(dir);
    return { check, unlock, readOnly: null };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!readOnlyCodes.includes(code) || !(await disk.list(dir)).includes('models')) throw error;
    const readOnly = new HalfspaceError(
      'write-failed',
      `expected a folder that can be written; got ${message}: models answer, and learn nothing until the service starts again`,
      { source: dir },
    );
    const check = () => {
      throw readOnly;
    };
    return { check, unlock: async () => {}, readOnly };
  }
}

/**
 * Serves frozen models by name, from memory. Models that learn are refused: they would lose what they learned.
 *
 * @param files texts of model files by name.
 * @throws HalfspaceError as `decodeModel` and `Predictor`, and for a name that is none.
 */
export function memoryModels(files: Readonly<Record<string, string>>): Models {
  const generations = new Map<string, Generation>();
  for (const [name, file] of Object.entries(files)) {
    checkModelName(name);
    generations.set(name, memoryGeneration(new FrozenModel(file)));
  }
  const settings: Settings = {
    disk: realDisk,
    readOnly: null,
    writer: null,
    archive: 0,
    sync: 'always',
    segmentBytes: 0,
    retryAfter: 0,
    budget: budgetOf(),
    makePart: partMaker(realDisk),
    onNote: () => {},
  };
  return new OpenModels(null, generations, new Map(), settings, async () => {});
}

function memoryGeneration(model: FrozenModel): Generation {
  return { model, current: { generation: '', kind: 'frozen', predictions: 0, state: 'serving' } };
}

class OpenModels implements FollowingModels {
  readonly setAside: Map<string, Error>;
  /** Null: there is no folder. */
  readonly #store: ModelStore | null;
  readonly #settings: Settings;
  readonly #unlock: () => Promise<void>;
  readonly #slots = new Map<string, Slot>();
  readonly #listeners = new Set<(model: string, alarm: Alarm) => void>();
  readonly #generations: Map<string, Generation>;
  /** Changes of a model are made one after another. */
  readonly #changes = new Map<string, Promise<unknown>>();
  #isClosed = false;

  constructor(
    store: ModelStore | null,
    generations: Map<string, Generation>,
    setAside: Map<string, Error>,
    settings: Settings,
    unlock: () => Promise<void>,
  ) {
    this.setAside = setAside;
    this.#store = store;
    this.#settings = settings;
    this.#unlock = unlock;
    this.#generations = generations;
    for (const [name, { model }] of generations) this.#addSlot(name, model);
  }

  list(): readonly ServedModel[] {
    return [...this.#slots.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(name: string): ServedModel | null {
    return this.#slots.get(name) ?? null;
  }

  onAlarm(listener: (model: string, alarm: Alarm) => void): () => void {
    const own = (model: string, alarm: Alarm) => listener(model, alarm);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  async put(name: string, content: PutContent, expected?: Version | 'none'): Promise<ServedModel> {
    checkModelName(name);
    return this.#change(name, () => this.#put(name, content, expected));
  }

  async retire(name: string, expected?: Version): Promise<void> {
    checkModelName(name);
    return this.#change(name, () => this.#retire(name, expected));
  }

  async kept(name: string): Promise<readonly KeptVersion[]> {
    checkModelName(name);
    return (await this.#store?.kept(name)) ?? [];
  }

  async restore(name: string, generation: string, expected?: Version | 'none'): Promise<ServedModel> {
    checkModelName(name);
    return this.#change(name, async () =>
      this.#put(name, await this.#stored(generation).read(name, generation), expected),
    );
  }

  async purge(name: string, generation: string): Promise<void> {
    checkModelName(name);
    return this.#change(name, () => this.#stored(generation).purge(name, generation), 'writer');
  }

  take(name: string, content: ModelContent): Promise<ServedModel> {
    checkModelName(name);
    return this.#change(name, () => this.#put(name, content, undefined), 'writer');
  }

  drop(name: string): Promise<void> {
    return this.#change(name, () => this.#retire(name, undefined), 'writer');
  }

  async append(name: string, part: JournalPart): Promise<void> {
    const model = this.#generations.get(name)?.model;
    if (model?.append === undefined) throw missing(name);
    await model.append(part);
  }

  #stored(generation: string): ModelStore {
    if (this.#store === null) throw unknownVersion(generation);
    return this.#store;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.allSettled(this.#changes.values());
    const faults: string[] = [];
    const isWritten = this.#settings.readOnly === null;
    for (const { name, model } of this.#slots.values()) {
      let fault: Error | null = null;
      await model.close().catch((error) => {
        fault = error;
        this.#warn(name, 'could not write its last snapshot', error);
      });
      fault ??= model.fault;
      if (fault !== null && isWritten) faults.push(`${name}: ${(fault as Error).message}`);
    }
    await this.#unlock();
    if (faults.length > 0)
      throw new HalfspaceError(
        'write-failed',
        `expected models whose files could be written; got ${faults.join('; ')}`,
      );
  }

  async #put(name: string, content: PutContent, expected: Version | 'none' | undefined): Promise<ServedModel> {
    if (this.setAside.has(name)) throw isSetAside(name);
    const slot = this.#slots.get(name);
    const check = () => {
      if (expected === undefined) return;
      if (slot !== undefined) checkVersion(name, slot.version, expected);
      else if (expected !== 'none') throw missing(name);
    };
    check();
    const generation = await this.#create(name, content, slot === undefined);
    if (slot === undefined) {
      await this.#store?.commit(name, generation.current);
      return this.#begin(name, generation);
    }
    const before = this.#generations.get(name)!;
    try {
      await slot.hold(expected === 'none' ? undefined : expected, async () => {
        await this.#commit(name, before, generation);
        slot.replace(generation.model);
        this.#generations.set(name, generation);
      });
    } catch (error) {
      await generation.model.abandon();
      // After any other failure the disk may name it as the one in service.
      if (error instanceof ModelRefusal && error.reason === 'version-differs') await this.#remove(name, generation);
      throw error;
    }
    await before.model.abandon();
    await this.#store?.keep(name, before.current).catch((error) => this.#warn(name, 'could not keep files', error));
    return slot;
  }

  /** Removes the files of a generation that is not in service; what is left goes at the next start. */
  async #remove(name: string, { current }: Generation): Promise<void> {
    await this.#store?.remove(name, current).catch((error) => this.#warn(name, 'could not remove files', error));
  }

  #begin(name: string, generation: Generation): ServedModel {
    this.#generations.set(name, generation);
    return this.#addSlot(name, generation.model);
  }

  #addSlot(name: string, model: InnerModel): Slot {
    const slot = new Slot(name, model);
    slot.onAlarm((alarm) => {
      for (const listener of this.#listeners) listener(name, alarm);
    });
    this.#slots.set(name, slot);
    return slot;
  }

  async #retire(name: string, expected: Version | undefined): Promise<void> {
    if (this.setAside.has(name)) {
      await this.#store!.retireUnread(name);
      this.setAside.delete(name);
      return;
    }
    const slot = this.#slots.get(name);
    const before = this.#generations.get(name);
    if (slot === undefined || before === undefined) throw missing(name);
    const { model, current } = before;
    await slot.hold(expected, async () => {
      await this.#commit(name, before, { model, current: { ...current, state: 'retired' } });
      slot.retire();
      this.#slots.delete(name);
      this.#generations.delete(name);
    });
    await model.close().catch((error) => this.#warn(name, 'could not write its last snapshot', error));
    await this.#store?.finishRetirement(name).catch((error) => this.#warn(name, 'could not move its files', error));
  }

  /** Replaces what is in service on the disk. If that fails, the model before learns nothing until it is undone. */
  async #commit(name: string, before: Generation, after: Generation): Promise<void> {
    try {
      await this.#store?.commit(name, after.current);
    } catch (error) {
      before.model.block(error, () => this.#store!.commit(name, before.current));
      throw error;
    }
  }

  async #create(name: string, content: PutContent, isNew: boolean): Promise<Generation> {
    if (this.#store !== null) return this.#store.create(name, content, isNew);
    if (content.kind === 'frozen') return memoryGeneration(new FrozenModel(content.file, content.model));
    throw new HalfspaceError(
      'option-invalid',
      'expected a frozen model; got one that learns: start the service with a folder, where it can keep what it learns',
    );
  }

  /** @param by `writer`: it is no change by a client, which a follower does not take. */
  async #change<T>(name: string, change: () => Promise<T>, by: 'client' | 'writer' = 'client'): Promise<T> {
    if (by === 'client' && this.#settings.writer !== null) throw follows(this.#settings.writer);
    const before = this.#changes.get(name);
    const changed = (async () => {
      await before?.catch(() => {});
      if (this.#settings.readOnly !== null) throw this.#settings.readOnly;
      if (this.#isClosed) throw new HalfspaceError('interrupted', 'expected a service that runs; got one that ends');
      return change();
    })();
    this.#changes.set(name, changed);
    try {
      return await changed;
    } catch (error) {
      throw isOfSystem(error) ? writeFailed(error) : error;
    } finally {
      if (this.#changes.get(name) === changed) this.#changes.delete(name);
    }
  }

  #warn(model: string, message: string, error: unknown): void {
    this.#settings.onNote({ level: 'warn', model, message: `${message}: ${(error as Error).message}` });
  }
}

/** Tests if an error came from the system, such as ENOSPC. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && !(error instanceof HalfspaceError) && 'code' in error;
}

function writeFailed({ message }: Error): HalfspaceError {
  return new HalfspaceError('write-failed', `expected to write to the disk; got ${message}`);
}

function missing(name: string): ModelRefusal {
  return new ModelRefusal('version-differs', `expected a model "${name}"; there is none`);
}

function within(name: string, value: unknown, from: number, to: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to) return value as number;
  throw new HalfspaceError('option-invalid', `${name} must be a whole number in [${from}, ${to}]; got ${quote(value)}`);
}
