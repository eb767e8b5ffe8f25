import { quote } from '../../errors.ts';
import type { Model } from '../../model/model.ts';
import { linearModel, unreadable } from './linear-model.ts';
import { type OnnxGraph, type OnnxNode, onnxGraph } from './onnx-graph.ts';
import { type LinearParts, scoresOf } from './onnx-scores.ts';

/** A linear function of the features. */
interface LinearFunction {
  readonly weights: readonly number[];
  readonly bias: number;
}

/** Operators behind the classifier that only hand its answers on. */
const after = new Set(['ArrayFeatureExtractor', 'Cast', 'Identity', 'Normalizer', 'Reshape', 'ZipMap']);

/**
 * Reads a linear classifier from an ONNX file, as skl2onnx writes those of scikit-learn, alone or behind a
 * StandardScaler: one `LinearClassifier` of ai.onnx.ml, or `MatMul` and `Add` (onnx-scores.ts); and `Scaler`s before
 * it, which become part of the weights. The features are numbered from 0. Weights are read without loss.
 *
 * @param source name of the file, for messages.
 * @throws HalfspaceError `model-invalid` for files that are cut or damaged, and for other graphs, with the name of the
 *   operator that does not fit.
 */
export function fromOnnx(bytes: Uint8Array, source?: string): Model {
  let graph: OnnxGraph;
  try {
    graph = onnxGraph(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw unreadable(source, 'an ONNX file', error.message);
  }
  const parts = scoresOf(graph) ?? classifierOf(graph.nodes, source);
  const scalers = scalersOf(graph, parts, source);
  const functions = functionsOf(parts, source);
  const scaled = scalers.reduce((own, scaler) => own.map((each) => unscaled(each, scaler, source)), functions);
  return linearModel({
    source,
    classes: parts.classes,
    functions: scaled,
    features: { kind: 'indexed', dimension: scaled[0]!.weights.length, firstIndex: 0 },
  });
}

/** Returns the scalers before the classifier, the last one first. Checks that there is nothing else in the graph. */
function scalersOf(
  { nodes, inputs }: OnnxGraph,
  { input, nodes: own }: LinearParts,
  source: string | undefined,
): readonly OnnxNode[] {
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const scalers: OnnxNode[] = [];
  const seen = new Set(own);
  let name = input;
  for (let node = makers.get(name); node !== undefined; node = makers.get(name)) {
    if (seen.has(node)) throw unreadable(source, 'a graph without circles', `one through ${quote(node.operator)}`);
    seen.add(node);
    if (node.operator === 'Scaler') scalers.push(node);
    else if (node.operator !== 'Cast' && node.operator !== 'Identity')
      throw unreadable(
        source,
        'the features or a Scaler before the classifier',
        `the operator ${quote(node.operator)}`,
      );
    name = node.inputs[0] ?? '';
  }
  if (!inputs.includes(name)) throw unreadable(source, 'an input of the graph before the classifier', quote(name));
  const other = nodes.find((node) => !seen.has(node) && !after.has(node.operator));
  if (other !== undefined)
    throw unreadable(source, 'a classifier and what hands on its answers', `the operator ${quote(other.operator)}`);
  return scalers;
}

function namesOf(nodes: readonly OnnxNode[]): string {
  const names = [...new Set(nodes.map(({ operator }) => operator))];
  return names.length === 0 ? 'no operators' : `${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}`;
}

/** Reads the only `LinearClassifier`. */
function classifierOf(nodes: readonly OnnxNode[], source: string | undefined): LinearParts {
  const found = nodes.filter(({ operator }) => operator === 'LinearClassifier');
  const [node] = found;
  if (node === undefined || found.length > 1)
    throw unreadable(
      source,
      'one LinearClassifier, or MatMul and Add as skl2onnx writes them',
      found.length > 1 ? `${found.length}` : `a graph of ${namesOf(nodes)}`,
    );
  const texts = node.attributes.get('classlabels_strings')?.texts ?? [];
  const wholes = node.attributes.get('classlabels_ints')?.wholes ?? [];
  return {
    input: node.inputs[0] ?? '',
    nodes: [node],
    classes: texts.length > 0 ? texts : wholes.map(String),
    coefficients: floatsOf(node, 'coefficients'),
    intercepts: floatsOf(node, 'intercepts'),
  };
}

function functionsOf(
  { classes, coefficients, intercepts }: LinearParts,
  source: string | undefined,
): readonly LinearFunction[] {
  checkFinite(coefficients, 'coefficients', source);
  checkFinite(intercepts, 'intercepts', source);
  const count = intercepts.length;
  if (classes.length < 2 || new Set(classes).size < classes.length)
    throw unreadable(source, 'two classes or more, all different', `${classes.length}: ${quote(classes.join(', '))}`);
  if (count !== classes.length && !(count === 1 && classes.length === 2))
    throw unreadable(source, `one of intercepts per class, ${classes.length}`, `${count}`);
  const width = coefficients.length / count;
  if (!Number.isInteger(width) || width === 0)
    throw unreadable(source, `as many coefficients for each of ${count} scores`, `${coefficients.length}`);
  const functions: LinearFunction[] = intercepts.map((bias, k) => ({
    weights: coefficients.slice(k * width, (k + 1) * width),
    bias,
  }));
  if (classes.length > 2 || count === 1) return functions;
  // The second class needs the higher score. skl2onnx writes a function and its negative; others become a difference.
  const [first, second] = functions as [LinearFunction, LinearFunction];
  const isNegative = first.bias === -second.bias && first.weights.every((weight, j) => weight === -second.weights[j]!);
  const difference = {
    weights: second.weights.map((weight, j) => weight - first.weights[j]!),
    bias: second.bias - first.bias,
  };
  return [isNegative ? second : difference];
}

/** Returns the function of features x that gives the given function of (x − offset) · scale. */
function unscaled({ weights, bias }: LinearFunction, scaler: OnnxNode, source: string | undefined): LinearFunction {
  const of = (name: string) => {
    const values = floatsOf(scaler, name);
    checkFinite(values, name, source);
    if (values.length !== 1 && values.length !== weights.length)
      throw unreadable(source, `${name} of a Scaler for ${weights.length} features`, `${values.length}`);
    return (j: number) => (values.length === 1 ? values[0]! : values[j]!);
  };
  const [offset, scale] = [of('offset'), of('scale')];
  const scaled = weights.map((weight, j) => weight * scale(j));
  return { weights: scaled, bias: scaled.reduce((sum, weight, j) => sum - weight * offset(j), bias) };
}

function floatsOf(node: OnnxNode, name: string): readonly number[] {
  return node.attributes.get(name)?.floats ?? [];
}

function checkFinite(values: readonly number[], name: string, source: string | undefined): void {
  const odd = values.find((value) => !Number.isFinite(value));
  if (odd !== undefined) throw unreadable(source, `${name} that are finite numbers`, `${odd}`);
}
