import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choosePruning } from '../../../src/model/tree/choose-pruning.ts';
import { type DecisionTree, majority, treeSize, weightOf } from '../../../src/model/tree/decision-tree.ts';
import { growTree } from '../../../src/model/tree/grow.ts';
import { pruned, pruningSequence } from '../../../src/model/tree/prune.ts';
import { asNaive, type NaiveNode } from '../../oracles/tree.ts';
import { numbersTable, tables } from '../../support/tree-tables.ts';

const grown = tables({ importance: false }).map((table) => growTree(table, { maxDepth: 4, pruning: null }));

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const leavesOf = (node: NaiveNode): number => (node.test === null ? 1 : sum(node.children.map(leavesOf)));
const errorOf = ({ counts, test, children }: NaiveNode): number =>
  test === null ? sum(counts) - Math.max(...counts) : sum(children.map(errorOf));

/** The smallest subtree of the least errors + cost · leaves, by asking every node; whole numbers only. */
function naivePruned(node: NaiveNode, cost: number): NaiveNode {
  const leaf = { counts: node.counts, test: null, children: [] };
  if (node.test === null) return leaf;
  const kept = { ...node, children: node.children.map((child) => naivePruned(child, cost)) };
  return errorOf(leaf) + cost <= errorOf(kept) + cost * leavesOf(kept) ? leaf : kept;
}

describe('cost-complexity pruning', () => {
  it('gives the smallest of the best subtrees, for every α', () => {
    fc.assert(
      fc.property(grown, fc.nat(6), (tree, cost) => {
        const alpha = cost / weightOf(tree.nodes[0]!.counts);
        expect(asNaive(pruned(tree, alpha))).toEqual(naivePruned(asNaive(tree), cost));
      }),
      { numRuns: 1000 },
    );
  });

  it('gives nested trees: α and errors rise, leaves fall to one', () => {
    fc.assert(
      fc.property(grown, (tree) => {
        const steps = pruningSequence(tree);
        expect(steps[0]!.alpha).toBe(0);
        expect(steps.at(-1)!.leaves).toBe(1);
        for (let s = 1; s < steps.length; s++) {
          expect(steps[s]!.alpha).toBeGreaterThan(steps[s - 1]!.alpha);
          expect(steps[s]!.leaves).toBeLessThan(steps[s - 1]!.leaves);
          expect(steps[s]!.error).toBeGreaterThan(steps[s - 1]!.error);
        }
        let larger = tree;
        for (const { alpha, leaves, error } of steps) {
          const smaller = pruned(tree, alpha);
          expect(treeSize(smaller).leaves).toBe(leaves);
          expect(errorOf(asNaive(smaller)) / weightOf(tree.nodes[0]!.counts)).toBeCloseTo(error, 12);
          expect(isNested(asNaive(smaller), asNaive(larger))).toBe(true);
          expect(pruned(larger, alpha)).toEqual(smaller);
          larger = smaller;
        }
      }),
    );
  });

  it('with α = 0 keeps the training error, and leaves no sibling leaves of one class', () => {
    fc.assert(
      fc.property(grown, (tree) => {
        const simple = pruned(tree, 0);
        expect(errorOf(asNaive(simple))).toBe(errorOf(asNaive(tree)));
        for (const { split } of simple.nodes) {
          if (split === null) continue;
          const children = split.children.map((child) => simple.nodes[child]!);
          if (children.some((child) => child.split !== null)) continue;
          expect(new Set(children.map(({ counts }) => majority(counts))).size).toBeGreaterThan(1);
        }
      }),
    );
  });
});

/** Returns whether one tree is another with some nodes made leaves. */
function isNested(smaller: NaiveNode, larger: NaiveNode): boolean {
  if (smaller.test === null) return `${smaller.counts}` === `${larger.counts}`;
  return smaller.test === larger.test && smaller.children.every((child, j) => isNested(child, larger.children[j]!));
}

describe('choosing α by cross-validation', () => {
  // y follows x₀ but for one row in eight; x₁ is chance.
  const rows = Array.from({ length: 400 }, (_, i) => [
    i % 20,
    (i * 7919) % 401,
    (i % 20 < 10 ? 0 : 1) ^ (i % 8 === 3 ? 1 : 0),
  ]);
  const table = numbersTable(rows, ['a', 'b']);

  it('keeps a test that generalises, and no other', () => {
    const whole = growTree(table, { maxDepth: null });
    const { alpha, judged } = choosePruning(table, { maxDepth: null });
    const tree = growTree(table, { maxDepth: null, pruning: alpha });
    expect(treeSize(whole).leaves).toBeGreaterThan(20);
    expect(treeSize(tree).leaves).toBe(2);
    expect(tree.nodes[0]!.split).toMatchObject({ kind: 'number', column: 0, threshold: 9.5 });
    expect(judged.find((each) => each.alpha === alpha)!.error).toBeCloseTo(1 / 8, 2);
    expect(judged.at(-1)!.error).toBeGreaterThan(0.4);
  });

  it('gives the same α for the same seed', () => {
    expect(choosePruning(table, { seed: 7 })).toEqual(choosePruning(table, { seed: 7 }));
  });

  it('refuses more folds than rows', () => {
    expect(() => choosePruning(numbersTable([[0, 0], [1, 1]], ['a', 'b']))).toThrow('folds must be a whole number in [2, 2]; got 10'); // biome-ignore format: one line
  });
});

it('a pruned tree records its α', () => {
  const tree: DecisionTree = growTree(numbersTable([[0, 0], [1, 1]], ['a', 'b']), { pruning: null }); // biome-ignore format: one line
  expect(tree.settings.pruning).toBeNull();
  expect(pruned(tree, 0.25).settings.pruning).toBe(0.25);
});
