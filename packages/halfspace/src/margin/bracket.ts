import { HalfspaceError } from '../errors.ts';
import { roundedDown, roundedUp, roundoff } from './rounding.ts';

/**
 * Two bounds on γ*, the largest margin that a hyperplane through the origin has on the vectors (x, c), 0 where none separates; and what follows for
 * the perceptron. In the units of x as learned from. Both are rounded to the safe side.
 */
export interface MarginBracket {
  /** The best margin seen, of a hyperplane that was learned; 0 where it does not separate. */
  readonly lower: number;
  /** ‖w‖/t after t updates. 0: examples that were added up gave 0 without rounding, which proves that no hyperplane separates. */
  readonly upper: number;
  /** max‖(x, c)‖ */
  readonly radius: number;
  /** c, the constant feature: 0 without a bias. A bias of its own is the weight of such a constant here, as the blog lifts it. */
  readonly constant: number;
  /** t: updates made, the example that FODA starts from counted as one. */
  readonly updates: number;
  /** ⌊(R/lower)²⌋: no perceptron from zero makes more updates on these vectors, whatever their order. Null where lower is 0. */
  readonly bound: number | null;
}

/** A perceptron that started from zero, or from y·x of an example, all examples of importance 1. */
export interface PerceptronRun {
  /** The present weights, the constant's among them. */
  readonly norm: number;
  readonly updates: number;
  /** The most numbers, not 0, whose squares the norms and the radius are a sum of. */
  readonly terms: number;
  readonly radius: number;
  readonly constant: number;
  /** The least functional margin of some weights, {@link LeastMargin}, and the norm of those, the constant's among them. */
  readonly least: number;
  readonly leastNorm: number;
}

/**
 * The bracket of a perceptron's run: margin(w) ≤ γ* ≤ ‖w_t‖/t.
 *
 * Every margin is at most the largest. And w_t is a sum of t vectors y(x, c), so w_t/t lies in their hull, whose distance from the origin is γ*.
 * Each update rounds w by at most 2⁻⁵³‖w‖, and ‖w‖ ≤ 2√t·R by claim 2 with room for rounding, so what rounding does to ‖w‖/t is below 2⁻⁵²·√t·R.
 * Source: arXiv:1105.6041 states the upper bound.
 */
export function perceptronBracket(run: PerceptronRun): MarginBracket {
  const { norm, updates, terms, constant, least, leastNorm } = run;
  const radius = roundedUp(run.radius, terms);
  const length = updates === 0 ? radius : roundedUp(norm, terms) / updates + 2 * roundoff * Math.sqrt(updates) * radius;
  const lower = least > 0 && leastNorm > 0 ? roundedDown(least / leastNorm, terms) : 0;
  return bracketOf({ lower, upper: Math.min(radius, length), radius, constant, updates });
}

/** The bracket of two that are both true of the same vectors. */
export function narrowed(
  bracket: MarginBracket,
  other: { readonly lower: number; readonly upper: number },
): MarginBracket {
  const lower = Math.max(bracket.lower, other.lower);
  return bracketOf({ ...bracket, lower, upper: Math.min(bracket.upper, other.upper) });
}

function bracketOf(bracket: Omit<MarginBracket, 'bound'>): MarginBracket {
  const { lower, upper, radius, constant, updates } = bracket;
  const ratio = radius / lower;
  return { lower, upper, radius, constant, updates, bound: lower > 0 ? Math.floor(ratio * ratio) : null };
}

/** @throws HalfspaceError `option-invalid` where a relative gap is not in (0, 1). */
export function checkGap(name: string, gap: number): void {
  if (!(gap > 0 && gap < 1)) throw new HalfspaceError('option-invalid', `${name} must be in (0, 1); got ${gap}`);
}
