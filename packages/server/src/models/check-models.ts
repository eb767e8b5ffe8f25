import { join } from 'node:path';
import { HalfspaceError } from 'halfspace';
import type { Disk } from '../disk/disk.ts';
import { guardedDisk, readOnlyDisk } from '../disk/guarded-disk.ts';
import { realDisk } from '../disk/real-disk.ts';
import { readWhole } from '../journal/files.ts';
import { numbersIn } from '../journal/names.ts';
import { ModelState } from '../state/model-state.ts';
import { type Current, readCurrent, writeCurrent } from './current-file.ts';
import { FrozenModel } from './frozen-model.ts';
import { generationsIn, modelFileName, nextGeneration } from './generations.ts';
import { LearningFiles } from './learning-files.ts';
import { budgetOf, limitsOf } from './limits.ts';
import { isModelName } from './model-name.ts';
import { lockOf } from './open-models.ts';
import { partMaker } from './parts-in-threads.ts';
import { damaged, damageOf, replay } from './replay.ts';

/** The state of a model's files. */
export interface CheckedModel {
  readonly name: string;
  /** Null: nothing shows it. */
  readonly kind: 'frozen' | 'learning' | null;
  /**
   * `whole`: a start serves it. `repairable`: a start sets it aside; a repair brings it back as of {@link sequence}.
   * `repaired`: that was done. `unreadable`: it must be restored from a copy, or retired.
   */
  readonly state: 'whole' | 'repairable' | 'repaired' | 'unreadable';
  /** Number of the last record that can be read; 0 for a frozen model; null if none can be. */
  readonly sequence: number | null;
  /** Faults of the files, and losses by a repair. */
  readonly notes: readonly string[];
}

export interface CheckModelsOptions {
  /** The folder of the service. */
  readonly dir: string;
  /** True: repairs what can be repaired; damaged files move to `retired`. Default false: changes nothing. */
  readonly repair?: boolean | undefined;
  /** Default: the disk of the system. */
  readonly disk?: Disk | undefined;
}

/**
 * Reads all files of a service that does not run, and tells which models can be served.
 *
 * @throws HalfspaceError `write-failed` if a process uses the folder, or the system refuses it; `option-invalid` if it
 *   has no models.
 */
export async function checkModels({
  dir,
  repair = false,
  disk = realDisk,
}: CheckModelsOptions): Promise<CheckedModel[]> {
  if (!(await disk.list(dir)).includes('models'))
    throw new HalfspaceError('option-invalid', 'expected the folder of a service; it has no folder "models"', {
      source: dir,
    });
  const lock = await lockOf(disk, dir);
  if (repair && lock.readOnly !== null) throw lock.readOnly;
  const seen = readOnlyDisk(disk, new Error('a check changes nothing'));
  try {
    const checked: CheckedModel[] = [];
    for (const name of (await disk.list(join(dir, 'models'))).sort()) {
      if (!isModelName(name)) continue;
      // A file in place of a folder, for example.
      const found = await check(seen, dir, name).catch((error) => {
        const notes = [damageNote(error, join(dir, 'models', name))];
        return { kind: null, state: 'unreadable' as const, sequence: null, notes, repairBy: null };
      });
      if (found === null) continue;
      const { repairBy, ...rest } = found;
      const isDue = repair && repairBy !== null;
      if (isDue) await repairBy(guardedDisk(disk, lock.check));
      checked.push({ name, ...rest, state: isDue ? 'repaired' : rest.state });
    }
    return checked;
  } finally {
    await lock.unlock();
  }
}

type Found = Omit<CheckedModel, 'name'> & { readonly repairBy: ((disk: Disk) => Promise<void>) | null };

/** Says what is wrong with the files of a model. Throws the error if they did not cause it. */
function damageNote(error: unknown, folder: string): string {
  const damage = damageOf(error, folder);
  if (damage === null) throw error;
  return damage instanceof HalfspaceError ? damage.message : `expected files that can be read; got ${damage.message}`;
}

