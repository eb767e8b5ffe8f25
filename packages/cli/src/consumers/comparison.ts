import { type Model, Predictor } from 'halfspace';
import { roundingBounds } from 'halfspace/export';
import { classProbabilitiesOf } from 'halfspace/metrics';
import type { Answered, Consumer } from './consumer.ts';
import type { AskedRow, MadeRow } from './rows.ts';

/** A row that was asked: its number in DATA, from 1, or the name of a made one. */
export type Asked = number | string;

/** The result of asking a model and its exported program the same rows. */
export interface Comparison {
  /** Name and version of what ran the program. */
  readonly consumer: string;
  readonly exact: boolean;
  /** Number of rows of DATA. */
  readonly rows: number;
  /** Number of rows that were made besides. */
  readonly made: number;
  /** Rows whose class is open, because the lead of the highest score is smaller than rounding. */
  readonly open: number;
  /** Rows of other classes; the first of them. */
  readonly otherClasses: number;
  readonly firstClass: { readonly row: Asked; readonly expected: string; readonly got: string } | null;
  /** Rows that the program refused. */
  readonly refused: number;
  readonly firstRefusal: { readonly row: Asked; readonly reason: string } | null;
  /** Largest difference of scores; null: the consumer tells none. */
  readonly scores: Difference | null;
  /** Largest difference of probabilities; null: the program has none. */
  readonly probabilities: Difference | null;
  readonly holds: boolean;
}

export interface Difference {
  readonly largest: number;
  /** The row with the largest difference. */
  readonly row: Asked;
  /** The largest bound of a row: 0 where the same bits are expected. */
  readonly bound: number;
  /** Number of rows whose difference is above its bound. */
  readonly above: number;
}

/** Compares a model's answers with those of its exported program, chunk by chunk. */
export class Comparing {
  readonly #model: Model;
  readonly #predictor: Predictor;
  readonly #boundsOf: (row: AskedRow) => readonly number[];
  readonly #consumer: Consumer;
  #rows = 0;
  #made = 0;
  #open = 0;
  #otherClasses = 0;
  #firstClass: Comparison['firstClass'] = null;
  #refused = 0;
  #firstRefusal: Comparison['firstRefusal'] = null;
  #scores: Difference | null = null;
  #probabilities: Difference | null = null;

  constructor(model: Model, consumer: Consumer) {
    this.#model = model;
    this.#predictor = new Predictor(model);
    this.#boundsOf = consumer.exact ? () => [] : roundingBounds(model);
    this.#consumer = consumer;
  }

  /** Asks both for rows of DATA. */
  compare(rows: readonly AskedRow[]): Promise<void> {
    const before = this.#rows;
    this.#rows += rows.length;
    return this.#ask(rows, (i) => before + i + 1);
  }

