import type { Algorithm } from '../algorithm/algorithm.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Engine } from '../engine/engine.ts';
import type { Lab } from '../state/lab.svelte.ts';
import { togglePlay } from '../state/play.ts';
import { parseSavedState, type SavedState, savedStateAsJson } from '../state/saved-state.ts';
import { type Space, spaceOf } from '../views/proof/bound.ts';
import { evaluate, type Outcome } from './expression.ts';
import { findStep } from './find-step.ts';
import { answersOf, dependsOnSpace } from './in-space.ts';
import { Measure, needsCurve } from './measure.ts';
import { loadProgress, type Progress, saveProgress, withSection } from './progress.ts';
import { type Facts, lookUp } from './quantities.ts';
import { algorithmOf, datasetOf } from './scene.ts';
import type { QuizPart, ScenePart, Section, Tour } from './tour.ts';
import { scenesOf, spaceOfSection } from './tour.ts';
import type { TourPlace } from './tour-link.ts';
import { tourList } from './tour-list.ts';

/** A scene, and the data and algorithm with which it is shown. */
interface Staged {
  readonly scene: ScenePart;
  readonly section: Section;
  readonly dataset: Dataset;
  readonly algorithm: Algorithm;
  /** The step as a scene names it. */
  readonly step: string | number;
}

/** Key of the reader's own state in the session, so that a reload during a tour does not lose it. */
const ownKey = 'halfspace-tour-own';

/**
 * Number of multiplications for the claims about a reader's own data; beyond it they are not evaluated, because the
 * page would freeze.
 */
const mostWork = 2e7;
/** The outcome of a claim that is not evaluated. */
const unknown: Outcome = { value: Number.NaN, text: '' };

const firstTwo = { kind: 'features', horizontal: 0, vertical: 1 } as const;

/** Plays tours on the lab. */
export class TourPlayer {
  tour: Tour | null = $state.raw(null);
  /** The tour of the reader's own file; null: none was opened. */
  given: Tour | null = null;
  /** Index of the section, from 0. */
  section = $state(0);
  staged: Staged | null = $state.raw(null);
  /** The reader's state before the first scene; null: it is on the stage. */
  own: SavedState | null = $state.raw(loadOwn());
  progress: Progress = $state.raw(loadProgress(localStorage));
  /** The reason why a scene or tour cannot be shown. */
  failure: string | null = $state(null);
  /** Questions whose answers were told, right or not. */
  answered: ReadonlySet<QuizPart> = $state.raw(new Set());
  readonly lab: Lab;

  /** The open section. */
  readonly at: Section | null = $derived(this.tour?.sections[this.section] ?? null);
  /** True while a question of the section is open: numbers beside the claims could give its answer away. */
  readonly isAsking = $derived(this.at?.parts.some((part) => 'question' in part && !this.answered.has(part)) ?? false);
  /** True if the reader has changed the scene on the stage. */
  readonly changed = $derived.by(() => {
    const { staged, lab } = this;
    return staged !== null && (lab.dataset !== staged.dataset || lab.algorithm !== staged.algorithm);
  });

  /** The place of the bias in R, γ and w* for the statements and questions of the open section. */
  readonly space: Space = $derived(this.at === null ? 'coordinate' : spaceOfSection(this.at));
  /** True if the page shows R, γ and w* in another space than the open section speaks of. */
  readonly isElsewhere = $derived.by(() => {
    const { lab, space } = this;
    return lab.recording?.biasConstant !== 0 && spaceOf(lab.look) !== space;
  });

  readonly #startEngine: () => Engine;
  readonly #onMove: (place: TourPlace | null) => void;
  #measure: Measure | null = null;
  /** Facts of scenes as they are written, as far as they were measured. */
  #written: ReadonlyMap<ScenePart, Facts> = $state.raw(new Map());
  /** The scene whose step is sought when its run is over. */
  #awaited: Staged | null = $state.raw(null);

  /**
   * @param startEngine starts a second engine, when a question first needs a scene that is not on the stage.
   * @param onMove is called before another section is shown; null: the tour is left.
   */
  constructor(lab: Lab, startEngine: () => Engine, onMove: (place: TourPlace | null) => void = () => {}) {
    this.lab = lab;
    this.#startEngine = startEngine;
    this.#onMove = onMove;
  }

