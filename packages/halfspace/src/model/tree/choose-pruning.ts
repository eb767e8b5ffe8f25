import { HalfspaceError, quote } from '../../errors.ts';
import { Random } from '../../random.ts';
import { leavesInto } from './classify.ts';
import { importantRows, type TreeTable } from './columns.ts';
import { type DecisionTree, majority } from './decision-tree.ts';
import { growTree } from './grow.ts';
import type { TreeOptions } from './options.ts';
import { pruned, pruningSequence } from './prune.ts';

/** The random stream of the folds. */
const stream = 48;

export interface ChoosePruningOptions extends Omit<TreeOptions, 'pruning'> {
  /** The number of folds k, a whole number in [2, rows]. Default 10. */
  readonly folds?: number | undefined;
  /** A whole number in [0, 2⁵³). Default 1. */
  readonly seed?: number | undefined;
}

/** A step of the table's pruning sequence, and the cross-validated error of its α. */
export interface JudgedPruning {
  readonly alpha: number;
  readonly leaves: number;
  /** Share of misclassified rows over all folds, by importance. */
  readonly error: number;
  /** Standard error of `error`: √(error (1 − error) / n). */
  readonly standardError: number;
}

/**
 * Chooses α by k-fold cross-validation. Trees grown on all folds but one are pruned by the geometric means of
 * neighbouring α of the whole table's sequence. The largest α whose error is within one standard error of the smallest
 * is chosen. Source: Breiman, Friedman, Olshen & Stone, "Classification and Regression Trees", 1984, sections 3.4.2 and
 * 3.4.3.
 *
 * @returns α, for `pruning` of {@link growTree}, and all candidates, α rising.
 * @throws HalfspaceError as {@link growTree} does; `option-invalid`.
 */
export function choosePruning(
  given: TreeTable,
  { folds = 10, seed = 1, ...options }: ChoosePruningOptions = {},
): { readonly alpha: number; readonly judged: readonly JudgedPruning[] } {
  const steps = pruningSequence(growTree(given, { ...options, pruning: null }));
  const table = importantRows(given);
  const { rows } = table;
  if (!Number.isSafeInteger(folds) || folds < 2 || folds > rows)
    throw new HalfspaceError('option-invalid', `folds must be a whole number in [2, ${rows}]; got ${quote(folds)}`);
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new HalfspaceError('option-invalid', `seed must be a whole number from 0; got ${quote(seed)}`);
  const alphas = steps.map(({ alpha }, s) => Math.sqrt(alpha * (steps[s + 1]?.alpha ?? 1)));
  const fold = dealOut(table, folds, seed);
  const importance = table.importance ?? new Float64Array(rows).fill(1);
  const total = importance.subarray(0, rows).reduce((sum, h) => sum + h, 0);
  const errors = steps.map(() => 0);
  for (let f = 0; f < folds; f++) {
    const kept = importance.map((h, i) => (fold[i] === f ? 0 : h));
    if (!kept.subarray(0, rows).some((h) => h > 0)) continue; // this fold contains all rows that count
    let tree = growTree({ ...table, importance: kept }, { ...options, pruning: null });
    alphas.forEach((alpha, s) => {
      tree = pruned(tree, alpha); // pruned trees are nested, so prune the previous one
      errors[s]! += errorOn(tree, table, (i) => (fold[i] === f ? importance[i]! : 0));
    });
  }
  const judged = steps.map(({ alpha, leaves }, s): JudgedPruning => {
    const error = errors[s]! / total;
    return { alpha, leaves, error, standardError: Math.sqrt((error * (1 - error)) / total) };
  });
  const best = judged.reduce((least, each) => (each.error < least.error ? each : least));
  const within = judged.filter(({ error }) => error <= best.error + best.standardError);
  return { alpha: within.at(-1)!.alpha, judged };
}

/** Returns a fold for each row, with every class dealt out evenly. */
function dealOut({ rows, labels, classes }: TreeTable, folds: number, seed: number): Uint32Array {
  const random = new Random(seed, stream);
  const fold = new Uint32Array(rows);
  let dealt = 0;
  for (let k = 0; k < classes.length; k++) {
    const members = Uint32Array.from({ length: rows }, (_, i) => i).filter((i) => labels[i] === k);
    random.shuffle(members);
    for (const i of members) fold[i] = dealt++ % folds;
  }
  return fold;
}

function errorOn(tree: DecisionTree, { values, rows, labels }: TreeTable, weight: (i: number) => number): number {
  const leaves = new Uint32Array(rows);
  leavesInto(tree, values, rows, leaves);
  let error = 0;
  for (let i = 0; i < rows; i++) if (majority(tree.nodes[leaves[i]!]!.counts) !== labels[i]) error += weight(i);
  return error;
}
