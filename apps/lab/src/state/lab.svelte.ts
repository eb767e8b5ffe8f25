import type { TreeModel } from 'halfspace';
import { type Algorithm, defaultAlgorithm } from '../algorithm/algorithm.ts';
import type { Dataset } from '../data/dataset.ts';
import { hasBothClasses } from '../data/edit.ts';
import type { Inspection, Question } from '../data/inspect.ts';
import { dataPresets } from '../data/presets.ts';
import type { Companion } from '../engine/companion.ts';
import type { Engine, Failure, RunProgress } from '../engine/engine.ts';
import type { Examples } from '../engine/examples.ts';
import { type LearningPoint, momentAt, type Recording } from '../engine/recording.ts';
import { isSuperseded } from '../engine/superseded.ts';
import type { Verdict } from '../engine/verdict.ts';
import type { ThemeName } from '../picture/theme.ts';
import type { Look, Scene, Surface } from '../views/view.ts';
import { accompaniedRun, Companions } from './companions.ts';
import { Extras } from './extras.ts';
import { History } from './history.ts';
import { LatestJob } from './latest-job.ts';
import type { SavedState } from './saved-state.ts';
import { Surfaces } from './surfaces.ts';
import { VerdictSearch } from './verdict-search.ts';

/** The part of the state that undo restores. */
interface Setup {
  readonly dataset: Dataset;
  readonly algorithm: Algorithm;
}

interface ChangeOptions {
  readonly keepStep?: boolean;
  readonly opened?: () => void;
}

/** The figures that the presenter shows: the plane and the first view side by side, or one alone. */
export type Presented = 'both' | 'plane' | 'first' | 'second';

/** Time in milliseconds after which a newer run aborts the present one. A short run ends by itself in that time. */
const patience = 400;

/**
 * Holds the state of the lab, and every action on it. Components read it and call it; they keep no state of the run
 * themselves.
 */
export class Lab {
  dataset: Dataset = $state.raw(dataPresets[0]!.make());
  algorithm: Algorithm = $state.raw(defaultAlgorithm);
  examples: Examples | null = $state.raw(null);
  recording: Recording | null = $state.raw(null);
  verdict: Verdict | null = $state.raw(null);
  curve: readonly LearningPoint[] | null = $state.raw(null);
  surface: Surface | null = $state.raw(null);
  /** Null: none can be grown; undefined: not known yet. */
  tree: TreeModel | null | undefined = $state.raw(undefined);
  /** Runs beside the shown one, by their keys; null: such a run failed. */
  companions: Readonly<Record<string, Companion | null>> = $state.raw({});
  /** Keys of the companions that shown views need. */
  accompanied: readonly string[] = $state.raw([]);
  /** The present step. Of a companion that is longer than the run, it may be after the end of the run. */
  step = $state(0);
  selected: number | null = $state(null);
  look: Look = $state.raw({
    plane: { kind: 'features', horizontal: 0, vertical: 1 },
    window: null,
    turn: { yaw: 35, pitch: 25 },
    choices: {},
  });
  /** Ids of the two views beside the plane; `step`: the step, where it has no other place. */
  shown: readonly [first: string, second: string] = $state.raw(['proof', 'step']);
  /** True during a computation, and from the start until the end of the first run. */
  busy = $state(true);
  /** Share of the data that is read, in [0, 1]; null: nothing is being read. */
  reading: number | null = $state(null);
  /** Progress of the search for a verdict, in words; null: there is no search. */
  judging: string | null = $state(null);
  /** Progress of the run; null: there is no run in progress. */
  progress: RunProgress | null = $state.raw(null);
  /** The last error, until a run succeeds or the message is dismissed. */
  failure: Failure | null = $state.raw(null);
  theme: ThemeName = $state('light');
  /** True for large text, for lecture halls. */
  wall = $state(false);
  /** Examples per second while playing; see {@link play}. */
  speed = $state(4);
  playing = $state(false);
  /** The figures that fill the screen; null: the page is as usual. */
  presented: Presented | null = $state(null);
  /** True while results are hidden, until somebody asks for them: the timeline then shows no updates to come. */
  concealed = $state(false);

  /** True on the first visit, until the reader has found the way. */
  isFirst = $state(false);

  /** The last table that could not be read; null: there is none. */
  unread: Omit<Question, 'label'> | null = $state.raw(null);

