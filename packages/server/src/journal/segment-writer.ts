import { join } from 'node:path';
import type { AppendFile, Disk } from '../disk/disk.ts';
import { partial } from './files.ts';
import { encodeGroup, type NewRecord } from './frame.ts';
import { segmentName } from './names.ts';
import { encodeSegmentHeader, type SegmentHeader, seedOf, segmentHeaderBytes } from './segment-header.ts';

/**
 * Time at which records become durable, named as Redis names it. `always`: before they are acknowledged. `everysec`: a
 * second later, with one sync for all; a loss of power loses those since. `no`: when the system writes them, on Linux
 * in about 30 seconds. The end of the process alone loses nothing.
 */
export type SyncPolicy = 'always' | 'everysec' | 'no';

const second = 1000;

/** The last segment of a journal, to which records are appended. After any failure it must not be used further. */
export class SegmentWriter {
  readonly first: number;
  readonly #file: AppendFile;
  readonly #seed: number;
  readonly #policy: SyncPolicy;
  #size = segmentHeaderBytes;
  /** Number of bytes that are durable. */
  #durable = segmentHeaderBytes;
  /** The end of the last sync that nobody waits for. */
  #synced: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  /** Failure of a sync that nobody waited for. */
  #failure: unknown = null;

  private constructor(file: AppendFile, header: SegmentHeader, policy: SyncPolicy) {
    this.first = header.first;
    this.#policy = policy;
    this.#file = file;
    this.#seed = seedOf(encodeSegmentHeader(header));
  }

  /** Begins a segment, in place of one with the same first record. It appears with its header, or not at all. */
  static async begin(disk: Disk, folder: string, header: SegmentHeader, policy: SyncPolicy): Promise<SegmentWriter> {
    const path = join(folder, segmentName(header.first));
    await disk.remove(path + partial);
    const file = await disk.create(path + partial);
    try {
      await file.append(encodeSegmentHeader(header));
      await file.sync();
      await disk.rename(path + partial, path);
      await disk.syncFolder(folder);
    } catch (error) {
      await file.close().catch(() => {});
      throw error;
    }
    return new SegmentWriter(file, header, policy);
  }

  /** Goes on with a segment that has a header and nothing else. */
  static async resume(disk: Disk, folder: string, header: SegmentHeader, policy: SyncPolicy): Promise<SegmentWriter> {
    const path = join(folder, segmentName(header.first));
    return new SegmentWriter(await disk.openToAppend(path, segmentHeaderBytes), header, policy);
  }

  /** Number of bytes. */
  get size(): number {
    return this.#size;
  }

  /** Tests if it has no record. */
  get isEmpty(): boolean {
    return this.#size === segmentHeaderBytes;
  }

  /** Appends records as a group. Returns their payloads when they may be acknowledged. */
  async write(records: readonly NewRecord[], first: number): Promise<readonly Buffer[]> {
    if (this.#failure !== null) throw this.#failure;
    const { bytes, payloads } = encodeGroup(records, first, this.#durable, this.#seed);
    await this.#file.append(bytes);
    this.#size += bytes.length;
    if (this.#policy === 'always') await this.#sync();
    else if (this.#policy === 'everysec') this.#timer ??= setTimeout(() => this.#syncLater(), second);
    return payloads;
  }

  /** Makes all records durable. */
  async settle(): Promise<void> {
    if (this.#durable < this.#size) this.#syncLater();
    await this.#synced;
    if (this.#failure !== null) throw this.#failure;
  }

  /** Closes the file. What is not durable becomes so later, if the policy is not `always`. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#synced;
    await this.#file.close();
  }

  #syncLater(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#synced = this.#synced
      .then(() => this.#sync())
      .catch((error) => {
        this.#failure = error;
      });
  }

  async #sync(): Promise<void> {
    const size = this.#size;
    await this.#file.sync();
    this.#durable = size;
  }
}
