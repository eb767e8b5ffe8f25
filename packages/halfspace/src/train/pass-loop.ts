import type { StoredBatch } from '../batch.ts';
import type { Score } from '../model/metrics.ts';
import type { Learner } from '../rules/learner.ts';
import type { Breathe } from './breathe.ts';
import type { RunObserver, RunState } from './observer.ts';
import type { BatchOfPass, StoreNumbers } from './order.ts';
import { type Settling, settleAverage } from './settle-average.ts';
import type { StopRule } from './stop-rule.ts';

/** The examples that a run learns from. */
export interface PassExamples {
  /** Number of examples in a pass, for observers; null: not counted. */
  readonly rows: number | null;
  /** The batches of the next pass, each valid until the next is asked for. */
  pass(): Iterable<BatchOfPass>;
  /** Data for {@link settleAverage} after a clean pass; null: the mean of the weights stays as it is. */
  readonly settling: Settling | null;
}

/** How a run of passes went. */
export interface PassLog {
  readonly updatesPerPass: readonly number[];
  /** The first pass, each example judged before it was learned from; null where the rule does not judge. */
  readonly progressive: Score | null;
  /** `clean`: a clean pass or a clean streak. `observer`: an observer ended the run. `passes`: the passes are spent. */
  readonly ended: 'clean' | 'observer' | 'passes';
}

/**
 * Shows examples to a learner in passes, until a stop rule or an observer ends the run. The one place where updates
 * happen: in {@link show}. A first pass can be made while examples are read, by {@link show} and {@link endPass};
 * {@link run} makes all others.
 */
export class PassLoop implements RunState {
  pass = 1;
  passes: number | null = null;
  shown = 0;
  rowsInPass: number | null = null;
  numbers: StoreNumbers = 0;
  #learner: Learner;
  readonly #observers: readonly RunObserver[];
  readonly #breathe: Breathe;
  readonly #updatesPerPass: number[] = [];
  #progressive: Score | null = null;
  #ended: PassLog['ended'] = 'passes';
  #begun = false;
  #updatesBefore = 0;

  /** @param learner from now on the loop's to free. */
  constructor(learner: Learner, observers: readonly RunObserver[], breathe: Breathe) {
    this.#learner = learner;
    this.#observers = observers;
    this.#breathe = breathe;
    this.#listen();
  }

  get learner(): Learner {
    return this.#learner;
  }

  get updates(): number {
    return this.#learner.progress.updates - this.#updatesBefore;
  }

  /** Goes on with another learner, which has learned nothing yet. */
  replaceLearner(learner: Learner): void {
    this.#learner.free();
    this.#learner = learner;
    this.#listen();
  }

  /** Starts the run over with another learner. */
  restart(learner: Learner): void {
    this.replaceLearner(learner);
    this.#begun = false;
    this.shown = 0;
    for (const observer of this.#observers) observer.restart?.();
  }

  /** Shows a batch. Returns the number of examples shown: fewer than all where a limit or an observer ends the run. */
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

  /** Ends a pass, and the run where the stop rule or an observer says so. */
  endPass({ cleanPass, cleanStreak }: StopRule): void {
    const { updates, examples, mistakes, cleanStreak: streak } = this.#learner.progress;
    const inPass = this.updates;
    this.#updatesPerPass.push(inPass);
    if (mistakes !== null)
      this.#progressive ??= { examples, errors: mistakes, accuracy: (examples - mistakes) / examples };
    if (this.#observers.some((observer) => observer.endPass?.(this) === true)) this.#ended = 'observer';
    else if ((cleanPass && inPass === 0) || streak >= cleanStreak) this.#ended = 'clean';
    this.#updatesBefore = updates;
    this.shown = 0;
    this.pass++;
  }

  /** Makes passes until the run ends, then settles the mean where there is one. */
  async run(examples: PassExamples, stop: StopRule): Promise<PassLog> {
    this.passes = stop.passes;
    this.rowsInPass = examples.rows;
    while (this.#ended === 'passes' && this.pass <= stop.passes) {
      this.#learner.limit({ cleanStreak: stop.cleanStreak });
      for (const { batch, numbers } of examples.pass()) {
        const { rows } = batch;
        if (this.show(batch, numbers) < rows || this.#learner.progress.cleanStreak >= stop.cleanStreak) break;
        await this.#breathe();
      }
      this.endPass(stop);
    }
    if (this.#ended === 'clean' && examples.settling !== null) settleAverage(this.#learner, examples.settling);
    for (const observer of this.#observers) observer.end?.(this);
    return { updatesPerPass: this.#updatesPerPass, progressive: this.#progressive, ended: this.#ended };
  }

  /** Passes the learner's updates on to the observers that ask for them. */
  #listen(): void {
    const told = this.#observers.filter(({ update }) => update !== undefined);
    if (told.length === 0) return;
    this.#learner.record!((row, raised, lowered, lead) => {
      for (const observer of told) observer.update!(this, row, raised, lowered, lead);
    });
  }
}
