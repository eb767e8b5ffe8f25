/**
 * One versus rest: K classes by K learners of two classes each.
 *
 * Objective: fₖ(x) > 0 for the examples of class k and < 0 for all others. The class with the highest fₖ(x) is
 * predicted.
 * Update: that of the rule, for every class k with y = +1 for examples of class k, else −1.
 * Source: Nilsson 1965, Learning Machines, section 2.6 and after; Rifkin & Klautau 2004, In Defense of One-Vs-All
 * Classification (JMLR 5).
 * Differences: classes may appear at any time. The learner of a class that appears later starts with the first example
 * of that class (of importance above 0) and does not see earlier examples. So the result does not depend on batches. A
 * training run knows all classes from the start: its learners see every example and equal those of K runs of two
 * classes. They do not see each other's scores, so there is no accuracy of the first pass.
 */
import { checkBatch, checkScored, type StoredBatch } from '../batch.ts';
import { relabelled } from '../data/relabelled.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { list, type Members, members, number, unfit, whole } from '../json.ts';
import { freedMemory } from '../kernels/kernels.ts';
import { clockAfter } from './counts.ts';
import type { LearnedFunction, Learner, LearnerLimits, LearnerProgress, LearnerState } from './learner.ts';
import { noClass, type Recordable, type UpdateLog, type UpdateMarks } from './update-log.ts';

export interface OneVersusRestState extends LearnerState {
  readonly machines: readonly LearnerState[];
  /** Number of classes known from the start. */
  readonly known: number;
  readonly examples: number;
  readonly clock: number;
}

interface OneVersusRestOptions {
  /** Number of classes known from the start, whose learners see every example. Default 0. */
  readonly classes?: number | undefined;
  /** State to continue from; if given, it decides the known classes. */
  readonly state?: LearnerState | undefined;
}

/** An update in the log of one class's learner. */
interface MachineUpdate {
  readonly row: number;
  readonly class: number;
  readonly raised: boolean;
  readonly lead: number;
  readonly step: number;
}

export class OneVersusRest implements Learner, Recordable {
  readonly rule: string;
  readonly #create: (k: number, state?: LearnerState) => Learner;
  readonly #machines: Learner[] = [];
  readonly #known: number;
  #labels = new Float64Array(0);
  /** The last batch, and the same with `#labels`. */
  #batch: StoredBatch | null = null;
  #view: StoredBatch | null = null;
  #column = new Float64Array(0);
  #examples = 0;
  #clock = 0;
  #log: UpdateLog | null = null;
  #freed = false;

