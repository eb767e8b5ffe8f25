import { members, number } from '../../json.ts';

/** Scores beyond ±10³⁰⁰ count as these, so that no difference overflows. */
const largestScore = 1e300;
/** A score moves the range as if it were at most this many widths from the centre. */
const farthest = 8;

/** The state of a {@link ScoreRange}. */
export interface ScoreRangeState {
  readonly centre: number;
  readonly width: number;
  readonly weight: number;
}

/**
 * The mean of the latest scores and their mean distance from it, with exponential forgetting. Distances are not
 * squared, and far scores are clipped (Winsor's mean; Tukey, "The future of data analysis", 1962), so a few scores that
 * are a thousand times as large as all others move the range little. If all scores grow, so does the range, by a share
 * with every row.
 */
export class ScoreRange {
  readonly #window: number;
  #centre = 0;
  #width = 0;
  /** Sum of the importance of the rows; 1/window of it is forgotten with every row. */
  #weight = 0;

  constructor(window: number) {
    this.#window = window;
  }

  get centre(): number {
    return this.#centre;
  }

  /** Mean distance of the scores from the centre. */
  get width(): number {
    return this.#width;
  }

  /** @param score finite. @param importance above 0. */
  add(score: number, importance: number): void {
    const bound = this.#width > 0 ? farthest * this.#width : 2 * largestScore;
    const distance = Math.min(Math.max(score, -largestScore), largestScore) - this.#centre;
    const clipped = Math.min(Math.max(distance, -bound), bound);
    this.#weight += importance - this.#weight / this.#window;
    const share = Math.min(1, importance / this.#weight);
    this.#centre += share * clipped;
    this.#width += share * (Math.abs(clipped) - this.#width);
  }

  state(): ScoreRangeState {
    return { centre: this.#centre, width: this.#width, weight: this.#weight };
  }

  /** @throws HalfspaceError `model-invalid` for anything else than a state of this class. */
  static from(state: unknown, window: number): ScoreRange {
    const value = members(state, 'calibration.range', ['centre', 'width', 'weight']);
    const range = new ScoreRange(window);
    range.#centre = number(value.centre, 'calibration.range.centre', -10 * largestScore, 10 * largestScore);
    range.#width = number(value.width, 'calibration.range.width', 0, 10 * largestScore);
    range.#weight = number(value.weight, 'calibration.range.weight', 0);
    return range;
  }
}
