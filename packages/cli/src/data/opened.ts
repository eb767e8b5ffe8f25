import type { ExampleSource, FeatureOptions, Model } from 'halfspace';
import type { ParserPool } from 'halfspace/node';
import type { Format } from '../files/formats.ts';
import { RejectFile } from './rejects.ts';

/** What a command was told about its data. */
export interface DataOptions {
  readonly format?: Format | undefined;
  readonly sql?: string | undefined;
  /** False: `--no-header`. */
  readonly header?: boolean | undefined;
  readonly onError?: 'fail' | 'skip' | undefined;
  /** Where rows that are set aside go: a path, or the file of other data of the same run. */
  readonly rejects?: string | RejectFile | undefined;
  readonly label?: string | undefined;
  readonly positive?: string | undefined;
  /** Hash Vowpal Wabbit features to 2^bits. */
  readonly bits?: number | undefined;
  /** For tables. */
  readonly scale?: 'none' | 'standard' | undefined;
  /** For tables: how columns become features, where that is not left to the data. */
  readonly featureOptions?: FeatureOptions | undefined;
  /** Share of rows held out by `seed`, which tables must not be fitted on. */
  readonly holdout?: number | undefined;
  readonly seed?: number | undefined;
  /** Threads that read text; the result is the same for any number. Default: up to 4. */
  readonly threads?: number | undefined;
  /** The longest line of text that is read, in MiB. Default 64. */
  readonly longestLine?: number | undefined;
  /** Threads that were started already; see early-parsers.ts. */
  readonly parsers?: ParserPool | undefined;
  /** Read for this model, or what else has an encoding: features as it knows them. */
  readonly model?: Pick<Model, 'features'> | undefined;
  /** Whether every row must have its label. Default true. */
  readonly labelsNeeded?: boolean | undefined;
  /** Whether the rows are read once only, so that those of a pipe need not be kept. */
  readonly once?: boolean | undefined;
  /** Called for every row that is set aside, after the rows before it were delivered. */
  readonly onRejected?: (() => void) | undefined;
}

/** Opened data: a source, and what happened while it was read. */
export interface Input {
  readonly source: ExampleSource;
  readonly format: Format | 'sql';
  /** For people: the file's name, or how many files. */
  readonly name: string;
  /** Whether rows come through a pipe, where whoever sends one may wait for its answer. */
  readonly live: boolean;
  /** Bytes to read, null when unknown. */
  readonly bytes: number | null;
  /** Bytes read so far, before decompression. */
  bytesRead: number;
  readonly rejects: RejectFile;
  /** What should be said about how the data were read; complete after `finish`. */
  readonly notes: string[];
  /** Everything was read: rows that were set aside get their file. */
  finish(): void;
  /** Gives back what is open, and leaves nothing half-written. May follow `finish`. */
  close(): void;
}

/** Where rows are set aside; files/claim.ts names it by the data's file. */
export function rejectFileOf({ rejects = 'data.rejects' }: DataOptions): RejectFile {
  return typeof rejects === 'string' ? new RejectFile(rejects) : rejects;
}

export function finishRejects({ rejects, notes }: Input): void {
  rejects.finish();
  if (rejects.count > 0)
    notes.push(`${rejects.count} ${rejects.count === 1 ? 'row was' : 'rows were'} set aside in ${rejects.path}`);
}
