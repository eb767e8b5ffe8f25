import type { Example, Learned, ServedModel } from '../models/contract.ts';
import { refusalOf } from './problem.ts';

/** Counts of the examples of a model since the service started. */
export interface TeachingCounts {
  /** Examples that are not acknowledged yet: they wait for the disk and the learner. */
  pending: number;
  /** Examples that were refused, by the code of the reason. */
  readonly refused: Map<string, number>;
  /** Examples that were learned before. */
  duplicates: number;
}

/** Passes examples to models, and counts them by the name of the model. */
export class Teaching {
  readonly #counts = new Map<string, TeachingCounts>();

  countsOf(model: string): TeachingCounts {
    let counts = this.#counts.get(model);
    if (counts === undefined) {
      counts = { pending: 0, refused: new Map(), duplicates: 0 };
      this.#counts.set(model, counts);
    }
    return counts;
  }

  /** Learns as {@link ServedModel.learn} does. */
  async learn(model: ServedModel, examples: readonly Example[]): Promise<Learned[]> {
    return this.#counted(model.name, examples.length, () => model.learn(examples));
  }

  /** Learns as {@link ServedModel.feedback} does. */
  async feedback(model: ServedModel, ...given: Parameters<ServedModel['feedback']>): Promise<Learned> {
    const [learned] = await this.#counted(model.name, 1, async () => [await model.feedback(...given)]);
    return learned!;
  }

  /** Counts an example that was refused. */
  refuse(model: string, error: unknown): void {
    const { refused } = this.countsOf(model);
    const { code } = refusalOf(error);
    refused.set(code, (refused.get(code) ?? 0) + 1);
  }

  async #counted(model: string, count: number, learn: () => Promise<Learned[]>): Promise<Learned[]> {
    const counts = this.countsOf(model);
    counts.pending += count;
    try {
      const outcomes = await learn();
      for (const outcome of outcomes) {
        if ('refused' in outcome) this.refuse(model, outcome.refused);
        else if (outcome.duplicate) counts.duplicates++;
      }
      return outcomes;
    } finally {
      counts.pending -= count;
    }
  }
}
