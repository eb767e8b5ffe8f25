import { Random } from 'halfspace/runs';
import type { Clock } from '../clock.ts';
import type { Frame } from './frame.ts';
import { innerScores, positive, scoreOf } from './pick.ts';
import type { Widest } from './widest.ts';

/**
 * Approaches the line of largest margin if a quadratic programme would be too large: dual coordinate descent (Hsieh et
 * al. 2008, algorithm 1, without an upper bound on α), in random order, with the bias as the weight of a constant
 * feature c.
 *
 *   αᵢ ← max(0, αᵢ + (1 − yᵢ(w·xᵢ + b)) / ‖(xᵢ, c)‖²),    (w, b/c) = Σ αᵢyᵢ(xᵢ, c)
 *
 * If a line separates the examples, every α converges. If none does, some α keep growing. Because w = Σ αᵢyᵢ(xᵢ, c)
 * stays bounded, their growth approaches a contradiction, in which most examples take no part.
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
    // All examples share the constant. A constant as large as the examples would make the bias overshoot again and
    // again.
    this.#constant = sum / rows / 30 || 1;
    this.#order = Uint32Array.from({ length: rows }, (_, i) => i);
    for (let i = 0; i < rows; i++) this.#squares[i]! += this.#constant;
  }

  /**
   * Runs one pass over the examples.
   *
   * @returns the largest change of a score, and the number of examples that were misclassified when visited.
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

  /** Tests if these weights separate the examples with some bias, up to rounding. */
  separates(): boolean {
    const { examples } = this.#frame;
    const { lowest, highest } = innerScores(examples, (i) => scoreOf(examples, i, this.#w));
    return lowest > highest;
  }

  /** Returns the present (w, b). */
  line(): { readonly w: Float64Array; readonly bias: number } {
    return { w: this.#w, bias: this.#bias };
  }

  /** Returns the present line and the weights of the examples. */
  widest(): Widest {
    return { u: this.#w.map((each, j) => each / this.#frame.factors[j]!), lambda: positive(this.alpha) };
  }
}

/** Runs passes of a descent for some seconds or until it converges. */
export async function descend(descent: Descent, seconds: number, clock: Clock): Promise<Widest> {
  const end = performance.now() + 1000 * seconds;
  for (let pass = 1; performance.now() < end && clock.left() > 0; pass++) {
    if (descent.pass().largest < 1e-9) break;
    if (pass % 8 === 0) clock.tell('widening', `widening the margin, pass ${pass}`);
    await clock.breathe();
  }
  return descent.widest();
}
