import type { ExampleStore } from '../data/store.ts';
import { HalfspaceError } from '../errors.ts';
import { resampled } from '../evaluate/bootstrap.ts';
import { Random } from '../random.ts';
import type { Intake } from '../train/intake.ts';

/** Largest number of samples that are drawn for one with rows of all classes. */
const mostTries = 1000;

/** Seeds of samples that have rows of all classes. */
export class BootstrapSamples {
  readonly #store: ExampleStore;
  readonly #classes: number;
  readonly #random: Random;
  /** True if a sample may lack a class: e⁻⁴⁰ is the probability for one of 40 rows. */
  readonly #mayLack: boolean;

  constructor({ store, classExamples }: Intake, seed: number) {
    this.#store = store;
    this.#classes = classExamples.length;
    this.#random = new Random(seed);
    this.#mayLack = Math.min(...classExamples) < 40;
  }

  next(): number {
    for (let tried = 0; tried < mostTries; tried++) {
      const seed = this.#random.bits();
      if (!this.#mayLack || this.#hasAll(seed)) return seed;
    }
    throw new HalfspaceError(
      'label-classes',
      `expected enough rows of every class to draw samples with all classes; got none in ${mostTries} samples`,
    );
  }

  #hasAll(seed: number): boolean {
    const found = new Set<number>();
    for (const { rows, labels } of resampled(this.#store.batches(), seed)) {
      for (let i = 0; i < rows; i++) found.add(labels[i]!);
      if (found.size === this.#classes) return true;
    }
    return false;
  }
}
