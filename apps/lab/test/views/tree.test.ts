import type { TreeModel } from 'halfspace';
import { classify, majority } from 'halfspace/tree';
import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import type { Table } from '../../src/data/dataset.ts';
import { treeExamples, wayTo } from '../../src/views/tree/grown-tree.ts';
import { treeLayout } from '../../src/views/tree/layout.ts';
import { rightShares } from '../../src/views/tree/picture.ts';
import { columnOf, reference, regionsOf } from '../../src/views/tree/regions.ts';
import { tree } from '../../src/views/tree/tree.ts';
import { cars, choosing, clouds, desk, makeScene, marked, phone, theMark, wall } from '../support/make-scene.ts';

/** The rows of a table without quotes. */
function rowsOf(table: Table): Record<string, string>[] {
  const [names, ...rows] = table.text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((cells) => Object.fromEntries(cells.map((cell, c) => [names![c]!, cell])));
}

describe('the tree', () => {
  it('sees the drawn examples as the library sees the rows of the table', async () => {
    const data = cars() as Table;
    const scene = await makeScene(data, { passes: 2 });
    const model = scene.tree!;
    const { leaves, right } = treeExamples(model, scene.examples);
    const answers = rowsOf(data).map((row) => classify(model.tree, row));
    expect([...leaves]).toEqual(answers.map(({ leaf }) => leaf));
    expect(right).toBe(answers.filter((answer, i) => answer.class === rowsOf(data)[i]!.mileage).length);
    expect(rightShares(scene, model).tree).toBe(right / 120);
  });

  it('is the run’s own where the rule is tree, and stands beside the line where it is not', async () => {
    const own = await makeScene(cars(), { as: null, rule: 'tree' });
    expect(rightShares(own, own.recording.model as TreeModel).line).toBeNull();
    expect(own.recording.model).toEqual(own.tree);
    const line = await makeScene(cars(), { passes: 20 });
    const { tree: ofTree, line: ofLine } = rightShares(line, line.tree!);
    expect(ofTree).toBe(line.tree!.training.trainAccuracy);
    expect(ofLine).toBe(line.recording.report.train!.accuracy);
    expect(tree.describe(line)).toContain('the line on');
  });

  it.each([desk, phone, wall])(
    'shows the way of the chosen example bold, from the root to what there is room for',
    async (frame) => {
      const scene = await makeScene(cars(), { passes: 1 });
      const model = scene.tree!;
      const { leaves } = treeExamples(model, scene.examples);
      for (const selected of [0, 17, 55]) {
        const way = wayTo(model.tree, leaves[selected]!);
        expect(way.at(-1)).toBe(leaves[selected]);
        way.slice(1).forEach((node, k) => {
          expect(model.tree.nodes[way[k]!]!.split!.children).toContain(node);
        });
        const picture = tree.draw({ ...scene, selected }, frame);
        const bold = picture.marks.flatMap(({ id, stroke, fill }) =>
          id?.startsWith('node ') && (stroke === 'selection' || fill === 'selection') ? [Number(id.slice(5))] : [],
        );
        const drawn = new Set(treeLayout(model.tree, frame, frame.text * 3.1).boxes.map(({ node }) => node));
        const lines = treeLayout(model.tree, frame, frame.text * 3.1).kind === 'lines';
        expect(bold.sort((a, b) => a - b)).toEqual(way.filter((node) => drawn.has(node) && !(lines && node === 0)));
      }
    },
  );

  it.each([desk, phone, wall])(
    'fits, without two boxes on one another, and says how many are left out',
    async (frame) => {
      const { tree: model } = await makeScene(cars(), { passes: 1 });
      const { kind, boxes } = treeLayout(model!.tree, frame, frame.text * 3.1);
      const hidden = boxes.reduce((sum, box) => sum + box.hidden, 0);
      expect(boxes.length + hidden).toBe(model!.tree.nodes.length);
      if (kind === 'lines') return;
      for (const a of boxes) {
        expect(a.x - a.width / 2).toBeGreaterThanOrEqual(0);
        expect(a.x + a.width / 2).toBeLessThanOrEqual(frame.width);
        for (const b of boxes)
          if (a !== b && a.y === b.y) expect(Math.abs(a.x - b.x)).toBeGreaterThan((a.width + b.width) / 2);
      }
    },
  );
});

