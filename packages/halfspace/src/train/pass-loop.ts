import type { StoredBatch } from '../batch.ts';
import type { Breathe } from '../data/breathe.ts';
import type { Score } from '../model/metrics.ts';
import type { Learner, LearnerProgress } from '../rules/learner.ts';
import type { RunObserver, RunState } from './observer.ts';
import type { BatchOfPass, StoreNumbers } from './order.ts';
import { type Settling, settleAverage } from './settle-average.ts';
import type { StopRule } from './stop-rule.ts';

/** The training examples of a run, pass by pass. */
export interface PassExamples {
  /** Number of examples in a pass, for observers; null: not counted. */
  readonly rows: number | null;
  /** Yields the batches of the next pass, each valid until the next one is requested. */
  pass(): Iterable<BatchOfPass>;
  /** Data for {@link settleAverage} after a clean pass; null: the mean of the weights stays as it is. */
  readonly settling: Settling | null;
}

/** Course of a run of passes. */
export interface PassLog {
  readonly updatesPerPass: readonly number[];
  /** Score of the first pass: each example is predicted before it is learned. Null if the rule does not know it. */
  readonly progressive: Score | null;
  /** `clean`: a clean pass or a clean streak. `observer`: an observer ended the run. `passes`: the number of passes. */
  readonly ended: 'clean' | 'observer' | 'passes';
}

/** A learner after a run of passes. */
export interface Passed {
  readonly learner: Learner;
  readonly log: PassLog;
}

/**
 * Shows examples to a learner in passes, until a stop rule or an observer ends the run. All updates happen in {@link
 * show}. The first pass may run while examples are read, by {@link show} and {@link endPass}; {@link run} makes the
 * others.
 */
export class PassLoop implements RunState {
  pass = 1;
  passes: number | null = null;
  shown = 0;
  rowsInPass: number | null = null;
  numbers: StoreNumbers = 0;
  isClean = false;
  #learner: Learner;
  readonly #observers: readonly RunObserver[];
  readonly #breathe: Breathe;
  readonly #updatesPerPass: number[] = [];
  #progressive: Score | null = null;
  #ended: PassLog['ended'] = 'passes';
  #begun = false;
  /** Progress of the learner before the run: above 0 if it continues another run. */
  #before: LearnerProgress;
  #updatesBefore: number;
  /** Progress while a pass ends: to ask many classes often takes as long as to learn from a small table. */
  #atEnd: LearnerProgress | null = null;

  /** @param learner owned by the loop from now on. */
  constructor(learner: Learner, observers: readonly RunObserver[], breathe: Breathe) {
    this.#learner = learner;
    this.#observers = observers;
    this.#breathe = breathe;
    this.#before = learner.progress;
    this.#updatesBefore = this.#before.updates;
    this.#listen();
  }

  get learner(): Learner {
    return this.#learner;
  }

  get updates(): number {
    return (this.#atEnd ?? this.#learner.progress).updates - this.#updatesBefore;
  }

  /** Continues with another learner, which has not learned yet. */
  replaceLearner(learner: Learner): void {
    this.#learner.free();
    this.#learner = learner;
    this.#before = learner.progress;
    this.#updatesBefore = this.#before.updates;
    this.#atEnd = null;
    this.#listen();
  }

  /** Starts the run over with another learner. */
  restart(learner: Learner): void {
    this.replaceLearner(learner);
    this.#begun = false;
    this.shown = 0;
    for (const observer of this.#observers) observer.restart?.();
  }

  /** Shows a batch. Returns the number of examples shown: fewer than all if a limit or an observer ends the run. */
  show(batch: StoredBatch, numbers: StoreNumbers): number {
    this.numbers = numbers;
    if (!this.#begun) for (const observer of this.#observers) observer.begin?.(batch, this);
    this.#begun = true;
    let shown: number | undefined;
    for (const observer of this.#observers) shown ??= observer.show?.(batch, this);
    shown ??= this.#learner.learn(batch);
    this.shown += shown;
    for (const observer of this.#observers) observer.batch?.(this);
    return shown;
  }

  /** Ends a pass; ends the run if the stop rule or an observer asks for it. */
  endPass({ cleanPass, cleanStreak }: StopRule): void {
    const progress = this.#learner.progress;
    const { updates, cleanStreak: streak } = progress;
    this.#atEnd = progress;
    const inPass = this.updates;
    this.#updatesPerPass.push(inPass);
    this.#progressive ??= this.#score(progress);
    this.isClean = (cleanPass && inPass === 0) || streak >= cleanStreak;
    if (this.#observers.some((observer) => observer.endPass?.(this) === true)) this.#ended = 'observer';
    else if (this.isClean) this.#ended = 'clean';
    this.#updatesBefore = updates;
    this.#atEnd = null;
    this.shown = 0;
    this.pass++;
  }

  /** Makes passes until the run ends, then settles the mean if there is one. */
  async run(examples: PassExamples, stop: StopRule): Promise<PassLog> {
    this.passes = stop.passes;
    this.rowsInPass = examples.rows;
    while (this.#ended === 'passes' && this.pass <= stop.passes) {
      this.#learner.limit({ cleanStreak: stop.cleanStreak });
      for (const { batch, numbers } of examples.pass()) {
        const { rows } = batch;
        if (this.show(batch, numbers) < rows) break;
        // Progress of many classes takes as long as learning a few rows.
        if (stop.cleanStreak < Infinity && this.#learner.progress.cleanStreak >= stop.cleanStreak) break;
        await this.#breathe();
      }
      this.endPass(stop);
    }
    for (const observer of this.#observers) observer.lastPass?.(this);
    if (this.#ended === 'clean' && examples.settling !== null) settleAverage(this.#learner, examples.settling);
    for (const observer of this.#observers) observer.end?.(this);
    return { updatesPerPass: this.#updatesPerPass, progressive: this.#progressive, ended: this.#ended };
  }

  /** Returns the score of all examples so far, each predicted before it was learned. */
  #score({ examples, mistakes }: LearnerProgress): Score | null {
    if (mistakes === null) return null;
    const [shown, errors] = [examples - this.#before.examples, mistakes - this.#before.mistakes!];
    return { examples: shown, errors, accuracy: (shown - errors) / shown };
  }

  /** Passes the learner's updates on to the observers that have `update`. */
  #listen(): void {
    const listeners = this.#observers.filter(({ update }) => update !== undefined);
    if (listeners.length === 0) return;
    this.#learner.record!((row, raised, lowered, lead) => {
      for (const observer of listeners) observer.update!(this, row, raised, lowered, lead);
    });
  }
}
