import { type DualFunction, type DualModel, type FeatureEncoding, featureNamer, mostMistaken } from 'halfspace';
import { counted, number } from './format.ts';

/** Features of a row that a line has room for. */
const featuresShown = 5;

/** A row on which mistakes were made, for a person. */
export interface MistakenRow {
  /** How often it was a mistake. */
  readonly mistakes: number;
  /** The class that it is of. */
  readonly class: string;
  /** Its features as learned from, largest first. */
  readonly features: readonly { readonly feature: string; readonly value: number }[];
}

/** The rows of a function that were most often a mistake. @param classes of rows with negative and positive coefficients. */
export function mistakenRows(
  dual: DualFunction,
  encoding: FeatureEncoding,
  classes: readonly [string, string],
  top: number,
): MistakenRow[] {
  const name = featureNamer(encoding);
  const { offsets, indices, values } = dual.support;
  return mostMistaken(dual, top).map(({ row, mistakes, coefficient }) => {
    const features = [...indices.subarray(offsets[row], offsets[row + 1])].map((j, k) => ({
      feature: name(j),
      value: values[offsets[row]! + k]!,
    }));
    features.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    return { mistakes, class: classes[coefficient > 0 ? 1 : 0], features };
  });
}

/** The classes that a function tells apart. */
export function classesOf({ classes }: DualModel, k: number): [string, string] {
  return classes.length === 2 ? [classes[0]!, classes[1]!] : [`not ${classes[k]}`, classes[k]!];
}

/** What is kept of the rows, function by function. */
export function mistakeLines(model: DualModel): string[] {
  return model.functions.map((dual, k) => {
    const whose = model.classes.length === 2 ? '' : `${model.classes[k]}: `;
    const rows = dual.support.offsets.length - 1;
    return `${whose}${counted(dual.rows.length, 'mistake')} on ${counted(rows, 'row')}, which are kept`;
  });
}

/** The rows most often mistaken, a line each; of several classes those of each. */
export function mistakenLines(model: DualModel, top: number): string[] {
  const shown = model.functions.length === 1 ? top : Math.max(1, Math.ceil((2 * top) / model.functions.length));
  return model.functions.slice(0, 10).flatMap((dual, k) => {
    const rows = mistakenRows(dual, model.features, classesOf(model, k), shown);
    return [
      ...(model.functions.length === 1 ? [] : [`for ${model.classes[k]}`]),
      ...(rows.length === 0 ? ['no row was a mistake'] : rows.map(line)),
    ];
  });
}

function line({ mistakes, class: name, features }: MistakenRow): string {
  const shown = features.slice(0, featuresShown).map(({ feature, value }) => `${feature} ${number(value)}`);
  const rest = features.length > shown.length ? [`… ${features.length - shown.length} more`] : [];
  return `${`${mistakes} ×`.padStart(7)}  ${name}: ${[...shown, ...rest].join(', ')}`;
}
