import type { ServedModel } from '../models/contract.ts';

/** A snapshot is followed by a pause of so many times its own time, in which others are learned from and answered. */
const pauseFactor = 10;
/** Longest pause in milliseconds. */
const longestPause = 2000;

/**
 * Calls that need a snapshot of a model that learns. A snapshot copies all weights, and each example that is learned
 * makes the last one old. So a call waits until the pause after the last snapshot is over, and those that wait together
 * share one. Every call sees the state of the moment in which it runs, never one from before it came.
 */
export class SnapshotTurns {
  readonly #turns = new WeakMap<ServedModel, Turns>();

  /** Runs a call that makes a snapshot of a model, at once if the model has one of its present state. */
  run<T>(model: ServedModel, call: () => T): Promise<T> {
    const turns = this.#turns.get(model) ?? new Turns(model);
    this.#turns.set(model, turns);
    return turns.run(call);
  }
}

class Turns {
  readonly #model: ServedModel;
  /** Digest of the state of the last snapshot. */
  #digest = '';
  /** Time in milliseconds at which the next snapshot may be made. */
  #free = 0;
  #waiting: (() => void)[] = [];

  constructor(model: ServedModel) {
    this.#model = model;
  }

  run<T>(call: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const act = () => {
        try {
          resolve(call());
        } catch (error) {
          reject(error);
        }
      };
      if (this.#model.version.digest === this.#digest) return act();
      this.#waiting.push(act);
      if (this.#waiting.length > 1) return;
      const wait = this.#free - performance.now();
      if (wait <= 0) this.#runWaiting();
      else setTimeout(() => this.#runWaiting(), wait);
    });
  }

  /** Nothing is learned between the calls, so only the first one makes a snapshot. */
  #runWaiting(): void {
    const [first, ...others] = this.#waiting;
    this.#waiting = [];
    const begin = performance.now();
    first!();
    const end = performance.now();
    this.#digest = this.#model.version.digest;
    this.#free = end + Math.min(longestPause, pauseFactor * (end - begin));
    for (const act of others) act();
  }
}
