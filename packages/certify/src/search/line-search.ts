import type { Contradiction, SeparatorProof } from '../certificate.ts';
import type { Clock } from '../clock.ts';
import { contradictionAmong, signedColumns } from '../exact/contradiction.ts';
import { decideExactly } from '../exact/linear-programme.ts';
import { separatorOf, type WholeExamples, wholeWeights, wrongExamples } from '../exact/separator.ts';
import { gcd } from '../exact/whole.ts';
import type { Frame } from './frame.ts';
import { HullProgramme, loadHighs } from './hull-programme.ts';
import { lowest } from './pick.ts';

/** A line in the frame's features. */
export interface Line {
  readonly u: Float64Array;
  readonly bias: number;
}

/** The result of a search: a contradiction, a separator, or neither if rounding or time prevented both. */
export interface Searched {
  readonly contradiction: Contradiction | null;
  readonly separator: SeparatorProof | null;
  /** The last line that was tried. */
  readonly line: Line | null;
}

/** A minimum below this may be 0. */
const nearZero = 1e-7;

/** Maximum number of whole numbers in an exact tableau. */
const mostCells = 200_000;

/**
 * Searches for a contradiction or a separator with a {@link HullProgramme}. Examples that its line misclassifies join
 * the programme.
 */
export class LineSearch {
  readonly #frame: Frame;
  readonly #whole: WholeExamples;
  readonly #programme: HullProgramme;
  readonly #excluded = new Set<number>();
  readonly #features: number;

  private constructor(frame: Frame, whole: WholeExamples, programme: HullProgramme, features: number) {
    this.#frame = frame;
    this.#whole = whole;
    this.#programme = programme;
    this.#features = features;
  }

  /**
   * @param interest a number for each example, such as the mistakes of a perceptron on it; the search begins with the
   * largest. Call `dispose` in the end.
   */
  static async open(frame: Frame, whole: WholeExamples, interest: ArrayLike<number>): Promise<LineSearch> {
    const { dimension, rows } = frame.examples;
    const features = Array.from({ length: dimension }, (_, j) => j).filter((j) => frame.occurs(j));
    const programme = new HullProgramme(await loadHighs(), frame, features);
    const first = Math.max(1000, 3 * features.length);
    const all = Array.from({ length: rows }, (_, i) => i);
    if (rows > first) {
      all.sort((a, b) => interest[b]! - interest[a]! || a - b).length = first;
      all.sort((a, b) => a - b);
    }
    programme.add(all);
    return new LineSearch(frame, whole, programme, features.length);
  }

  /** Opens a search, runs it and disposes of it. */
  static async once(frame: Frame, whole: WholeExamples, interest: ArrayLike<number>, clock: Clock): Promise<Searched> {
    const search = await LineSearch.open(frame, whole, interest);
    try {
      return await search.run(clock);
    } finally {
      search.dispose();
    }
  }

  /** Leaves these examples out from now on. */
  exclude(examples: readonly number[]): void {
    this.#programme.exclude(examples);
    for (const i of examples) this.#excluded.add(i);
  }

  /** Takes back {@link exclude}. */
  admit(examples: readonly number[]): void {
    this.#programme.admit(examples);
    for (const i of examples) this.#excluded.delete(i);
  }

