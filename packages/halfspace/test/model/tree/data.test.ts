import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../../test/support/properties.ts';
import { HalfspaceError } from '../../../src/errors.ts';
import { childOf } from '../../../src/model/tree/decision-tree.ts';
import { growTree } from '../../../src/model/tree/grow.ts';
import { parseDecisionTree } from '../../../src/model/tree/parse.ts';
import { changeAt } from '../../support/tables.ts';
import { tables } from '../../support/tree-tables.ts';

const schema = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../src/model/model.schema.json'), 'utf8'));
const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, formats: {} }).addSchema(schema);
const validate = ajv.compile({ $ref: `${schema.$id}#/$defs/tree` });
/** A tree as in a model file, which stores columns and classes elsewhere. */
const filed = ({ settings, nodes }: { settings?: unknown; nodes?: unknown }) => ({ settings, nodes });
const trees = tables().map((table) => growTree(table, { maxDepth: 3, pruning: null }));

describe('a tree as JSON', () => {
  it('survives, and its schema accepts it', () => {
    forAll(trees, (tree) => {
      const value = JSON.parse(JSON.stringify(tree));
      expect(parseDecisionTree(value)).toEqual(tree);
      expect(validate(filed(value)), JSON.stringify(validate.errors)).toBe(true);
    });
  });

  it('that was changed is refused, or is valid: the schema accepts it and every value reaches a leaf', () => {
    const change = fc.record({
      path: fc.array(fc.nat(20), { maxLength: 5 }),
      value: fc.oneof(fc.constantFrom(null, true, '', -1, 0, 1, 2, 1e300, 'x'), fc.object({ maxDepth: 1 })),
    });
    let taken = 0;
    forAll(2000, trees, change, (tree, { path, value }) => {
      const changed = JSON.parse(JSON.stringify(tree));
      changeAt(changed, path, value);
      let parsed: ReturnType<typeof parseDecisionTree>;
      try {
        parsed = parseDecisionTree(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(HalfspaceError);
        expect((error as HalfspaceError).code).toBe('model-invalid');
        return;
      }
      taken++;
      expect(validate(filed(changed)), JSON.stringify(changed)).toBe(true);
      for (const x of [-1, 0, 1e9, Number.NaN]) {
        let n = 0;
        for (let steps = 0; parsed.nodes[n]!.split !== null; steps++) {
          expect(steps).toBeLessThan(parsed.nodes.length);
          n = childOf(parsed.nodes[n]!.split!, x);
        }
      }
    });
    expect(taken).toBeGreaterThan(4);
  });

  const sound = {
    settings: { criterion: 'gini', maxDepth: null, minLeaf: 1, pruning: 0, multiway: 8, bins: 255 },
    classes: ['a', 'b'],
    columns: [
      { kind: 'number', name: 'x' },
      { kind: 'category', name: 'c', levels: ['p', 'q'] },
    ],
    nodes: [
      { counts: [2, 1], split: { kind: 'number', column: 0, threshold: 0.5, missing: 0, children: [1, 2] } },
      { counts: [2, 0], split: null },
      { counts: [0, 1], split: null },
    ],
  };
  const withSplit = (split: object) => ({ ...sound, nodes: [{ counts: [2, 1], split }, ...sound.nodes.slice(1)] });

  it.each<[string, unknown, string]>([
    ['a list', [], 'expected "tree" to be an object; got []'],
    [
      'a node that is its own child',
      withSplit({ ...sound.nodes[0]!.split, children: [0, 1] }),
      'expected "tree.nodes" to be a tree in preorder, next node 1; got 0',
    ],
    [
      'a child twice',
      withSplit({ ...sound.nodes[0]!.split, children: [1, 1] }),
      'expected "tree.nodes" to be a tree in preorder, next node 2; got 1',
    ],
    [
      'a child that is not there',
      withSplit({ ...sound.nodes[0]!.split, children: [1, 3] }),
      'expected "tree.nodes" to be a tree in preorder, next node 2; got 3',
    ],
    [
      'a node that hangs nowhere',
      { ...sound, nodes: [...sound.nodes, sound.nodes[1]] },
      'expected "tree.nodes" to be 3 nodes, all below the root; got 4',
    ],
    [
      'a column that is not there',
      withSplit({ ...sound.nodes[0]!.split, column: 2 }),
      'expected "tree.nodes[0].split.column" to be a whole number in [0, 1]; got 2',
    ],
    [
      'a threshold for a category',
      withSplit({ ...sound.nodes[0]!.split, column: 1 }),
      'expected "tree.nodes[0].split.column" to be a column for number; got "category"',
    ],
    [
      'a kind of test that is inherited',
      withSplit({ kind: 'constructor', column: 0 }),
      'expected "tree.nodes[0].split.kind" to be number, category or missing; got "constructor"',
    ],
    [
      'more children than levels',
      withSplit({ kind: 'category', column: 1, levels: [0], missing: 0, children: [1, 2] }),
      'expected "tree.nodes[0].split.children" to be one per level; got 2',
    ],
    [
      'too few counts',
      { ...sound, nodes: [{ counts: [1], split: null }] },
      'expected "tree.nodes[0].counts" to be 2 numbers, one per class; got 1',
    ],
    [
      'a depth out of range',
      { ...sound, settings: { ...sound.settings, maxDepth: -1 } },
      'in "tree.settings": maxDepth of a tree must be a whole number from 0, or null; got -1',
    ],
    [
      'a strange member',
      { ...sound, more: 1 },
      'expected "tree" to be an object of settings, classes, columns, nodes; got "more"',
    ],
  ])('with %s is refused', (_, value, message) => {
    expect(() => parseDecisionTree(value)).toThrow(message);
  });

  it('that is valid is accepted, so the refusals above have the stated reason', () => {
    expect(parseDecisionTree(sound)).toEqual(sound);
  });
});
