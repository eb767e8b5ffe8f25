import type { SparseBatch } from 'halfspace/rules';
import type { Contradiction, Prediction } from '../certificate.ts';
import { type Clock, within } from '../clock.ts';
import { fewestWrong, WholeExamples, wrongExamples } from '../exact/separator.ts';
import type { ExactBatch } from '../exact/values.ts';
import { canonicalRows } from '../rows.ts';
import { searchCones } from './cones.ts';
import { Frame } from './frame.ts';
import { mostFeatures } from './large.ts';
import { type Line, LineSearch } from './line-search.ts';

/** Proofs end when so many errors more than those of the best line are proved. */
const mostMore = 20;

/** Maximum number of features for cones, which find all errors. */
const fewFeatures = 4;

/** Maximum number of lines that are kept because they call a row otherwise. */
const mostLines = 50;

/** A line in whole numbers. */
export interface WholeLine {
  readonly weights: readonly bigint[];
  readonly bias: bigint;
}

/**
 * Proves for each row how many errors on the examples every line has that calls it otherwise than the best line does.
 *
 * A line that calls the row otherwise is right on the row with the other label. So it errs on an example of each
 * contradiction of the examples and that row. Disjoint ones are searched by linear programmes, first among the examples
 * on which the best line is right: if there is none, another line has as few errors, and calls the row otherwise. With
 * few features, cones of lines prove more.
 *
 * @param rows their labels are not looked at.
 * @param best null: nothing is proved.
 * @returns for each row a proof of more errors than the best line has; with `atLeast` 0 if none was found.
 */
export async function provePredictions(
  examples: ExactBatch,
  rows: SparseBatch,
  best: WholeLine | null,
  clock: Clock,
): Promise<Prediction[]> {
  const count = examples.rows;
  const ones = new Float64Array(rows.rows).fill(1);
  const plain = new WholeExamples(joined(examples, rows, ones));
  const negative = new Set(best === null ? [] : wrongExamples(plain, best.weights, best.bias));
  const all = joined(
    examples,
    rows,
    ones.map((_, k) => (negative.has(count + k) ? 1 : -1)),
  );
  const texts = new TextDecoder().decode(canonicalRows(all)).split('\n').slice(count, -1);
  const none = texts.map((row): Prediction => ({ row, atLeast: 0, contradictions: [], cones: null }));
  const frame = new Frame(all);
  if (best === null || frame.used > mostFeatures) return none;
  const wrong = wrongExamples(new WholeExamples(examples), best.weights, best.bias);
  const search = await Contradictions.open(frame, count, wrong);
  const rivals: (readonly bigint[])[] = [best.weights];
  try {
    for (let k = 0; k < texts.length && (await clock.breathe()); k++) {
      clock.tell('predictions', `row ${k + 1} of ${texts.length}: which lines call it otherwise`);
      const share = within((2 * clock.left()) / (texts.length - k + 1), clock);
      const contradictions = await search.disjoint(count + k, share);
      const atLeast = contradictions.length;
      let proof: Omit<Prediction, 'row'> = { atLeast, contradictions, cones: null };
      if (frame.used <= fewFeatures && !search.isOpen) {
        const whole = new WholeExamples(joined(examples, part(all, count + k), all.labels.subarray(count + k)));
        const cones = await conesOf(whole, wrong.length, rivals, share);
        if (cones !== null && cones.atLeast > atLeast) proof = { ...cones, contradictions: [] };
      }
      if (proof.atLeast > wrong.length) none[k] = { row: texts[k]!, ...proof };
    }
    return none;
  } finally {
    search.dispose();
  }
}

/** Bounds the errors of lines that are right on the last example, until a line has at most `fewest` others. */
async function conesOf(whole: WholeExamples, fewest: number, rivals: (readonly bigint[])[], clock: Clock) {
  const errorsOf = (weights: readonly bigint[]) => fewestWrong(whole, weights, true).errors;
  let least = Math.min(fewest + mostMore, ...rivals.map(errorsOf));
  if (least <= fewest) return null;
  const breathe = async () => (await clock.breathe()) && least > fewest;
  const offer = (weights: readonly bigint[]) => {
    least = Math.min(least, errorsOf(weights));
    if (least <= fewest && rivals.length < mostLines) rivals.push(weights);
    return least;
  };
  return await searchCones(whole, least, { ...clock, breathe }, offer, true);
}

