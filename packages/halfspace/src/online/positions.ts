/**
 * Levels or words of a field beyond the bound share 2^12 features by their hash. They are the rarest ones mostly,
 * because they came last.
 */
export const otherBits = 12;

/** Allots positions of weights to features, in the order in which they join. */
export class Positions {
  /** Number of positions allotted. */
  count: number;

  constructor(count = 0) {
    this.count = count;
  }

  /** Allots `width` positions side by side and returns the first. */
  allot(width = 1): number {
    const first = this.count;
    this.count += width;
    return first;
  }
}
