import type { Model } from '../model/model.ts';
import { placed } from './columns.ts';
import { scoreFunctions } from './weights.ts';

/** The largest difference between scores that are added up in different orders. */
export interface ScoreBound {
  /** Bound, divided by the sum of the sizes of a score's terms. */
  readonly relative: number;
  /** Bound for usual rows. */
  readonly usual: number;
  /** Continues "rows whose": the usual rows. */
  readonly rows: string;
}

/**
 * Returns the largest difference between a score of halfspace and the same terms added up in another order; null for
 * trees, which add nothing up, and for kernels. Two sums of n terms in any order differ by at most 2·γₙ·Σ|term|, with
 * u = 2⁻⁵³ and γₙ = n·u / (1 − n·u) (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 4.2).
 */
export function scoreBound(model: Model): ScoreBound | null {
  if (model.kind !== 'linear' && model.kind !== 'multiclass') return null;
  const functions = scoreFunctions(model);
  const { groups, rows } = groupsOf(model);
  // A value, an indicator and the constant; each is rounded once more when it is multiplied.
  const terms = groups.reduce((sum, { most }) => sum + most, 1) + 4;
  const u = 2 ** -53;
  const relative = (2 * terms * u) / (1 - terms * u);
  const largest = functions.map(({ weightOf, of, offset }) =>
    groups.reduce((sum, { first, width, most, size }) => {
      const sizes = Array.from({ length: width }, (_, j) => Math.abs(weightOf(first + j)));
      // Of levels at most one is 1; other groups are short.
      const all = most === 1 ? sizes.reduce((a, b) => Math.max(a, b), 0) : sizes.reduce((a, b) => a + b, 0);
      return sum + (all * size) / of.divisor;
    }, Math.abs(offset)),
  );
  return { relative, usual: relative * Math.max(...largest), rows };
}

/** Neighbouring features, of which at most `most` are not 0. */
interface Group {
  readonly first: number;
  readonly width: number;
  readonly most: number;
  /** Size of a usual value. */
  readonly size: number;
}

function groupsOf({ features }: Model): { readonly groups: Group[]; readonly rows: string } {
  if (features.kind !== 'table') {
    const width =
      features.kind === 'indexed' ? features.dimension : features.kind === 'named' ? features.names.length : 0;
    return { groups: [{ first: 0, width, most: width, size: 1 }], rows: 'values lie in [−1, 1]' };
  }
  const { columns, crosses } = placed(features);
  const groups = columns.map(({ column, first, width }): Group => {
    if (column.kind === 'category' || ('edges' in column && column.edges)) return { first, width, most: 1, size: 1 };
    const isMeasured = column.kind === 'number' || column.kind === 'date';
    const size = !isMeasured ? 1 : features.scale === 'standard' ? 10 : Math.abs(column.mean) + 10 * column.deviation;
    return { first, width, most: width, size };
  });
  const pairs = crosses.map(({ first, width }): Group => ({ first, width, most: 1, size: 1 }));
  return { groups: [...groups, ...pairs], rows: 'numbers lie within 10 standard deviations of the mean' };
}