  /** Opens a tour of the reader's own, at its first section by default. Its errors are shown. */
  async openOwn(name: string, read: () => Promise<string>, section = 0): Promise<void> {
    try {
      const [text, { compileOwnTour }] = await Promise.all([read(), import('./own-tour.ts')]);
      this.given = compileOwnTour(name, text);
      await this.open({ tour: this.given.id, section });
    } catch (error) {
      this.failure = (error as Error).message;
      this.tour = null;
    }
  }

  /** Opens a tour at a section, and shows the section's first scene. */
  async open({ tour: id, section }: TourPlace): Promise<void> {
    const listed = tourList.find(({ head }) => head.id === id);
    const tour = this.given?.id === id ? this.given : (await listed?.load())?.default;
    if (tour === undefined) {
      this.failure = `There is no tour called “${id}”. Choose one from the list.`;
      this.tour = null;
      return;
    }
    this.tour = tour;
    this.failure = null;
    await this.go(section);
  }

  leave(): void {
    this.#onMove(null);
    this.tour = null;
  }

  /** Tests if a section is the open one. */
  isAt({ tour, section }: TourPlace): boolean {
    return this.tour?.id === tour && this.section === section;
  }

  /** Goes to a section of the open tour, and shows one of its scenes, by default the first. */
  async go(section: number, scene = 0): Promise<void> {
    if (this.tour === null) return;
    const at = Math.max(0, Math.min(section, this.tour.sections.length - 1));
    this.#onMove({ tour: this.tour.id, section: at });
    this.section = at;
    this.progress = withSection(this.progress, this.tour.id, this.section);
    saveProgress(localStorage, this.progress);
    const shown = scenesOf(this.at!)[scene];
    if (shown !== undefined) await this.show(shown);
  }

