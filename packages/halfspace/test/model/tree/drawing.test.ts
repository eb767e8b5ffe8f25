import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../../test/support/properties.ts';
import { treeSize } from '../../../src/model/tree/decision-tree.ts';
import { treeSvg } from '../../../src/model/tree/draw-svg.ts';
import { drawTree } from '../../../src/model/tree/draw-text.ts';
import { growTree } from '../../../src/model/tree/grow.ts';
import { tidyLayout } from '../../../src/model/tree/tidy-layout.ts';
import { numbersTable, tables } from '../../support/tree-tables.ts';

const trees = tables().map((table) => growTree(table, { maxDepth: 4 }));
const cars = growTree(
  {
    rows: 8,
    columns: [
      { kind: 'category', name: 'cyl', levels: ['4', '6', '8'] },
      { kind: 'date', name: 'year' },
      { kind: 'boolean', name: 'diesel' },
    ],
    values: [
      Int32Array.of(0, 0, 1, 1, 1, 2, 2, -1),
      Float64Array.of(0, 1, 0, 0, 365, 0, 0, 0),
      Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0),
    ],
    classes: ['bad', 'good'],
    labels: Int32Array.of(1, 1, 0, 0, 1, 0, 1, 0),
    importance: null,
  },
  {},
);

describe('a tree as text', () => {
  it('has a line per node, with answers in plain words and the counts of the classes', () => {
    expect(drawTree(cars)).toEqual([
      '                                       bad  good',
      'all                                      4     4',
      '├─ cyl = 4 → good                        0     2',
      '├─ cyl = 6                               2     1',
      '│  ├─ year ≤ 1970-07-02T12:00Z → bad     2     0',
      '│  └─ year > 1970-07-02T12:00Z → good    0     1',
      '├─ cyl = 8                               1     1',
      '│  ├─ diesel = false → bad               1     0',
      '│  └─ diesel = true → good               0     1',
      '└─ cyl otherwise → bad                   1     0',
    ]);
  });

  it('keeps to its width, and counts the nodes left out', () => {
    forAll(trees, fc.integer({ min: 40, max: 100 }), fc.integer({ min: 1, max: 8 }), (tree, width, lines) => {
      const drawn = drawTree(tree, { width, lines });
      for (const line of drawn) expect([...line].length).toBeLessThanOrEqual(width);
      const left = tree.nodes.length - lines;
      expect(drawn.at(-1) === `… and ${left} more nodes`).toBe(left > 0);
    });
  });

  it('shows the counts of the class and of all examples if there are many classes', () => {
    const tree = growTree(numbersTable([[0, 0], [1, 1], [2, 2], [3, 3], [4, 4]], ['a', 'b', 'c', 'd', 'e']), { maxDepth: 1 }); // biome-ignore format: one line
    expect(drawTree(tree)).toEqual(['all              1 of 5', '├─ x0 ≤ 0.5 → a  1 of 1', '└─ x0 > 0.5 → b  1 of 4']);
  });

  it('refuses a width too small', () => {
    expect(() => drawTree(cars, { width: 39 })).toThrow('width must be a whole number from 40; got 39');
  });
});

describe('the layout', () => {
  const shapes = fc.array(fc.nat(3), { maxLength: 40 }).map((arities) => {
    // A tree in preorder with these numbers of children as long as they last.
    const children: number[][] = [];
    let at = 0;
    const add = (): number => {
      const n = children.length;
      const own: number[] = [];
      children.push(own);
      for (let left = arities[at++] ?? 0; left > 0; left--) own.push(add());
      return n;
    };
    add();
    return children;
  });
  const sized = shapes.chain((children) =>
    fc.record({
      children: fc.constant(children),
      size: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: children.length, maxLength: children.length }),
    }),
  );
  const levelsOf = (children: readonly (readonly number[])[]) => {
    const levels = children.map(() => 0);
    children.forEach((below, n) => {
      for (const child of below) levels[child] = levels[n]! + 1;
    });
    return levels;
  };

  it('keeps the nodes of a level in order with gaps, parents in the middle, from 0', () => {
    forAll(sized, ({ children, size }) => {
      const middles = tidyLayout(children, size, 10);
      const levels = levelsOf(children);
      const last = new Map<number, number>();
      middles.forEach((middle, n) => {
        const near = last.get(levels[n]!);
        if (near !== undefined) expect(middle - size[n]! / 2).toBeGreaterThanOrEqual(near + 10 - 1e-9);
        last.set(levels[n]!, middle + size[n]! / 2);
        const below = children[n]!;
        if (below.length > 0) expect((middles[below[0]!]! + middles[below.at(-1)!]!) / 2).toBeCloseTo(middle, 9);
      });
      expect(Math.min(...middles.map((middle, n) => middle - size[n]! / 2))).toBeCloseTo(0, 9);
    });
  });

  it('draws the mirror image of a tree as the mirror image of its drawing', () => {
    forAll(sized, ({ children, size }) => {
      const order: number[] = []; // mirrored node → node
      const mirrored: number[][] = [];
      const visit = (n: number): number => {
        const m = order.push(n) - 1;
        const own: number[] = [];
        mirrored.push(own);
        for (const child of [...children[n]!].reverse()) own.push(visit(child));
        return m;
      };
      visit(0);
      const middles = tidyLayout(children, size, 10);
      const width = Math.max(...middles.map((middle, n) => middle + size[n]! / 2));
      const image = tidyLayout(
        mirrored,
        order.map((n) => size[n]!),
        10,
      );
      image.forEach((middle, m) => {
        expect(width - middle).toBeCloseTo(middles[order[m]!]!, 6);
      });
    });
  });
});

