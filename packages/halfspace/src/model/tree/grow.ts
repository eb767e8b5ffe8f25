import { type BinnedTable, binning } from './bins.ts';
import { checkTreeTable, importantRows, type TreeTable } from './columns.ts';
import type { DecisionTree, TreeNode, TreeSplit } from './decision-tree.ts';
import { Histograms } from './histogram.ts';
import { checkTreeOptions, type TreeOptions, type TreeSettings } from './options.ts';
import { type Pausable, runAtOnce, WorkCounter } from './pausable.ts';
import { pruning } from './prune.ts';
import { type BinSplit, SplitSearch } from './split-search.ts';

/**
 * Grows a decision tree and prunes it.
 *
 *   objective   few errors in the leaves of a small tree: R(T) + α · leaves(T), see `prune.ts`
 *   growing     from the root down: split a node by the test with the largest gain (`criteria.ts`, `split-search.ts`),
 *               until it is pure, too deep or too small. A test with gain 0 is allowed: exclusive or needs one before
 *               the test that gains all. Pruning removes it if it did not help.
 *   source      lecture 9, section 9.5 (what a tree is, not how to find one); Breiman et al. 1984; Quinlan 1986
 *
 * Values are put into bins first (`bins.ts`), so the time is proportional to rows × depth. A node's rows are a stretch
 * of an array. Of two children only the smaller one is counted; the other has the rest of the parent's counts.
 *
 * The tree depends on table and options only, not on the machine or the order of the rows. Exception: if a column has
 * more different values than `bins` and the table more than 2¹⁸ rows, quantiles come from a sample of the rows.
 *
 * It runs without a pause; `train` can pause and stop it.
 *
 * @throws HalfspaceError `option-invalid`; for faults of the table `source-empty`, `row-malformed`, `number-invalid` or
 *   `label-classes`.
 */
export function growTree(table: TreeTable, options: TreeOptions = {}): DecisionTree {
  return runAtOnce(growing(table, options));
}

/** {@link growTree} with pauses. */
export function* growing(table: TreeTable, options: TreeOptions): Pausable<DecisionTree> {
  const settings = checkTreeOptions(options);
  checkTreeTable(table);
  const important = importantRows(table);
  const binned = yield* binning(important, settings.bins);
  const nodes = yield* new Growth(important, binned, settings).run();
  const tree = { settings, classes: table.classes, columns: table.columns, nodes };
  return settings.pruning === null ? tree : yield* pruning(tree, settings.pruning);
}

/** A node that may still be split. */
interface Open {
  readonly node: GrowingNode;
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  /** Columns that vary in the parent. */
  readonly columns: readonly number[];
  /** Null: not counted yet. */
  readonly histogram: Float64Array | null;
}

interface GrowingNode {
  readonly counts: Float64Array;
  readonly total: number;
  split: BinSplit | null;
  children: readonly GrowingNode[];
}

class Growth {
  readonly #table: TreeTable;
  readonly #binned: BinnedTable;
  readonly #settings: TreeSettings;
  readonly #histograms: Histograms;
  readonly #search: SplitSearch;
  /** The rows of the open nodes; each node has a contiguous range. */
  readonly #rows: Uint32Array;
  readonly #scratch: Uint32Array;
  /** False if an importance is fractional: subtraction would then leave rounding errors in empty bins. */
  readonly #subtracts: boolean;
  readonly #work = new WorkCounter();