  /** Puts a scene on the stage. Undo restores the state before. */
  async show(scene: ScenePart, step = scene.step): Promise<void> {
    const { lab, at: section } = this;
    if (section === null) return;
    try {
      const dataset = this.staged?.scene === scene ? this.staged.dataset : await datasetOf(scene.data);
      if (this.at !== section) return;
      if (this.own === null && !this.#isStaged()) this.#keepOwn();
      const staged = { scene, section, dataset, algorithm: algorithmOf(scene), step };
      this.staged = staged;
      this.failure = null;
      lab.shown = scene.views;
      lab.selected = scene.selected;
      lab.look = {
        ...lab.look,
        plane: 'preset' in scene.data && dataset.kind === 'table' ? { kind: 'normal' } : firstTwo,
        window: null,
        choices: { ...without(lab.look.choices, scene.views), ...scene.choices },
        layers: scene.layers,
        space: scene.space,
      };
      lab.change({ dataset, algorithm: staged.algorithm });
      this.#awaited = staged;
      void this.#ask(scene, section);
    } catch (error) {
      this.failure = `This scene cannot be shown: ${(error as Error).message}`;
    }
  }

  /** Seeks the step of the scene on the stage once its run is over. Call it in an effect. */
  arrive(): void {
    const { lab } = this;
    const awaited = this.#awaited;
    if (awaited === null || lab.busy || lab.recording === null || lab.examples === null) return;
    this.#awaited = null;
    if (lab.dataset !== awaited.dataset || lab.algorithm !== awaited.algorithm) return;
    const step = findStep(awaited.step, lab.recording, lab.examples);
    if (step !== null) lab.seek(step);
  }

  /** Restores the reader's state before the first scene. */
  restore(): void {
    const { own } = this;
    if (own === null) return;
    this.forget();
    this.lab.restore(own, { remember: true });
  }

  /** Makes the state on the stage the reader's own. */
  forget(): void {
    this.rest();
    this.staged = null;
  }

  /** Ends the tour for now: its section and scene stay for {@link resume}, and the stage is the reader's own. */
  rest(): void {
    this.own = null;
    sessionStorage.removeItem(ownKey);
  }

  /** Goes on where the reader closed the tour. Other data opened meanwhile are not taken for the scene's. */
  resume(): void {
    const { staged, lab } = this;
    // Edits keep the name of the data.
    if (staged !== null && staged.dataset.name !== lab.dataset.name) this.staged = null;
  }

  /** Goes to a step of the section's first scene, and shows that scene if another one is on the stage. */
  seek(step: string): void {
    const [scene] = this.at === null ? [] : scenesOf(this.at);
    if (scene === undefined) return;
    if (this.staged?.scene !== scene || this.changed) {
      void this.show(scene, step);
      return;
    }
    const { recording, examples } = this.lab;
    const found = recording === null || examples === null ? null : findStep(step, recording, examples);
    this.lab.playing = false;
    if (found !== null) this.lab.seek(found);
  }

  play(): void {
    togglePlay(this.lab);
  }

  /**
   * Returns the outcomes of a scene's claims about the present state, with the reader's changes; null: the scene is
   * not on the stage. Claims about R, γ or w* are not evaluated while the page shows these in another space.
   */
  outcomes(scene: ScenePart): readonly Outcome[] | null {
    const { staged, lab } = this;
    if (staged?.scene !== scene || lab.recording === null || lab.examples === null) return null;
    const { dataset, algorithm, examples, recording, verdict, curve } = lab;
    const work = examples.shown.length * examples.dimension * recording.updates.length;
    if (this.changed && work > mostWork) return scene.claims.map(() => unknown);
    const written = this.#written;
    const step = findStep(scene.step, recording, examples);
    const facts: Facts = { dataset, algorithm, examples, recording, verdict, curve, step, space: scene.space };
    const scenes = scenesOf(staged.section);
    const elsewhere = this.isElsewhere;
    return scene.claims.map(({ expression }) => {
      if (elsewhere && dependsOnSpace(expression)) return unknown;
      return evaluate(expression, (name, index, of) => {
        if (of !== null) return lookUp(written.get(scenes.find((other) => other.name === of)!) ?? null, name, index);
        const value = lookUp(facts, name, index);
        return Number.isNaN(value) && !this.changed ? lookUp(written.get(scene) ?? null, name, index) : value;
      });
    });
  }

  /**
   * Returns the right answer: the number, or 1 or 0 for each choice. It is computed from the section's scenes as they
   * are written.
   */
  async answers(quiz: QuizPart, section: Section): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const expression of answersOf(quiz)) outcomes.push(await this.#measures().evaluate(expression, section));
    return outcomes;
  }

  /** Notes that the answer of a question was told. */
  told(quiz: QuizPart): void {
    this.answered = new Set([...this.answered, quiz]);
  }

  /** Measures the other scenes, and the learning curve, that a scene's claims need. */
  async #ask(scene: ScenePart, section: Section): Promise<void> {
    const others = scenesOf(section).filter(({ name }) =>
      scene.claims.some(({ expression }) => expression.includes(`${name}.`)),
    );
    const own = needsCurve(scene) ? [scene] : [];
    for (const needed of [...others, ...own]) {
      if (this.#written.has(needed)) continue;
      const facts = await this.#measures().factsOf(needed);
      this.#written = new Map([...this.#written, [needed, facts]]);
    }
  }

  #measures(): Measure {
    this.#measure ??= new Measure(this.#startEngine());
    return this.#measure;
  }

  #keepOwn(): void {
    this.own = this.lab.savedState();
    try {
      sessionStorage.setItem(ownKey, JSON.stringify(savedStateAsJson(this.own)));
    } catch {
      // The state is too large, or storage is forbidden: undo still works until the page is reloaded.
    }
  }

  /** Tests if an unchanged scene is on the stage. */
  #isStaged(): boolean {
    return this.staged !== null && !this.changed;
  }
}

function loadOwn(): SavedState | null {
  try {
    const kept = sessionStorage.getItem(ownKey);
    return kept === null ? null : parseSavedState(JSON.parse(kept));
  } catch {
    return null;
  }
}

function without(choices: Readonly<Record<string, string>>, ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(choices).filter(([id]) => !ids.includes(id)));
}
