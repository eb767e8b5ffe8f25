import { featureReaders } from '../model/feature-readers.ts';
import { weightReader } from '../model/linear/sparse-weights.ts';
import { functionsOf, isDual, type Model } from '../model/model.ts';
import { FeatureList, type RawRow, rawFeatures } from '../model/raw-features.ts';

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
