import { textMark } from '../../picture/marks.ts';
import { amountText, percentText } from '../../picture/shares.ts';
import { featuresOf } from '../plane/projection.ts';
import type { Scene, View } from '../view.ts';
import { answerOf, treeOf } from './grown-tree.ts';
import { drawTree, followedWay, rightShares } from './picture.ts';
import { drawRegions, noRegions } from './regions.ts';

const inPlane = ({ look }: Scene) => look.choices.tree === 'plane';

/** Shows a decision tree of the same examples beside the line: its questions, or its answers in the plane. */
export const tree: View = {
  id: 'tree',
  title: 'Tree',
  question: 'What would a tree ask?',
  choices: [
    { id: 'questions', title: 'Its questions' },
    { id: 'plane', title: 'Its answers beside the line' },
  ],
  needs: 'tree',
  missing(scene) {
    if (treeOf(scene) === null)
      return 'No tree can be grown from these data: there are too many columns, or too few examples. Choose data with fewer columns.';
    return inPlane(scene) ? noRegions(scene) : null;
  },
  draw(scene, frame) {
    const model = treeOf(scene) ?? null;
    if (model === null)
      return {
        width: frame.width,
        height: frame.height,
        marks: [
          textMark([frame.width / 2, frame.height / 2], 'a tree is being grown …', frame.text, {
            anchor: 'middle',
            fill: 'muted',
          }),
        ],
      };
    return inPlane(scene) ? drawRegions(scene, model, frame) : drawTree(scene, model, frame);
  },
  describe(scene) {
    const model = treeOf(scene) ?? null;
    if (model === null) return 'A tree is being grown from the same examples.';
    const { nodes, columns } = model.tree;
    const leaves = nodes.filter(({ split }) => split === null).length;
    const shares = rightShares(scene, model);
    const [across, upwards] = featuresOf(scene.look.plane, scene.examples.dimension).map(
      (feature) => scene.examples.featureNames[feature],
    );
    const sentences = [
      ...(inPlane(scene)
        ? [`The answers of the tree as rectangles over ${across} and ${upwards}, with the line.`]
        : []),
      `A decision tree with ${amountText(nodes.length - leaves, 'question')} and ${amountText(leaves, 'answer')}: right on ${percentText(shares.tree)} of the drawn examples${
        shares.line === null ? '' : `, the line on ${percentText(shares.line)}`
      }.`,
    ];
    const first = nodes[0]!.split;
    if (first !== null) sentences.push(`It first asks for ${columns[first.column]!.name}.`);
    const way = followedWay(scene, model);
    if (way.length > 1) {
      const steps = way.slice(1).map((node, k) => {
        const split = nodes[way[k]!]!.split!;
        return `${columns[split.column]!.name} ${answerOf(model.tree, split, (split.children as readonly number[]).indexOf(node))}`;
      });
      sentences.push(`The path of the example: ${steps.join(', ')}.`);
    }
    return sentences.join(' ');
  },
};
