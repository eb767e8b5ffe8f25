import type { TreeModel } from 'halfspace';
import { type Algorithm, defaultAlgorithm } from '../algorithm/algorithm.ts';
import type { Dataset } from '../data/dataset.ts';
import { hasBothClasses } from '../data/edit.ts';
import type { Inspection } from '../data/inspect.ts';
import { dataPresets } from '../data/presets.ts';
import type { Engine, Failure, LearningPoint, RunProgress, SurfaceRequest } from '../engine/engine.ts';
import type { Examples } from '../engine/examples.ts';
import { momentAt, type Recording } from '../engine/recording.ts';
import type { Verdict } from '../engine/verdict.ts';
import type { ThemeName } from '../picture/theme.ts';
import { prepareSurfaces } from '../views/plane/plane.ts';
import type { Look, Scene, Surface } from '../views/view.ts';
import { History } from './history.ts';
import type { Kept } from './kept.ts';

/** What a share link, a reload and a tour bring back. Plain data. */
export interface Setup {
  readonly dataset: Dataset;
  readonly algorithm: Algorithm;
}

/** Milliseconds that a run has, once another is asked for, to come to its end. */
const patience = 400;
/** Milliseconds from the beginning of one surface to that of the next. */
const leastBetweenSurfaces = 100;

/** What is computed only while a view shows it. */
export type Extra = 'curve' | 'tree';

