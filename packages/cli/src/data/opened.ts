import type { ExampleSource, HalfspaceError, Model } from 'halfspace';
import type { TableOptions } from 'halfspace/node';
import { openWhole, type ParserPool, type WholeFile } from 'halfspace/node';
import type { SourceColumn } from 'halfspace/tables';
import type { Format } from '../files/formats.ts';
import type { ReadingOptions } from '../options.ts';

/** A request for columns of a table, whose cells are delivered beside the examples. */
export type Carry = NonNullable<TableOptions['carry']>;
export type CarriedRows = Parameters<Carry['take']>[0];

/**
 * The file of skipped rows: each row on a line, after a comment with its place and the reason. Appears when it is
 * finished.
 */
class RejectFile {
  readonly path: string;
  #file: WholeFile | null = null;
  count = 0;

  constructor(path: string) {
    this.path = path;
  }

  add(error: HalfspaceError, line: Uint8Array | string | null): void {
    this.#file ??= openWhole(this.path);
    this.#file.append(`# ${error.message.replace(/\s*\n\s*/g, '; ')}\n`);
    if (line !== null) {
      this.#file.append(line);
      this.#file.append('\n');
    }
    this.count++;
  }

  /** Gives the file its name, if any row was skipped. */
  finish(): void {
    this.#file?.finish();
  }

  discard(): void {
    this.#file?.discard();
  }
}

/** Options of {@link openInput}: those of the command, and what the command adds. */
export interface DataOptions extends Omit<ReadingOptions, 'rejects'> {
  /** The path of the file of skipped rows, or the open file of another input of the same run. */
  readonly rejects?: string | RejectFile | undefined;
  /** Column of a table with the weights of the rows. */
  readonly weight?: string | undefined;
  /** Scaling of tables. Default `standard`. */
  readonly scale?: 'none' | 'standard' | undefined;
  /** True gives short texts of a table n-grams of characters, on trial; see `OpenSourceOptions`. */
  readonly triesLetters?: boolean | undefined;
  /** Share of the rows that are held out by `seed`. The encoding of a table is not fitted on them. */
  readonly holdout?: number | undefined;
  readonly seed?: number | undefined;
  /** Ends the reading with the error `interrupted`. Default: the command stops between two batches. */
  readonly signal?: AbortSignal | undefined;
  /** Threads that were started already; see early-parsers.ts. */
  readonly parsers?: ParserPool | undefined;
  /** The model, or other owner of an encoding, that the rows are read for. */
  readonly encodedFor?: (Pick<Model, 'features'> & { readonly classes?: readonly string[] | undefined }) | undefined;
  /** True if features that `encodedFor` lacks are added to it, as a run that goes on from a state does. */
  readonly grows?: boolean | undefined;
  /** True if rows of classes that the model `encodedFor` does not have are delivered, to judge it. Default false. */
  readonly keepsUnknown?: boolean | undefined;
  /** True if every row must have a label. Default true. */
  readonly labelsNeeded?: boolean | undefined;
  /** True if the rows are read only once, so that the rows of a pipe need not be stored. */
  readonly once?: boolean | undefined;
  /** Called for every skipped row, after the rows before it were delivered. */
  readonly onRejected?: (() => void) | undefined;
  /** Watches the rows of a table while its encoding is fitted. */
  readonly watch?: TableOptions['watch'];
  /** Columns of a table whose cells are delivered beside the examples of a model. */
  readonly carry?: Carry | undefined;
  /** Called with the tag of each line of Vowpal Wabbit text, before the batch with its example is delivered. */
  readonly onTag?: ((tag: string) => void) | undefined;
}

/** Open data: a source, and what happened while it was read. */
export interface Input {
  readonly source: ExampleSource;
  readonly format: Format | 'sql';
  /** Name for messages: the path, and the number of further files. */
  readonly name: string;
  /** True if the rows come from a pipe, whose writer may wait for the prediction of each row. */
  readonly live: boolean;
  /** The columns of `carry`; absent: none. */
  readonly carried?: readonly SourceColumn[];
  /** Names of the columns that alone give the class of all rows; absent: none were looked for. */
  readonly leaks?: readonly string[];
  /** Number of bytes to read; null if unknown. */
  readonly bytes: number | null;
  /** Number of bytes read so far, before decompression. */
  bytesRead: number;
  readonly rejects: RejectFile;
  /** Notes for the user about how the data were read; complete after `finish`. */
  readonly notes: string[];
  /** Call it when everything is read. Completes the notes and the file of skipped rows. */
  finish(): void;
  /** Closes the files and removes unfinished ones. May follow `finish`. */
  close(): void;
}

/** Returns the file of skipped rows; files/claim.ts gives it its default name. */
export function rejectFileOf({ rejects = 'data.rejects' }: DataOptions): RejectFile {
  return typeof rejects === 'string' ? new RejectFile(rejects) : rejects;
}

/** Completes the file of skipped rows, and adds a note about them. */
export function finishRejects({ rejects, notes }: Pick<Input, 'rejects' | 'notes'>): void {
  rejects.finish();
  if (rejects.count > 0)
    notes.push(`skipped ${rejects.count} bad ${rejects.count === 1 ? 'row' : 'rows'}; see ${rejects.path}`);
}