  /**
   * @param rule name of the rule.
   * @param create creates the learner of class k, from a state if one is given.
   * @throws HalfspaceError `option-invalid` for a state of another rule or strategy.
   */
  constructor(
    rule: string,
    create: (k: number, state?: LearnerState) => Learner,
    { classes = 0, state }: OneVersusRestOptions = {},
  ) {
    this.rule = rule;
    this.#create = create;
    this.#known = classes;
    if (state === undefined) {
      while (this.#machines.length < classes) this.#machines.push(create(this.#machines.length));
      return;
    }
    if (state.rule !== rule)
      throw new HalfspaceError('option-invalid', `expected the state of rule ${rule}; got ${state.rule}`);
    if (!('machines' in state))
      throw new HalfspaceError(
        'option-invalid',
        `expected a state of ${rule} by one-vs-rest; got one of other learners`,
      );
    const { machines, known, examples, clock } = state as OneVersusRestState;
    this.#machines = machines.map((machine, k) => create(k, machine));
    this.#known = known;
    this.#examples = examples;
    this.#clock = clock;
  }

  get outputs(): number {
    return this.#machines.length;
  }

  /** Limits are checked after each call only. */
  learn(batch: StoredBatch, from = 0, to = batch?.rows): number {
    checkBatch(batch, from, to);
    if (this.#freed) throw freedMemory();
    const show = () => this.#learnAll(batch, from, to);
    return this.#log === null ? show() : this.#logged(this.#log, show);
  }

  record(log: UpdateLog | null): void {
    if (this.#freed) throw freedMemory();
    this.#log = log;
    if (log === null) for (const machine of this.#machines) (machine as Learner & Recordable).record(null);
  }

  skip(batch: StoredBatch, from: number, to: number): number {
    if (this.#freed) throw freedMemory();
    return this.#followed(batch, from, to, (machine, view) => machine.skip(view, from, to));
  }

  follow(batch: StoredBatch, from: number, to: number, { rows, functions }: UpdateMarks): number {
    if (this.#freed) throw freedMemory();
    const show = () =>
      this.#followed(batch, from, to, (machine, view, k) => {
        const own = rows.filter((_, u) => functions[u] === k);
        machine.follow(view, from, to, { rows: own, functions: own.map(() => 0) });
      });
    return this.#log === null ? show() : this.#logged(this.#log, show);
  }

  /** Shows every learner the examples with labels for its class. */
  #followed(
    batch: StoredBatch,
    from: number,
    to: number,
    show: (machine: Recordable, view: StoredBatch, k: number) => void,
  ): number {
    const view = this.#viewOf(batch);
    const labels = this.#labels;
    this.#machines.forEach((machine, k) => {
      for (let i = from; i < to; i++) labels[i] = batch.labels[i] === k ? 1 : -1;
      show(machine as Learner & Recordable, view, k);
    });
    this.#clock = clockAfter(this.#clock, batch, from, to);
    this.#examples += to - from;
    return to - from;
  }

  /** Runs `show`, which shows examples to one learner after another, and logs all updates in the order of examples. */
  #logged(log: UpdateLog, show: () => number): number {
    const updates: MachineUpdate[] = [];
    this.#machines.forEach((machine, k) => {
      (machine as Learner & Recordable).record((row, raised, _, lead, step) =>
        updates.push({ row, class: k, raised: raised === 1, lead, step }),
      );
    });
    const shown = show();
    updates.sort((one, other) => one.row - other.row || one.class - other.class);
    for (const { row, class: k, raised, lead, step } of updates)
      log(row, raised ? k : noClass, raised ? noClass : k, lead, step);
    return shown;
  }

  #learnAll(batch: StoredBatch, from: number, to: number): number {
    const view = this.#viewOf(batch);
    // Read these members only once: for packed rows, reading them takes as long as learning from one row.
    let { labels: classes, importance } = batch;
    for (let i = from; i < to; i++)
      while (classes[i]! >= this.#machines.length && (importance === null || importance[i]! > 0)) {
        this.#machines.push(this.#create(this.#machines.length));
        ({ labels: classes, importance } = batch);
      }
    const labels = this.#labels;
    this.#machines.forEach((machine, k) => {
      ({ labels: classes, importance } = batch);
      let start = from;
      if (k >= this.#known && machine.progress.examples === 0)
        while (start < to && !(classes[start] === k && (importance === null || importance[start]! > 0))) start++;
      if (start === to) return;
      for (let i = start; i < to; i++) labels[i] = classes[i] === k ? 1 : -1;
      machine.learn(view, start, to);
    });
    this.#clock = clockAfter(this.#clock, batch, from, to);
    this.#examples += to - from;
    return to - from;
  }

  /** Returns the batch with `#labels`, which have room for it. Small data are learned from in the same batch often. */
  #viewOf(batch: StoredBatch): StoredBatch {
    if (this.#batch === batch && this.#labels.length >= batch.rows) return this.#view!;
    if (this.#labels.length < batch.rows) this.#labels = new Float64Array(batch.rows);
    this.#batch = batch;
    this.#view = relabelled(batch, this.#labels);
    return this.#view;
  }

  scoreInto(batch: StoredBatch, out: Float64Array): void {
    checkScored(batch, out, this.outputs);
    if (this.#freed) throw freedMemory();
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
    if (this.#freed) throw freedMemory();
    return this.#machines.flatMap((machine) => machine.functions());
  }

  /** Mistakes are unknown, because no learner sees the scores of the others. */
  get progress(): LearnerProgress {
    let updates = 0;
    let cleanStreak = this.#examples;
    for (const machine of this.#machines) {
      const { progress } = machine;
      // Learners that have not started have no streak.
      if (progress.examples === 0) continue;
      updates += progress.updates;
      cleanStreak = Math.min(cleanStreak, progress.cleanStreak);
    }
    return { examples: this.#examples, updates, mistakes: null, cleanStreak, clock: this.#clock };
  }

  /** No learner may stop before the others, so none gets limits. */
  limit(_limits: LearnerLimits): void {}

  state(): OneVersusRestState {
    if (this.#freed) throw freedMemory();
    return {
      rule: this.rule,
      machines: this.#machines.map((machine) => machine.state()),
      known: this.#known,
      examples: this.#examples,
      clock: this.#clock,
    };
  }

  survive(importance: number): void {
    if (this.#freed) throw freedMemory();
    for (const machine of this.#machines) machine.survive?.(importance);
    this.#clock += importance;
  }

  presentFunctions(): readonly LearnedFunction[] | null {
    if (this.#freed) throw freedMemory();
    const present = this.#machines.map((machine) => machine.presentFunctions?.() ?? null);
    return present.every((each) => each !== null) ? present.flat() : null;
  }

  free(): void {
    this.#freed = true;
    for (const machine of this.#machines) machine.free();
  }
}

/** Yields examples with labels for the learner of class k: +1 or −1. Each is valid as long as its batch. */
export function* againstRest(examples: Iterable<StoredBatch>, k: number): Generator<StoredBatch> {
  for (const batch of examples) {
    const labels = Float64Array.from({ length: batch.rows }, (_, i) => (batch.labels[i] === k ? 1 : -1));
    yield relabelled(batch, labels);
  }
}

/** Checks the numbers of a {@link OneVersusRestState}. @param checkMachine checks the state of one class's learner. */
export function checkOneVersusRestState(state: Members, checkMachine: (machine: Members) => void): void {
  const { rule } = state;
  const machines = list(state.machines, 'machines');
  for (const each of machines) {
    const machine = members(each, 'machines');
    if (machine.rule !== rule) throw unfit('machines', `learners by the rule ${quote(rule)}`, machine.rule);
    checkMachine(machine);
  }
  if (machines.length === 0 && typeof rule !== 'string') throw unfit('rule', 'a rule', rule);
  whole(state.known, 'known', 0, machines.length);
  whole(state.examples, 'examples');
  number(state.clock, 'clock', 0);
}
