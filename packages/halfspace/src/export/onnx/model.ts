import { cellForm } from '../../features/table-encoding.ts';
import type { LinearModel } from '../../model/linear/model.ts';
import { type Model, tieOf } from '../../model/model.ts';
import type { MulticlassModel } from '../../model/multiclass/model.ts';
import { encodedColumns } from '../../model/tree/encoded-columns.ts';
import { numberInput } from '../columns.ts';
import { scoreBound } from '../score-bound.ts';
import { checkTexts, textsOf } from '../texts.ts';
import { nodeScores, type TreeModel } from '../tree.ts';
import { scoreFunctions } from '../weights.ts';
import { Graph, types } from './graph.ts';
import { classProbabilities } from './probabilities.ts';
import { type OnnxRows, readRows, refused } from './rows.ts';

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

/**
 * Adds the scores of a tree to a graph: [N, K], with one column for two classes. The nodes are lists; each level of the
 * tree is one step from the node of a row to its child.
 */
function treeScores(model: TreeModel, rows: OnnxRows, graph: Graph): string {
  const { nodes } = model.tree;
  const scores = nodeScores(model);
  const leaves = graph.doubles(scores.flat(), [scores.length, scores[0]!.length]);
  const cells = treeCells(model, rows, graph);
  const children: number[] = [];
  const starts = nodes.map(({ split }, n) => {
    const start = children.length;
    if (split === null) children.push(n, n, n);
    else if (split.kind === 'category')
      // A list of all codes: −1, missing or unknown, is the first.
      for (let code = -1; code < cells.codes(split.column); code++) {
        const child = split.levels.indexOf(code);
        children.push(split.children[child === -1 ? split.missing : child]!);
      }
    else if (split.kind === 'missing') children.push(split.children[0], split.children[0], split.children[1]);
    else children.push(...split.children, split.children[split.missing]);
    return start;
  });
  const listOf = (values: readonly number[]) => graph.wholes(values, [values.length]);
  const columnOf = listOf(nodes.map(({ split }) => (split === null ? 0 : cells.place(split.column))));
  const thresholds = graph.doubles(
    nodes.map(({ split }) => (split?.kind === 'number' ? split.threshold : 0)),
    [nodes.length],
  );
  const startOf = listOf(starts);
  const childOf = listOf(children);
  const isCategory = nodes.some(({ split }) => split?.kind === 'category')
    ? graph.node('Cast', [listOf(nodes.map(({ split }) => (split?.kind === 'category' ? 1 : 0)))], { to: types.bool })
    : null;
  const whole = (value: number) => graph.wholes([value], [1, 1]);
  const first = graph.node('Gather', [cells.values, graph.wholes([0], [1])], { axis: 1 });
  let at = graph.node('Expand', [whole(0), graph.node('Shape', [first])]);
  for (let level = depthOf(model); level > 0; level--) {
    const value = graph.node('GatherElements', [cells.values, graph.node('Gather', [columnOf, at])], { axis: 1 });
    const isLow = graph.node('LessOrEqual', [value, graph.node('Gather', [thresholds, at])]);
    const side = graph.node('Where', [isLow, whole(0), whole(1)]);
    const isMissing = graph.node('IsNaN', [value]);
    let branch = graph.node('Where', [isMissing, whole(2), side]);
    if (isCategory !== null) {
      const number = graph.node('Where', [isMissing, graph.doubles([0], [1]), value]);
      const code = graph.node('Add', [graph.node('Cast', [number], { to: types.int64 }), whole(1)]);
      branch = graph.node('Where', [graph.node('Gather', [isCategory, at]), code, branch]);
    }
    at = graph.node('Gather', [childOf, graph.node('Add', [graph.node('Gather', [startOf, at]), branch])]);
  }
  return graph.node('Gather', [leaves, graph.node('Reshape', [at, graph.wholes([-1], [1])])]);
}

interface TreeCells {
  /** Doubles, one column per column of the tree that has a split: [N, C]. A category has its code, −1 for none. */
  readonly values: string;
  /** Returns the position among them of a column of the tree. */
  readonly place: (column: number) => number;
  /** Returns the number of codes of a category. */
  readonly codes: (column: number) => number;
}

/** Adds the values of the columns that a tree splits by. */
function treeCells({ tree, features }: TreeModel, { measured, choices }: OnnxRows, graph: Graph): TreeCells {
  const used = [...new Set(tree.nodes.flatMap(({ split }) => (split === null ? [] : [split.column])))];
  const encoded = encodedColumns(features);
  const values = used.map((c) => {
    const { column, first, indicator, mean, deviation } = encoded[c]!;
    const slot = measured?.features.indexOf(first) ?? -1;
    if (slot >= 0) {
      const own = (matrix: string) => graph.node('Gather', [matrix, graph.wholes([slot], [1])], { axis: 1 });
      // Numbers went through the scaling of linear models and back.
      const scaled = graph.node('Mul', [own(measured!.values), graph.doubles([deviation], [1])]);
      const value = graph.node('Add', [scaled, graph.doubles([mean], [1])]);
      if (indicator < 0) return value;
      return graph.node('Where', [own(measured!.missing!), graph.doubles([Number.NaN], [1]), value]);
    }
    const choice = choices.find((each) => each.features.includes(first));
    if (choice === undefined) throw refused('a tree of columns that a graph can have', `the column ${column.name}`);
    if (column.kind === 'category') {
      const codes = choice.features.map((feature) => (feature < 0 || feature === indicator ? -1 : feature - first));
      const code = graph.node('Gather', [graph.wholes(codes, [codes.length]), choice.index]);
      return graph.node('Cast', [code], { to: types.double });
    }
    // A part of a date, or a pair of levels: 1 or 0.
    const marks = choice.features.map((feature) => (feature === first ? 1 : 0));
    return graph.node('Gather', [graph.doubles(marks, [marks.length]), choice.index]);
  });
  const any = measured?.values ?? graph.node('Cast', [choices[0]!.index], { to: types.double });
  return {
    values: values.length === 0 ? any : graph.node('Concat', values, { axis: 1 }),
    place: (column) => used.indexOf(column),
    codes: (column) => (encoded[column]!.column as { levels: readonly string[] }).levels.length,
  };
}

function depthOf({ tree }: TreeModel): number {
  const depths = tree.nodes.map(() => 0);
  // Parents come before their children.
  tree.nodes.forEach(({ split }, n) => {
    for (const child of split?.children ?? []) depths[child] = depths[n]! + 1;
  });
  return Math.max(...depths);
}