describe('its answers in the plane', () => {
  it('are the tree’s, at every point, and tile the plane', async () => {
    const scene = await makeScene(clouds(60, 0.4), { passes: 1 });
    const model = scene.tree!;
    const [across, upwards] = [columnOf(scene.examples, 0)!, columnOf(scene.examples, 1)!];
    expect([across, upwards]).toEqual([
      { column: 0, mean: 0, deviation: 1 },
      { column: 1, mean: 0, deviation: 1 },
    ]);
    const regions = regionsOf(model.tree, across, upwards, () => Number.NaN);
    forAll(fc.double({ min: -5, max: 8, noNaN: true }), fc.double({ min: -5, max: 8, noNaN: true }), (x, y) => {
      const here = regions.filter((r) => r.x[0] < x && x <= r.x[1] && r.y[0] < y && y <= r.y[1]);
      expect(here).toHaveLength(1);
      const answer = classify(model.tree, { x1: x, x2: y });
      expect(here[0]!.node).toBe(answer.leaf);
      expect(model.classes[here[0]!.answer]).toBe(answer.class);
    });
  });

  it('of a table are those with the other columns of one example', async () => {
    const data = cars() as Table;
    const scene = { ...(await makeScene(data, { passes: 1 })), selected: 7 };
    const model = scene.tree!;
    const names = scene.examples.featureNames;
    const [disp, year] = [names.indexOf('disp'), names.indexOf('year')];
    const [across, upwards] = [columnOf(scene.examples, disp)!, columnOf(scene.examples, year)!];
    expect(columnOf(scene.examples, names.indexOf('origin=Japan'))).toBeNull();
    const k = reference(scene);
    expect(k).toBe(7);
    const seen = treeExamples(model, scene.examples);
    const regions = regionsOf(model.tree, across, upwards, (column) => seen.values[column]![k]!);
    const row = rowsOf(data)[7]!;
    for (const [d, y] of [
      [120, 71],
      [200, 80],
      [310, 76],
      [143, 82],
    ] as const) {
      const [u, v] = [(d - across.mean) / across.deviation, (y - upwards.mean) / upwards.deviation];
      const here = regions.find((r) => r.x[0] < u && u <= r.x[1] && r.y[0] < v && v <= r.y[1])!;
      expect(here.node).toBe(classify(model.tree, { ...row, disp: d, year: y }).leaf);
    }
  });

  it('are drawn with the line of the run over them', async () => {
    const scene = choosing(await makeScene(clouds(30, 1)), 'tree', 'plane');
    const picture = tree.draw(scene, desk);
    const { weights, bias } = scene.moment.present!;
    const at = (row: number) => theMark(picture, 'symbol', `example ${row}`).at;
    const x = (row: number) => scene.examples.vectors.subarray(2 * row, 2 * row + 2);
    const [sx, sy] = [0, 1].map((axis) => (at(1)[axis]! - at(0)[axis]!) / (x(1)[axis]! - x(0)[axis]!));
    const { from, to } = theMark(picture, 'line', 'boundary');
    for (const end of [from, to]) {
      const [p, q] = [x(0)[0]! + (end[0] - at(0)[0]) / sx!, x(0)[1]! + (end[1] - at(0)[1]) / sy!];
      expect(weights[0]! * p + weights[1]! * q + bias).toBeCloseTo(0, 6);
    }
    const leaves = scene.tree!.tree.nodes.filter(({ split }) => split === null).length;
    expect(picture.marks.filter(({ id }) => id?.startsWith('region '))).toHaveLength(leaves);
    for (const [n, { counts, split }] of scene.tree!.tree.nodes.entries())
      if (split === null)
        expect(marked(picture, `region ${n}`)[0]!.fill).toBe(
          majority(counts) === 0 ? 'negative-region' : 'positive-region',
        );
  });
});
