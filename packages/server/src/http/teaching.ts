import type { Example, Learned, ServedModel } from '../models/contract.ts';

/** Counts of the examples of a model since the service started. */
export interface TeachingCounts {
  /** Examples that are not acknowledged yet: they wait for the disk and the learner. */
  pending: number;
  /** Examples that cannot be learned. */
  refused: number;
  /** Examples that were learned before. */
  duplicates: number;
}

/** Passes examples to models, and counts them by the name of the model. */
export class Teaching {
  readonly #counts = new Map<string, TeachingCounts>();

  countsOf(model: string): TeachingCounts {
    let counts = this.#counts.get(model);
    if (counts === undefined) {
      counts = { pending: 0, refused: 0, duplicates: 0 };
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

  async #counted(model: string, count: number, learn: () => Promise<Learned[]>): Promise<Learned[]> {
    const counts = this.countsOf(model);
    counts.pending += count;
    try {
      const outcomes = await learn();
      for (const outcome of outcomes) {
        if ('refused' in outcome) counts.refused++;
        else if (outcome.duplicate) counts.duplicates++;
      }
      return outcomes;
    } finally {
      counts.pending -= count;
    }
  }
}
