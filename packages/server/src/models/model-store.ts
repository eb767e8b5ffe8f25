import { join } from 'node:path';
import { HalfspaceError, OnlineClassifier } from 'halfspace';
import { quote } from 'halfspace/checks';
import { sizeOf } from 'halfspace/online';
import { partial, readWhole, writeWhole } from '../journal/files.ts';
import { numbersIn } from '../journal/names.ts';
import { ModelState, type StateParts } from '../state/model-state.ts';
import { type KeptVersion, type ModelContent, ModelRefusal, type PutContent } from './contract.ts';
import { type Current, readCurrent, writeCurrent } from './current-file.ts';
import { FrozenModel } from './frozen-model.ts';
import { generationsIn, isGeneration, modelFileName, nextGeneration } from './generations.ts';
import type { InnerModel } from './inner-model.ts';
import { LearningFiles } from './learning-files.ts';
import { LearningModel } from './learning-model.ts';
import { checkSize, limitsOf } from './limits.ts';
import { isModelName } from './model-name.ts';
import { damaged, damageOf, replay } from './replay.ts';
import type { Settings } from './settings.ts';

/** Largest number of generations of a name whose files stay when another one is replaced. */
const mostKept = 8;

/** A generation that is written, and not yet in service. */
export interface Generation {
  readonly model: InnerModel;
  readonly current: Current;
}

/**
 * The folder of a service: `models/NAME/current` names a generation, `models/NAME/GENERATION` has its files, and
 * `retired/NAME-GENERATION` those of retired ones.
 */
export class ModelStore {
  readonly #settings: Settings;
  readonly #models: string;
  readonly #retired: string;

  private constructor(folder: string, settings: Settings) {
    this.#settings = settings;
    this.#models = join(folder, 'models');
    this.#retired = join(folder, 'retired');
  }