  readonly history = new History<Setup>();
  /** The run as the timeline has it: until the last companion of a shown view is over. */
  readonly timeline = $derived.by(() => {
    const { recording, companions, accompanied } = this;
    if (recording === null) return null;
    return accompaniedRun(
      recording,
      accompanied.map((key) => companions[key]).filter((each) => each != null),
    );
  });
  readonly moment = $derived(this.recording === null ? null : momentAt(this.recording, this.step));
  readonly scene: Scene | null = $derived.by(() => {
    const { examples, recording, moment } = this;
    if (examples === null || recording === null || moment === null) return null;
    const { verdict, curve, surface, tree, companions, step, selected, look } = this;
    // The run that is shown may be older than the present data and algorithm.
    const { dataset, algorithm } = this.#ran ?? this;
    const run = { dataset, algorithm, examples, recording, moment, step, selected, look };
    return { ...run, verdict, curve, surface, tree, companions };
  });

  /** The data and algorithm of the run that is shown. */
  #ran: Setup | null = $state.raw(null);
  readonly #engine: Engine;
  readonly #runs = new LatestJob(
    (newer) => this.#run(newer),
    () => {
      this.busy = false;
      this.extras.refresh();
      this.beside.refresh();
    },
  );
  readonly extras: Extras;
  readonly beside: Companions;
  readonly surfaces: Surfaces;
  readonly #verdicts: VerdictSearch;
  /** The open dataset of the engine, and its examples in the encoding of the last run. */
  #opened: { readonly dataset: Dataset; examples: Examples } | null = null;
  #inspected: { readonly question: Question; readonly inspection: Promise<Inspection> } | null = null;
  /** The step to show when the next run is over. */
  #awaited: number | null = null;
  /** A step after the end of the run, which a companion may have. */
  #later: number | null = null;
  /** Waits for the present data to be open; null: nothing does. */
  #whenOpen: (() => void) | null = null;
  /** The last data that could be opened. */
  #openable: Dataset | null = $state.raw(null);
  /** The last state whose data could be opened. */
  #sound: SavedState & Pick<Lab, 'selected'>;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.extras = new Extras(engine, this);
    this.beside = new Companions(engine, this);
    this.surfaces = new Surfaces(engine, this);
    this.#verdicts = new VerdictSearch(engine, this);
    this.#sound = { ...this.savedState(), selected: null };
  }

  /**
   * Changes data or algorithm, adds the state before to the history, and runs.
   * @param opened is called when the new data are known to be readable, unless other data are wanted meanwhile.
   */
  change(change: Partial<Setup>, { keepStep = false, opened }: ChangeOptions = {}): void {
    this.history.push(this.#setup);
    this.#set(change, keepStep);
    if (this.isSound) opened?.();
    else this.#whenOpen = opened ?? null;
  }

  undo(): void {
    this.#set(this.history.undo(this.#setup), true);
  }

  redo(): void {
    this.#set(this.history.redo(this.#setup), true);
  }

  get #setup(): Setup {
    const { dataset, algorithm } = this;
    return { dataset, algorithm };
  }

  /** Returns the state that links and reloads restore. */
  savedState(): SavedState {
    const { dataset, algorithm, step, shown, look } = this;
    return { version: 1, dataset, algorithm, step, shown, look };
  }

  /** Returns the present state if its data are readable, else the last one whose data were. */
  soundState(): SavedState {
    return this.isSound ? this.savedState() : this.#sound;
  }

  /** Restores a saved state. @param remember true: undo restores the present state. */
  restore({ dataset, algorithm, step, shown, look }: SavedState, { remember = false } = {}): void {
    if (remember) this.history.push(this.#setup);
    this.#set({ dataset, algorithm }, true);
    this.shown = shown;
    this.look = look;
    this.#awaited = step;
    this.playing = false;
  }

  /** Changes data during a gesture, without an entry in the history. Call {@link settle} when the gesture ends. */
  preview(dataset: Dataset): void {
    this.#set({ dataset }, true);
  }

  /** Ends previews: one undo brings back the data before the first of them. */
  settle(before: Dataset): void {
    if (before !== this.dataset) this.history.push({ dataset: before, algorithm: this.algorithm });
  }

  /** Summarises a table without opening it. The last result is cached. @throws Failure */
  inspect(question: Question): Promise<Inspection> {
    const last = this.#inspected?.question;
    const isSame =
      last !== undefined &&
      (['text', 'name', 'label', 'reading'] as const).every((part) => last[part] === question[part]);
    this.#inspected = isSame ? this.#inspected! : { question, inspection: this.#engine.inspect(question) };
    return this.#inspected.inspection;
  }

  seek(step: number): void {
    this.#later = null;
    this.step = Math.max(0, Math.min(Math.round(step), this.timeline?.steps ?? 0));
  }

  /** Seeks the step that waits for a longer companion; else keeps the present one within the timeline. */
  rejoin(): void {
    this.#seekOrWait(this.#later ?? this.step);
  }

  #seekOrWait(step: number): void {
    this.seek(step);
    if (step > this.step) this.#later = step;
  }

  get isRunning(): boolean {
    return !this.#runs.isIdle;
  }

  /** True if the present data are known to be readable. Tables are not until they are open. */
  get isSound(): boolean {
    return this.dataset.kind === 'points' || this.dataset === this.#openable;
  }

  /** True while new data are being opened that are not known to be readable. */
  get isOpening(): boolean {
    return this.#whenOpen !== null;
  }

  /** True if the run that is shown is that of the present data and algorithm. */
  get isCurrent(): boolean {
    return this.recording !== null && this.#ran?.dataset === this.dataset && this.#ran.algorithm === this.algorithm;
  }

  /** Runs the present algorithm on the present data; merges requests made during a run. Resolves when all is done. */
  refresh(): Promise<void> {
    this.busy = true;
    return this.#runs.request();
  }

  #set(change: Partial<Setup> | null, keepStep: boolean): void {
    if (change === null) return;
    if (this.isSound) this.#sound = { ...this.savedState(), selected: this.selected };
    if (change.dataset !== undefined) {
      this.#whenOpen = null;
      this.unread = null;
    }
    this.dataset = change.dataset ?? this.dataset;
    this.algorithm = change.algorithm ?? this.algorithm;
    if (!keepStep) {
      this.step = 0;
      this.playing = false;
    }
    void this.refresh();
  }

  async #run(newer: AbortSignal): Promise<void> {
    const { dataset, algorithm } = this;
    if (dataset.kind === 'points' && !hasBothClasses(dataset)) return this.#clear();
    let isOver = false;
    newer.addEventListener('abort', () => {
      setTimeout(() => !isOver && this.#engine.stop(), patience);
    });
    try {
      await this.#open(dataset);
      const recording = await this.#engine.run(algorithm, (progress) => {
        this.progress = progress;
      });
      this.#show(recording, { dataset, algorithm });
    } catch (error) {
      if (!isSuperseded(error)) {
        if (this.#opened?.dataset !== dataset) await this.#goBack(dataset, newer);
        this.failure = error as Failure;
      }
    } finally {
      isOver = true;
      this.progress = null;
      this.reading = null;
    }
    if (!newer.aborted && this.verdict === null && this.failure === null && this.recording !== null)
      await this.#verdicts.find(newer);
  }

  async #open(dataset: Dataset): Promise<void> {
    if (this.#opened?.dataset === dataset) return;
    const examples = await this.#engine.open(dataset, (share) => {
      this.reading = share;
    });
    this.#opened = { dataset, examples };
    this.#openable = dataset;
    if (this.dataset !== dataset) return;
    const told = this.#whenOpen;
    this.#whenOpen = null;
    told?.();
  }

  /** Brings back what was there before data that cannot be opened, unless other data are wanted meanwhile. */
  async #goBack(failed: Dataset, newer: AbortSignal): Promise<void> {
    const { dataset, algorithm, step, shown, look, selected } = this.#sound;
    if (this.dataset !== failed || dataset === failed) return;
    this.#whenOpen = null;
    if (failed.kind === 'table') this.unread = { ...failed, text: failed.file ?? failed.text };
    this.history.forget((last) => last.dataset === dataset && last.algorithm === algorithm);
    Object.assign(this, { dataset, algorithm, shown, look, selected });
    this.#awaited = step;
    if (!this.isCurrent) return this.#run(newer);
    this.#awaited = null;
    this.seek(step);
  }

  #show(recording: Recording, ran: Setup): void {
    const opened = this.#opened!;
    // A run may encode the examples in another way than `open` did; then a verdict on the earlier encoding does not
    // hold.
    const examples = recording.examples ?? opened.examples;
    if (examples !== this.examples) this.#forgetVerdict();
    opened.examples = examples;
    this.examples = examples;
    this.recording = recording;
    this.#ran = ran;
    this.curve = null;
    this.tree = undefined;
    this.companions = {};
    if (recording.model.kind === 'linear') this.surface = null;
    this.#seekOrWait(this.#awaited ?? this.step);
    this.#awaited = null;
    this.failure = null;
  }

  #forgetVerdict(): void {
    this.verdict = null;
    this.judging = null;
  }

  /** Removes the run. Used if all points are of one class: nothing can be learned then, but it is no error. */
  #clear(): void {
    this.#opened = null;
    this.#forgetVerdict();
    this.examples = null;
    this.recording = null;
    this.curve = null;
    this.tree = undefined;
    this.companions = {};
    this.surface = null;
    this.failure = null;
    this.step = 0;
  }
}
