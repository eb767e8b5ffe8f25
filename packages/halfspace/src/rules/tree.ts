/**
 * The decision tree. It is not learned example by example but grown from all examples; `model/tree/grow.ts` has the objective, the method and the
 * source. This file declares its options only.
 */
import { treeCriteria, treeDefaults } from '../model/tree/options.ts';
import type { RuleDefinition } from './rule-definition.ts';
import type { OptionSpecs } from './rule-options.ts';

export const treeOptions = {
  criterion: {
    kind: 'choice',
    values: treeCriteria,
    default: treeDefaults.criterion,
    about: 'what a split is chosen by',
  },
  maxDepth: {
    kind: 'number',
    from: 0,
    whole: true,
    default: treeDefaults.maxDepth,
    about: 'the most tests between the root and a leaf',
  },
  minLeaf: {
    kind: 'number',
    from: 0,
    open: 'from',
    default: treeDefaults.minLeaf,
    about: 'how many rows every leaf has at least',
  },
  pruning: {
    kind: 'number',
    from: 0,
    to: 1,
    default: treeDefaults.pruning,
    about: 'a leaf more must save errors in this share of the rows',
  },
  multiway: {
    kind: 'number',
    from: 0,
    whole: true,
    default: treeDefaults.multiway,
    about: 'categories of at most so many levels get a branch per level',
  },
} as const satisfies OptionSpecs;

export const tree = {
  summary: 'a decision tree, which asks one question after the other',
  options: treeOptions,
} as const satisfies RuleDefinition;
