import type { StoredBatch } from '../batch.ts';
import type { ExampleStore } from '../data/store.ts';
import { ScoreTally } from '../model/metrics.ts';
import type { LearnedFunction, Learner } from '../rules/learner.ts';

/** Every so manieth batch of a store is set aside. */
const every = 10;

/** Batches are at most so large where few examples must give enough of them. */
export function watchedBatchSize(rows: number): number {
  return Math.min(1024, Math.max(1, Math.floor(rows / (4 * every))));
}

/**
 * Early stopping: a tenth of the batches is not learned from, but judged on after every pass, and the functions of the best pass are kept.
 * The error on held-out examples falls and then, as what is learned fits the others too closely, rises; patience waits for more than one
 * bad pass, since it does not rise steadily.
 *
 * Source: Prechelt 1998, Early stopping — but when? (in Neural Networks: Tricks of the Trade); the first of passes with the same error is
 * the best.
 */
export class Watch {
  readonly #patience: number;
  readonly #classes: number;
  readonly #tie: number;
  #fewest = Infinity;
  #since = 0;
  /** The pass, from 1, after which there were fewest errors; 0 before the first. */
  best = 0;
  /** What was learned by then. */
  functions: readonly LearnedFunction[] = [];
  /** Share of the watched examples that were right then. */
  accuracy = 0;

  /** @param patience passes without fewer errors after which to stop. */
  constructor(patience: number, classes: number, tie: number) {
    this.#patience = patience;
    this.#classes = classes;
    this.#tie = tie;
  }

  /** Whether a batch of a store is set aside. A store with fewer than ten batches has none that is. */
  static sets(chunk: number): boolean {
    return chunk % every === every - 1;
  }

  /** Judges after a pass. Returns whether patience has run out. */
  look(learner: Learner, store: ExampleStore, pass: number): boolean {
    const tally = new ScoreTally(learner.outputs, this.#tie, this.#classes);
    let scores = new Float64Array(0);
    for (const batch of watched(store)) {
      const length = batch.rows * learner.outputs;
      if (scores.length < length) scores = new Float64Array(length);
      learner.scoreInto(batch, scores);
      tally.add(batch, scores);
    }
    if (tally.errors < this.#fewest) {
      this.#fewest = tally.errors;
      this.#since = 0;
      this.best = pass;
      this.functions = learner.functions();
      this.accuracy = tally.accuracy;
      return false;
    }
    return ++this.#since >= this.#patience;
  }
}

function* watched(store: ExampleStore): Generator<StoredBatch> {
  for (let c = 0; c < store.chunks; c++) if (Watch.sets(c)) yield store.load(c);
}
