import type { FeatureRelation, InteriorProof } from '../certificate.ts';
import { type Clock, inTime, OutOfTime } from '../clock.ts';
import type { WholeExamples } from '../exact/separator.ts';
import { factor, rowAt } from '../interior/cholesky.ts';
import { interiorFault } from '../interior/interior.ts';
import { WeightedExamples } from '../interior/weighted.ts';
import { fitLogistic } from './logistic.ts';
import { extended, type PlainLine, peel } from './one-sided.ts';
import { positive } from './pick.ts';
import { lineInAll, subsetOf } from './subset.ts';

/** The result of a search: an interior contradiction, a line that may separate, or neither. */
export interface InteriorSearch {
  readonly interior: InteriorProof | null;
  readonly line: PlainLine | null;
  /** Weights of examples for a ceiling; may be empty. */
  readonly lambda: ReadonlyMap<number, number>;
}

/** Bounds on the least eigenvalue that are tried, and binary digits of the weights. */
const leastEigenvalues = [2 ** -10, 2 ** -20, 2 ** -27];
const digits = [12, 16, 20, 24, 32, 40, 52];

/** Examples whose share λ is below this may be in no contradiction. */
const small = 2 ** -16;

/** Maximum number of features: the matrix of their products must be held, and the time grows with the cube. */
export const mostInterior = 16_000;

/**
 * Searches for an {@link InteriorProof}: weights λ at the minimum of the logistic loss, rounded to few digits, for
 * which exact positive weights are proved to exist nearby. The proof needs as many examples as features, and about
 * twice as many if labels are random (Cover 1965). If the minimum is not reached, examples of small λ are left out.
 *
 * @param factors a power of two for each feature that brings all features to about the same size.
 */
export async function searchInterior(
  whole: WholeExamples,
  factors: Float64Array,
  clock: Clock,
): Promise<InteriorSearch> {
  const { examples } = whole;
  let members = Array.from({ length: examples.rows }, (_, i) => i);
  let lambda: ReadonlyMap<number, number> = new Map();
  for (let round = 0; round < 4 && clock.left() > 0; round++) {
    const { core, decided } = peel(examples, members);
    if (core.length === 0) break;
    const subset = subsetOf(examples, core, factors);
    const { examples: own } = subset;
    if (core.length <= own.dimension || own.dimension > mostInterior) break;
    const fit = await fitLogistic(own, clock);
    lambda = positive(fit.lambda, core);
    if (fit.separates) {
      // A separator of only some examples proves nothing.
      if (round > 0) break;
      const line = extended(examples, decided, lineInAll(fit, subset, examples.dimension, factors));
      return { interior: null, line, lambda };
    }
    if (fit.ended) return { interior: await prove(whole, core, fit.lambda, clock), line: null, lambda };
    members = core.filter((_, k) => fit.lambda[k]! > small);
    if (members.length === core.length) break;
  }
  return { interior: null, line: null, lambda };
}

/** Rounds the weights and proves them, or returns null. */
async function prove(
  whole: WholeExamples,
  core: readonly number[],
  lambda: Float64Array,
  clock: Clock,
): Promise<InteriorProof | null> {
  const { examples } = whole;
  const rounded = (places: number) => {
    const weights = new Float64Array(examples.rows);
    core.forEach((i, k) => {
      weights[i] = Math.round(lambda[k]! * 2 ** places);
    });
    return weights;
  };
  const stop = async (share: number) => {
    clock.tell('proving', `proving a contradiction of ${core.length} examples, ${Math.floor(100 * share)} %`);
    await inTime(clock);
  };
  let relations: readonly FeatureRelation[] = [];
  try {
    for (let attempt = 0; attempt < leastEigenvalues.length; attempt++) {
      const leastEigenvalue = leastEigenvalues[attempt]!;
      const leftOut = new Set(relations.map(({ features }) => features[0]!));
      const least = (weights: Float64Array) => {
        const own = new WeightedExamples(examples, weights, leftOut);
        return own.residual() < (leastEigenvalue - own.rounding) / 2;
      };
      let places: number | undefined;
      for (const each of digits) {
        if (places === undefined && least(rounded(each))) places = each;
        await stop(0);
      }
      if (places === undefined) continue;
      const weights = rounded(places);
      const fault = await interiorFault({ weights, leastEigenvalue }, examples, leftOut, { onBlock: stop });
      if (fault === null) return { weights: Array.from(weights), leastEigenvalue, relations };
      if (attempt > 0 || relations.length > 0) continue;
      const found = await relationsOf(whole, rounded(52), stop);
      if (found === null) return null;
      if (found.length > 0) attempt = -1;
      relations = found;
    }
  } catch (error) {
    // Numbers that are too far apart, too little memory, or no time.
    if (!(error instanceof RangeError || error instanceof OutOfTime)) throw error;
  }
  return null;
}

