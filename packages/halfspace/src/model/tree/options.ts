import { HalfspaceError, quote } from '../../errors.ts';

/** The criterion that a split is chosen by; see `criteria.ts`. */
export type TreeCriterion = (typeof treeCriteria)[number];
export const treeCriteria = ['gini', 'information-gain', 'gain-ratio'] as const;

/** Options of growing and pruning a tree. */
export interface TreeOptions {
  /** Default `gini`. */
  readonly criterion?: TreeCriterion | undefined;
  /** The largest number of tests from the root to a leaf, a whole number from 0; null: no limit. Default 6. */
  readonly maxDepth?: number | null | undefined;
  /** The smallest number of examples in a leaf, by importance; in (0, ∞). Default 1. */
  readonly minLeaf?: number | undefined;
  /**
   * α of cost-complexity pruning, in [0, 1]: the share of the training examples that a leaf must save as errors. 0
   * removes only splits that save no training error; null removes none. Default 0.
   */
  readonly pruning?: number | null | undefined;
  /**
   * A category with at most this many levels is split into one child per level; a category with more, into one level
   * and the rest. A whole number from 0. Default 8: with many children, each has too few examples for further splits.
   */
  readonly multiway?: number | undefined;
  /** The largest number of bins of a column of numbers, a whole number in [2, 255]. Default 255. */
  readonly bins?: number | undefined;
}

/** {@link TreeOptions} with all defaults filled in. */
export interface TreeSettings {
  readonly criterion: TreeCriterion;
  readonly maxDepth: number | null;
  readonly minLeaf: number;
  readonly pruning: number | null;
  readonly multiway: number;
  readonly bins: number;
}

const mostBins = 255;

export const treeDefaults = { criterion: 'gini', maxDepth: 6, minLeaf: 1, pruning: 0, multiway: 8 } as const;

/** Checks options and fills in defaults. @throws HalfspaceError `option-invalid`. */
export function checkTreeOptions(options: TreeOptions): TreeSettings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings: TreeSettings = { ...treeDefaults, bins: mostBins, ...given };
  const { criterion, maxDepth, minLeaf, pruning, multiway, bins } = settings;
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
