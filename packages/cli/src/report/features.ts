import type { LinearModel, MulticlassModel } from 'halfspace';
import { functionsOf, type NamedWeight, nonzero, strongest } from 'halfspace/internal/models';
import { notClass } from 'halfspace/internal/tables';
import { printable } from 'halfspace/printable';
import { count, counted, number } from './format.ts';

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
    const features = strongest(model.features, linear, shown);
    const more = nonzero(linear) - features.length;
    const classes: readonly [string, string] =
      model.kind === 'linear' ? model.classes : [notClass(model.classes[k]!), model.classes[k]!];
    const heading = model.kind === 'linear' ? [] : [`for ${model.classes[k]}`];
    if (features.length === 0) return [...heading, 'no feature has a weight'];
    const rest = more > 0 && modelPath !== undefined && functions.length === 1;
    return [
      ...heading,
      ...featureLines(features, classes),
      ...(rest ? [`… and ${count(more)} more: halfspace inspect ${modelPath}`] : []),
    ];
  });
  if (functions.length > mostClasses)
    lines.push(`… and ${counted(functions.length - mostClasses, 'more class', 'more classes')}`);
  return lines;
}

/** Returns a line for each feature: its name, its weight as a number and as a bar, and the class that it supports. */
export function featureLines(features: readonly NamedWeight[], classes: readonly [string, string]): string[] {
  const width = features.reduce((most, { feature }) => Math.min(40, Math.max(most, [...feature].length)), 0);
  const largest = features.reduce((most, { weight }) => Math.max(most, Math.abs(weight)), 0);
  return features.map(({ feature, weight }) => {
    const bar = '█'.repeat(Math.max(1, Math.round(12 * (Math.abs(weight) / largest))));
    return `${fit(feature, width)}  ${number(weight).padStart(10)}  ${bar.padEnd(12)}  ${weight > 0 ? classes[1] : classes[0]}`;
  });
}

/** Returns a text of exactly this width, shortened or padded. */
export function fit(text: string, width: number): string {
  const letters = [...printable(text)];
  return letters.length <= width
    ? letters.join('') + ' '.repeat(width - letters.length)
    : `${letters.slice(0, width - 1).join('')}…`;
}