/** What the lab knows at a moment, and everything that can be done to it. Components read and call; they keep no state of the run themselves. */
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
  step = $state(0);
  selected: number | null = $state(null);
  look: Look = $state.raw({
    plane: { kind: 'features', horizontal: 0, vertical: 1 },
    window: null,
    turn: { yaw: 35, pitch: 25 },
    choices: {},
  });
  /** The ids of the two views beside the plane. */
  shown: readonly [first: string, second: string] = $state.raw(['proof', 'weights']);
  /** Whether anything is being computed, or is still to be for the first time. */
  busy = $state(true);
  /** What share of the data is read, in [0, 1], or null. */
  reading: number | null = $state(null);
  /** What is being done for the verdict, in words, or null. */
  judging: string | null = $state(null);
  /** How far a run is, or null. */
  progress: RunProgress | null = $state.raw(null);
  /** The last thing that went wrong, until something goes right or it is dismissed. */
  failure: Failure | null = $state.raw(null);
  theme: ThemeName = $state('light');
  /** Whether text is large, for the back row. */
  wall = $state(false);
  /** Examples shown in a second while playing; see {@link play}. */
  speed = $state(4);
  playing = $state(false);

  readonly history = new History<Setup>();
  readonly moment = $derived(this.recording === null ? null : momentAt(this.recording, this.step));
  readonly scene: Scene | null = $derived.by(() => {
    const { examples, recording, moment } = this;
    if (examples === null || recording === null || moment === null) return null;
    const { verdict, curve, surface, tree, selected, look } = this;
    // Of the run that is shown, which may be one behind what is asked for.
    const { dataset, algorithm } = this.#ran ?? this;
    return { dataset, algorithm, examples, recording, moment, verdict, curve, surface, tree, selected, look };
  });

  /** What the run that is shown is of. */
  #ran: Setup | null = $state.raw(null);
  readonly #engine: Engine;
  /** The dataset that the engine has open, and its examples as they were opened, or as the last run took them. */
  #opened: { readonly dataset: Dataset; examples: Examples } | null = null;
  /** The examples whose verdict is known, or being looked for. */
  #judged: Examples | null = null;
  #judgement: Promise<void> = Promise.resolve();
  #inspected: { readonly text: string | Blob; readonly name: string; readonly inspection: Promise<Inspection> } | null =
    null;
  /** Which of all runs is under way. */
  #turn = 0;
  /** The step to go to once the run is there that has it. */
  #awaited: number | null = null;
  #wanted = 0;
  #working: Promise<void> | null = null;
  /** What views that are shown ask for besides the run. */
  readonly #wishes = new Set<{ readonly what: Extra }>();
  #fulfilling = false;
  /** Called when a run is asked for. */
  #interrupt = () => {};
  /** The grid that is being scored, and the one to be scored after it. */
  #surfacing: SurfaceRequest | null = null;
  #nextSurface: SurfaceRequest | null = null;
  /** The last that was asked for. */
  #asked: { readonly recording: Recording | null; readonly key: string } = { recording: null, key: '' };

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Changes data or algorithm, remembers what was there, and runs anew. */
  change(change: Partial<Setup>, { keepStep = false }: { readonly keepStep?: boolean } = {}): void {
    this.history.push({ dataset: this.dataset, algorithm: this.algorithm });
    this.#set(change, keepStep);
  }

  undo(): void {
    const before = this.history.undo({ dataset: this.dataset, algorithm: this.algorithm });
    if (before !== null) this.#set(before, true);
  }

  redo(): void {
    const after = this.history.redo({ dataset: this.dataset, algorithm: this.algorithm });
    if (after !== null) this.#set(after, true);
  }

  /** All that a link and a reload bring back. */
  kept(): Kept {
    const { dataset, algorithm, step, shown, look } = this;
    return { version: 1, dataset, algorithm, step, shown, look };
  }

  /** Brings everything back. @param remember whether undo leads to what is there now. */
  restore({ dataset, algorithm, step, shown, look }: Kept, { remember = false } = {}): void {
    if (remember) this.history.push({ dataset: this.dataset, algorithm: this.algorithm });
    this.shown = shown;
    this.look = look;
    this.#awaited = step;
    this.playing = false;
    this.#set({ dataset, algorithm }, true);
  }

  /** Changes data while a person is still dragging: nothing is remembered. Call {@link settle} when they let go. */
  preview(dataset: Dataset): void {
    this.#set({ dataset }, true);
  }

  /** Ends previews: one undo goes back to what there was before the first of them. */
  settle(before: Dataset): void {
    if (before !== this.dataset) this.history.push({ dataset: before, algorithm: this.algorithm });
  }

  /** Looks at a table without opening it; the last one looked at is remembered. @throws Failure */
  inspect(text: string | Blob, name: string): Promise<Inspection> {
    if (this.#inspected?.text !== text || this.#inspected.name !== name)
      this.#inspected = { text, name, inspection: this.#engine.inspect(text, name) };
    return this.#inspected.inspection;
  }

  seek(step: number): void {
    this.step = Math.max(0, Math.min(Math.round(step), this.recording?.steps ?? 0));
  }

  /** Computes what a view shows besides the run, now and after every run, until the function that is returned is called. */
  want(what: Extra): () => void {
    const wish = { what };
    this.#wishes.add(wish);
    void this.#fulfil();
    return () => this.#wishes.delete(wish);
  }

  /** Scores a grid, as soon as the one before it is done; of several askings meanwhile only the last. What was scored last stays until then. */
  async drawSurface(request: SurfaceRequest): Promise<void> {
    const key = JSON.stringify({ ...request, at: [...request.at] });
    if (this.#asked.recording === this.recording && this.#asked.key === key) return;
    this.#asked = { recording: this.recording, key };
    this.#nextSurface = request;
    if (this.#surfacing !== null) return;
    while (this.#nextSurface !== null) {
      const wanted: SurfaceRequest = this.#nextSurface;
      [this.#surfacing, this.#nextSurface] = [wanted, null];
      const { recording } = this;
      const began = performance.now();
      try {
        const scores = await this.#engine.surface(wanted);
        await prepareSurfaces();
        const { step, from, to, columns, rows } = wanted;
        if (this.recording === recording) this.surface = { step, from, to, columns, rows, scores };
      } catch {
        // A newer run has a surface of its own.
      }
      // While somebody scrubs, and grids take long, the rest of the page has its share.
      const rest = Math.max(0, leastBetweenSurfaces - (performance.now() - began));
      if (this.#nextSurface !== null) await new Promise((resolve) => setTimeout(resolve, rest));
    }
    this.#surfacing = null;
  }

  /** Runs what is asked for now; of several askings while one runs only the last. Resolves when nothing is left to do. */
  refresh(): Promise<void> {
    this.#wanted++;
    this.busy = true;
    this.#interrupt();
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
      this.busy = false;
      void this.#fulfil();
    });
    return this.#working;
  }

  /** One at a time, and none while a run is under way, which asks again when it is done. */
  async #fulfil(): Promise<void> {
    const { recording, algorithm } = this;
    if (recording === null || this.#working !== null || this.#fulfilling) return;
    const asked = [...this.#wishes].map(({ what }) => what);
    this.#fulfilling = true;
    // What goes wrong beside a run leaves the run as it is; the view says that there is nothing to see.
    try {
      if (asked.includes('curve') && this.curve === null) {
        const curve = await this.#engine.curve(algorithm).catch((error) => (isSuperseded(error) ? null : []));
        if (this.recording === recording) this.curve = curve;
      } else if (asked.includes('tree') && this.tree === undefined && recording.model.kind !== 'tree') {
        const tree = await this.#engine.tree(algorithm).catch((error) => (isSuperseded(error) ? undefined : null));
        if (this.recording === recording) this.tree = tree;
      } else return;
    } finally {
      this.#fulfilling = false;
    }
    await this.#fulfil();
  }

  #set({ dataset = this.dataset, algorithm = this.algorithm }: Partial<Setup>, keepStep: boolean): void {
    this.dataset = dataset;
    this.algorithm = algorithm;
    if (!keepStep) {
      this.step = 0;
      this.playing = false;
    }
    void this.refresh();
  }

  async #work(): Promise<void> {
    for (let done = -1; done !== this.#wanted; ) {
      done = this.#wanted;
      const { dataset, algorithm } = this;
      if (dataset.kind === 'points' && !hasBothClasses(dataset)) {
        this.#clear();
        continue;
      }
      // A run that nobody waits for any more makes way, unless it is so short that it is done by then.
      const turn = ++this.#turn;
      this.#interrupt = () => void setTimeout(() => turn === this.#turn && this.#engine.stop(), patience);
      try {
        await this.#open(dataset);
        const recording = await this.#engine.run(algorithm, (progress) => {
          this.progress = progress;
        });
        this.#show(recording, { dataset, algorithm });
      } catch (error) {
        if (!isSuperseded(error)) this.failure = error as Failure;
      } finally {
        this.#turn++;
        this.progress = null;
        this.reading = null;
      }
      if (done === this.#wanted && this.verdict === null && this.failure === null && this.recording !== null)
        await this.#judge();
    }
    this.#interrupt = () => {};
  }

  async #open(dataset: Dataset): Promise<void> {
    if (this.#opened?.dataset === dataset) return;
    const examples = await this.#engine.open(dataset, ({ share }) => {
      this.reading = share;
    });
    this.#opened = { dataset, examples };
    this.#judged = null;
  }

  #show(recording: Recording, ran: Setup): void {
    const opened = this.#opened!;
    // A run may take the examples otherwise than they were opened; then what was found out of them before is of others.
    const examples = recording.examples ?? opened.examples;
    if (examples !== this.examples || this.#judged === null) this.verdict = null;
    opened.examples = examples;
    this.examples = examples;
    this.recording = recording;
    this.#ran = ran;
    this.curve = null;
    this.tree = undefined;
    if (recording.model.kind === 'linear') this.surface = null;
    this.seek(this.#awaited ?? this.step);
    this.#awaited = null;
    this.failure = null;
  }

  /** Finds out whether the data can be separated; a newer run does not wait for that. */
  async #judge(): Promise<void> {
    if (this.#judged !== this.examples) this.#judgement = this.#findVerdict();
    const interrupted = new Promise<void>((resolve) => {
      this.#interrupt = resolve;
    });
    await Promise.race([this.#judgement, interrupted]);
  }

  async #findVerdict(): Promise<void> {
    const { examples } = this;
    this.#judged = examples;
    try {
      const verdict = await this.#engine.verdict((text) => {
        if (this.#judged === examples) this.judging = text;
      });
      if (this.examples === examples) this.verdict = verdict;
    } catch (error) {
      if (this.#judged === examples) this.#judged = null;
      if (!isSuperseded(error) && this.examples === examples)
        this.verdict = { kind: 'undecided', upper: null, why: (error as Failure).message };
    } finally {
      if (this.#judged === examples || this.#judged === null) this.judging = null;
    }
  }

  /** Points of one class, or none: nothing can be learned, and nothing is wrong; the next point may be of the other. */
  #clear(): void {
    this.#opened = null;
    this.#judged = null;
    this.examples = null;
    this.recording = null;
    this.verdict = null;
    this.curve = null;
    this.tree = undefined;
    this.surface = null;
    this.failure = null;
    this.step = 0;
  }
}

function isSuperseded(error: unknown): boolean {
  return (error as Failure | null)?.code === 'superseded';
}
