import type { Model, RawRow } from 'halfspace';
import { FeatureList, featureReaders, functionsOf, isDual, rawFeatures, weightReader } from 'halfspace/internal/models';
import { classProbabilitiesOf } from 'halfspace/metrics';

/**
 * Returns a function that tells how far two sums of the terms of each score of a row may be from each other, in any
 * order of summation.
 *
 * Two sums of n terms, each with up to c roundings of its own, differ by at most 2·γ·Σ|term| with γ = m·u / (1 − m·u),
 * m = n + c and u = 2⁻⁵³ (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 4.2). c is 8: products,
 * quotients by the divisor, and the rounding of Σ|term| itself. Terms that are subnormal lose at most 2⁻¹⁰⁷⁴ each.
 */
export function roundingBounds(model: Model): (row: RawRow) => readonly number[] {
  const read = rawFeatures(model.features, featureReaders);
  const functions = functionsOf(model).flatMap((each) =>
    isDual(each) ? [] : [{ ...each, weight: weightReader(each) }],
  );
  const features = new FeatureList();
  return (row) => {
    features.count = 0;
    read(row, features);
    return functions.map(({ weight, divisor, bias, biasConstant }) => {
      let sum = Math.abs(bias * biasConstant);
      for (let k = 0; k < features.count; k++)
        sum += Math.abs(weight(features.indices[k]!) * (features.values[k]! / divisor));
      const terms = features.count + 1;
      const m = (terms + 8) * 2 ** -53;
      return ((2 * m) / (1 - m)) * sum + terms * Number.MIN_VALUE;
    });
  };
}

/**
 * Returns how far probabilities may be if scores are within bounds, and if the consumer's exponential is exact to 4
 * units in the last place.
 *
 * Each probability rises with the own score and falls with the others, or the other way round. So it is between its
 * values at the ends of the bounds. The rest is rounding of the calibration itself.
 */
export function probabilityBounds(
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
