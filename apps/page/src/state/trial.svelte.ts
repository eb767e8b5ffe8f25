import {
  type AnyRow,
  type Explanation,
  type Learned,
  type ModelClient,
  type Prediction,
  ServiceError,
} from 'halfspace-server/client';
import type { Followed } from './followed.svelte.ts';

/** A row that was asked, with what the model says about it. */
export interface Asked {
  readonly prediction: Prediction;
  /** The classes at that time, in the order of scores. */
  readonly classes: readonly string[];
  /** Null: the model explains nothing. */
  readonly explanation: Explanation | null;
}

/** Number of terms that are shown. */
export const mostTerms = 8;

/** Asks a model about rows, and teaches it their labels. */
export class Trial {
  asked: Asked | null = $state.raw(null);
  learned: (Learned & { readonly label: string }) | null = $state.raw(null);
  /** Null: nothing was refused. */
  fault: string | null = $state(null);
  isBusy = $state(false);
  readonly #client: ModelClient;
  readonly #followed: Followed;

  constructor(client: ModelClient, followed: Followed) {
    this.#client = client;
    this.#followed = followed;
  }

  ask(row: object): Promise<void> {
    return this.#run(async () => {
      const { model } = this.#followed;
      const prediction = await this.#predict(row);
      const explanation = await this.#explain(row);
      this.asked = { prediction, classes: model.classes, explanation };
      this.learned = null;
    });
  }

  /** Teaches the label of the row that was asked. */
  teach(label: string): Promise<void> {
    return this.#run(async () => {
      const id = this.asked?.prediction.id;
      if (id === undefined) return;
      this.learned = { ...(await this.#client.feedback(id, label)), label };
    });
  }

  #predict(row: object): Promise<Prediction> {
    const { kind, columns } = this.#followed;
    return this.#client.predict(row as AnyRow, {
      probabilities: columns?.probabilities ?? false,
      remember: kind === 'learning',
    });
  }

  async #explain(row: object): Promise<Explanation | null> {
    const { model, hasNoWeights } = this.#followed;
    if (hasNoWeights || model.classes.length < 2) return null;
    try {
      return await this.#client.explain(row as AnyRow);
    } catch (error) {
      if (error instanceof ServiceError && error.status >= 400 && error.status < 500 && error.status !== 401)
        return null;
      throw error;
    }
  }

  async #run(work: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    this.fault = null;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.fault = error.status === 0 ? 'The service does not answer.' : error.message;
    } finally {
      this.isBusy = false;
    }
  }

  fail(fault: string): void {
    this.fault = fault;
  }
}
