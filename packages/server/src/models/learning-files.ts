import { join } from 'node:path';
import { partial, writeWhole } from '../journal/files.ts';
import type { NewRecord } from '../journal/frame.ts';
import { copyName, numbersIn, segmentName, snapshotName } from '../journal/names.ts';
import { SegmentWriter } from '../journal/segment-writer.ts';
import { type Draft, recordOf } from '../state/example-record.ts';
import type { ModelState } from '../state/model-state.ts';
import type { RowNames } from '../state/row-names.ts';
import { digestIn } from '../state/snapshot-file.ts';
import { type ModelPart, ModelRefusal, type Version } from './contract.ts';
import { JournalTail } from './journal-tail.ts';
import { encodedPart } from './model-parts.ts';
import { damaged, replay } from './replay.ts';
import type { Settings } from './settings.ts';

/** Largest size of a state in bytes that is encoded in a turn of the event loop: it takes milliseconds. */
const mostInTurn = 2 ** 18;
/** Bytes of a segment from which learning waits for the snapshot before. */
const longestSegment = 2 ** 31;
const chunkBytes = 2 ** 20;
/** Time in milliseconds for which a reader of the journal counts as one that will come again. */
const readerMs = 60_000;

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
  /** The end of what is being made of the files: none of them goes before. */
  #made: Promise<void> = Promise.resolve();
  /** Number of files that are being made. */
  #making = 0;
  /** Time in milliseconds at which somebody read the journal. */
  #readAt = Number.NEGATIVE_INFINITY;
  /** True after a snapshot failed: the next one is made from memory, whatever happened to the files. */
  #isFromMemory = false;

  private constructor(folder: string, state: ModelState, settings: Settings, segment: SegmentWriter | null) {
    this.folder = folder;
    this.state = state;
    this.#settings = settings;
    this.#segment = segment;
    this.#names = state.names.copy();
  }

  /**
   * Writes the files of a new model into a new folder. The folder's own name is not yet durable.
   *
   * @param snapshot of the state, if it has been made.
   */
  static async create(
    folder: string,
    state: ModelState,
    settings: Settings,
    snapshot?: Uint8Array,
  ): Promise<LearningFiles> {
    await settings.disk.makeFolder(folder);
    const files = new LearningFiles(folder, state, settings, null);
    await files.settle(snapshot);
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
      clean === null || settings.readOnly !== null
        ? null
        : await SegmentWriter.resume(disk, folder, clean, settings.sync);
    const files = new LearningFiles(folder, state, settings, segment);
    // Otherwise `settle` does both. A name that a killed process left may be in memory only.
    if (clean !== null) {
      await disk.syncFolder(folder);
      await files.#removeBefore(state.sequence);
    }
    return { files, isSettled: clean !== null };
  }

  /** Tests if so much was written since the last snapshot that another one is due, and nobody has to wait for it. */
  get isSnapshotDue(): boolean {
    const size = this.#segment?.size ?? 0;
    return size >= this.#settings.segmentBytes && (this.#making === 0 || size >= longestSegment);
  }

  /** Returns a file of the present state. @throws HalfspaceError as `OnlineClassifier.model`. */
  async part(part: ModelPart): Promise<{ readonly version: Version; readonly bytes: Uint8Array }> {
    const { sequence, digest } = this.state;
    const version = { sequence, digest };
    if (this.#isSmall) return { version, bytes: encodedPart(this.state, part) };
    try {
      return { version, bytes: await this.#make(this.#made, () => this.#fromFiles(version, part)) };
    } catch {
      // It tells what is wrong, too.
      const { sequence, digest } = this.state;
      return { version: { sequence, digest }, bytes: encodedPart(this.state, part) };
    }
  }

  /** Returns a snapshot as of an earlier record. @throws `version-unknown` for one that the files do not reach. */
  async snapshotAt(sequence: number): Promise<{ readonly version: Version; readonly bytes: Uint8Array }> {
    const { folder, state } = this;
    const bytes = await this.#make(this.#made, async () => {
      const oldest = numbersIn(await this.#settings.disk.list(folder)).snapshots[0]!;
      if (sequence < oldest || sequence > state.sequence)
        throw new ModelRefusal(
          'version-unknown',
          `expected a record from ${oldest}, that of the oldest snapshot, to ${state.sequence}; got ${sequence}`,
        );
      return this.#settings.makePart({ folder, name: state.name, part: 'snapshot', sequence, digest: null });
    });
    return { version: { sequence, digest: digestIn(bytes) }, bytes };
  }

  /** Tests if a file of the state takes so little time that others can wait. */
  get #isSmall(): boolean {
    return this.state.size <= Math.min(mostInTurn, this.#settings.segmentBytes);
  }

  #fromFiles(version: Version, part: ModelPart): Promise<Uint8Array> {
    return this.#settings.makePart({ folder: this.folder, name: this.state.name, part, ...version });
  }

  async #make<T>(before: Promise<void>, make: () => Promise<T>): Promise<T> {
    this.#making++;
    const made = before.then(make).finally(() => {
      this.#making--;
    });
    const ended = made.then(
      () => {},
      () => {},
    );
    this.#made = ended;
    return made;
  }

  /** Makes records durable. Returns their payloads, for {@link state}. */
  write(drafts: readonly Draft[], first: number): Promise<readonly Buffer[]> {
    const records = drafts.map((draft) => recordOf(draft, this.#names));
    return this.#segment!.write(records, first);
  }

  /** Makes records of another journal durable, as {@link write} does. */
  append(records: readonly NewRecord[], first: number): Promise<readonly Buffer[]> {
    return this.#segment!.write(records, first);
  }

  /** Keeps the end of the journal for a while: somebody reads it. */
  onRead(): void {
    this.#readAt = performance.now();
  }

  /** Finds the place behind a version in the journal. @throws `version-differs`. */
  tail(after: Version): Promise<JournalTail> {
    return JournalTail.behind(this.#settings.disk, this.folder, after, this.state);
  }

  /**
   * Begins a segment, closes the one before it and then writes a snapshot, while records may follow. All records must
   * have been applied. Resolves when the segment is there.
   *
   * @param onFailure is told if the snapshot could not be written. The journal before it stays then.
   */
  async rotate(onFailure: (error: unknown) => void): Promise<void> {
    // One snapshot at a time.
    await this.#made;
    const { sequence, digest } = this.state;
    const before = this.#segment!;
    // What follows is there only if all before it is.
    await before.settle();
    this.#segment = await SegmentWriter.begin(
      this.#settings.disk,
      this.folder,
      { first: sequence + 1, digest },
      this.#settings.sync,
    );
    await before.close();
    const [name, closed] = [false, true].map((isClosed) => join(this.folder, segmentName(before.first, isClosed)));
    await this.#settings.disk.rename(name!, closed!);
    await this.#settings.disk.syncFolder(this.folder);
    const isNow = this.#isSmall || this.#isFromMemory;
    const made = isNow ? this.state.snapshot() : null;
    this.#isFromMemory = false;
    void this.#make(this.#made, async () => {
      await this.#writeSnapshot(sequence, made ?? (await this.#fromFiles({ sequence, digest }, 'snapshot')));
      await this.#removeBefore(sequence);
    }).catch((error) => {
      this.#isFromMemory = true;
      onFailure(error);
    });
  }

  /**
   * Makes the state durable anew: a snapshot of it, then a segment. It trusts no byte of the segment before: after a
   * failed sync, and in the files of a process that was killed, bytes may be in memory that never reach the disk.
   */
  async settle(snapshot?: Uint8Array): Promise<void> {
    await this.#made;
    const { sequence, digest } = this.state;
    const before = this.#segment;
    this.#segment = null;
    // Those of records that were not written are forgotten.
    this.#names = this.state.names.copy();
    await before?.close().catch(() => {});
    await this.#writeSnapshot(sequence, snapshot ?? this.state.snapshot());
    this.#segment = await SegmentWriter.begin(
      this.#settings.disk,
      this.folder,
      { first: sequence + 1, digest },
      this.#settings.sync,
    );
    await this.#removeBefore(sequence);
  }

  /** Ends with a snapshot, so that the next start replays nothing. */
  async close(): Promise<void> {
    await this.#made;
    if (this.#segment !== null && !this.#segment.isEmpty) await this.settle();
    await this.#segment?.close();
  }

  /** Closes the file as it is. */
  async abandon(): Promise<void> {
    await this.#made;
    await this.#segment?.close().catch(() => {});
    this.#segment = null;
  }

  /** Writes a snapshot and its copy, and reads them back. */
  async #writeSnapshot(sequence: number, bytes: Uint8Array): Promise<void> {
    const { disk } = this.#settings;
    for (const name of [snapshotName(sequence), copyName(sequence)]) {
      await writeWhole(disk, this.folder, name, bytes);
      const path = join(this.folder, name);
      let isSame = (await disk.size(path)) === bytes.length;
      for (let at = 0; at < bytes.length && isSame; at += chunkBytes) {
        const written = await disk.read(path, at, chunkBytes);
        isSame = Buffer.compare(written, bytes.subarray(at, at + chunkBytes)) === 0;
      }
      if (!isSame) throw damaged('expected the snapshot as it was written; got other bytes', path);
    }
  }

  /**
   * Removes files that were not finished, and segments and snapshots that a snapshot replaces, but for the archive. If
   * the journal has readers, its last segment stays until the next time.
   */
  async #removeBefore(sequence: number): Promise<void> {
    const { disk, archive } = this.#settings;
    const names = await disk.list(this.folder);
    const { segments, closed, snapshots } = numbersIn(names);
    const older = snapshots.filter((each) => each < sequence);
    const archived = older.slice(Math.max(0, older.length - archive));
    const before = segments.filter((first) => first <= (archived[0] ?? sequence));
    const isRead = performance.now() - this.#readAt < readerMs;
    const old = [
      ...names.filter((name) => name.endsWith(partial)),
      ...(isRead ? before.slice(0, -1) : before).map((first) => segmentName(first, closed.includes(first))),
      ...older.slice(0, older.length - archived.length).flatMap((each) => [snapshotName(each), copyName(each)]),
    ];
    for (const name of old) await disk.remove(join(this.folder, name));
    if (old.length > 0) await disk.syncFolder(this.folder);
  }
}
