import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { bodyOf, kindOf, type NewRecord, sequenceOf } from '../journal/frame.ts';
import { numbersIn, segmentName } from '../journal/names.ts';
import { readRecords, readSegmentHeader, type SegmentPlace } from '../journal/read-segment.ts';
import { encodeSegmentHeader, seedOf, segmentHeaderBytes } from '../journal/segment-header.ts';
import { chained } from '../state/chain.ts';
import type { Bell } from './bell.ts';
import { type JournalPart, ModelRefusal, type Version } from './contract.ts';

/** A part ends behind the record that brings it to so many bytes, or records: a reader learns it in one turn. */
const mostBytes = 2 ** 16;
const mostRecords = 512;
/** Time in milliseconds after which a reader hears of the journal, also if it did not grow. */
const heartbeatMs = 1000;
/** Time in milliseconds for which records are gathered. */
const gatherMs = 10;

/** A model whose journal grows. */
export interface Growing {
  /** Its records are written, and may be read. */
  readonly version: Version;
  /** True if no record is being written. */
  readonly isIdle: boolean;
  readonly isClosed: boolean;
  /** Rings when the version changed, and at the end. */
  readonly bell: Bell;
  /** Is called again and again while its journal is read. */
  onRead(): void;
}

/** A place in the journal of a model, whose segments are begun, renamed and removed meanwhile. */
export class JournalTail {
  readonly #disk: Disk;
  readonly #folder: string;
  /** Number of the first record of the segment. */
  #first = 0;
  #seed = 0;
  #place: SegmentPlace = { offset: 0, next: 0 };
  /** Digest of the state before the place. */
  #digest = '';

  private constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  /**
   * Finds the place behind a version, and checks its digest by that of the segment and the records since.
   *
   * @param now version of the model.
   * @throws `version-differs` if the files do not reach back to the version, or the model never had it.
   */
  static async behind(disk: Disk, folder: string, after: Version, now: Version): Promise<JournalTail> {
    const tail = new JournalTail(disk, folder);
    const isThere = after.sequence <= now.sequence && (await tail.#enter(after.sequence + 1, false));
    while (isThere && tail.version.sequence < after.sequence) if ((await tail.read(after.sequence)) === null) break;
    const { sequence, digest } = tail.version;
    if (isThere && sequence === after.sequence && digest === after.digest) return tail;
    throw new ModelRefusal(
      'version-differs',
      `expected a version of this model whose records are still in the journal; got ${after.sequence}-${after.digest}: begin with GET …/snapshot`,
    );
  }

  /** The version at the place. */
  get version(): Version {
    return { sequence: this.#place.next - 1, digest: this.#digest };
  }

  /** Reads at least one of the records up to a number, and goes behind it; null: they are not there any more. */
  async read(upTo: number): Promise<readonly NewRecord[] | null> {
    if (!(await this.#enter(this.#place.next, true))) return null;
    const records: NewRecord[] = [];
    let size = 0;
    let digest = this.#digest;
    const take = (bytes: Buffer, from: number, to: number) => {
      if (size >= mostBytes || records.length === mostRecords || sequenceOf(bytes, from) > upTo) return false;
      records.push({ kind: kindOf(bytes, from), body: bodyOf(bytes, from, to) });
      digest = chained(digest, bytes, from, to);
      size += to - from;
      return true;
    };
    // A segment gets another name when it is closed.
    for (const isClosed of [false, true, true]) {
      const path = join(this.#folder, segmentName(this.#first, isClosed));
      const length = await this.#disk.size(path);
      if (length === null) continue;
      try {
        this.#place = await readRecords(this.#disk, path, this.#seed, this.#place, length, take, mostBytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
        throw error;
      }
      this.#digest = digest;
      return records.length === 0 ? null : records;
    }
    return null;
  }

  /**
   * Goes to the segment of a record: the last one that does not begin behind it. An earlier one may have other records
   * of this number, which were never acknowledged.
   *
   * @param isNext true: the record is the next one. @returns false if it is not there, or follows another state.
   */
  async #enter(sequence: number, isNext: boolean): Promise<boolean> {
    const { segments, closed } = numbersIn(await this.#disk.list(this.#folder));
    const first = segments.filter((each) => each <= sequence).at(-1);
    if (first === undefined || first === this.#first) return first !== undefined;
    if (isNext && first !== sequence) return false;
    const names = [closed.includes(first), true].map((isClosed) => join(this.#folder, segmentName(first, isClosed)));
    for (const path of names) {
      if ((await this.#disk.size(path)) === null) continue;
      const header = await readSegmentHeader(this.#disk, path).catch(() => null);
      if (header === null || (isNext && header.digest !== this.#digest)) continue;
      this.#first = first;
      this.#seed = seedOf(encodeSegmentHeader(header));
      this.#place = { offset: segmentHeaderBytes, next: first };
      this.#digest = header.digest;
      return true;
    }
    return false;
  }
}

/**
 * Yields the records behind a place as they come, at once and at least each second a part without any, until the model
 * ends, its files do not have the next record any more, or the signal is aborted and nothing is being written.
 */
export async function* partsOf(tail: JournalTail, model: Growing, signal: AbortSignal): AsyncGenerator<JournalPart> {
  for (let told = -1; ; ) {
    model.onRead();
    const { sequence: head } = model.version;
    if (head === tail.version.sequence && (model.isClosed || (signal.aborted && model.isIdle))) return;
    if (head === told || told < 0) yield { version: tail.version, head, records: [] };
    while (tail.version.sequence < head) {
      const records = await tail.read(head);
      if (records === null) return;
      yield { version: tail.version, head: model.version.sequence, records };
    }
    told = head;
    if (model.isClosed) return;
    if (model.version.sequence === head)
      await model.bell.heard(signal.aborted ? gatherMs : heartbeatMs, gatherMs, signal);
  }
}
