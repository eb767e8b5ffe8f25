import { members } from '../../json.ts';
import type { ModelKind } from '../model-kind.ts';
import { rowScorerBy } from '../row-scorer.ts';
import { EncodedColumns } from './encoded-columns.ts';
import type { TreeModel } from './model.ts';
import { parseDecisionTree } from './parse.ts';
import { TreeScorer } from './scorer.ts';

export const treeKind: ModelKind<TreeModel> = {
  // The file has the tree's columns and classes elsewhere.
  encode: ({ tree: { settings, nodes } }) => ({ tree: { settings, nodes } }),
  decode: (from, common) => {
    const tree = members(from.tree, 'tree', ['settings', 'nodes']);
    // Encodings of more columns than a tree may have are refused here.
    const { columns } = new EncodedColumns(common.features);
    return { kind: 'tree', ...common, tree: parseDecisionTree({ ...tree, classes: common.classes, columns }) };
  },
  createScorer: (_, model) => new TreeScorer(model),
  createRowScorer: (model) => rowScorerBy(model.features, new TreeScorer(model)),
};