describe('a tree as SVG', () => {
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

  it('has a box per node, a link per child, and a class per leaf, in both directions', () => {
    forAll(trees, fc.constantFrom('down' as const, 'right' as const, undefined), (tree, direction) => {
      const svg = treeSvg(tree, { direction });
      expect(count(svg, /class="box/g)).toBe(tree.nodes.length);
      expect(count(svg, /class="box leaf/g)).toBe(treeSize(tree).leaves);
      expect(count(svg, /class="link"/g)).toBe(tree.nodes.length - 1);
      expect(count(svg, /class="answer"/g)).toBe(tree.nodes.length - 1);
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      isWellFormed(svg);
    });
  });

  it('keeps every box inside the image', () => {
    forAll(trees, fc.constantFrom('down' as const, 'right' as const), (tree, direction) => {
      const svg = treeSvg(tree, { direction });
      const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number);
      for (const [, x, y, w, h] of svg.matchAll(
        /class="box[^>]*x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"/g,
      )) {
        expect(Number(x)).toBeGreaterThanOrEqual(0);
        expect(Number(x) + Number(w)).toBeLessThanOrEqual(width!);
        expect(Number(y) + Number(h)).toBeLessThanOrEqual(height!);
      }
    });
  });

  it('escapes names', () => {
    const table = numbersTable([[0, 0], [1, 1]], ['<script>&"', 'a\u0000b']); // biome-ignore format: one line
    const svg = treeSvg(growTree({ ...table, columns: [{ kind: 'number', name: ']]></svg>' }] }));
    expect(svg).toContain('&lt;script&gt;&amp;"');
    expect(svg).toContain(']]&gt;&lt;/svg&gt;');
    isWellFormed(svg);
  });

  it('leaves out the deepest levels of a large tree, and counts their nodes', () => {
    const rows = Array.from({ length: 64 }, (_, i) => [i, i % 2]);
    const svg = treeSvg(growTree(numbersTable(rows, ['a', 'b']), { maxDepth: null }), { nodes: 3 });
    expect(count(svg, /class="box/g)).toBe(3);
    const hidden = [...svg.matchAll(/… (\d+) more/g)].reduce((sum, [, more]) => sum + Number(more), 0);
    expect(hidden).toBe(127 - 3);
  });

  it('refuses another direction', () => {
    expect(() => treeSvg(cars, { direction: 'up' as never })).toThrow('direction must be down or right; got "up"');
  });
});

/** Tags close in order, and nothing stands bare that XML does not allow. */
function isWellFormed(svg: string): void {
  const open: string[] = [];
  for (const [, closing, name, rest] of svg.matchAll(/<(\/?)([a-z]+)((?:[^"<>]|"[^"<]*")*)>/gi)) {
    if (closing === '/') expect(open.pop()).toBe(name);
    else if (!rest!.endsWith('/')) open.push(name!);
  }
  expect(open).toEqual([]);
  expect(svg.replace(/<style>[\s\S]*<\/style>/, '').replace(/<(\/?)([a-z]+)((?:[^"<>]|"[^"<]*")*)>/gi, '')).not.toMatch(
    /[<>]/,
  );
  expect(svg.replace(/&(amp|lt|gt);/g, '')).not.toContain('&');
}
