/** The share of wrong answers at some moment of a stream of examples. */
export interface CurvePoint {
  /** Number of examples by then. */
  readonly examples: number;
  /** Share of all answers before learning that were wrong. */
  readonly error: number;
  /** The same of the latest answers. */
  readonly latestError: number;
}

/** Number of points that are kept besides the last one. */
const mostPoints = 400;

/**
 * The course of the errors of a stream of any length, in bounded memory: points at about equal distances, the first
 * one, and the last one. When there are too many points, every second one goes, and the distance doubles.
 */
export class ErrorCurve {
  #kept: CurvePoint[] = [];
  #last: CurvePoint | null = null;
  /** Least distance of a new point from the last kept one, in examples. */
  #gap = 1;

  /** Adds a point. One with fewer examples than the last one is of another stream: the curve begins anew. */
  add(point: CurvePoint): void {
    const last = this.#last;
    if (last !== null && point.examples < last.examples) {
      this.#kept = [];
      this.#gap = 1;
    }
    this.#last = point;
    const end = this.#kept.at(-1);
    if (end !== undefined && point.examples - end.examples < this.#gap) return;
    this.#kept.push(point);
    if (this.#kept.length <= mostPoints) return;
    this.#kept = this.#kept.filter((_, k) => k % 2 === 0);
    this.#gap = Math.max(2 * this.#gap, Math.ceil((point.examples - this.#kept[0]!.examples) / mostPoints));
  }

  /** The points, by rising number of examples. */
  get points(): readonly CurvePoint[] {
    const last = this.#last;
    return last === null || last.examples === this.#kept.at(-1)!.examples ? [...this.#kept] : [...this.#kept, last];
  }
}
