import { type Draft, lengthOf } from '../state/example-record.ts';
import type { Learned } from './contract.ts';

/** The outcomes of the examples of one call. */
export class Outcomes {
  readonly promise: Promise<Learned[]>;
  readonly #outcomes: Learned[];
  #left: number;
  #resolve!: (outcomes: Learned[]) => void;
  #reject!: (error: Error) => void;

  constructor(examples: number) {
    this.#outcomes = new Array(examples);
    this.#left = examples;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (examples === 0) this.#resolve([]);
  }

  settle(position: number, outcome: Learned): void {
    this.#outcomes[position] = outcome;
    if (--this.#left === 0) this.#resolve(this.#outcomes);
  }

  fail(error: Error): void {
    this.#reject(error);
  }
}

/** An example that waits to be learned. */
export interface Waiting extends Draft {
  readonly id: string | null;
  /** Digest of the example, as of `contentOf`. */
  readonly content: string;
  readonly outcomes: Outcomes;
  readonly position: number;
  /** Later examples with the same id, which wait for the outcome of this one. */
  followers: { readonly outcomes: Outcomes; readonly position: number }[] | null;
}

/** Largest number of examples of a group, so that learning from one does not hold up answers for long. */
const mostExamples = 2048;
/** A group ends behind the record that brings it to so many characters. */
const mostCharacters = 2 ** 22;

/** A queue is full at so many characters, or so many examples. One call more may come in before it is refused. */
const fullCharacters = 2 ** 26;
const fullExamples = 2 ** 19;

/** Examples in the order in which they came. */
export class LearningQueue {
  #waiting: Waiting[] = [];
  #head = 0;
  #characters = 0;
  /** Examples with ids that are in the queue, or in a group that is being written. */
  readonly #pending = new Map<string, Waiting>();

  /** Returns the example with this id that waits or is being written. */
  pending(id: string): Waiting | undefined {
    return this.#pending.get(id);
  }

  add(example: Waiting): void {
    this.#waiting.push(example);
    this.#characters += lengthOf(example);
    if (example.id !== null) this.#pending.set(example.id, example);
  }

  /** True if the disk is so far behind that no further call may come in: memory would grow with the load. */
  get isFull(): boolean {
    return this.#characters >= fullCharacters || this.#waiting.length - this.#head >= fullExamples;
  }

  get isEmpty(): boolean {
    return this.#head === this.#waiting.length;
  }

  /** Takes the next group. */
  take(): Waiting[] {
    const from = this.#head;
    let characters = 0;
    while (this.#head < this.#waiting.length && this.#head - from < mostExamples && characters < mostCharacters)
      characters += lengthOf(this.#waiting[this.#head++]!);
    const group = this.#waiting.slice(from, this.#head);
    this.#characters -= characters;
    if (this.isEmpty) {
      this.#waiting = [];
      this.#head = 0;
    } else if (this.#head > mostExamples && 2 * this.#head > this.#waiting.length) {
      this.#waiting.splice(0, this.#head);
      this.#head = 0;
    }
    return group;
  }

  /** Tells the outcome of an example, and to those with the same id. */
  settle({ id, outcomes, position, followers }: Waiting, outcome: Extract<Learned, { sequence: number }>): void {
    if (id !== null) this.#pending.delete(id);
    outcomes.settle(position, outcome);
    if (followers === null) return;
    const same = { sequence: outcome.sequence, duplicate: true, answer: null };
    for (const follower of followers) follower.outcomes.settle(follower.position, same);
  }

  /** Fails the calls of a group and of all that wait. */
  fail(group: readonly Waiting[], error: Error): void {
    for (const { outcomes, followers } of [...group, ...this.#waiting.slice(this.#head)]) {
      outcomes.fail(error);
      for (const follower of followers ?? []) follower.outcomes.fail(error);
    }
    this.#waiting = [];
    this.#head = 0;
    this.#characters = 0;
    this.#pending.clear();
  }
}
