import type { Model } from '../../model/model.ts';
import { tieOf } from '../../model/model.ts';
import type { EncodedColumn } from '../../model/tree/encoded-columns.ts';
import { type DualModel, expansionsOf } from '../dual.ts';
import { nodeScores, type TreeModel, treeColumns } from '../tree.ts';
import { type ScoreFunction, scoreFunctions } from '../weights.ts';
import { data } from './write.ts';

/** The part of a program that turns the features of a row into scores: data, and expressions. */
export interface Scoring {
  readonly data: readonly string[];
  /** One for two classes, else one list for all. */
  readonly score: string;
  /** Number of scores: 1 for two classes. */
  readonly outputs: number;
}

/** Writes the scoring of a model. @throws HalfspaceError `option-invalid` for a kernel model of many rows. */
export function scoring(model: Model): Scoring {
  const outputs = model.classes.length === 2 ? 1 : model.classes.length;
  if (model.kind === 'tree') return { ...treeScoring(model), outputs };
  if (model.kind === 'dual') return { ...dualScoring(model), outputs };
  const functions = scoreFunctions(model);
  const written = functions.map(weights);
  const calls = functions.map(({ of, offset }, k) => `linear(weights${k}, ${of.divisor}, ${offset})`);
  return {
    data: written.map((text, k) => `const weights${k} = ${text};`),
    score: outputs === 1 ? calls[0]! : `[${calls.join(', ')}]`,
    outputs,
  };
}

function weights({ weightOf, weights }: ScoreFunction): string {
  const at: number[] = [];
  for (let j = 0; j < weights; j++) if (weightOf(j) !== 0) at.push(j);
  if (at.length * 3 < weights) return `sparseWeights(${data(at)}, ${data(at.map(weightOf))})`;
  return `denseWeights(${data(Array.from({ length: weights }, (_, j) => weightOf(j)))})`;
}

function dualScoring(model: DualModel): Omit<Scoring, 'outputs'> {
  const { features, divisor, functions } = expansionsOf(model);
  const calls = functions.map((_, k) => `expansion${k}(point)`);
  return {
    data: [
      `const kernelFeatures = ${data(features)};`,
      ...functions.map((each, k) => `const expansion${k} = expansion(${data(each)}, kernelFeatures);`),
      `function kernelScores() {\n  const point = pointOf(${divisor});\n  return ${calls.length === 1 ? calls[0] : `[${calls.join(', ')}]`};\n}`,
    ],
    score: 'kernelScores()',
  };
}

function treeScoring(model: TreeModel): Omit<Scoring, 'outputs'> {
  const { columns, owners } = treeColumns(model);
  const isCategory = ({ column }: EncodedColumn) => (column.kind === 'category' ? 1 : 0);
  const described = columns.map((each) => [isCategory(each), each.first, each.indicator, each.mean, each.deviation]);
  const isTwo = model.classes.length === 2;
  const scores = nodeScores(model).map((all) => (isTwo ? all[0] : all));
  return {
    data: [
      `const treeColumns = ${data(described)};`,
      `const owners = ${data(owners)};`,
      `const splits = [\n  ${model.tree.nodes.map(({ split }) => data(split)).join(',\n  ')},\n];`,
      `const leafScores = ${data(scores)};`,
    ],
    score: `leafScores[leafOf(treeColumns, owners, splits)]${isTwo ? '' : '.slice()'}`,
  };
}

/** Writes the condition on the score `s` of two classes for the positive one. */
export function isPositive(model: Model): string {
  return tieOf(model) > 0 ? 's >= 0' : 's > 0';
}

/** Writes the probabilities by scores `s`; null without calibration. */
export function probabilities({ calibration, classes }: Model): string | null {
  if (calibration === null) return null;
  const [own] = calibration;
  switch (own.kind) {
    case 'softmax':
      return `return shares(softmax(${data(own)}, s, 0, ${classes.length}));`;
    case 'isotonic-leads':
      return `return shares(byLead(${data(own)}, s, 0, ${classes.length}));`;
    case 'isotonic':
      return ofTwo(`interpolate(${data(own.scores)}, ${data(own.probabilities)}, s)`);
    default: {
      if (own.slope === 0) return ofTwo(`sigmoid(${own.intercept})`);
      const clipped = own.kind === 'platt' ? 's' : `Math.min(Math.max(s, ${own.low}), ${own.high})`;
      return ofTwo(`sigmoid(${own.slope} * ${clipped} + ${own.intercept})`);
    }
  }
}

const ofTwo = (p: string): string => `const p = ${p};\n  return [1 - p, p];`;
