import type { CategoryTreeColumn, TreeTable } from '../../src/model/tree/columns.ts';
import type { DecisionTree } from '../../src/model/tree/decision-tree.ts';

/**
 * A decision tree by the books: tries every test at every node on the rows themselves. Compares Gini impurities as
 * exact fractions, so that ties are ties, and entropies as doubles.
 */
export interface NaiveNode {
  readonly counts: readonly number[];
  /** `x ≤ 3`, … null for a leaf. */
  readonly test: string | null;
  readonly children: readonly NaiveNode[];
}

export interface NaiveOptions {
  readonly criterion: 'gini' | 'information-gain' | 'gain-ratio';
  readonly maxDepth: number | null;
  readonly minLeaf: number;
  readonly multiway: number;
}

interface NaiveTest {
  readonly column: number;
  readonly name: string;
  readonly parts: readonly (readonly number[])[];
}

export function naiveTree(table: TreeTable, options: NaiveOptions): NaiveNode {
  const rows = Array.from({ length: table.rows }, (_, i) => i).filter((i) => importanceOf(table, i) > 0);
  return grow(table, rows, 0, options);
}

function importanceOf({ importance }: TreeTable, i: number): number {
  return importance === null ? 1 : importance[i]!;
}

function countsOf(table: TreeTable, rows: readonly number[]): number[] {
  return table.classes.map((_, k) =>
    rows.reduce((sum, i) => sum + (table.labels[i] === k ? importanceOf(table, i) : 0), 0),
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

function grow(table: TreeTable, rows: readonly number[], depth: number, options: NaiveOptions): NaiveNode {
  const counts = countsOf(table, rows);
  const leaf = { counts, test: null, children: [] };
  if (counts.filter((count) => count > 0).length < 2 || depth === options.maxDepth) return leaf;
  const best = bestTest(table, rows, options);
  if (best === null) return leaf;
  return { counts, test: best.name, children: best.parts.map((part) => grow(table, part, depth + 1, options)) };
}

function bestTest(table: TreeTable, rows: readonly number[], options: NaiveOptions): NaiveTest | null {
  const tests = table.columns.map((_, c) => testsOf(table, rows, c, options));
  const impurities = ({ parts }: NaiveTest) => parts.map((part) => countsOf(table, part));
  if (options.criterion === 'gini') {
    let best: NaiveTest | null = null;
    for (const test of tests.flat())
      if (best === null || isLess(giniSum(impurities(test)), giniSum(impurities(best)))) best = test;
    return best;
  }
  const gainOf = (test: NaiveTest) => entropy(countsOf(table, rows)) - sum(impurities(test).map(entropy));
  const firstBest = (tests: readonly NaiveTest[], worth: (test: NaiveTest) => number) => {
    let best: NaiveTest | null = null;
    for (const test of tests) if (best === null || worth(test) > worth(best) + 1e-9) best = test;
    return best;
  };
  if (options.criterion === 'information-gain') return firstBest(tests.flat(), gainOf);
  const ofColumns = tests.flatMap((each) => firstBest(each, gainOf) ?? []);
  const mean = sum(ofColumns.map(gainOf)) / ofColumns.length;
  const ratioOf = (test: NaiveTest) => gainOf(test) / entropy(impurities(test).map(sum));
  return firstBest(
    ofColumns.filter((test) => gainOf(test) >= mean - 1e-9),
    ratioOf,
  );
}

/** All tests of a column that leave every child enough. */
function testsOf(
  table: TreeTable,
  rows: readonly number[],
  column: number,
  { minLeaf, multiway }: NaiveOptions,
): NaiveTest[] {
  const values = table.values[column]!;
  const { kind, name } = table.columns[column]!;
  const size = (part: readonly number[]) => sum(countsOf(table, part));
  if (kind === 'category') {
    const { levels } = table.columns[column] as CategoryTreeColumn;
    const ofLevels = levels.map((_, l) => rows.filter((i) => values[i] === l));
    if (levels.length > multiway)
      return levels
        .map((level, l): NaiveTest => {
          const parts = [ofLevels[l]!, rows.filter((i) => values[i] !== l)];
          return { column, name: `${name}: ${level}`, parts };
        })
        .filter(({ parts }) => parts.every((part) => size(part) >= minLeaf));
    const own = levels.map((_, l) => l).filter((l) => size(ofLevels[l]!) >= minLeaf);
    const others = rows.filter((i) => !own.includes(values[i]!));
    const parts = own.map((l) => ofLevels[l]!);
    if (size(others) >= minLeaf) parts.push(others);
    else if (others.length > 0 && parts.length > 0) {
      const sizes = parts.map(size);
      const largest = sizes.indexOf(Math.max(...sizes));
      parts[largest] = rows.filter((i) => parts[largest]!.includes(i) || others.includes(i));
    }
    return parts.length < 2 ? [] : [{ column, name: `${name}: ${own.map((l) => levels[l]).join(', ')}`, parts }];
  }
  const missing = rows.filter((i) => Number.isNaN(values[i]!));
  const there = rows.filter((i) => !Number.isNaN(values[i]!));
  const distinct = [...new Set(there.map((i) => values[i]!))].sort((a, b) => a - b);
  const tests: NaiveTest[] = [];
  distinct.slice(1).forEach((value, k) => {
    const low = there.filter((i) => values[i]! < value);
    const high = there.filter((i) => values[i]! >= value);
    const name = (side: string) => `${nameOf(column, (distinct[k]! + value) / 2)}${side}`;
    if (missing.length > 0) {
      tests.push({ column, name: name(' or missing'), parts: [[...low, ...missing], high] });
      tests.push({ column, name: name(''), parts: [low, [...high, ...missing]] });
    } else tests.push({ column, name: name(size(low) >= size(high) ? ' or missing' : ''), parts: [low, high] });
  });
  if (missing.length > 0 && there.length > 0)
    tests.push({ column, name: `${column} is there`, parts: [there, missing] });
  return tests.filter(({ parts }) => parts.every((part) => size(part) >= minLeaf));
}

const nameOf = (column: number, threshold: number) => `${column} ≤ ${threshold}`;

/** N times the entropy of the shares. */
function entropy(counts: readonly number[]): number {
  const total = sum(counts);
  return sum(counts.map((count) => (count === 0 ? 0 : -count * Math.log2(count / total))));
}

type Fraction = readonly [above: bigint, below: bigint];

/** −Σⱼ Σₖ nⱼₖ² / Nⱼ: what the children's Gini impurities add up to, but for N. */
function giniSum(children: readonly (readonly number[])[]): Fraction {
  return children.reduce<Fraction>(
    ([above, below], counts) => {
      const total = BigInt(sum(counts));
      const squares = counts.reduce((sum, count) => sum + BigInt(count) * BigInt(count), 0n);
      return [above * total - squares * below, below * total];
    },
    [0n, 1n],
  );
}

const isLess = ([a, b]: Fraction, [c, d]: Fraction) => a * d < c * b;

/** A tree in the same form. */
export function asNaive({ nodes, columns }: DecisionTree, n = 0): NaiveNode {
  const { counts, split } = nodes[n]!;
  if (split === null) return { counts, test: null, children: [] };
  const column = columns[split.column]!;
  const children = split.children.map((child) => asNaive({ nodes, columns } as DecisionTree, child));
  switch (split.kind) {
    case 'number': {
      const side = split.missing === 0 ? ' or missing' : '';
      return { counts, test: `${nameOf(split.column, split.threshold)}${side}`, children };
    }
    case 'missing':
      return { counts, test: `${split.column} is there`, children };
    case 'category': {
      const levels = column.kind === 'category' ? column.levels : [];
      return { counts, test: `${column.name}: ${split.levels.map((l) => levels[l]).join(', ')}`, children };
    }
  }
}
