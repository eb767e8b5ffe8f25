/** Options of the decision tree, which is grown from all examples at once; see `model/tree/grow.ts`. */
import { treeCriteria, treeDefaults } from '../model/tree/options.ts';
import type { RuleDefinition } from './rule-definition.ts';
import type { OptionSpecs } from './rule-options.ts';

const treeOptions = {
  /** Criterion of a split. Default `gini`. */
  criterion: {
    kind: 'choice',
    values: treeCriteria,
    default: treeDefaults.criterion,
    about: 'criterion of a split',
  },
  /** Largest number of tests between the root and a leaf, a whole number from 0. Default 6. */
  maxDepth: {
    kind: 'number',
    from: 0,
    whole: true,
    default: treeDefaults.maxDepth,
    about: 'maximum number of tests between the root and a leaf',
  },
  /** Smallest number of examples in a leaf, in (0, ∞). Default 1. */
  minLeaf: {
    kind: 'number',
    from: 0,
    open: 'from',
    default: treeDefaults.minLeaf,
    about: 'minimum number of rows in a leaf',
  },
  /** Share of the examples whose errors each extra leaf must save, in [0, 1]. Default 0. */
  pruning: {
    kind: 'number',
    from: 0,
    to: 1,
    default: treeDefaults.pruning,
    about: 'share of the rows whose errors each extra leaf must save',
  },
  /** Largest number of levels of a category that gets one branch per level, a whole number from 0. Default 8. */
  multiway: {
    kind: 'number',
    from: 0,
    whole: true,
    default: treeDefaults.multiway,
    about: 'maximum number of levels of a category that gets a branch per level',
  },
} as const satisfies OptionSpecs;

export const tree = {
  summary: 'a decision tree, which asks one question after the other',
  options: treeOptions,
} as const satisfies RuleDefinition;
