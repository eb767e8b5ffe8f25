import { Random } from 'halfspace';
import type { Clock } from './clock.ts';
import type { Frame } from './frame.ts';
import type { Widest } from './widest.ts';

/**
 * Towards the line of largest margin where a quadratic programme would be too large: dual coordinate descent (Hsieh et al. 2008,
 * algorithm 1, without an upper bound on α), in an order of chance, with the bias as one more weight, of a constant c.
 *
 *   αᵢ ← max(0, αᵢ + (1 − yᵢ(w·xᵢ + b)) / ‖(xᵢ, c)‖²),    (w, b/c) = Σ αᵢyᵢ(xᵢ, c)
 *
 * Where a line separates, every α comes to rest. Where none does they cannot: their growth comes near to a contradiction, because w stays
 * bounded while Σ αᵢyᵢ(xᵢ, c) makes it up, and most examples take no part in it.
 */
export class Descent {
  readonly alpha: Float64Array;
  readonly #frame: Frame;
  /** In the data's own units. */
  readonly #w: Float64Array;
  /** ‖(xᵢ, c)‖² */
  readonly #squares: Float64Array;
  /** c² */
  readonly #constant: number;
  #bias = 0;
  readonly #order: Uint32Array;
  readonly #chance = new Random(1);

  constructor(frame: Frame) {
    const { rows, dimension, offsets, values } = frame.examples;
    this.#frame = frame;
    this.#w = new Float64Array(dimension);
    this.alpha = new Float64Array(rows);
    this.#squares = new Float64Array(rows);
    let sum = 0;
    for (let i = 0; i < rows; i++) {
      let square = 0;
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) square += values[at]! * values[at]!;
      this.#squares[i] = square;
      sum += square;
    }
    // All examples share it: as long as they are, it would be overshot by turns.
    this.#constant = sum / rows / 30 || 1;
    this.#order = Uint32Array.from({ length: rows }, (_, i) => i);
    for (let i = 0; i < rows; i++) this.#squares[i]! += this.#constant;
  }

  /**
   * One pass over the examples.
   *
   * @returns the largest step, in units of the score it moves by, and how many examples were met on the wrong side.
   */
  pass(): { largest: number; wrong: number } {
    this.#chance.shuffle(this.#order);
    const { offsets, indices, values, labels } = this.#frame.examples;
    const w = this.#w;
    let largest = 0;
    let wrong = 0;
    for (const i of this.#order) {
      const y = labels[i]!;
      const [from, to] = [offsets[i]!, offsets[i + 1]!];
      let score = this.#bias;
      for (let at = from; at < to; at++) score += w[indices[at]!]! * values[at]!;
      if (!(y * score > 0)) wrong++;
      const next = Math.max(0, this.alpha[i]! + (1 - y * score) / this.#squares[i]!);
      const step = y * (next - this.alpha[i]!);
      if (step === 0) continue;
      largest = Math.max(largest, Math.abs(step) * this.#squares[i]!);
      this.alpha[i] = next;
      this.#bias += step * this.#constant;
      for (let at = from; at < to; at++) w[indices[at]!]! += step * values[at]!;
    }
    return { largest, wrong };
  }

  /** Whether some bias separates with these weights, to rounding. */
  separates(): boolean {
    const { rows, offsets, indices, values, labels } = this.#frame.examples;
    let lowest = Infinity;
    let highest = -Infinity;
    for (let i = 0; i < rows && lowest > highest; i++) {
      let score = 0;
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) score += this.#w[indices[at]!]! * values[at]!;
      if (labels[i]! > 0) lowest = Math.min(lowest, score);
      else highest = Math.max(highest, score);
    }
    return lowest > highest;
  }

  /** (w, b) as they stand. */
  line(): { readonly w: Float64Array; readonly bias: number } {
    return { w: this.#w, bias: this.#bias };
  }

  /** The line and the weights of examples there are. */
  widest(): Widest {
    const lambda = new Map<number, number>();
    this.alpha.forEach((each, i) => {
      if (each > 0) lambda.set(i, each);
    });
    return { u: this.#w.map((each, j) => each / this.#frame.factors[j]!), lambda };
  }
}

/** Passes of a descent, from wherever it is, for some seconds or until it rests. */
export async function descend(descent: Descent, seconds: number, clock: Clock): Promise<Widest> {
  const end = performance.now() + 1000 * seconds;
  for (let pass = 1; performance.now() < end && clock.left() > 0; pass++) {
    if (descent.pass().largest < 1e-9) break;
    if (pass % 8 === 0) {
      clock.tell('widening', `widening the margin, pass ${pass}`);
      await clock.breathe();
    }
  }
  return descent.widest();
}
