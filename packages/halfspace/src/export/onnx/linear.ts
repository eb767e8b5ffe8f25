import type { LinearModel } from '../../model/linear/model.ts';
import type { MulticlassModel } from '../../model/multiclass/model.ts';
import { scoreFunctions } from '../weights.ts';
import { type Graph, types } from './graph.ts';
import type { OnnxRows } from './rows.ts';

/** Adds the scores of linear functions to a graph: [N, K], with one column for two classes. */
export function linearScores(
  model: LinearModel | MulticlassModel,
  { measured, choices }: OnnxRows,
  graph: Graph,
): string {
  const functions = scoreFunctions(model);
  const { divisor } = functions[0]!.of;
  const count = functions.length;
  /** Weights of features, one row each; 0 for −1. */
  const matrix = (features: readonly number[], factor: number) =>
    graph.doubles(
      features.flatMap((j) => functions.map(({ weightOf }) => (j < 0 ? 0 : weightOf(j) * factor))),
      [features.length, count],
    );
  const terms: string[] = [];
  if (measured !== null) {
    const { values, missing, features, indicators } = measured;
    // ONNX Runtime fuses a product with a scalar before it in single precision, so the divisor is a row.
    const divisors = features.map(() => divisor);
    const divided = divisor === 1 ? values : graph.node('Div', [values, graph.doubles(divisors, [1, divisors.length])]);
    terms.push(graph.node('MatMul', [divided, matrix(features, 1)]));
    if (missing !== null && indicators.some((j) => j >= 0)) {
      const marks = graph.node('Cast', [missing], { to: types.double });
      terms.push(graph.node('MatMul', [marks, matrix(indicators, 1 / divisor)]));
    }
  }
  if (choices.length > 0) {
    // One list has the weights of all choices, group after group.
    const starts: number[] = [];
    const features: number[] = [];
    for (const choice of choices) {
      starts.push(features.length);
      for (const feature of choice.features) features.push(feature);
    }
    const indices = graph.node(
      'Concat',
      choices.map(({ index }) => index),
      { axis: 1 },
    );
    const places = graph.node('Add', [indices, graph.wholes(starts, [1, starts.length])]);
    const weights = graph.node('Gather', [matrix(features, 1 / divisor), places], { axis: 0 }); // [N, choices, K]
    terms.push(graph.node('ReduceSum', [weights, graph.wholes([1], [1])], { keepdims: 0 }));
  }
  const offsets = graph.doubles(
    functions.map(({ offset }) => offset),
    [1, count],
  );
  return [...terms, offsets].reduce((sum, term) => graph.node('Add', [sum, term]));
}