  /** Asks both for rows that DATA may lack. */
  compareMade(rows: readonly MadeRow[]): Promise<void> {
    this.#made += rows.length;
    return this.#ask(
      rows.map(({ row }) => row),
      (i) => rows[i]!.name,
    );
  }

  async #ask(rows: readonly AskedRow[], placeOf: (i: number) => Asked): Promise<void> {
    const answers = await this.#consumer.ask(rows);
    if (answers.length !== rows.length)
      throw new Error(`${this.#consumer.name} answered ${answers.length} of ${rows.length} rows`);
    rows.forEach((row, i) => {
      const answer = answers[i]!;
      if ('refused' in answer) {
        this.#refused++;
        this.#firstRefusal ??= { row: placeOf(i), reason: answer.refused };
      } else this.#compareRow(row, placeOf(i), answer);
    });
  }

  #compareRow(row: AskedRow, place: Asked, answer: Answered): void {
    const label = this.#predictor.predict(row);
    // Programs of JavaScript answer labels of any type, all others their text.
    const expected = typeof answer.class === 'string' ? String(label) : label;
    const scores = [...this.#predictor.scores(row)];
    const bounds = this.#bounds(row, scores.length);
    if (answer.scores !== null) this.#scores = added(this.#scores, place, scores, answer.scores, bounds);
    if (answer.class !== expected) {
      if (!this.#consumer.exact && leadOf(scores) <= 2 * Math.max(...bounds)) this.#open++;
      else {
        this.#otherClasses++;
        this.#firstClass ??= { row: place, expected: String(expected), got: String(answer.class) };
      }
    }
    if (answer.probabilities !== null) {
      const own = this.#predictor.probabilities(row);
      const allowed = this.#consumer.exact ? own.map(() => 0) : probabilityBounds(this.#model, scores, bounds);
      this.#probabilities = added(this.#probabilities, place, own, answer.probabilities, allowed);
    }
  }

  /** Returns how far each score may be. */
  #bounds(row: AskedRow, scores: number): readonly number[] {
    // The scores of a tree are constants.
    if (this.#consumer.exact || this.#model.kind === 'tree') return Array.from({ length: scores }, () => 0);
    return this.#boundsOf(row);
  }

  result(): Comparison {
    const isWithin = (difference: Difference | null) => difference === null || difference.above === 0;
    return {
      consumer: this.#consumer.name,
      exact: this.#consumer.exact,
      rows: this.#rows,
      made: this.#made,
      open: this.#open,
      otherClasses: this.#otherClasses,
      firstClass: this.#firstClass,
      refused: this.#refused,
      firstRefusal: this.#firstRefusal,
      scores: this.#scores,
      probabilities: this.#probabilities,
      holds: this.#otherClasses === 0 && this.#refused === 0 && isWithin(this.#scores) && isWithin(this.#probabilities),
    };
  }
}

/** Returns the lead of the highest score: over 0 for two classes. */
function leadOf(scores: readonly number[]): number {
  if (scores.length === 1) return Math.abs(scores[0]!);
  const [first, second] = [...scores].sort((a, b) => b - a);
  return first! - second!;
}

function added(
  before: Difference | null,
  row: Asked,
  expected: readonly number[],
  got: readonly number[],
  bounds: readonly number[],
): Difference {
  // A number that is none, or absent, is as far as can be.
  const differences = expected.map((x, k) => {
    const difference = Math.abs((got[k] ?? Number.NaN) - x);
    return Number.isNaN(difference) ? Infinity : difference;
  });
  const largest = Math.max(...differences);
  const { largest: most, row: at, bound, above } = before ?? { largest: -1, row, bound: 0, above: 0 };
  return {
    largest: Math.max(most, largest),
    row: largest > most ? row : at,
    bound: Math.max(bound, ...bounds),
    above: above + (differences.some((difference, k) => difference > bounds[k]!) ? 1 : 0),
  };
}

/**
 * Returns how far probabilities may be if scores are within bounds, and if the consumer's exponential is exact to 4
 * units in the last place.
 *
 * Each probability rises with the own score and falls with the others, or the other way round. So it is between its
 * values at the ends of the bounds. The rest is rounding of the calibration itself.
 */
function probabilityBounds(
  { calibration }: Model,
  scores: readonly number[],
  bounds: readonly number[],
): readonly number[] {
  const outputs = scores.length;
  const u = 2 ** -53;
  const [own] = calibration!;
  const sign = 'slope' in own && own.slope < 0 ? -1 : 1;
  // Roundings of slope · score + intercept, as a distance of scores.
  const shift = 'intercept' in own && own.slope !== 0 ? Math.abs(own.intercept / own.slope) : 0;
  const reach = Math.max(...scores.map(Math.abs));
  const asked = (moved: readonly number[]) =>
    classProbabilitiesOf(calibration!, { outputs, scores: Float64Array.from(moved) });
  const expected = asked(scores);
  return Array.from(expected, (p, k) => {
    const ends = [1, -1].map((side) => {
      const moved = scores.map((score, j) => {
        const towards = outputs === 1 || j === k ? side : -side;
        return score + towards * sign * (bounds[j]! + 8 * u * (reach + shift));
      });
      return Math.abs(asked(moved)[k]! - p);
    });
    return Math.max(...ends) + (16 + outputs) * 2 * u;
  });
}
