import type { Explanation, Learned, Prediction } from '../service/answers.ts';
import { type Client, Refused } from '../service/client.ts';
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
  readonly #client: Client;
  readonly #followed: Followed;

  constructor(client: Client, followed: Followed) {
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
      this.learned = { ...(await this.#client.post<Learned>(`${this.#path}/feedback`, { id, label })), label };
    });
  }

  get #path(): string {
    return `v1/models/${encodeURIComponent(this.#followed.name)}`;
  }

  #predict(row: object): Promise<Prediction> {
    const { kind, columns } = this.#followed;
    return this.#client.post(`${this.#path}/predict`, {
      row,
      probabilities: columns?.probabilities ?? false,
      remember: kind === 'learning',
    });
  }

  async #explain(row: object): Promise<Explanation | null> {
    try {
      return await this.#client.post<Explanation>(`${this.#path}/explain`, { row });
    } catch (error) {
      if (error instanceof Refused && error.status < 500 && error.status !== 401) return null;
      throw error;
    }
  }

  async #run(work: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    this.fault = null;
    try {
      await work();
    } catch (error) {
      this.fault = error instanceof Refused ? error.message : 'The service does not answer.';
    } finally {
      this.isBusy = false;
    }
  }

  fail(fault: string): void {
    this.fault = fault;
  }
}