  constructor(table: TreeTable, binned: BinnedTable, settings: TreeSettings) {
    const { rows, classes, labels } = table;
    const importance = table.importance?.subarray(0, rows) ?? null;
    this.#table = table;
    this.#binned = binned;
    this.#settings = settings;
    this.#histograms = new Histograms(binned, classes.length, { labels, importance, work: this.#work });
    this.#search = new SplitSearch(binned.columns, {
      starts: this.#histograms.starts,
      classes: classes.length,
      settings,
      work: this.#work,
    });
    this.#rows = Uint32Array.from({ length: rows }, (_, i) => i);
    this.#scratch = new Uint32Array(this.#rows.length);
    this.#subtracts = importance === null || importance.every(Number.isInteger);
  }

  *run(): Pausable<TreeNode[]> {
    const root = this.#nodeOf(0, this.#rows.length);
    const columns = this.#table.columns.map((_, c) => c);
    const open: Open[] = [{ node: root, from: 0, to: this.#rows.length, depth: 0, columns, histogram: null }];
    if (!this.#isOpen(root, 0)) open.pop();
    for (let next = open.pop(); next !== undefined; next = open.pop()) open.push(...(yield* this.#grow(next)));
    return this.#inPreorder(root);
  }

  #isOpen({ counts, total }: GrowingNode, depth: number): boolean {
    const { maxDepth, minLeaf } = this.#settings;
    if (maxDepth !== null && depth >= maxDepth) return false;
    return total >= 2 * minLeaf && !counts.some((count) => count === total);
  }

  /** Splits a node if possible. @returns its children that may be split, the smallest last. */
  *#grow({ node, from, to, depth, columns, histogram }: Open): Pausable<Open[]> {
    const counted = histogram ?? (yield* this.#histograms.count(this.#rows, from, to, columns));
    const { split, varying } = yield* this.#search.best({ ...node, histogram: counted, columns });
    if (split === null) {
      this.#histograms.release(counted);
      return [];
    }
    const ends = this.#partition(split, from, to);
    if (this.#work.add(to - from)) yield;
    node.split = split;
    node.children = Array.from(ends, (end, j) => this.#nodeOf(j === 0 ? from : ends[j - 1]!, end));
    const children = node.children.map(
      (child, j): Open => ({
        node: child,
        from: j === 0 ? from : ends[j - 1]!,
        to: ends[j]!,
        depth: depth + 1,
        columns: varying,
        histogram: null,
      }),
    );
    // The smaller child is grown completely before the larger one. So at most log₂ n nodes wait with a histogram,
    // however deep the tree is.
    children.sort((a, b) => b.to - b.from - (a.to - a.from));
    const counting = yield* this.#countChildren(children, counted, varying);
    return counting.filter((child) => this.#isOpen(child.node, child.depth));
  }

  /** Derives the larger child's histogram from the parent's, if this pays. */
  *#countChildren(children: Open[], parent: Float64Array, columns: readonly number[]): Pausable<Open[]> {
    const [larger, smaller] = children as [Open, Open];
    if (!this.#subtracts || children.length > 2 || !this.#isOpen(larger.node, larger.depth)) {
      this.#histograms.release(parent);
      return children;
    }
    const least = yield* this.#histograms.count(this.#rows, smaller.from, smaller.to, columns);
    this.#histograms.subtract(parent, least, columns);
    const isOpen = this.#isOpen(smaller.node, smaller.depth);
    if (!isOpen) this.#histograms.release(least);
    return [
      { ...larger, histogram: parent },
      { ...smaller, histogram: isOpen ? least : null },
    ];
  }

  #nodeOf(from: number, to: number): GrowingNode {
    const { classes, labels, importance } = this.#table;
    const counts = new Float64Array(classes.length);
    for (let i = from; i < to; i++) {
      const row = this.#rows[i]!;
      counts[labels[row]!]! += importance === null ? 1 : importance[row]!;
    }
    return { counts, total: counts.reduce((sum, count) => sum + count, 0), split: null, children: [] };
  }

  /** Sorts the rows of a node by child. @returns the end of each child's rows. */
  #partition({ column, children, childOfBin }: BinSplit, from: number, to: number): Uint32Array {
    const codes = this.#binned.codes[column]!;
    const rows = this.#rows;
    const scratch = this.#scratch;
    const ends = new Uint32Array(children);
    for (let i = from; i < to; i++) ends[childOfBin[codes[rows[i]!]!]!]!++;
    let start = from;
    for (let j = 0; j < children; j++) {
      const size = ends[j]!;
      ends[j] = start;
      start += size;
    }
    for (let i = from; i < to; i++) {
      const row = rows[i]!;
      scratch[ends[childOfBin[codes[row]!]!]!++] = row;
    }
    rows.set(scratch.subarray(from, to), from);
    return ends;
  }

  #inPreorder(root: GrowingNode): TreeNode[] {
    const order: GrowingNode[] = [];
    const waiting = [root];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      order.push(next);
      for (let j = next.children.length - 1; j >= 0; j--) waiting.push(next.children[j]!);
    }
    const numbers = new Map(order.map((node, n) => [node, n]));
    return order.map(({ counts, split, children }) => ({
      counts: Array.from(counts),
      split:
        split &&
        this.#splitOf(
          split,
          children.map((child) => numbers.get(child)!),
        ),
    }));
  }

  #splitOf({ kind, column, between, levels, missing }: BinSplit, children: readonly number[]): TreeSplit {
    if (kind === 'category') return { kind, column, levels, missing, children };
    const pair: readonly [number, number] = [children[0]!, children[1]!];
    if (kind === 'missing') return { kind, column, children: pair };
    const { low, high } = this.#binned.columns[column]!.ranges!;
    const threshold = midway(high[between[0]]!, low[between[1]]!);
    return { kind, column, threshold, missing: missing as 0 | 1, children: pair };
  }
}

/** Returns a number in [a, b) near the middle, for a < b. */
function midway(a: number, b: number): number {
  const middle = a / 2 + b / 2;
  return middle >= a && middle < b ? middle + 0 : a;
}
