import type { Engine, Failure } from '../engine/engine.ts';
import type { Examples } from '../engine/examples.ts';
import { isSuperseded } from '../engine/superseded.ts';
import type { Verdict } from '../engine/verdict.ts';

/** The part of the lab that a verdict search reads and writes. */
export interface VerdictState {
  readonly examples: Examples | null;
  verdict: Verdict | null;
  /** Progress of the search in words; null: there is no search. */
  judging: string | null;
}

/** Finds out if the shown examples are separable, once for each set of examples. */
export class VerdictSearch {
  readonly #engine: Engine;
  readonly #lab: VerdictState;
  /** The examples of the last search. */
  #examples: Examples | null = null;
  #search: Promise<void> = Promise.resolve();

  constructor(engine: Engine, lab: VerdictState) {
    this.#engine = engine;
    this.#lab = lab;
  }

  /** Resolves when the verdict is known, or as soon as a newer run is requested: no run waits for a verdict. */
  async find(newer: AbortSignal): Promise<void> {
    if (this.#examples !== this.#lab.examples) this.#search = this.#find();
    const interrupted = new Promise<void>((resolve) => {
      newer.addEventListener('abort', () => resolve());
    });
    await Promise.race([this.#search, interrupted]);
  }

  async #find(): Promise<void> {
    const lab = this.#lab;
    const { examples } = lab;
    this.#examples = examples;
    const isShown = () => lab.examples === examples;
    try {
      const verdict = await this.#engine.verdict((text) => {
        if (isShown()) lab.judging = text;
      });
      if (isShown()) lab.verdict = verdict;
    } catch (error) {
      if (isSuperseded(error)) {
        if (this.#examples === examples) this.#examples = null;
      } else if (isShown()) lab.verdict = { kind: 'undecided', upper: null, why: (error as Failure).message };
    } finally {
      if (isShown()) lab.judging = null;
    }
  }
}