  async run(clock: Clock): Promise<Searched> {
    const { rows, dimension } = this.#frame.examples;
    const programme = this.#programme;
    const u = new Float64Array(dimension);
    const scores = new Float64Array(rows);
    let line: Line | null = null;
    while (clock.left() > 0) {
      clock.tell('programme', `a linear programme over ${programme.size} of ${rows} examples`);
      await clock.breathe();
      const ended = programme.solve(Math.min(1, clock.left()));
      if (ended === 'unfinished') continue;
      if (ended === 'failed') break;
      const bias = programme.separatorInto(u);
      const { minimum } = programme;
      if (minimum < nearZero) {
        const contradiction = await exactContradiction(this.#frame, programme, clock);
        if (contradiction !== null) return { contradiction, separator: null, line };
      }
      for (let i = 0; i < rows; i++) scores[i] = this.#excluded.has(i) ? Infinity : this.#frame.signedScore(i, u, bias);
      line = { u: u.slice(), bias };
      const separates = minimum < nearZero || scores.every((score) => score > 0);
      // A separator of only some examples proves nothing.
      if (separates && this.#excluded.size > 0 && minimum >= nearZero)
        return { contradiction: null, separator: null, line };
      const weights = separates ? wholeWeights(this.#frame.factors, u, 52) : null;
      const separator = weights === null ? null : separatorOf(this.#whole, weights);
      if (separator !== null) return { contradiction: null, separator, line };
      const wrong = lowest(scores, 200 + 2 * this.#features, minimum * (1 - 1e-9), programme);
      if (wrong.length === 0) break;
      programme.add(wrong);
    }
    // A search for many contradictions goes on with the next one instead of deciding this one exactly.
    return this.#excluded.size > 0
      ? { contradiction: null, separator: null, line }
      : await this.#exactly(scores, line, clock);
  }

  /** Decides in exact arithmetic if that is affordable, beginning with the examples nearest to the line. */
  async #exactly(scores: Float64Array, line: Line | null, clock: Clock): Promise<Searched> {
    const { examples } = this.#frame;
    const neither = { contradiction: null, separator: null, line };
    const most = Math.floor(mostCells / (this.#features + 2)) - this.#features;
    // With that many features even the first tableau is too large.
    if (most <= 0) return neither;
    const members = lowest(scores, Math.min(most, 10 * (this.#features + 2)), Infinity, this.#excluded);
    while (members.length <= most && clock.left() > 0) {
      const { columns, factors } = signedColumns(examples, members);
      const features = [...factors.keys()].sort((a, b) => a - b);
      const full = columns.map((column) => [...features, examples.dimension].map((j) => column.get(j) ?? 0n));
      const outcome = await decideExactly(full, clock);
      if (outcome === null) break;
      if (outcome.contradiction !== null) {
        const contradiction = await contradictionAmong(
          examples,
          members.filter((_, k) => outcome.contradiction[k]! > 0n),
          clock,
        );
        return { ...neither, contradiction };
      }
      // Weights of the data's own features, multiplied by one common factor to be whole.
      const common = [...factors.values()].reduce(
        (product, { divisor }) => (product / gcd(product, divisor)) * divisor,
        1n,
      );
      const weights: bigint[] = new Array(examples.dimension).fill(0n);
      features.forEach((j, k) => {
        const { one, divisor } = factors.get(j)!;
        weights[j] = outcome.separator[k]! * one * (common / divisor);
      });
      const given = this.#excluded.size > 0 ? null : separatorOf(this.#whole, weights);
      if (given !== null) return { ...neither, separator: given };
      const constant = outcome.separator.at(-1)! * common;
      const taken = new Set(members);
      const wrong = wrongExamples(this.#whole, weights, constant).filter(
        (i) => !taken.has(i) && !this.#excluded.has(i),
      );
      if (wrong.length === 0) break;
      for (const i of wrong.slice(0, this.#features + 2)) members.push(i);
    }
    return neither;
  }

  dispose(): void {
    this.#programme.dispose();
  }
}

/**
 * Returns the exact contradiction of the programme's basis. Drops examples whose weight is near 0 and may be negative
 * but for rounding.
 */
async function exactContradiction(frame: Frame, programme: HullProgramme, clock: Clock): Promise<Contradiction | null> {
  for (let attempt = 0; attempt < 10 && (await clock.breathe()); attempt++) {
    const basis = programme.basis();
    const found = await contradictionAmong(frame.examples, basis, clock);
    if (found !== null) return found;
    const weights = programme.weights();
    const small = basis.filter((i) => (weights.get(i) ?? 0) < 1e-9);
    if (small.length === 0) return null;
    const others = basis.filter((i) => !small.includes(i));
    const without = await contradictionAmong(frame.examples, others, clock);
    if (without !== null) return without;
    programme.exclude(small);
    if (programme.solve(Math.min(1, clock.left())) !== 'minimum' || !(programme.minimum < nearZero)) return null;
  }
  return null;
}
