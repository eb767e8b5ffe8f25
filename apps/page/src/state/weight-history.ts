import type { ClassWeights } from '../service/types.ts';

type Strongest = Pick<ClassWeights, 'class' | 'strongest'>;

/** Number of readings that are kept. */
const length = 40;

/** The latest readings of the strongest weights. */
export class WeightHistory {
  readonly #readings: readonly (readonly Strongest[])[];
  readonly #sequence: number;

  constructor(readings: readonly (readonly Strongest[])[] = [], sequence = -1) {
    this.#readings = readings;
    this.#sequence = sequence;
  }

  /** Returns a history with another reading. One at the same sequence number replaces the last. */
  with(sequence: number, functions: readonly Strongest[]): WeightHistory {
    const before = sequence === this.#sequence ? this.#readings.slice(0, -1) : this.#readings;
    return new WeightHistory([...before, functions].slice(-length), sequence);
  }

  /** Returns the weights of a feature, the last one now. They begin after the latest reading without it. */
  of(className: string, feature: string): number[] {
    const values = this.#readings.map((functions) => {
      const own = functions.find((each) => each.class === className);
      return own?.strongest.find((each) => each.feature === feature)?.weight;
    });
    const last = values.lastIndexOf(undefined);
    return values.slice(last + 1) as number[];
  }
}
