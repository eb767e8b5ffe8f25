import { check, type Members, members, number } from '../json.ts';
import { naturalLog } from '../kernels/natural-log.ts';

/** Smallest probability that counts, as in `logLoss`: 2⁻⁵². One row then costs at most 36.04. */
const leastProbability = Number.EPSILON;
/** Below this the product of probabilities is taken to its logarithm: 2⁻⁵¹², so no product underflows. */
const leastProduct = 2 ** -512;

/** The state of a {@link LogLossSum}. */
export interface LogLossState {
  readonly sum: number;
  readonly lost: number;
  readonly product: number;
  readonly weight: number;
}

/**
 * Sums importance · −ln p over any number of rows. Probabilities of rows of importance 1 are multiplied first, because
 * the logarithm of a product is the sum of the logarithms and a product is faster. The sum is compensated: Neumaier,
 * "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", 1974.
 */
export class LogLossSum {
  #sum = 0;
  /** Sum of the rounding errors of `#sum`. */
  #lost = 0;
  /** Product of probabilities that `#sum` lacks. */
  #product = 1;
  #weight = 0;

  /** @param probability of the row's class, in [0, 1]. @param importance above 0. */
  add(probability: number, importance: number): void {
    const p = probability < leastProbability ? leastProbability : probability;
    this.#weight += importance;
    if (importance === 1) this.#product *= p;
    else this.#increase(-importance * naturalLog(p));
    if (this.#product < leastProduct) {
      this.#increase(-naturalLog(this.#product));
      this.#product = 1;
    }
  }

  /** Mean of −ln p, weighted by importance; null without rows. */
  get mean(): number | null {
    if (this.#weight === 0) return null;
    return (this.#sum + (this.#lost - naturalLog(this.#product))) / this.#weight;
  }

  state(): LogLossState {
    return { sum: this.#sum, lost: this.#lost, product: this.#product, weight: this.#weight };
  }

  /** @throws HalfspaceError `model-invalid` for anything else than a state of this class. */
  static from(state: unknown, path: string): LogLossSum {
    const value: Members = members(state, path, ['sum', 'lost', 'product', 'weight']);
    const restored = new LogLossSum();
    restored.#sum = number(value.sum, `${path}.sum`, 0);
    restored.#lost = number(value.lost, `${path}.lost`);
    restored.#product = number(value.product, `${path}.product`, leastProduct, 1);
    restored.#weight = number(value.weight, `${path}.weight`, 0);
    check(Number.isFinite(restored.#sum + restored.#lost), path, 'finite', value.lost);
    return restored;
  }

  #increase(by: number): void {
    const sum = this.#sum + by;
    this.#lost += this.#sum >= by ? this.#sum - sum + by : by - sum + this.#sum;
    this.#sum = sum;
  }
}
