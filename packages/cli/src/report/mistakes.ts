import type { DualModel, FeatureEncoding } from 'halfspace';
import { featureNamer, mostMistaken } from 'halfspace/models';
import { counted, number } from './format.ts';

type DualFunction = DualModel['functions'][number];

/** Maximum number of features of a row in a line. */
const featuresShown = 5;

/** A row on which the learner made mistakes. */
interface MistakenRow {
  /** Number of mistakes on the row. */
  readonly mistakes: number;
  /** The row's class. */
  readonly class: string;
  /** The row's features after scaling, the largest first. */
  readonly features: readonly { readonly feature: string; readonly value: number }[];
}

/**
 * Returns the rows of a function with the most mistakes.
 *
 * @param classes of rows with negative and positive coefficients.
 */
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

/** Returns the negative and the positive class of a function. */
export function classesOf({ classes }: DualModel, k: number): [string, string] {
  return classes.length === 2 ? [classes[0]!, classes[1]!] : [`not ${classes[k]}`, classes[k]!];
}

/** Returns a line for each function: the number of mistakes and of stored rows. */
export function mistakeLines(model: DualModel): string[] {
  return model.functions.map((dual, k) => {
    const whose = model.classes.length === 2 ? '' : `${model.classes[k]}: `;
    const rows = dual.support.offsets.length - 1;
    return `${whose}${counted(dual.rows.length, 'mistake')} on ${counted(rows, 'row')}, which the model stores`;
  });
}

/** Returns a line for each of the rows with the most mistakes, class by class if there are three or more. */
export function mistakenLines(model: DualModel, top: number): string[] {
  const shown = model.functions.length === 1 ? top : Math.max(1, Math.ceil((2 * top) / model.functions.length));
  return model.functions.slice(0, 10).flatMap((dual, k) => {
    const rows = mistakenRows(dual, model.features, classesOf(model, k), shown);
    return [
      ...(model.functions.length === 1 ? [] : [`for ${model.classes[k]}`]),
      ...(rows.length === 0 ? ['no mistakes'] : rows.map(line)),
    ];
  });
}

function line({ mistakes, class: name, features }: MistakenRow): string {
  const shown = features.slice(0, featuresShown).map(({ feature, value }) => `${feature} ${number(value)}`);
  const rest = features.length > shown.length ? [`… ${features.length - shown.length} more`] : [];
  return `${`${mistakes} ×`.padStart(7)}  ${name}: ${[...shown, ...rest].join(', ')}`;
}
