import type { LinearModel, MulticlassModel } from 'halfspace';
import { type DescribedFunction, describeFunctions } from 'halfspace/models';
import { printable } from 'halfspace/printable';
import { count, counted, number, numbers } from './format.ts';
import { shareBar, sparkline } from './terminal-charts.ts';

type Curve = DescribedFunction['curves'][number];
type Grid = DescribedFunction['grids'][number];
type NamedWeight = ReturnType<DescribedFunction['all']['strongest']>[number];

/** Maximum number of classes whose features are listed. */
const mostClasses = 10;

/**
 * Returns the features with the largest weights, class by class if there are three or more; the more classes, the fewer
 * features each.
 */
export function strongestLines(model: LinearModel | MulticlassModel, top: number, modelPath?: string): string[] {
  const functions = describeFunctions(model);
  const shown = functions.length === 1 ? top : Math.max(1, Math.min(top, Math.ceil((2 * top) / functions.length)));
  const lines = functions.slice(0, mostClasses).flatMap(({ class: name, against, curves, grids, others }) => {
    const features = readable(others.strongest(shown));
    const more = others.nonzero() - features.length;
    const heading = model.kind === 'linear' ? [] : [`for ${name}`];
    if (features.length + curves.length + grids.length === 0) return [...heading, 'no feature has a weight'];
    const rest = more > 0 && modelPath !== undefined && functions.length === 1;
    return [
      ...heading,
      ...curveLines(curves.slice(0, shown), grids.slice(0, shown), name),
      ...featureLines(features, [against, name]),
      ...(rest ? [`… and ${count(more)} more: halfspace inspect ${modelPath}`] : []),
    ];
  });
  if (functions.length > mostClasses)
    lines.push(`… and ${counted(functions.length - mostClasses, 'more class', 'more classes')}`);
  return lines;
}

/** Number of blocks of a curve. */
const curveWidth = 24;

/** Returns a line for each curve and pair: its name, its course from the least to the largest number, its extremes. */
function curveLines(curves: readonly Curve[], grids: readonly Grid[], positive: string): string[] {
  const lines = [
    ...curves.map(({ column, edges, names, values }) => {
      const intervals = edges.length + 1;
      const blocks = Math.min(curveWidth, intervals);
      const at = (k: number) => values[Math.floor(((k + 0.5) * intervals) / blocks)]!;
      const others = names.map((name, k) => `, ${printable(name)} ${number(values[intervals + k]!)}`).join('');
      const course = sparkline(Array.from({ length: blocks }, (_, k) => at(k)));
      return { name: column, course, values: values.subarray(0, intervals), others };
    }),
    ...grids.map(({ sides, size, values }) => ({
      ...{ name: sides.map(({ column }) => column).join(' × '), values, others: '' },
      course: `a pair, ${size.join(' × ')} groups`,
    })),
  ];
  const width = lines.reduce((most, { name }) => Math.min(40, Math.max(most, [...name].length)), 0);
  const ends = numbers(lines.flatMap(({ values }) => [Math.min(...values), Math.max(...values)]));
  return lines.map(
    ({ name, course, others }, k) =>
      `${fit(name, width)}  ${course.padEnd(curveWidth)}  ${ends[2 * k]} to ${ends[2 * k + 1]} for ${printable(positive)}${others}`,
  );
}

/** Leaves out weights that are nothing but rounding errors beside the largest. */
export function readable(features: readonly NamedWeight[]): readonly NamedWeight[] {
  const texts = numbers(features.map(({ weight }) => weight));
  return features.filter((_, k) => texts[k] !== '0');
}

/** Returns a line for each feature: its name, its weight as a number and as a bar, and the class that it supports. */
function featureLines(features: readonly NamedWeight[], classes: readonly [string, string]): string[] {
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
