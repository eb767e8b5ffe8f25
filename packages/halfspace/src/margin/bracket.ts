import { HalfspaceError } from '../errors.ts';
import { roundedDown, roundedUp, roundoff } from './rounding.ts';

/**
 * Proved bounds on γ*, the largest margin of a hyperplane through the origin on the vectors (x, c); γ* = 0 if none
 * separates. In the units of x; both bounds are rounded to the safe side.
 */
export interface MarginBracket {
  /** The best margin of a hyperplane that was found; 0 if none separates. */
  readonly lower: number;
  /** The length of a point of the hull of all y(x, c), such as w/t after t updates. 0 proves that none separates. */
  readonly upper: number;
  /** max‖(x, c)‖. */
  readonly radius: number;
  /** The constant feature c; 0 without a bias. A separate bias counts as the weight of such a constant. */
  readonly constant: number;
  /** Number of updates t; the example that FODA starts from counts as one. Null if w is not a sum of examples. */
  readonly updates: number | null;
  /** ⌊(R/lower)²⌋, the largest number of updates of a perceptron from zero, in any order. Null if lower is 0. */
  readonly bound: number | null;
}

/** The result of a perceptron that started from zero, or from y·x of an example; all examples of importance 1. */
interface PerceptronRun {
  /** ‖w‖ of the present weights, with that of the constant. */
  readonly norm: number;
  readonly updates: number;
  /** Maximum number of nonzero terms in the sums of squares of the norms and the radius. */
  readonly terms: number;
  readonly radius: number;
  readonly constant: number;
  /** The {@link LeastMargin} of some weights, and the norm of these weights, with that of the constant. */
  readonly least: number;
  readonly leastNorm: number;
}

/**
 * Returns the bracket of a perceptron's run: margin(w) ≤ γ* ≤ ‖w_t‖/t.
 *
 * Every margin is at most γ*. And w_t is a sum of t vectors y(x, c), so w_t/t is in their convex hull, whose distance
 * from the origin is γ*. Each update rounds w by at most 2⁻⁵³‖w‖, and ‖w‖ ≤ 2√t·R by claim 2 with room for rounding. So
 * the rounding error of ‖w‖/t is below 2⁻⁵²·√t·R. Source: arXiv:1105.6041 states the upper bound.
 */
export function perceptronBracket(run: PerceptronRun): MarginBracket {
  const { norm, updates, terms, constant } = run;
  const radius = roundedUp(run.radius, terms);
  const length = updates === 0 ? radius : roundedUp(norm, terms) / updates + 2 * roundoff * Math.sqrt(updates) * radius;
  return bracketOf({ lower: provedMargin(run), upper: Math.min(radius, length), radius, constant, updates });
}

/** Returns the bracket that any hyperplane gives: margin(w) ≤ γ* ≤ R. */
export function hyperplaneBracket(run: Omit<PerceptronRun, 'norm' | 'updates'>): MarginBracket {
  const radius = roundedUp(run.radius, run.terms);
  return bracketOf({ lower: provedMargin(run), upper: radius, radius, constant: run.constant, updates: null });
}

function provedMargin({ least, leastNorm, terms }: Omit<PerceptronRun, 'norm' | 'updates'>): number {
  return least > 0 && leastNorm > 0 ? roundedDown(least / leastNorm, terms) : 0;
}

/** Returns the narrowest bracket of two for the same vectors. */
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
  return { lower, upper, radius, constant, updates, bound: lower > 0 ? Math.floor(roundedUp(ratio * ratio, 0)) : null };
}

/** Checks a relative gap. @throws HalfspaceError `option-invalid` if it is not in (0, 1). */
export function checkGap(name: string, gap: number): void {
  if (!(gap > 0 && gap < 1)) throw new HalfspaceError('option-invalid', `${name} must be in (0, 1); got ${gap}`);
}
