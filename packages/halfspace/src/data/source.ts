import type { StoredBatch } from '../batch.ts';
import type { Place } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { UnknownValues } from '../features/unknown.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Label, Labelled, LabelType } from './label.ts';
import type { LabelNames } from './label-names.ts';

/**
 * Data that `train` and `evaluate` open: `csv(…)`, `ndjson(…)`, `rows(…)`, `bags(…)`, `arrays(…)`, `libsvm(…)` or
 * `vw(…)`. Nothing is read before that. A source may be opened again, unless its input can be read only once, such as a
 * stream. L is the type of the labels.
 */
export interface Source<L extends Label = Label> extends Labelled<L> {
  /** Name for messages: a path, a URL, … */
  readonly name: string;

  /**
   * Opens the data. A table without an encoding is read now, to fit one.
   *
   * @throws HalfspaceError `source-unreadable`, also for a stream that was read already; `row-malformed` for data of
   *   another kind than the encoding's; and any error of the reading.
   */
  open(options: OpenSourceOptions): Promise<ExampleSource>;

  /**
   * Reads the rows as they are, for a learner that encodes them itself. Absent: the rows are numbers already.
   *
   * @param label name of the label where the source names none and its first row has it.
   */
  readonly raw?: ((label: string, signal?: AbortSignal) => AsyncIterable<RawExample>) | undefined;
}

/** A row as it is in the data. */
export interface RawExample {
  readonly row: Readonly<Record<string, unknown>>;
  readonly label: unknown;
  readonly importance: number;
  readonly place: Place;
}

/** The run that opens a source. */
export interface OpenSourceOptions {
  /** The kernels of the run. They parse text. */
  readonly kernels: Kernels;
  /** The encoding of the model that the rows are read for. Default: the rows determine it. */
  readonly encoding?: FeatureEncoding | undefined;
  /** The classes of that model, in its order. Given together with `encoding`. */
  readonly classes?: readonly string[] | undefined;
  /**
   * True, with `classes`: rows of other classes are delivered too, with labels as `UnknownClasses` has them, and
   * `ExampleSource.unknownClasses` names these classes. Default: the first such row is bad.
   */
  readonly keepsUnknown?: boolean | undefined;
  /** True adds features that `encoding` does not have to it, for a run that continues another one. Default false. */
  readonly grows?: boolean | undefined;
  /** The `holdout` and `seed` of the run: an encoding is not fitted to the rows that they hold out. Default: none. */
  readonly holdout?: HeldOutRows | undefined;
  /** Ends the reading with the error `interrupted`, also while rows are awaited. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Scaling for a table whose source names none: `none` for lectures, trees and `scaling`. Default `standard`. */
  readonly scale?: 'none' | 'standard' | undefined;
  /**
   * True for a run that tests if letters tell more than words alone: a table whose encoding is fitted gives short texts
   * n-grams of characters, and `lettersOnTrial` names their columns. Default false.
   */
  readonly triesLetters?: boolean | undefined;
}

/** Rows that are held out: the same share of every class, drawn by seed. See `HoldoutSplit`. */
export interface HeldOutRows {
  /** Share of the rows, in (0, 1). */
  readonly fraction: number;
  readonly seed: number;
}

/**
 * A source of examples: text files, a pipe, a table, arrays. It delivers batches in reused buffers, so memory does not
 * grow with the source.
 */
export interface ExampleSource {
  /** Name for messages: a path, `-` for standard input, … */
  readonly name: string;

  /**
   * Names of at least two classes. For two, the negative and the positive one, labels are −1 and +1; for more,
   * positions (NaN: none). Null: labels are the numbers in the data, and the reader may overwrite them.
   */
  readonly classes: readonly string[] | null;

  /** The type of the labels, which predictions have too. Default: text. */
  readonly labelType?: LabelType | undefined;

  /** The words that the numbers of labels stand for, where `classes` is null; null: labels are numbers. */
  readonly labelNames?: LabelNames | null | undefined;

  /**
   * Names of the classes beside `classes` of the rows delivered so far, in the order of their labels; present if the
   * run asked for such rows. Rows of importance 0 may be among them.
   */
  readonly unknownClasses?: readonly string[] | undefined;

  /**
   * The class, as the text of a number, that is learned against all others where `classes` is null. Default: the
   * `positive` of the run, else none.
   */
  readonly positive?: string | undefined;

  /** Notes for the user about how the data are read; complete once `batches()` has been read to its end. */
  readonly notes?: readonly string[] | undefined;

  /**
   * Values that the model does not know for which the source is read; complete once `batches()` has been read to its
   * end. Null: it is read for no model. Default null.
   */
  readonly unknown?: UnknownValues | null | undefined;

  /** Names of the columns of text whose n-grams of characters are on trial. Default: none. */
  readonly lettersOnTrial?: readonly string[] | undefined;

  /**
   * Yields the examples in order: all batches sparse (some perhaps compact), or all dense with the same dimension. A
   * batch is valid until the next one is requested.
   * @throws HalfspaceError with the place, at the first fault, after all good examples before it.
   */
  batches(): AsyncIterable<StoredBatch>;

  /** Returns the encoding of the features; complete once `batches()` has been read to its end. */
  encoding(): FeatureEncoding;
}

/**
 * A source of bytes: a file, a pipe, a fetch response, an array. Only two members are required, so that a test can
 * write one easily.
 */
export interface ByteSource {
  /** Name for messages. */
  readonly name: string;
  /**
   * Writes the next bytes to the front of `target` and returns their number: 0 only at the end. Must not keep `target`.
   * If it returns a promise, the caller awaits it before reading `target`.
   */
  read(target: Uint8Array): number | Promise<number>;
  /** Called when no more bytes are needed, also after an error. Optional. */
  close?(): void;
  /** Present if the bytes are those of a plain file, so that other threads can read them too. */
  readonly file?: PlainFile;
}

/** An open file that can be read at any position. */
export interface PlainFile {
  /** The file descriptor; the source closes it. */
  readonly descriptor: number;
  /** Length in bytes when it was opened. */
  readonly size: number;
  /** Call with the number of bytes read through the descriptor. */
  onRead(bytes: number): void;
  /** Call after all reads through the descriptor. @throws HalfspaceError `source-changed`. */
  check(): void;
}
