import { cellForm } from '../../features/table-encoding.ts';
import type { LinearModel } from '../../model/linear/model.ts';
import { type Model, tieOf } from '../../model/model.ts';
import type { MulticlassModel } from '../../model/multiclass/model.ts';
import { numberInput } from '../columns.ts';
import { scoreBound } from '../score-bound.ts';
import { checkTexts, textsOf } from '../texts.ts';
import { scoreFunctions } from '../weights.ts';
import { Graph, types } from './graph.ts';
import { classProbabilities } from './probabilities.ts';
import { type OnnxRows, readRows, refused } from './rows.ts';
import { treeScores } from './tree.ts';

/**
 * Writes a model as an ONNX file: the whole pipeline, of core operators in doubles, and LabelEncoder for categories.
 * Needs opset 15 and ai.onnx.ml 2, which ONNX Runtime has since version 1.10.
 *
 * Inputs: one for each column of a table, with its name and the shape [N, 1]. Numbers are doubles, NaN if missing.
 * Booleans are doubles, 1 and 0. Dates are doubles, days since 1970-01-01 UTC with a fraction. Categories are strings
 * without surrounding blanks; an empty string is a missing value. Numbered or named features are one input `features`
 * of doubles, [N, d], 0 where a row lacks one. Numbers must not be infinite, and those of `features` not NaN.
 *
 * Outputs: `label`, strings [N]; `scores`, doubles [N, 1] for two classes, else [N, K]; `probabilities`, doubles
 * [N, K], if the model is calibrated. If a column has such a name, the output has `halfspace_` before its name.
 *
 * A runtime adds up in an order of its own. The class is that of `Predictor` wherever the score is farther from 0 than
 * the {@link scoreBound}; of several classes, wherever the highest score leads by more than twice the bound. Trees give
 * the same scores.
 *
 * @throws HalfspaceError `option-invalid` for kernel models, text, hashed levels, crosses of more than 2²⁰ pairs, and
 *   names with NUL.
 */
export function toOnnx(model: Model): Uint8Array {
  const { classes, calibration } = model;
  if (model.kind === 'dual') throw refused('a linear model or a tree', 'one with a kernel');
  checkTexts(textsOf(model));
  const graph = new Graph();
  const rows = readRows(model, graph);
  const scores = scoresOf(model, rows, graph);
  const columns = classes.length === 2 ? 1 : classes.length;
  const position =
    columns === 1
      ? graph.node('Cast', [isPositive(model, scores, graph)], { to: types.int64 })
      : graph.node('ArgMax', [scores], { axis: 1, keepdims: 0 });
  const label = graph.node('Gather', [graph.texts(classes), position]);
  graph.output('label', label, 'string', ['N']);
  graph.output('scores', scores, 'double', ['N', columns]);
  if (calibration !== null)
    graph.output('probabilities', classProbabilities(calibration, scores, classes.length, graph), 'double', [
      'N',
      classes.length,
    ]);
  return graph.finish(describe(model), metadataOf(model));
}

function scoresOf(model: Exclude<Model, { kind: 'dual' }>, rows: OnnxRows, graph: Graph): string {
  return model.kind === 'tree' ? treeScores(model, rows, graph) : linearScores(model, rows, graph);
}

function isPositive(model: Model, scores: string, graph: Graph): string {
  const score = graph.node('Reshape', [scores, graph.wholes([-1], [1])]);
  return graph.node(tieOf(model) > 0 ? 'GreaterOrEqual' : 'Greater', [score, graph.doubles([0], [1])]);
}

function describe(model: Model): string {
  const bound = scoreBound(model);
  return [
    `A model of halfspace (${model.rule}), written by halfspace/export.`,
    ...(bound === null
      ? ['The scores are those of halfspace.']
      : [
          `A score differs from halfspace's by at most ${bound.relative.toPrecision(2)} times the sum of the sizes of its terms:`,
          `at most ${bound.usual.toPrecision(2)} for rows whose ${bound.rows}.`,
        ]),
    ...inputs(model),
  ].join('\n');
}

/** Describes the inputs, one line each. */
function inputs({ features }: Model): string[] {
  if (features.kind !== 'table') return ['features: doubles, one per feature'];
  return features.columns.map((column) => {
    const form = cellForm(column);
    const kind = {
      number: `${column.kind === 'number' ? numberInput(column) : ''}, NaN if it is missing`,
      boolean: '1 for true, 0 for false, NaN if it is missing',
      date: 'days since 1970-01-01 UTC with a fraction, NaN if it is missing',
      category: 'a text, empty if it is missing',
      set: '',
      text: '',
    }[column.kind];
    return `${column.name}: ${kind}${form === undefined || column.kind === 'number' ? '' : '; the training table has it in another form'}`;
  });
}

/** Facts for programs: the classes in the order of scores, the names of features, and the bound of scores. */
function metadataOf(model: Model): Record<string, string> {
  const bound = scoreBound(model);
  return {
    classes: JSON.stringify(model.classes),
    ...(model.features.kind === 'named' ? { features: JSON.stringify(model.features.names) } : {}),
    score_bound: String(bound?.usual ?? 0),
    score_bound_relative: String(bound?.relative ?? 0),
  };
}

/** Adds the scores of linear functions to a graph: [N, K], with one column for two classes. */
function linearScores(model: LinearModel | MulticlassModel, { measured, choices }: OnnxRows, graph: Graph): string {
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
