import { join } from 'node:path';
import { partial, readWhole, writeWhole } from '../journal/files.ts';
import { copyName, numbersIn, segmentName, snapshotName } from '../journal/names.ts';
import { SegmentWriter } from '../journal/segment-writer.ts';
import { type Draft, recordOf } from '../state/example-record.ts';
import type { ModelState } from '../state/model-state.ts';
import type { RowNames } from '../state/row-names.ts';
import { damaged, replay } from './replay.ts';
import type { Settings } from './settings.ts';

/**
 * The files of a learning model: a snapshot, its copy, and the segments of the journal behind them.
 *
 * After any failure of {@link write} or {@link rotate} only {@link settle} and {@link close} may be called, until
 * `settle` succeeds.
 */
export class LearningFiles {
  readonly folder: string;
  readonly state: ModelState;
  readonly #settings: Settings;
  /** Null: nothing can be appended before {@link settle}. */
  #segment: SegmentWriter | null;
  /** Names of fields in the segment and before it. */
  #names: RowNames;
  /** The snapshot that is being written. */
  #snapshot: Promise<void> = Promise.resolve();

  private constructor(folder: string, state: ModelState, settings: Settings, segment: SegmentWriter | null) {
    this.folder = folder;
    this.state = state;
    this.#settings = settings;
    this.#segment = segment;
    this.#names = state.names.copy();
  }

  /** Writes the files of a new model into a new folder. The folder's own name is not yet durable. */
  static async create(folder: string, state: ModelState, settings: Settings): Promise<LearningFiles> {
    await settings.disk.makeFolder(folder);
    const files = new LearningFiles(folder, state, settings, null);
    await files.settle();
    return files;
  }

  /**
   * Reads the newest snapshot that is whole, and the records behind it. What was read may be in memory only, if the
   * process before this one ended while it wrote: then {@link settle} must be called before anything is acknowledged.
   *
   * @returns also if that is so.
   * @throws HalfspaceError `source-corrupt` for files that are damaged or missing: nothing is changed then.
   */
  static async open(
    folder: string,
    settings: Settings,
    begin: (snapshot: Uint8Array) => ModelState,
    tell: (message: string) => void,
  ): Promise<{ readonly files: LearningFiles; readonly isSettled: boolean }> {
    const { disk } = settings;
    const { state, clean } = await replay(disk, folder, begin, tell);
    const segment =
      clean === null || settings.readOnly !== null ? null : await SegmentWriter.resume(disk, folder, clean);
    const files = new LearningFiles(folder, state, settings, segment);
    // Otherwise `settle` does both. A name that a killed process left may be in memory only.
    if (clean !== null) {
      await disk.syncFolder(folder);
      await files.#removeBefore(state.sequence);
    }
    return { files, isSettled: clean !== null };
  }

  /** Tests if so much was written since the last snapshot that another one is due. */
  get isSnapshotDue(): boolean {
    return this.#segment !== null && this.#segment.size >= this.#settings.segmentBytes;
  }

  /** Makes records durable. Returns their payloads, for {@link state}. */
  write(drafts: readonly Draft[], first: number): Promise<readonly Buffer[]> {
    const records = drafts.map((draft) => recordOf(draft, this.#names));
    return this.#segment!.write(records, first);
  }

  /**
   * Begins a segment, closes the one before it and then writes a snapshot, while records may follow. All records must
   * have been applied. Resolves when the segment is there.
   *
   * @param onFailure is told if the snapshot could not be written. The journal before it stays then.
   */
  async rotate(onFailure: (error: unknown) => void): Promise<void> {
    // One snapshot at a time.
    await this.#snapshot;
    const { sequence, digest } = this.state;
    const before = this.#segment!;
    this.#segment = await SegmentWriter.begin(this.#settings.disk, this.folder, { first: sequence + 1, digest });
    await before.close();
    const [name, closed] = [false, true].map((isClosed) => join(this.folder, segmentName(before.first, isClosed)));
    await this.#settings.disk.rename(name!, closed!);
    await this.#settings.disk.syncFolder(this.folder);
    const bytes = this.state.snapshot();
    this.#snapshot = this.#writeSnapshot(sequence, bytes)
      .then(() => this.#removeBefore(sequence))
      .catch(onFailure);
  }

  /**
   * Makes the state durable anew: a snapshot of it, then a segment. It trusts no byte of the segment before: after a
   * failed sync, and in the files of a process that was killed, bytes may be in memory that never reach the disk.
   */
  async settle(): Promise<void> {
    await this.#snapshot;
    const { sequence, digest } = this.state;
    const before = this.#segment;
    this.#segment = null;
    // Those of records that were not written are forgotten.
    this.#names = this.state.names.copy();
    await before?.close().catch(() => {});
    await this.#writeSnapshot(sequence, this.state.snapshot());
    this.#segment = await SegmentWriter.begin(this.#settings.disk, this.folder, { first: sequence + 1, digest });
    await this.#removeBefore(sequence);
  }

  /** Ends with a snapshot, so that the next start replays nothing. */
  async close(): Promise<void> {
    await this.#snapshot;
    if (this.#segment !== null && !this.#segment.isEmpty) await this.settle();
    await this.#segment?.close();
  }

  /** Closes the file as it is. */
  async abandon(): Promise<void> {
    await this.#snapshot;
    await this.#segment?.close().catch(() => {});
    this.#segment = null;
  }

  /** Writes a snapshot and its copy, and reads them back. */
  async #writeSnapshot(sequence: number, bytes: Uint8Array): Promise<void> {
    const { disk } = this.#settings;
    for (const name of [snapshotName(sequence), copyName(sequence)]) {
      await writeWhole(disk, this.folder, name, bytes);
      const written = await readWhole(disk, join(this.folder, name));
      if (written === null || Buffer.compare(written, bytes) !== 0)
        throw damaged('expected the snapshot as it was written; got other bytes', join(this.folder, name));
    }
  }

  /** Removes segments and snapshots that a snapshot replaces, and files that were not finished. */
  async #removeBefore(sequence: number): Promise<void> {
    const { disk } = this.#settings;
    const names = await disk.list(this.folder);
    const { segments, closed, snapshots } = numbersIn(names);
    const old = [
      ...names.filter((name) => name.endsWith(partial)),
      ...segments.filter((first) => first <= sequence).map((first) => segmentName(first, closed.includes(first))),
      ...snapshots.filter((each) => each < sequence).flatMap((each) => [snapshotName(each), copyName(each)]),
    ];
    for (const name of old) await disk.remove(join(this.folder, name));
    if (old.length > 0) await disk.syncFolder(this.folder);
  }
}
