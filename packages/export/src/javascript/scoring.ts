import type { Model } from 'halfspace';
import { encodedColumns, tieOf } from 'halfspace/internal';
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

/** Writes the scoring of a model that is no kernel model. */
export function scoring(model: Exclude<Model, { kind: 'dual' }>): Scoring {
  const outputs = model.classes.length === 2 ? 1 : model.classes.length;
  if (model.kind === 'tree') return { ...treeScoring(model), outputs };
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

function treeScoring({ tree, features, classes }: Extract<Model, { kind: 'tree' }>): Omit<Scoring, 'outputs'> {
  const owners: number[] = [];
  const columns = encodedColumns(features).map(({ column, first, indicator, mean, deviation }, c) => {
    const isCategory = column.kind === 'category';
    for (let j = first; j < first + (isCategory ? column.levels.length : 1); j++) owners[j] = c;
    if (indicator >= 0) owners[indicator] = c;
    return [isCategory ? 1 : 0, first, indicator, mean, deviation];
  });
  // Feature 0 does not exist if indices start at 1.
  const ownerList = Array.from(owners, (owner) => owner ?? -1);
  const scores = tree.nodes.map(({ counts }) => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    return counts.length === 2 ? (counts[1]! - counts[0]!) / total : counts.map((count) => count / total);
  });
  return {
    data: [
      `const treeColumns = ${data(columns)};`,
      `const owners = ${data(ownerList)};`,
      `const splits = [\n  ${tree.nodes.map(({ split }) => data(split)).join(',\n  ')},\n];`,
      `const leafScores = ${data(scores)};`,
    ],
    score: `leafScores[leafOf(treeColumns, owners, splits)]${classes.length === 2 ? '' : '.slice()'}`,
  };
}

/** Writes the condition on the score \`s\` of two classes for the positive one. */
export function isPositive(model: Model): string {
  return tieOf(model) > 0 ? 's >= 0' : 's > 0';
}

/** Writes the probabilities by scores \`s\`; null without calibration. */
export function probabilities({ calibration, classes }: Model): string | null {
  if (calibration === null) return null;
  const own = calibration.map((each, k) => {
    const s = classes.length === 2 ? 's' : `s[${k}]`;
    switch (each.kind) {
      case 'softmax':
        return `softmax(${data(each)}, s, 0, ${classes.length})`;
      case 'isotonic-leads':
        return `byLead(${data(each)}, s, 0, ${classes.length})`;
      case 'isotonic':
        return `interpolate(${data(each.scores)}, ${data(each.probabilities)}, ${s})`;
      default: {
        if (each.slope === 0) return `sigmoid(${each.intercept})`;
        const clipped = each.kind === 'platt' ? s : `Math.min(Math.max(${s}, ${each.low}), ${each.high})`;
        return `sigmoid(${each.slope} * ${clipped} + ${each.intercept})`;
      }
    }
  });
  if (classes.length === 2) return `const p = ${own[0]};\n  return [1 - p, p];`;
  const [first] = calibration;
  const isJoint = first!.kind === 'softmax' || first!.kind === 'isotonic-leads';
  return `return shares(${isJoint ? own[0] : `[${own.join(', ')}]`});`;
}