  static async open(folder: string, settings: Settings): Promise<ModelStore> {
    const store = new ModelStore(folder, settings);
    const { disk } = settings;
    await disk.makeFolder(store.#models);
    await disk.makeFolder(store.#retired);
    await disk.syncFolder(folder);
    return store;
  }

  /**
   * Opens all models by name, and removes what interrupted changes left.
   *
   * @param onUnreadable is told of a model whose files are damaged, missing or strange. They stay as they are.
   */
  async load(onUnreadable: (name: string, error: Error) => void): Promise<Map<string, Generation>> {
    const { disk } = this.#settings;
    const models = new Map<string, Generation>();
    await disk.syncFolder(this.#models);
    for (const name of (await disk.list(this.#models)).sort()) {
      if (!isModelName(name)) {
        this.#settings.onNote({ level: 'warn', model: name, message: 'left alone: it is not the name of a model' });
        continue;
      }
      try {
        const generation = await this.#loadOne(name);
        if (generation !== null) models.set(name, generation);
      } catch (error) {
        const damage = damageOf(error, join(this.#models, name));
        if (damage === null) throw error;
        onUnreadable(name, damage);
      }
    }
    return models;
  }

  /** Returns null for a model that was retired or never in service, and removes it. */
  async #loadOne(name: string): Promise<Generation | null> {
    const { disk } = this.#settings;
    const current = await readCurrent(disk, join(this.#models, name));
    if (current === null) await this.#leaveAlone(name);
    else if (current.state === 'unborn') await this.#removeUnborn(name);
    else if (current.state === 'retired') await this.finishRetirement(name);
    else {
      const { generation } = current;
      if (!(await disk.list(join(this.#models, name))).includes(generation))
        throw damaged(
          'expected this folder, which the file "current" names; it is missing',
          join(this.#models, name, generation),
        );
      await this.#removeOthers(name, generation);
      // A process that was killed may have left a new name that is in memory only.
      await disk.syncFolder(join(this.#models, name));
      return { model: await this.#open(name, current), current };
    }
    return null;
  }

  /** Moves all files of a model that cannot be read to the folder of retired ones. */
  async retireUnread(name: string): Promise<void> {
    const { disk } = this.#settings;
    const there = await disk.list(this.#retired);
    let number = 1;
    while (there.includes(`${name}-unread-${number}`)) number++;
    await disk.rename(join(this.#models, name), join(this.#retired, `${name}-unread-${number}`));
    await disk.syncFolder(this.#retired);
    await disk.syncFolder(this.#models);
  }

  /**
   * Writes the files of a new generation.
   *
   * @param isNew true: no model of this name is in service, whatever a failed change left on the disk.
   * @throws HalfspaceError for a content that cannot be used.
   */
  async create(name: string, content: PutContent, isNew: boolean): Promise<Generation> {
    // Before anything is written.
    const make = makerOf(content, this.#settings)(name);
    const { disk } = this.#settings;
    if (isNew) await this.finishRetirement(name);
    const folder = join(this.#models, name);
    const generation = await nextGeneration(disk, folder, this.#retired, name);
    const path = join(folder, generation);
    const isFrozen = content.kind === 'frozen';
    const current: Current = {
      generation,
      kind: isFrozen ? 'frozen' : 'learning',
      predictions: isFrozen ? 0 : limitsOf(content.limits).predictions,
      state: 'serving',
    };
    let model: InnerModel;
    try {
      // From then on a missing file "current" means damage, and not a model that was never in service.
      if (isNew) {
        await disk.makeFolder(folder);
        await writeCurrent(disk, folder, { ...current, state: 'unborn' });
      }
      await disk.makeFolder(path);
      model = await make(path);
      await disk.syncFolder(folder);
      await disk.syncFolder(this.#models);
    } catch (error) {
      // Frees what it took on a full disk. What stays is removed at the next start.
      await disk.remove(path).catch(() => {});
      throw error;
    }
    return { model, current };
  }

  /** Brings a generation into service, or says of it that it is retired. After a failure it is in doubt if it did. */
  commit(name: string, current: Current): Promise<void> {
    return writeCurrent(this.#settings.disk, join(this.#models, name), current);
  }

  /** Removes the files of a generation that is not in service. */
  async remove(name: string, { generation }: Current): Promise<void> {
    const { disk } = this.#settings;
    await disk.remove(join(this.#models, name, generation));
    await disk.syncFolder(join(this.#models, name));
  }

  /** Moves the files of a generation that was replaced to those of retired ones, and removes all but the latest. */
  async keep(name: string, { generation }: Current): Promise<void> {
    await this.#retire(name, generation);
    await this.#settings.disk.syncFolder(join(this.#models, name));
    for (const { generation: old } of (await this.kept(name)).slice(0, -mostKept)) await this.purge(name, old);
  }

  /** Lists the retired generations of a name. */
  async kept(name: string): Promise<KeptVersion[]> {
    const { disk } = this.#settings;
    const own = (await disk.list(this.#retired)).filter((each) => each.startsWith(`${name}-`));
    const kept: KeptVersion[] = [];
    for (const generation of generationsIn(own.map((each) => each.slice(name.length + 1)))) {
      const path = this.#keptAt(name, generation);
      const files = await disk.list(path);
      let bytes = 0;
      for (const each of files) bytes += (await disk.size(join(path, each))) ?? 0;
      const kind = files.includes(modelFileName) ? 'frozen' : 'learning';
      kept.push({ generation, kind, sequence: numbersIn(files).snapshots.at(-1) ?? 0, bytes });
    }
    return kept;
  }

  /** Reads a retired generation. @throws `version-unknown`; HalfspaceError `source-corrupt`. */
  async read(name: string, generation: string): Promise<ModelContent> {
    const { disk } = this.#settings;
    const path = await this.#findKept(name, generation);
    const file = await readWhole(disk, join(path, modelFileName));
    if (file !== null) return { kind: 'frozen', file: Buffer.from(file).toString() };
    const begin = (bytes: Uint8Array) => ModelState.load(bytes, name);
    const tell = (message: string) => this.#settings.onNote({ level: 'warn', model: name, message });
    return { kind: 'snapshot', bytes: (await replay(disk, path, begin, tell)).state.snapshot() };
  }

  /** Removes the files of a retired generation. @throws `version-unknown`. */
  async purge(name: string, generation: string): Promise<void> {
    const { disk } = this.#settings;
    await disk.remove(await this.#findKept(name, generation));
    await disk.syncFolder(this.#retired);
  }

  async #findKept(name: string, generation: string): Promise<string> {
    const path = this.#keptAt(name, generation);
    const isThere = isGeneration(generation) && (await this.#settings.disk.list(path)).length > 0;
    if (!isThere) throw unknownVersion(generation);
    return path;
  }

  #keptAt(name: string, generation: string): string {
    return join(this.#retired, `${name}-${generation}`);
  }

  /** Moves the files of a model that was retired, if they are still there. */
  async finishRetirement(name: string): Promise<void> {
    const { disk } = this.#settings;
    const folder = join(this.#models, name);
    const current = await readCurrent(disk, folder);
    if (current?.state !== 'retired') return;
    await this.#removeOthers(name, current.generation);
    await disk.syncFolder(folder);
    if ((await disk.list(folder)).includes(current.generation)) await this.#retire(name, current.generation);
    // Also if an earlier attempt moved them: this may be what failed.
    await disk.syncFolder(this.#retired);
    await disk.remove(folder);
    await disk.syncFolder(this.#models);
  }

  async #open(name: string, { generation, kind, predictions }: Current): Promise<InnerModel> {
    const path = join(this.#models, name, generation);
    const settings = this.#settings;
    if (kind === 'frozen') {
      const bytes = await readWhole(settings.disk, join(path, modelFileName));
      if (bytes === null)
        throw damaged('expected the file of a model; it is missing: restore the folder from a copy', path);
      return at(join(path, modelFileName), () => new FrozenModel(Buffer.from(bytes).toString()));
    }
    const { files, isSettled } = await LearningFiles.open(
      path,
      settings,
      (snapshot) => ModelState.load(snapshot, name),
      (message) => settings.onNote({ level: 'warn', model: name, message }),
    );
    const model = new LearningModel(name, files, settings, predictions);
    const { readOnly } = settings;
    if (readOnly !== null) model.block(readOnly, () => Promise.reject(readOnly));
    else if (!isSettled)
      try {
        await files.settle();
      } catch (error) {
        model.block(error);
      }
    return model;
  }

  /** Tells of a folder that has no file `current`: not the service made it, or it made nothing in it. */
  async #leaveAlone(name: string): Promise<void> {
    const folder = join(this.#models, name);
    const names = await this.#settings.disk.list(folder);
    if (!names.every((each) => each.endsWith(partial)))
      throw damaged(
        'expected a file "current" that names the generation in service; it is missing: restore it from a copy',
        folder,
      );
    // Such names are those of the service alone.
    if (names.length > 0) await this.#removeUnborn(name);
    else this.#settings.onNote({ level: 'warn', model: name, message: `left alone: ${folder} has no model` });
  }

  /** Removes the folder of a model that was never in service. */
  async #removeUnborn(name: string): Promise<void> {
    await this.#settings.disk.remove(join(this.#models, name));
    await this.#settings.disk.syncFolder(this.#models);
  }

  /** Moves other generations, which an interrupted change left or a person put there, to the folder of retired ones. */
  async #removeOthers(name: string, generation: string): Promise<void> {
    const { disk } = this.#settings;
    const folder = join(this.#models, name);
    const names = await disk.list(folder);
    for (const each of names.filter((each) => each.endsWith(partial))) await disk.remove(join(folder, each));
    for (const each of generationsIn(names)) if (each !== generation) await this.#retire(name, each);
  }

  async #retire(name: string, generation: string): Promise<void> {
    const { disk } = this.#settings;
    await disk.rename(join(this.#models, name, generation), this.#keptAt(name, generation));
    await disk.syncFolder(this.#retired);
  }
}

/** Checks a content, and returns what writes its files and makes its model. @throws HalfspaceError. */
function makerOf(content: PutContent, settings: Settings): (name: string) => (path: string) => Promise<InnerModel> {
  if (content.kind === 'frozen') {
    const model = new FrozenModel(content.file, content.model);
    return () => async (path) => {
      await writeWhole(settings.disk, path, modelFileName, Buffer.from(content.file));
      return model;
    };
  }
  const limits = limitsOf(content.limits);
  if (content.kind === 'snapshot' || content.kind === 'read')
    return (name) => {
      const isRead = content.kind === 'read';
      const state = isRead
        ? ModelState.from(content.parts as StateParts)
        : ModelState.load(content.bytes, name, 'taken');
      for (const learner of [state.classifier, state.shadow?.classifier])
        if (learner !== undefined) checkSize(settings.budget, sizeOf(learner), () => null, 'a model');
      return madeOf(name, state, isRead ? content.snapshot : undefined);
    };
  if (content.kind === 'learning' && content.options.onDrift !== undefined)
    throw new HalfspaceError('option-invalid', 'expected options without onDrift, which is not durable; got it');
  const classifier =
    content.kind === 'learned' ? OnlineClassifier.load(content.state) : new OnlineClassifier(content.options);
  checkSize(settings.budget, sizeOf(classifier), () => null, 'a model');
  const given = content.kind === 'learned' ? content.state : undefined;
  return (name) => madeOf(name, ModelState.begin(name, classifier, limits.ids, given));

  function madeOf(name: string, state: ModelState, snapshot?: Uint8Array) {
    return async (path: string) => {
      const files = await LearningFiles.create(path, state, settings, snapshot);
      return new LearningModel(name, files, settings, limits.predictions);
    };
  }
}

function at<T>(source: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof HalfspaceError ? error.at({ source }) : error;
  }
}

export function unknownVersion(generation: string): ModelRefusal {
  return new ModelRefusal(
    'version-unknown',
    `expected a version whose files are kept (GET …/versions lists them); got ${quote(generation)}`,
  );
}
