import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../../test/support/properties.ts';
import { binning } from '../../../src/model/tree/bins.ts';
import { classify, leavesInto } from '../../../src/model/tree/classify.ts';
import type { TreeTable } from '../../../src/model/tree/columns.ts';
import { log2 } from '../../../src/model/tree/criteria.ts';
import { type DecisionTree, treeSize, weightOf } from '../../../src/model/tree/decision-tree.ts';
import { growTree } from '../../../src/model/tree/grow.ts';
import { type TreeOptions, treeCriteria } from '../../../src/model/tree/options.ts';
import { runAtOnce } from '../../../src/model/tree/pausable.ts';
import { asNaive, naiveTree } from '../../oracles/tree.ts';
import { numbersTable, pick, tables } from '../../support/tree-tables.ts';

const options = fc.record({
  criterion: fc.constantFrom(...treeCriteria),
  maxDepth: fc.constantFrom(null, 0, 1, 2, 3),
  minLeaf: fc.constantFrom(0.5, 1, 2, 3),
  multiway: fc.constantFrom(0, 8),
});
const unpruned = { pruning: null } as const;

const leavesOf = (tree: DecisionTree, table: TreeTable) => {
  const leaves = new Uint32Array(table.rows);
  leavesInto(tree, table.values, table.rows, leaves);
  return leaves;
};

describe('growing', () => {
  it('finds the tree that an exhaustive search finds', () => {
    forAll(1500, tables(), options, (table, options) => {
      expect(asNaive(growTree(table, { ...options, ...unpruned }))).toEqual(naiveTree(table, options));
    });
  });

  it('does not depend on the order of the rows', () => {
    const shuffled = tables().chain((table) =>
      fc.record({
        table: fc.constant(table),
        order: fc.shuffledSubarray([...table.labels.keys()], { minLength: table.rows }),
      }),
    );
    forAll(shuffled, options, ({ table, order }, options) => {
      expect(growTree(pick(table, order), options)).toEqual(growTree(table, options));
    });
  });

  it('counts importance h as h equal examples', () => {
    forAll(tables(), options, (table, options) => {
      const copies = [...table.labels.keys()].flatMap((i) => Array(table.importance?.[i] ?? 1).fill(i));
      const plain = { ...pick(table, copies), importance: null };
      expect(growTree(table, options)).toEqual(growTree(plain, options));
    });
  });

  it('with fractional importance finds the tree of four times that importance', () => {
    forAll(tables(), options, (table, options) => {
      if (table.importance === null) return;
      const quarters = { ...table, importance: table.importance.map((h) => h / 4) };
      const tree = growTree(quarters, { ...options, minLeaf: options.minLeaf / 4 });
      const whole = growTree(table, options);
      expect(tree.nodes.map(({ split }) => split)).toEqual(whole.nodes.map(({ split }) => split));
    });
  });

  it("puts every row into one leaf, and a node's rows into its children", () => {
    forAll(tables(), options, (table, options) => {
      const tree = growTree(table, options);
      const counts = tree.nodes.map(() => table.classes.map(() => 0));
      leavesOf(tree, table).forEach((leaf, i) => {
        counts[leaf]![table.labels[i]!]! += table.importance?.[i] ?? 1;
      });
      for (let n = tree.nodes.length - 1; n >= 0; n--)
        for (const child of tree.nodes[n]!.split?.children ?? [])
          counts[child]!.forEach((count, k) => {
            counts[n]![k]! += count;
          });
      expect(tree.nodes.map((node) => node.counts)).toEqual(counts);
      for (const { counts, split } of tree.nodes.slice(1))
        if (split === null) expect(weightOf(counts)).toBeGreaterThanOrEqual(options.minLeaf);
      expect(treeSize(tree).depth).toBeLessThanOrEqual(options.maxDepth ?? Infinity);
    });
  });

  it('never mutates the table', () => {
    forAll(tables(), (table) => {
      const before = structuredClone(table);
      growTree(table);
      expect(table).toEqual(before);
    });
  });
});

describe('bins', () => {
  const numbers = fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double({ min: -1e6, max: 1e6, noNaN: true })), {
    minLength: 1,
    maxLength: 400,
  });

  it('divide the numbers in order, and are not more than allowed', () => {
    forAll(numbers, fc.integer({ min: 2, max: 20 }), (values, most) => {
      const table = numbersTable(
        values.map((value) => [value, 0]),
        ['a', 'b'],
      );
      const { codes, columns } = runAtOnce(binning(table, most));
      const { bins, ranges } = columns[0]!;
      expect(bins).toBeLessThanOrEqual(most);
      values.forEach((value, i) => {
        expect(ranges!.low[codes[0]![i]!]! <= value && value <= ranges!.high[codes[0]![i]!]!).toBe(true);
      });
      for (let b = 1; b < bins; b++) expect(ranges!.high[b - 1]!).toBeLessThan(ranges!.low[b]!);
      if (new Set(values.map((value) => value + 0)).size <= most) expect([...ranges!.low]).toEqual([...ranges!.high]); // a bin each
    });
  });

  it('hold about equally many rows, and a frequent value has a bin alone', () => {
    // Nine in ten are 0; the rest are different, and share the other nine bins.
    const values = Array.from({ length: 10_000 }, (_, i) => (i % 10 === 0 ? i + 1 : 0));
    const table = numbersTable(
      values.map((value) => [value, 0]),
      ['a', 'b'],
    );
    const { codes, columns } = runAtOnce(binning(table, 10));
    const sizes = new Array<number>(columns[0]!.bins).fill(0);
    for (const code of codes[0]!) sizes[code]!++;
    expect(sizes).toHaveLength(10);
    expect(sizes[0]).toBe(9000);
    for (const size of sizes.slice(1)) expect(Math.abs(size - 1000 / 9)).toBeLessThan(2);
  });
});

