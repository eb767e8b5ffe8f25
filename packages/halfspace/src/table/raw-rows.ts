import type { RawExample } from '../data/source.ts';
import { HalfspaceError, quote } from '../errors.ts';
import type { ColumnOptions } from '../features/feature-options.ts';
import { labelByName } from './columns.ts';
import type { Row } from './object-table.ts';
import type { LabelOf, TableSourceOptions } from './source-options.ts';

/** Takes the fields of the next row of a table, and returns its example. */
export type RawTaker = (fields: Row, row: number) => RawExample;

/**
 * Returns a function that parts the fields of rows into features, label and weight, for learning row by row.
 *
 * @param name of the source. @param known name of the learner's label, the default if the first row has it.
 * @throws HalfspaceError `option-invalid` for options that only a fit to all rows has.
 */
export function rawTaker(
  name: string,
  label: string | LabelOf<never> | undefined,
  { features = {}, missing, weight, positive, scale }: TableSourceOptions,
  known: string,
): RawTaker {
  const columns = Object.entries(features.columns ?? {}) as [string, ColumnOptions][];
  const isFitted = columns.some(([, { kind, ...rest }]) => kind !== 'drop' || Object.keys(rest).length > 0);
  if (isFitted || features.crosses !== undefined || positive !== undefined || scale !== undefined)
    throw new HalfspaceError(
      'option-invalid',
      'expected no options "positive", "scale" and "features", except the kind "drop": give them to OnlineClassifier',
      { source: name },
    );
  const left = new Set([...columns.map(([column]) => column), ...(weight === undefined ? [] : [weight])]);
  if (typeof missing === 'string' || (missing !== undefined && !Array.isArray(missing)))
    throw new HalfspaceError(
      'option-invalid',
      `missing must be a list of words to learn row by row; got ${quote(missing)}`,
      {
        source: name,
      },
    );
  const words = new Set((missing as readonly string[] | undefined)?.map((word) => word.trim()));
  let field: string | null = typeof label === 'string' ? label : null;
  return (fields, row) => {
    if (field === null && typeof label !== 'function') {
      const names = Object.keys(fields);
      field = names.includes(known) ? known : (labelByName(names) ?? names.at(-1) ?? known);
    }
    const features: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(fields))
      if (key !== field && !left.has(key))
        features[key] = typeof value === 'string' && words.has(value.trim()) ? null : value;
    const given = weight === undefined ? 1 : fields[weight];
    const importance = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    if (typeof importance !== 'number' || !(importance >= 0 && importance < 2 ** 53))
      throw new HalfspaceError('number-invalid', `expected a weight in [0, 2⁵³); got ${quote(given)}`, {
        ...{ source: name, row, field: weight! },
      });
    return {
      row: features,
      label: typeof label === 'function' ? label(fields as never) : fields[field!],
      importance,
      place: { source: name, row },
    };
  };
}
