import type { OnnxGraph, OnnxNode, OnnxTensor } from './onnx-graph.ts';

/** The parts of a linear classifier in a graph. */
export interface LinearParts {
  /** Name of its input. */
  readonly input: string;
  /** Its nodes, up to the choice of the class. */
  readonly nodes: readonly OnnxNode[];
  readonly classes: readonly string[];
  /** One list after the other, one for each score. */
  readonly coefficients: readonly number[];
  readonly intercepts: readonly number[];
}

/**
 * The operators between the scores and the choice of the highest, as skl2onnx writes them for `Perceptron`,
 * `PassiveAggressiveClassifier`, the losses of `SGDClassifier`, and `LogisticRegression` of doubles. All of them rise
 * with the score, so the highest score has the chosen class, as in scikit-learn. (Where two values round to one number,
 * the graph chooses the first.)
 */
const choices = {
  /** Scores −s and s; 1 − p and p of the logistic loss; the same of the modified Huber loss. */
  two: ['Mul Concat', 'Sigmoid Sub Concat', 'Clip Add Div Sub Concat'],
  several: [
    '',
    'Mul Exp Add Reciprocal ReduceSum Cast Not Cast Add Mul Add Div',
    'Clip Add Div ReduceSum Cast Not Cast Add Mul Add Div',
  ],
};

/** Operators that make probabilities of the scores and do not change the class. */
const beside = new Set(['Abs', 'Div', 'ReduceSum', 'Sigmoid', 'Softmax']);

/**
 * Finds scores x·W + b from `MatMul` and `Add`, an `ArgMax` of them, and an `ArrayFeatureExtractor` that takes the
 * class out of a constant; null: the graph is another one.
 */
export function scoresOf({ nodes, tensors }: OnnxGraph): LinearParts | null {
  const numbersOf = (name: string | undefined) => {
    const { shape, values } = tensors.get(name ?? '') ?? { shape: [], values: [] };
    return { shape, values: values.filter((value) => typeof value === 'number') };
  };
  const [product, ...others] = nodes.filter(({ operator }) => operator === 'MatMul');
  const sum = nodes.find(({ operator, inputs }) => operator === 'Add' && inputs[0] === product?.outputs[0]);
  const highest = nodes.find(({ operator }) => operator === 'ArgMax');
  const extractor = nodes.find(
    ({ operator, inputs }) => operator === 'ArrayFeatureExtractor' && inputs[1] === highest?.outputs[0],
  );
  if (product === undefined || others.length > 0 || sum === undefined || highest === undefined) return null;
  const [weights, intercepts] = [numbersOf(product.inputs[1]), numbersOf(sum.inputs[1]).values];
  const classes = tensors.get(extractor?.inputs[0] ?? '')?.values.map(String) ?? [];
  const [width = 0, scores = 0] = weights.shape;
  if (weights.shape.length !== 2 || weights.values.length !== width * scores || width * scores === 0) return null;
  const between = nodes
    .slice(nodes.indexOf(sum) + 1, nodes.indexOf(highest))
    .filter(({ operator }) => operator !== 'Identity');
  const steps = between.map(({ operator }) => operator).join(' ');
  if (!choices[scores === 1 ? 'two' : 'several'].includes(steps)) return null;
  if (scores === 1 && !isSecond(between, tensors)) return null;
  return {
    input: product.inputs[0] ?? '',
    nodes: [product, sum, ...between, highest, ...nodes.filter(({ operator }) => beside.has(operator))],
    classes,
    coefficients: Array.from({ length: width * scores }, (_, at) => {
      const [k, j] = [Math.floor(at / width), at % width];
      return weights.values[j * scores + k]!;
    }),
    intercepts: Array.from({ length: scores }, (_, k) => intercepts[intercepts.length === 1 ? 0 : k] ?? Number.NaN),
  };
}

/** Tests if a positive score is for the second class: it is joined behind its negative or its complement. */
function isSecond(between: readonly OnnxNode[], tensors: ReadonlyMap<string, OnnxTensor>): boolean {
  const [other, joined] = between.slice(-2);
  const isBehind = joined!.inputs[0] === other!.outputs[0] && joined!.inputs.length === 2;
  const factor = tensors.get(other!.inputs[1] ?? '')?.values[0];
  return isBehind && (other!.operator === 'Sub' || factor === -1);
}
