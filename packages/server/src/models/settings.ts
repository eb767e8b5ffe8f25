import type { Disk } from '../disk/disk.ts';
import type { SyncPolicy } from '../journal/segment-writer.ts';
import type { ModelBudget } from './contract.ts';
import type { PartOfFiles } from './model-parts.ts';

/** Something that a person should know and that no caller is told. */
export interface Note {
  readonly level: 'info' | 'warn' | 'error';
  /** Name of the model. */
  readonly model: string;
  readonly message: string;
}

/** Settings of the durable part, with all defaults. */
export interface Settings {
  readonly disk: Disk;
  /** The reason why nothing can be written from the start on; else null. */
  readonly readOnly: Error | null;
  /** URL of the service whose records come instead of examples; null: examples are taken. */
  readonly writer: string | null;
  /** Number of bytes of records after which a snapshot is taken. */
  readonly segmentBytes: number;
  /** Number of snapshots before the last one that stay, with the records behind them. */
  readonly archive: number;
  readonly sync: SyncPolicy;
  /** Time in milliseconds from a failure of the disk to the next attempt. */
  readonly retryAfter: number;
  readonly budget: ModelBudget;
  /** Makes files of large models. */
  readonly makePart: (asked: PartOfFiles) => Promise<Uint8Array>;
  readonly onNote: (note: Note) => void;
}
