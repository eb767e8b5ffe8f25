import { HalfspaceError, quote } from '../errors.ts';

/** What a split is chosen by; see `criteria.ts`. */
export type TreeCriterion = (typeof treeCriteria)[number];
export const treeCriteria = ['gini', 'information-gain', 'gain-ratio'] as const;

/** How a tree is grown and pruned. */
export interface TreeOptions {
  /** Default `gini`. */
  readonly criterion?: TreeCriterion | undefined;
  /** Most tests between the root and a leaf, a whole number from 0; null for no limit. Default 6. */
  readonly maxDepth?: number | null | undefined;
  /** Examples, by their importance, that every leaf has at least; in (0, ∞). Default 1. */
  readonly minLeaf?: number | undefined;
  /**
   * α of cost-complexity pruning, in [0, 1]: what a leaf must save, as a share of the training examples, to be kept. 0 takes only
   * splits away that save no training error; null takes none away. Default 0.
   */
  readonly pruning?: number | null | undefined;
  /**
   * Categories of at most so many levels get a child per level; those of more are asked for one level at a time, is it this one or
   * not. A whole number from 0. Default 8: many children at once leave too few examples for what would be asked next.
   */
  readonly multiway?: number | undefined;
  /** Most bins of a column of numbers, a whole number in [2, 255]. Default 255. */
  readonly bins?: number | undefined;
}

/** {@link TreeOptions} with nothing left open. */
export interface TreeSettings {
  readonly criterion: TreeCriterion;
  readonly maxDepth: number | null;
  readonly minLeaf: number;
  readonly pruning: number | null;
  readonly multiway: number;
  readonly bins: number;
}

export const mostBins = 255;

/** @throws HalfspaceError `option-invalid`. */
export function checkTreeOptions(options: TreeOptions): TreeSettings {
  const { criterion = 'gini', maxDepth = 6, minLeaf = 1, pruning = 0, multiway = 8, bins = mostBins } = options;
  require(treeCriteria.includes(criterion), 'criterion', treeCriteria.join(', '), criterion);
  require(maxDepth === null ||
    (Number.isSafeInteger(maxDepth) && maxDepth >= 0), 'maxDepth', 'a whole number from 0, or null', maxDepth);
  require(typeof minLeaf === 'number' && minLeaf > 0 && minLeaf < Infinity, 'minLeaf', 'in (0, ∞)', minLeaf);
  require(pruning === null ||
    (typeof pruning === 'number' && pruning >= 0 && pruning <= 1), 'pruning', 'in [0, 1], or null', pruning);
  require(Number.isSafeInteger(multiway) && multiway >= 0, 'multiway', 'a whole number from 0', multiway);
  require(Number.isInteger(bins) && bins >= 2 && bins <= mostBins, 'bins', `a whole number in [2, ${mostBins}]`, bins);
  return { criterion, maxDepth, minLeaf, pruning, multiway, bins };
}

function require(holds: boolean, name: string, expected: string, got: unknown): void {
  if (!holds) throw new HalfspaceError('option-invalid', `${name} of a tree must be ${expected}; got ${quote(got)}`);
}
