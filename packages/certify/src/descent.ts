import type { Clock } from './clock.ts';
import type { Frame } from './frame.ts';
import type { Widest } from './widest.ts';

/**
 * Towards the line of largest margin where a quadratic programme would be too large: dual coordinate descent (Hsieh et al. 2008,
 * algorithm 1, without an upper bound on α), with the bias as one more weight, of a constant as large as the examples.
 *
 *   αᵢ ← max(0, αᵢ + (1 − yᵢ(w·xᵢ + b)) / ‖(xᵢ, c)‖²),    (w, b/c) = Σ αᵢyᵢ(xᵢ, c)
 *
 * @param seconds after which it ends, wherever it is.
 */
export async function descend(frame: Frame, seconds: number, clock: Clock): Promise<Widest> {
  const { rows, dimension, offsets, indices, values, labels } = frame.examples;
  const squares = new Float64Array(rows);
  for (let i = 0; i < rows; i++) for (let at = offsets[i]!; at < offsets[i + 1]!; at++) squares[i]! += values[at]! ** 2;
  const constant = squares.reduce((sum, square) => sum + square, 0) / rows || 1;
  const w = new Float64Array(dimension);
  const alpha = new Float64Array(rows);
  let bias = 0;
  const end = performance.now() + 1000 * seconds;
  for (let pass = 1; performance.now() < end && clock.left() > 0; pass++) {
    let largest = 0;
    for (let i = 0; i < rows; i++) {
      const y = labels[i]!;
      let score = bias;
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) score += w[indices[at]!]! * values[at]!;
      const next = Math.max(0, alpha[i]! + (1 - y * score) / (squares[i]! + constant));
      const step = y * (next - alpha[i]!);
      if (step === 0) continue;
      largest = Math.max(largest, Math.abs(step) * (squares[i]! + constant));
      alpha[i] = next;
      bias += step * constant;
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) w[indices[at]!]! += step * values[at]!;
    }
    if (largest < 1e-9) break;
    if (pass % 8 === 0) {
      clock.tell('widening', `widening the margin, pass ${pass}`);
      await clock.breathe();
    }
  }
  const lambda = new Map<number, number>();
  alpha.forEach((each, i) => {
    if (each > 0) lambda.set(i, each);
  });
  return { u: w.map((each, j) => each / frame.factors[j]!), lambda };
}