describe('classify', () => {
  const tree = growTree(
    {
      rows: 6,
      columns: [
        { kind: 'category', name: 'origin', levels: ['Europe', 'USA'] },
        { kind: 'number', name: 'year' },
      ],
      values: [Int32Array.of(0, 0, 1, 1, 1, -1), Float64Array.of(1, 9, 2, 3, 9, 5)],
      classes: ['bad', 'good'],
      labels: Int32Array.of(1, 1, 0, 0, 1, 0),
      importance: null,
    },
    unpruned,
  );

  it('reads fields as a table reads cells', () => {
    expect(classify(tree, { origin: ' Europe ' }).class).toBe('good');
    expect(classify(tree, { origin: 'USA', year: '3' }).class).toBe('bad');
    expect(classify(tree, { origin: 'USA', year: 9 }).class).toBe('good');
  });

  it('sends an unknown level to the child of missing values', () => {
    expect(classify(tree, { origin: 'Atlantis' })).toEqual(classify(tree, {}));
    expect(classify(tree, { origin: '?' })).toEqual(classify(tree, {}));
    expect(classify(tree, {}).class).toBe('bad');
  });

  it('refuses what is not a number, with the field, and reads only fields on the path', () => {
    expect(() => classify(tree, { origin: 'USA', year: 'late' })).toThrow(
      'column "year": expected a number; got "late"',
    );
    expect(classify(tree, { origin: 'Europe', year: 'late' }).class).toBe('good');
    expect(() => classify(tree, { origin: ['USA'] })).toThrow('column "origin": expected a value; got ["USA"]');
  });

  it('does not read an inherited member', () => {
    const odd = growTree({
      rows: 2,
      columns: [{ kind: 'category', name: 'constructor', levels: ['a', 'b'] }],
      values: [Int32Array.of(0, 1)],
      classes: ['no', 'yes'],
      labels: Int32Array.of(0, 1),
      importance: null,
    });
    expect(classify(odd, {}).class).toBe('no');
  });
});

describe('what is refused', () => {
  const table = numbersTable([[0, 0], [1, 1]], ['a', 'b']); // biome-ignore format: one line
  it.each<[string, TreeOptions, string]>([
    [
      'criterion',
      { criterion: 'entropy' as never },
      'criterion of a tree must be gini, information-gain, gain-ratio; got "entropy"',
    ],
    ['depth', { maxDepth: 1.5 }, 'maxDepth of a tree must be a whole number from 0, or null; got 1.5'],
    ['leaf', { minLeaf: 0 }, 'minLeaf of a tree must be in (0, ∞); got 0'],
    ['pruning', { pruning: Number.NaN }, 'pruning of a tree must be in [0, 1], or null; got NaN'],
    ['multiway', { multiway: -1 }, 'multiway of a tree must be a whole number from 0; got -1'],
    ['bins', { bins: 256 }, 'bins of a tree must be a whole number in [2, 255]; got 256'],
  ])('an option out of its range: %s', (_, options, message) => {
    expect(() => growTree(table, options)).toThrow(message);
  });

  it.each<[string, Partial<TreeTable>, string]>([
    ['no row', { rows: 0 }, 'expected rows to learn from; got none'],
    ['one class', { classes: ['a'] }, 'expected at least two classes; got 1'],
    ['a class too large', { labels: Int32Array.of(0, 2) }, 'row 2: expected a class in [0, 2); got 2'],
    [
      'an infinity',
      { values: [Float64Array.of(1, Infinity)] },
      'row 2, column "x0": expected a finite number; got Infinity',
    ],
    ['too few values', { values: [Float64Array.of(1)] }, 'expected 2 values of "x0"; got 1'],
    [
      'importance below 0',
      { importance: Float64Array.of(1, -1) },
      'row 2: expected an importance weight in [0, ∞); got -1',
    ],
    ['no importance', { importance: Float64Array.of(0, 0) }, 'expected rows with an importance above 0; got none'],
    [
      'a level too large',
      { columns: [{ kind: 'category', name: 'x', levels: [] }], values: [Int32Array.of(-1, 0)] },
      'row 2, column "x": expected a level in [-1, 0); got 0',
    ],
  ])('a table with %s', (_, fault, message) => {
    expect(() => growTree({ ...table, ...fault })).toThrow(message);
  });
});

describe('log2', () => {
  it('is within two units in the last place of Math.log2, and exact for powers of two', () => {
    for (let e = -1074; e < 1024; e++) expect(log2(2 ** e)).toBe(e);
    forAll(
      5000,
      fc.oneof(
        fc.double({ min: Number.MIN_VALUE, noNaN: true, noDefaultInfinity: true }),
        fc.double({ min: 0.25, max: 4, noNaN: true }),
        fc.integer({ min: 1, max: 1 << 30 }),
      ),
      (x) => {
        const expected = Math.log2(x);
        expect(Math.abs(log2(x) - expected)).toBeLessThanOrEqual(2 * 2 ** -52 * Math.abs(expected));
      },
    );
  });
});
