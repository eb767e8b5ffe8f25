/**
 * One versus rest: K classes by K learners of two classes each.
 *
 * Objective: fₖ(x) > 0 for the examples of class k and < 0 for all others; an example's class is that of the highest fₖ(x).
 * Update: that of the rule, for every class k with y = +1 where the example is of class k, else −1.
 * Source: Nilsson 1965, Learning Machines, section 2.6 and after; Rifkin & Klautau 2004, In Defense of One-Vs-All Classification (JMLR 5).
 * We differ: classes may appear at any time. The learner of a class begins with that class's first example; what came before it is not
 * shown to it. So the same examples in any cuts give the same bits, without anyone knowing the classes beforehand.
 */
import type { StoredBatch } from '../batch.ts';
import { relabelled } from '../data/relabelled.ts';
import type { LearnedFunction, Learner, LearnerLimits, LearnerProgress, LearnerState } from './learner.ts';

export interface OneVersusRestState extends LearnerState {
  readonly machines: readonly LearnerState[];
  readonly examples: number;
  readonly clock: number;
}

export class OneVersusRest implements Learner {
  readonly rule: string;
  readonly #create: (k: number, state?: LearnerState) => Learner;
  readonly #machines: Learner[] = [];
  #labels = new Float64Array(0);
  #column = new Float64Array(0);
  #examples = 0;
  #clock = 0;

  /**
   * @param rule the rule's name.
   * @param create the learner of class k by that rule, going on from a state where one is given.
   * @param state where to go on from.
   */
  constructor(rule: string, create: (k: number, state?: LearnerState) => Learner, state?: LearnerState) {
    this.rule = rule;
    this.#create = create;
    if (state === undefined) return;
    const { machines, examples, clock } = state as OneVersusRestState;
    this.#machines = machines.map((machine, k) => create(k, machine));
    this.#examples = examples;
    this.#clock = clock;
  }

  get outputs(): number {
    return this.#machines.length;
  }

  /** Limits are looked at after each call only. */
  learn(batch: StoredBatch, from = 0, to = batch.rows): number {
    if (this.#labels.length < batch.rows) this.#labels = new Float64Array(batch.rows);
    for (let i = from; i < to; i++)
      while (batch.labels[i]! >= this.#machines.length) this.#machines.push(this.#create(this.#machines.length));
    const labels = this.#labels;
    const view = relabelled(batch, labels);
    this.#machines.forEach((machine, k) => {
      let start = from;
      if (machine.progress.examples === 0) while (start < to && batch.labels[start] !== k) start++;
      if (start === to) return;
      for (let i = start; i < to; i++) labels[i] = batch.labels[i] === k ? 1 : -1;
      machine.learn(view, start, to);
    });
    const { importance } = batch;
    for (let i = from; i < to; i++) this.#clock += importance === null ? 1 : importance[i]!;
    this.#examples += to - from;
    return to - from;
  }

  scoreInto(batch: StoredBatch, out: Float64Array): void {
    const { rows } = batch;
    const { outputs } = this;
    if (this.#column.length < rows) this.#column = new Float64Array(rows);
    const column = this.#column;
    this.#machines.forEach((machine, k) => {
      machine.scoreInto(batch, column);
      for (let i = 0, at = k; i < rows; i++, at += outputs) out[at] = column[i]!;
    });
  }

  functions(): readonly LearnedFunction[] {
    return this.#machines.flatMap((machine) => machine.functions());
  }

  /** Mistakes are not known: no learner sees the scores of the others. */
  get progress(): LearnerProgress {
    return {
      examples: this.#examples,
      updates: this.#begun().reduce((sum, { updates }) => sum + updates, 0),
      mistakes: null,
      quiet: Math.min(this.#examples, ...this.#begun().map(({ quiet }) => quiet)),
      clock: this.#clock,
    };
  }

  /** One learner must not stop before the others, so none is told. */
  limit(_limits: LearnerLimits): void {}

  state(): OneVersusRestState {
    return {
      rule: this.rule,
      machines: this.#machines.map((machine) => machine.state()),
      examples: this.#examples,
      clock: this.#clock,
    };
  }

  survive(importance: number): void {
    for (const machine of this.#machines) machine.survive?.(importance);
  }

  free(): void {
    for (const machine of this.#machines) machine.free();
  }

  /** Those that have begun. */
  #begun(): LearnerProgress[] {
    return this.#machines.map((machine) => machine.progress).filter(({ examples }) => examples > 0);
  }
}

/** Examples as the learner of class k sees them: +1 where they are of that class, else −1. Each is valid as long as the batch it is made from. */
export function* againstRest(examples: Iterable<StoredBatch>, k: number): Generator<StoredBatch> {
  for (const batch of examples) {
    const labels = Float64Array.from({ length: batch.rows }, (_, i) => (batch.labels[i] === k ? 1 : -1));
    yield relabelled(batch, labels);
  }
}
