import { join } from 'node:path';
import type { AppendFile, Disk } from '../disk/disk.ts';
import { partial } from './files.ts';
import { encodeGroup, type NewRecord } from './frame.ts';
import { segmentName } from './names.ts';
import { encodeSegmentHeader, type SegmentHeader, seedOf, segmentHeaderBytes } from './segment-header.ts';

/** The last segment of a journal, to which records are appended. After any failure it must not be used further. */
export class SegmentWriter {
  readonly first: number;
  readonly #file: AppendFile;
  readonly #seed: number;
  #size = segmentHeaderBytes;

  private constructor(file: AppendFile, header: SegmentHeader) {
    this.first = header.first;
    this.#file = file;
    this.#seed = seedOf(encodeSegmentHeader(header));
  }

  /** Begins a segment, in place of one with the same first record. It appears with its header, or not at all. */
  static async begin(disk: Disk, folder: string, header: SegmentHeader): Promise<SegmentWriter> {
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
    return new SegmentWriter(file, header);
  }

  /** Goes on with a segment that has a header and nothing else. */
  static async resume(disk: Disk, folder: string, header: SegmentHeader): Promise<SegmentWriter> {
    const path = join(folder, segmentName(header.first));
    return new SegmentWriter(await disk.openToAppend(path, segmentHeaderBytes), header);
  }

  /** Number of durable bytes. */
  get size(): number {
    return this.#size;
  }

  /** Tests if it has no record. */
  get isEmpty(): boolean {
    return this.#size === segmentHeaderBytes;
  }

  /** Appends records as a group. Returns their payloads when they are durable. */
  async write(records: readonly NewRecord[], first: number): Promise<readonly Buffer[]> {
    const { bytes, payloads } = encodeGroup(records, first, this.#size, this.#seed);
    await this.#file.append(bytes);
    await this.#file.sync();
    this.#size += bytes.length;
    return payloads;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
