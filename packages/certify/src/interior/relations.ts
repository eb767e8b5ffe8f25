import type { InteriorProof } from '../certificate.ts';
import { demand, type ExactRows, whole } from '../exact-rows.ts';

/**
 * Checks the part of an `InteriorProof` that is exact: a whole weight for each row, and relations of features that hold
 * in each row with a weight. The first feature of a relation is a combination of the others. `leastEigenvalue` must be
 * a number; what it claims is not looked at.
 *
 * @returns the first features of the relations.
 * @throws RangeError for the first fault.
 */
export function checkedRelations(proof: InteriorProof, rows: ExactRows): ReadonlySet<number> {
  const { weights, leastEigenvalue, relations } = proof;
  demand(typeof leastEigenvalue === 'number', 'interior: expected a number as leastEigenvalue');
  const isWhole = weights.length === rows.count && weights.every((n) => Number.isSafeInteger(n) && n >= 0);
  demand(isWhole, 'interior: expected one whole number for each row');
  const dependent = new Set(relations.map(({ features }) => features[0]!));
  demand(dependent.size === relations.length, 'interior: a feature is first in two relations');
  const terms = new Map<number, { relation: number; coefficient: bigint }[]>();
  relations.forEach(({ features, coefficients }, relation) => {
    demand(
      features.length > 0 && features.length === coefficients.length && new Set(features).size === features.length,
      'interior: expected one coefficient for each feature of a relation',
    );
    features.forEach((j, k) => {
      demand(Number.isInteger(j) && j >= 0 && j <= rows.dimension, 'interior: expected numbers of features');
      const fits = k === 0 ? j < rows.dimension : !dependent.has(j);
      demand(fits, 'interior: a relation begins with the constant, or has two dependent features');
      const coefficient = whole(coefficients[k]!);
      demand(coefficient !== 0n, 'interior: a coefficient is 0');
      terms.set(j, [...(terms.get(j) ?? []), { relation, coefficient }]);
    });
  });
  for (let i = 1; i <= rows.count && relations.length > 0; i++) {
    if (weights[i - 1] === 0) continue;
    const sums = relations.map(() => 0n);
    for (const [j, x] of [[rows.dimension, rows.one] as const, ...rows.row(i).features])
      for (const { relation, coefficient } of terms.get(j) ?? []) sums[relation]! += coefficient * x;
    const related = sums.every((sum) => sum === 0n);
    demand(related, `interior: a relation of features does not hold in row ${i}`);
  }
  return dependent;
}