/** Searches for contradictions of examples with one further row. */
class Contradictions {
  /** True if a line with as few errors as the best one calls the last row otherwise. */
  isOpen = false;
  readonly #frame: Frame;
  readonly #count: number;
  readonly #wrong: readonly number[];
  readonly #right: readonly number[];
  readonly #search: LineSearch;
  readonly #rivals: Line[] = [];

  private constructor(frame: Frame, count: number, wrong: readonly number[], search: LineSearch) {
    this.#frame = frame;
    this.#count = count;
    this.#wrong = wrong;
    const isWrong = new Set(wrong);
    this.#right = Array.from({ length: count }, (_, i) => i).filter((i) => !isWrong.has(i));
    this.#search = search;
    const { rows } = frame.examples;
    search.exclude([...wrong, ...Array.from({ length: rows - count }, (_, k) => count + k)]);
  }

  /** @param count the number of examples; the rows of the frame behind them are searched one by one. */
  static async open(frame: Frame, count: number, wrong: readonly number[]): Promise<Contradictions> {
    const whole = new WholeExamples(frame.examples);
    const interest = Float64Array.from({ length: frame.examples.rows }, (_, i) => (i < count ? 1 : 0));
    return new Contradictions(frame, count, wrong, await LineSearch.open(frame, whole, interest));
  }

  /** Returns contradictions in which the row has the number behind the examples, and which share no other row. */
  async disjoint(row: number, clock: Clock): Promise<Contradiction[]> {
    const [search, count, found] = [this.#search, this.#count, [] as Contradiction[]];
    this.isOpen = this.#rivals.some(({ u, bias }) => this.#frame.signedScore(row, u, bias) > 0);
    if (this.isOpen) return found;
    search.admit([...this.#right, row]);
    const free = new Set([...this.#right, row]);
    const most = this.#wrong.length + mostMore;
    const take = async () => {
      const { contradiction, line } = await search.run(clock);
      const members = (contradiction?.rows ?? []).map((number) => number - 1);
      // A basis may hold excluded examples, of weight 0 but for rounding.
      if (contradiction === null || !members.every((i) => free.has(i))) return line;
      const numbers = members.map((i) => (i === row ? count : i) + 1);
      found.push({ ...contradiction, rows: numbers });
      const used = members.filter((i) => i !== row);
      search.exclude(used);
      for (const i of used) free.delete(i);
      return null;
    };
    let line: Line | null = null;
    while (line === null && found.length < most && clock.left() > 0) {
      const before = found.length;
      line = await take();
      if (found.length === before) break;
    }
    if (found.length === 0 && line !== null) {
      this.isOpen = true;
      if (this.#rivals.length < mostLines) this.#rivals.push(line);
    }
    for (const i of found.length === 0 ? [] : this.#wrong) {
      if (found.length >= most || clock.left() === 0) break;
      search.admit([i]);
      free.add(i);
      const before = found.length;
      await take();
      if (found.length === before) {
        free.delete(i);
        search.exclude([i]);
      }
    }
    search.exclude([row, ...this.#wrong]);
    return found;
  }

  dispose(): void {
    this.#search.dispose();
  }
}

/** Returns one row of a batch. */
function part({ dimension, offsets, indices, values, labels }: SparseBatch, i: number): SparseBatch {
  const [from, to] = [offsets[i]!, offsets[i + 1]!];
  return {
    ...{ kind: 'sparse', rows: 1, dimension, offsets: Uint32Array.of(0, to - from), importance: null },
    ...{ indices: indices.subarray(from, to), values: values.subarray(from, to), labels: labels.subarray(i, i + 1) },
  };
}

/** Returns examples, and behind them rows with these labels. */
function joined(examples: ExactBatch, more: SparseBatch, labels: Float64Array): ExactBatch {
  const { rows, offsets } = examples;
  const end = offsets[rows]!;
  const cells = more.offsets[more.rows]!;
  return {
    ...examples,
    rows: rows + more.rows,
    offsets: Uint32Array.from({ length: rows + more.rows + 1 }, (_, i) =>
      i <= rows ? offsets[i]! : end + more.offsets[i - rows]!,
    ),
    indices: concat(examples.indices.subarray(0, end), more.indices.subarray(0, cells)),
    values: concat(examples.values.subarray(0, end), more.values.subarray(0, cells)),
    labels: concat(examples.labels.subarray(0, rows), labels.subarray(0, more.rows)),
  };
}

function concat<List extends Uint32Array | Float64Array>(a: List, b: List): List {
  const both = new (a.constructor as new (length: number) => List)(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
