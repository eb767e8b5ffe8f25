import type { FeatureEncoding } from 'halfspace';
import {
  HalfspaceError,
  type Model,
  type OnlineAnswer,
  OnlineClassifier,
  type OnlineOptions,
  type RawRow,
} from 'halfspace';
import { mostProbable } from 'halfspace/metrics';
import { dimensionOf } from 'halfspace/models';
import { type TextColumns, writeWhole } from 'halfspace/node';
import { createKernels } from 'halfspace/rules';
import { dialectOf, findData } from '../data/input.ts';
import { firstFeatures, openStream, type StreamInput, type StreamPiece } from '../data/stream-rows.ts';
import {
  digestOfRow,
  encodeStream,
  type StreamForm,
  type StreamRun,
  type StreamSettings,
  type StreamState,
} from '../data/stream-state.ts';
import { isTable } from '../files/formats.ts';
import { type Output, openOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { count } from '../report/format.ts';
import { hearingSignals, interruptSignal } from '../signals.ts';
import { tell } from '../standard-error.ts';
import { cellOf } from '../words.ts';
import { checkForm, droppedColumns, type LearnOptions } from './learn-options.ts';
import { modelOfStream } from './stream-model.ts';

interface Beginning {
  readonly before: StreamState | null;
  readonly settings: StreamSettings;
  /** Rows of DATA to skip, and the last good row among them if it is known. */
  readonly start: StreamRun;
}

/** Largest number of features of text; the bound of `OnlineClassifier`. */
const mostFeatures = 2 ** 24;

/** Largest number of alarms that are told of and listed. */
const mostAlarms = 1000;

/** A run of `learn`: the classifier, its place in DATA, and the state file. */
export class Learning {
  readonly path: string;
  readonly #options: LearnOptions;
  readonly #before: StreamState | null;
  readonly #start: StreamRun;
  #settings: StreamSettings;
  #form: StreamForm | null;
  #classifier: OnlineClassifier | null;
  #last: StreamRun['last'];
  /** Number of rows from the beginning of DATA that are done with. */
  #position = 0;
  /** Number of rows since the last save. */
  #unsaved = 0;
  /** Number of features that rows of text have named so far. */
  #named: number;
  /** Empty lines of `--progressive` for bad lines of text since the last piece. */
  #waiting = '';
  #cells = new Map<string, string>();
  input: StreamInput | null = null;
  /** Notes of the classifier that earlier runs told. */
  readonly #told: readonly string[];
  /** Number of rows that all runs have taken: learned, or skipped as bad. */
  rows: number;
  /** Number of rows that this run learned from. */
  learned = 0;
  /** Of these: rows that were answered before, and rows that were answered correctly. */
  answered = 0;
  right = 0;
  /** Rows of DATA at which this run had an alarm of drift; at most the first thousand. */
  readonly alarms: number[] = [];

  constructor(path: string, options: LearnOptions, { before, settings, start }: Beginning) {
    this.path = path;
    this.#options = options;
    this.#before = before;
    this.#start = start;
    this.#settings = settings;
    this.#form = before?.form ?? null;
    this.#classifier = before === null ? null : OnlineClassifier.load(before.classifier);
    this.#told = this.#classifier?.notes ?? [];
    this.#last = start.last;
    this.#named = before === null || before.features === null ? 0 : dimensionOf(before.features);
    this.rows = before?.rows ?? 0;
  }

  get settings(): StreamSettings {
    return this.#settings;
  }

  /** Null before the first row of a new state. */
  get classifier(): OnlineClassifier | null {
    return this.#classifier;
  }

  /** Learns DATA and saves the state. @throws HalfspaceError, after the rows before the fault are saved. */
  async learn(data: readonly string[]): Promise<void> {
    const output = openOutput();
    const input = await this.#open(data, output);
    this.input = input;
    const progress = createProgress(input, this.#options.json === true || this.#options.progressive === true);
    const signal = interruptSignal();
    try {
      for await (const piece of hearingSignals(input.pieces())) {
        const text = this.#take(piece);
        // A piece of a pipe is all that has come so far, and the writer of the pipe may wait for the answer.
        await (input.live ? output.flush(text) : output.write(text));
        progress.rows(this.#position);
        if (signal.aborted) throw new HalfspaceError('interrupted', 'expected to learn every row; stopped before that');
      }
      await output.write(this.#takeWaiting());
      await output.finish();
      if (this.#position < this.#start.rows)
        throw new HalfspaceError(
          'source-empty',
          `expected at least the ${this.#start.rows} rows to skip; got ${this.#position}`,
          { source: input.name },
        );
    } catch (error) {
      if (!output.abandoned) throw this.#saved(error);
      // As for every command, the reader of the answers has what it wanted.
      input.notes.push(`nobody reads the answers any more: ${this.#stopped()}`);
      return;
    } finally {
      progress.stop();
    }
    this.#save(true);
    input.finish();
  }

  /** Notes of this run. */
  get notes(): string[] {
    return [
      ...(this.input?.notes ?? []),
      ...(this.#classifier?.notes.filter((note) => !this.#told.includes(note)) ?? []),
    ];
  }

  close(): void {
    this.input?.close();
  }

  /** Returns the model of all rows. @throws HalfspaceError `label-classes`, `source-empty`. */
  model(): Model {
    return modelOfStream(this.#classifier!, this.#settings, this.#layout, (count) => this.#features(count));
  }

  async #open(data: readonly string[], output: Output): Promise<StreamInput> {
    const found = await findData(data, this.#options.format, dialectOf(this.#options) !== undefined);
    const form: StreamForm = isTable(found.format) ? 'table' : (found.format as 'libsvm' | 'vw');
    if (this.#form !== null && form !== this.#form) {
      const wanted = { table: 'a table', libsvm: 'libsvm text', vw: 'Vowpal Wabbit text' }[this.#form];
      const message = `expected ${wanted}, as the state was made from; got ${found.format}`;
      throw new HalfspaceError('row-malformed', message, { source: found.paths[0]! });
    }
    checkForm(this.#options, form);
    this.#form = form;
    const before = this.#before;
    const { label } = this.#settings;
    const input = openStream(
      found,
      {
        ...this.#options,
        column: undefined,
        label: label ?? undefined,
        layout: before?.layout ?? null,
        areBags: this.#settings.columns === 'bag',
        suggestsBags: before === null && this.#options.column === undefined,
        dropped: droppedColumns(this.#settings),
        encodedFor: before === null || before.features === null ? undefined : { features: before.features },
        onRejected: () => {
          this.#passBad();
          // A pipe may stay silent for long, so the lines are written now. The next call throws a failure.
          if (input.live) setImmediate(() => output.flush(this.#takeWaiting()).catch(() => {}));
        },
      },
      createKernels(),
    );
    if (found.guessed) input.notes.unshift(`${input.name} is read as ${found.format}; --format names another format`);
    return input;
  }

  /** Takes the rows of a piece. Returns the lines of `--progressive`. */
  #take(piece: StreamPiece): string {
    let text = this.#takeWaiting();
    /** The last good row that is done with, and its number; −1: none. */
    let good = -1;
    let goodRow = 0;
    let done = -1;
    const mark = () => {
      if (good >= 0) this.#last = { row: goodRow, digest: digestOf(piece, good) };
      if (done >= 0) this.#named = piece.featuresUpTo(done);
    };
    try {
      for (let i = 0; i < piece.count; i++) {
        if (!piece.isGood(i)) {
          text += this.#takeBad(piece.rejected(i));
        } else if (this.#position < this.#start.rows) this.#pass(piece, i);
        else {
          text += this.#learn(piece, i);
          good = i;
          goodRow = this.#position;
        }
        done = i;
        if (this.#unsaved < this.#options.saveEvery) continue;
        mark();
        this.#save(false);
      }
    } finally {
      mark();
    }
    return text;
  }

  /** Learns from a good row. Returns its line of `--progressive`. */
  #learn(piece: StreamPiece, i: number): string {
    const importance = piece.importance(i);
    let line = '';
    try {
      this.#classifier ??= this.#create();
      const probabilities = this.#options.probabilities === true ? this.#probabilitiesOf(piece.row(i)) : null;
      const answer = this.#classifier.learn(piece.row(i), piece.label(i), { importance });
      if (importance > 0) this.learned++;
      if (answer.right !== null) this.answered++;
      if (answer.right === true) this.right++;
      if (answer.drift) this.#alarm();
      if (this.#options.progressive === true) line = this.#line(answer, probabilities);
    } catch (error) {
      if (!(error instanceof HalfspaceError)) throw error;
      const { label } = this.input!;
      const isOfLabel = error.code === 'label-missing' || error.code === 'label-classes';
      const place = { ...piece.place(i), ...(isOfLabel && label !== null ? { field: label } : {}) };
      return this.#takeBad({ error: error.at(place), text: piece.text(i) });
    }
    this.#count();
    return line;
  }

  /** Passes over a row that an earlier run has learned. @throws HalfspaceError `source-changed` for another row. */
  #pass(piece: StreamPiece, i: number): void {
    this.#position++;
    const { last } = this.#start;
    if (last === null || this.#position !== last.row || digestOf(piece, i) === last.digest) return;
    throw new HalfspaceError(
      'source-changed',
      `expected row ${last.row} of the DATA that the interrupted run learned; got another one: --skip names a number of rows`,
      piece.place(i),
    );
  }

  /** Skips a bad row of a table, or fails. Returns its line of `--progressive`. */
  #takeBad({ error, text }: { readonly error: HalfspaceError; readonly text: string | null }): string {
    if (this.#options.onError !== 'skip') throw error;
    this.input!.rejects.add(error, text);
    this.#passBad();
    return this.#takeWaiting();
  }

  /** Counts a bad row that was skipped. */
  #passBad(): void {
    if (this.#position < this.#start.rows) {
      this.#position++;
      return;
    }
    this.#count();
    if (this.#options.progressive === true) this.#waiting += '\n';
  }

  #count(): void {
    this.#position++;
    this.#unsaved++;
    this.rows++;
  }

  #takeWaiting(): string {
    const lines = this.#waiting;
    this.#waiting = '';
    return lines;
  }

  /** Returns the class and what options ask for besides; an empty line before a class is known. */
  #line({ class: answered, scores }: OnlineAnswer, probabilities: readonly number[] | null): string {
    if (answered === null) return '\n';
    const { classes } = this.#classifier!;
    const name = String(answered);
    const given =
      probabilities === null
        ? name
        : classes[mostProbable(probabilities, 0, probabilities.length, classes.indexOf(name))]!;
    const cell = this.#cells.get(given) ?? cellOf(given);
    this.#cells.set(given, cell);
    const more = this.#options.scores === true ? scores : (probabilities ?? []);
    return more.length === 0 ? `${cell}\n` : `${cell}\t${more.join('\t')}\n`;
  }

  /** Returns the probability of each class; null while too few rows were learned. */
  #probabilitiesOf(row: RawRow): readonly number[] | null {
    try {
      return this.#classifier!.probabilities(row);
    } catch (error) {
      // A row that is refused is refused again when it is learned.
      if (error instanceof HalfspaceError) return null;
      throw error;
    }
  }

  /** Tells of drift at once, because a stream may go on for long. */
  #alarm(): void {
    const row = this.#position + 1;
    if (this.alarms.length < mostAlarms) this.alarms.push(row);
    void tell(
      `note: drift: errors became more frequent, at row ${count(row)} of ${this.input!.name} (${this.#settings.drift})`,
    );
  }

  /** Creates the classifier at the first row, when the label is known. */
  #create(): OnlineClassifier {
    const { label } = this.input!;
    const settings = { ...this.#settings, label };
    this.#settings = settings;
    const { rule, options, positive, columns, scale, calibrate, window, drift } = settings;
    const all = { ...Object.fromEntries(this.input!.kinds ?? []), ...(columns === 'bag' ? {} : columns) };
    const isKind = ([name, kind]: [string, string]) => kind !== 'drop' && name !== label;
    const kinds = columns === 'bag' ? columns : Object.fromEntries(Object.entries(all).filter(isKind));
    return new OnlineClassifier({
      rule: { ...options, name: rule } as OnlineOptions['rule'],
      positive: positive ?? undefined,
      calibrate,
      window,
      drift: drift ?? undefined,
      ...(label === null
        ? { maxFeatures: mostFeatures }
        : {
            ...{ label, scale, columns: kinds as OnlineOptions['columns'] },
            ...(columns === 'bag' ? { maxFeatures: mostFeatures } : {}),
          }),
    });
  }

  /** Saves the rows before a fault, and returns the fault with what became of them. */
  #saved(fault: unknown): unknown {
    if (!(fault instanceof HalfspaceError && fault.code === 'interrupted')) {
      this.#saveNew(false);
      return fault;
    }
    const message = `expected to learn every row; ${this.#stopped()}`;
    return new HalfspaceError('interrupted', message, { source: this.input!.name });
  }

  /** Saves the rows before a stop, and says so. */
  #stopped(): string {
    // A pipe that is no longer read has no rows after these.
    const done = this.input!.live;
    this.#saveNew(done);
    const how = done ? '' : `; --resume goes on after row ${count(this.#position)}`;
    return `stopped after ${count(this.rows)} rows, which ${this.path} has${how}`;
  }

  #saveNew(done: boolean): void {
    if (this.rows > (this.#before?.rows ?? 0)) this.#save(done);
    this.input!.rejects.finish();
  }

  /** Saves the state: everything up to the present row. @param done true if nothing of DATA is left. */
  #save(done: boolean): void {
    if (this.#classifier === null) return;
    const state: StreamState = {
      settings: this.#settings,
      form: this.#form!,
      layout: this.#layout,
      features: this.#features(this.#named),
      rows: this.rows,
      run: { rows: this.#position, done, last: this.#last },
      classifier: this.#classifier.save(),
    };
    writeWhole(this.path, encodeStream(state));
    this.#unsaved = 0;
  }

  get #layout(): TextColumns | null {
    return this.input?.layout ?? this.#before?.layout ?? null;
  }

  /** Returns the encoding of the first features of text; null for tables. */
  #features(count: number): FeatureEncoding | null {
    if (this.input !== null) return this.input.features(count);
    const before = this.#before?.features ?? null;
    return before === null ? null : firstFeatures(before, count);
  }
}

/** Returns a digest of a row, to recognise it when DATA are read again. */
function digestOf(piece: StreamPiece, i: number): string {
  const row = piece.row(i);
  const { indices, values } = row as { indices?: ArrayLike<number>; values?: ArrayLike<number> };
  const isText = ArrayBuffer.isView(indices);
  const fields = isText ? [Array.from(indices as ArrayLike<number>), Array.from(values!)] : row;
  return digestOfRow([piece.label(i), piece.importance(i), fields]);
}