/** Checks a model; null if the next start finishes its removal, or its change. */
async function check(disk: Disk, dir: string, name: string): Promise<Found | null> {
  const folder = join(dir, 'models', name);
  const names = await disk.list(folder);
  const notes: string[] = [];
  const tell = (error: unknown) => void notes.push(damageNote(error, folder));
  const unreadable = (kind: CheckedModel['kind']): Found => ({
    kind,
    state: 'unreadable',
    sequence: null,
    notes,
    repairBy: null,
  });
  let current: Current | null = null;
  try {
    current = await readCurrent(disk, folder);
    if (current === null && names.length === 0) return null;
    if (current !== null && current.state !== 'serving') return null;
    if (current === null) throw damaged('expected a file "current"; it is missing', folder);
    if (!names.includes(current.generation)) {
      const { generation } = current;
      current = null;
      throw damaged(`expected the folder ${generation}; it is missing`, folder);
    }
  } catch (error) {
    tell(error);
    // A failure of the system is not mended by writing the file.
    if (!(error instanceof HalfspaceError)) return unreadable(null);
  }
  const isNamed = current !== null;
  if (current === null) {
    const generations = generationsIn(names);
    if (generations.length !== 1) return unreadable(null);
    // It is the one in service, or the one that was to be.
    const generation = generations[0]!;
    const isFrozen = (await disk.list(join(folder, generation))).includes(modelFileName);
    const { predictions } = limitsOf();
    current = {
      generation,
      kind: isFrozen ? 'frozen' : 'learning',
      predictions: isFrozen ? 0 : predictions,
      state: 'serving',
    };
  }
  const { kind, generation, predictions } = current;
  const path = join(folder, generation);
  const whole = (sequence: number): Found =>
    isNamed
      ? { kind, state: 'whole', sequence, notes, repairBy: null }
      : { kind, state: 'repairable', sequence, notes, repairBy: (of) => writeCurrent(of, folder, current) };
  try {
    if (kind === 'frozen') {
      const bytes = await readWhole(disk, join(path, modelFileName));
      if (bytes === null) throw damaged('expected the file of a model; it is missing', path);
      void new FrozenModel(Buffer.from(bytes).toString());
      return whole(0);
    }
    let damage: HalfspaceError | null = null;
    const { state } = await replay(
      disk,
      path,
      (snapshot) => ModelState.load(snapshot, name),
      (message) => notes.push(message),
      (error) => {
        damage = error;
      },
    );
    if (damage === null) return whole(state.sequence);
    tell(damage);
    const { segments, snapshots } = numbersIn(await disk.list(path));
    const last = Math.max(snapshots.at(-1) ?? 0, (segments.at(-1) ?? 1) - 1);
    notes.push(
      `a repair keeps the records to ${state.sequence} and loses all later ones${last > state.sequence ? `, at least to ${last}` : ''}`,
    );
    return {
      kind,
      state: 'repairable',
      sequence: state.sequence,
      notes,
      async repairBy(of) {
        const retired = join(dir, 'retired');
        const next = await nextGeneration(of, folder, retired, name);
        const quiet = {
          writer: null,
          archive: 0,
          sync: 'always' as const,
          segmentBytes: 0,
          retryAfter: 0,
          onNote: () => {},
        };
        const settings = { ...quiet, budget: budgetOf(), makePart: partMaker(of) };
        const files = await LearningFiles.create(join(folder, next), state, { ...settings, disk: of, readOnly: null });
        await files.close();
        await of.syncFolder(folder);
        // A start sets the model aside until `current` is written; a check then finds the new generation.
        await of.makeFolder(retired);
        await of.rename(path, join(retired, `${name}-${generation}`));
        await of.syncFolder(retired);
        await writeCurrent(of, folder, { generation: next, kind, predictions, state: 'serving' });
      },
    };
  } catch (error) {
    tell(error);
    return unreadable(kind);
  }
}
