import type { LinearModel, Model, MulticlassModel } from 'halfspace';
import { functionsOf, type NamedWeight, nonzero, strongest } from 'halfspace/internal/models';
import { columnWidth, notClass } from 'halfspace/internal/tables';
import { printable } from 'halfspace/printable';
import { count, counted, numbers } from './format.ts';
import { shareBar, sparkline } from './terminal-charts.ts';

/** Maximum number of classes whose features are listed. */
const mostClasses = 10;

/**
 * Returns the features with the largest weights, class by class if there are three or more; the more classes, the fewer
 * features each.
 */
export function strongestLines(model: LinearModel | MulticlassModel, top: number, modelPath?: string): string[] {
  const functions = functionsOf(model);
  const shown = functions.length === 1 ? top : Math.max(1, Math.min(top, Math.ceil((2 * top) / functions.length)));
  const lines = functions.slice(0, mostClasses).flatMap((linear, k) => {
    const { curves, others } = curvesOf(model.features, linear);
    const features = strongest(model.features, others, shown);
    const more = nonzero(others) - features.length;
    const classes: readonly [string, string] =
      model.kind === 'linear' ? model.classes : [notClass(model.classes[k]!), model.classes[k]!];
    const heading = model.kind === 'linear' ? [] : [`for ${model.classes[k]}`];
    if (features.length === 0 && curves.length === 0) return [...heading, 'no feature has a weight'];
    const rest = more > 0 && modelPath !== undefined && functions.length === 1;
    return [
      ...heading,
      ...curveLines(curves.slice(0, shown), classes[1]),
      ...featureLines(features, classes),
      ...(rest ? [`… and ${count(more)} more: halfspace inspect ${modelPath}`] : []),
    ];
  });
  if (functions.length > mostClasses)
    lines.push(`… and ${counted(functions.length - mostClasses, 'more class', 'more classes')}`);
  return lines;
}

type LinearFunction = MulticlassModel['functions'][number];

/** A column that is cut into intervals, with their weights. */
interface Curve {
  readonly column: string;
  readonly weights: Float64Array;
}

/** Takes the curves out of a function, those that rise or fall most first. */
function curvesOf(
  features: Model['features'],
  linear: LinearFunction,
): { readonly curves: readonly Curve[]; readonly others: LinearFunction } {
  if (features.kind !== 'table') return { curves: [], others: linear };
  const { sparse: _, ...rest } = linear;
  const others = linear.weights.slice();
  let first = 0;
  const curves = features.columns.flatMap((column) => {
    const from = first;
    first += columnWidth(column);
    if (!('edges' in column) || column.edges === undefined) return [];
    const weights = linear.weights.slice(from, from + column.edges.length + 1);
    others.fill(0, from, from + weights.length);
    return [{ column: column.name, weights }];
  });
  if (curves.length === 0) return { curves, others: linear };
  return { curves: curves.sort((a, b) => spreadOf(b) - spreadOf(a)), others: { ...rest, weights: others } };
}

function spreadOf({ weights }: Curve): number {
  return Math.max(...weights) - Math.min(...weights);
}

/** Number of blocks of a curve. */
const curveWidth = 24;

/** Returns a line for each curve: its name, its course from the least to the largest number, and its extremes. */
function curveLines(curves: readonly Curve[], positive: string): string[] {
  const width = curves.reduce((most, { column }) => Math.min(40, Math.max(most, [...column].length)), 0);
  return curves.map(({ column, weights }) => {
    const blocks = Math.min(curveWidth, weights.length);
    const course = Array.from(
      { length: blocks },
      (_, k) => weights[Math.floor(((k + 0.5) * weights.length) / blocks)]!,
    );
    const [least, most] = numbers([Math.min(...weights), Math.max(...weights)]);
    return `${fit(column, width)}  ${sparkline(course).padEnd(curveWidth)}  ${least} to ${most} for ${printable(positive)}`;
  });
}

/** Returns a line for each feature: its name, its weight as a number and as a bar, and the class that it supports. */
export function featureLines(features: readonly NamedWeight[], classes: readonly [string, string]): string[] {
  const width = features.reduce((most, { feature }) => Math.min(40, Math.max(most, [...feature].length)), 0);
  const largest = features.reduce((most, { weight }) => Math.max(most, Math.abs(weight)), 0);
  const shown = numbers(features.map(({ weight }) => weight));
  const widest = Math.max(...shown.map((text) => text.length));
  return features.map(({ feature, weight }, k) => {
    const bar = shareBar(Math.abs(weight) / largest, 12);
    return `${fit(feature, width)}  ${shown[k]!.padStart(widest)}  ${bar.padEnd(12)}  ${weight > 0 ? classes[1] : classes[0]}`;
  });
}

/** Returns a text of exactly this width, shortened or padded. */
export function fit(text: string, width: number): string {
  const letters = [...printable(text)];
  return letters.length <= width
    ? letters.join('') + ' '.repeat(width - letters.length)
    : `${letters.slice(0, width - 1).join('')}…`;
}