/** A pivot below this means that a feature is a combination of those before it. */
const dependent = 1e-9;

/**
 * Returns the relations of the features that are combinations of others, or null if one of them is none of small whole
 * numbers.
 */
async function relationsOf(
  whole: WholeExamples,
  weights: Float64Array,
  onBlock: (share: number) => Promise<void>,
): Promise<FeatureRelation[] | null> {
  const own = new WeightedExamples(whole.examples, weights);
  const { features } = own;
  const memory = await own.matrix(0, { onBlock });
  const { numbers: l } = memory;
  const dependents: number[] = [];
  await factor(memory, features.length, { floor: dependent, leftOut: (row) => dependents.push(row), onBlock });
  const isDependent = new Set(dependents);
  const relations: FeatureRelation[] = [];
  for (const row of dependents) {
    await onBlock(1);
    // Lᵀa = the row of L: the coefficients of the features before, by back substitution.
    const a = l.slice(rowAt(row), rowAt(row) + row);
    for (let k = row - 1; k >= 0; k--) {
      a[k] = isDependent.has(k) ? 0 : a[k]! / l[rowAt(k) + k]!;
      if (a[k] !== 0) for (let j = 0; j < k; j++) a[j]! -= a[k]! * l[rowAt(k) + j]!;
    }
    const relation = wholeRelation(
      features.slice(0, row + 1),
      Float64Array.from([...a, -1], (each, k) => each * own.scaleOf(k)),
    );
    if (relation === null || !holds(relation, whole, weights)) return null;
    relations.push(relation);
  }
  return relations;
}

/** Maximum common denominator of coefficients. */
const mostDenominator = 10_000;

/** Returns coefficients near whole numbers with a small common denominator; the last feature comes first. */
function wholeRelation(features: readonly number[], coefficients: Float64Array): FeatureRelation | null {
  const last = coefficients.length - 1;
  const quotients = coefficients.map((each) => each / coefficients[last]!);
  for (let denominator = 1; denominator <= mostDenominator; denominator++) {
    const near = quotients.every((each) => Math.abs(each * denominator - Math.round(each * denominator)) < 1e-5);
    if (!near) continue;
    const kept = features
      .map((j, k) => ({ j, whole: Math.round(quotients[k]! * denominator) }))
      .filter(({ whole }) => whole !== 0)
      .reverse();
    return { features: kept.map(({ j }) => j), coefficients: kept.map(({ whole }) => String(whole)) };
  }
  return null;
}

/** Tests in whole numbers if a relation holds for all examples with a weight. */
function holds({ features, coefficients }: FeatureRelation, whole: WholeExamples, weights: Float64Array): boolean {
  const { rows, dimension } = whole.examples;
  const coefficientOf: bigint[] = new Array(dimension + 1).fill(0n);
  features.forEach((j, k) => {
    coefficientOf[j] = BigInt(coefficients[k]!);
  });
  const constant = coefficientOf[dimension]! * whole.one;
  for (let i = 0; i < rows; i++) if (weights[i] !== 0 && whole.score(i, coefficientOf) + constant !== 0n) return false;
  return true;
}
