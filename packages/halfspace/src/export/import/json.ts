import { checkCrosses, checkEdges, crossShape } from '../../features/parse-table-encoding.ts';
import {
  type CategoryColumn,
  columnsByName,
  crossPairs,
  dimension,
  type TableColumn,
  type TableEncoding,
} from '../../features/table-encoding.ts';
import {
  isObject,
  list,
  members,
  number,
  oneOf,
  positive,
  readAs,
  text as textOf,
  texts,
  unfit,
  whole,
} from '../../json.ts';
import type { Model } from '../../model/model.ts';
import { linearModel } from './linear-model.ts';

/**
 * Reads coefficients as JSON, as scikit-learn's linear classifiers have them:
 *
 * - `classes`: names, numbers, or false and true, rising.
 * - `coef`: one list of numbers for two classes, whose score is above 0 for the second one; else one list per class.
 *   For two classes the numbers themselves, too.
 * - `intercept`: as many numbers, or one for all.
 * - `columns`: of a table, in the order of the coefficients. A name stands for `{ name }`, a number as it is. `mean`
 *   and `scale` scale it to (x − mean) / scale; `fill` replaces a missing value (default: the mean). `levels`, rising,
 *   make it a category with one coefficient per level; `rare: true`, or an object as `toScikitLearn` writes it, adds
 *   one for all other levels. `edges`, rising, cut a number into intervals with one coefficient each. `indicator: true`
 *   adds one for a missing value. Absent: the features are numbered from 0.
 * - `crosses`: pairs of categories or intervals, as `toScikitLearn` writes them; their coefficients are the last.
 * - `label`: name of the column with the class. Default: `class`.
 *
 * @param source name of the file, for messages.
 * @throws HalfspaceError `model-invalid` with the place in the JSON.
 */
export function fromJson(json: string, source?: string): Model {
  return readAs({ source }, () => {
    let value: unknown;
    try {
      value = JSON.parse(json);
    } catch {
      throw unfit('the file', 'JSON with classes, coef and intercept', 'other text');
    }
    const from = members(value, 'the file', ['classes', 'coef', 'intercept'], ['columns', 'crosses', 'label', 'kind']);
    if (from.kind !== undefined) oneOf(from.kind, 'kind', ['linear']);
    const given = list(from.classes, 'classes');
    const isNumber = given.every((each) => typeof each === 'number');
    const isFlag = given.every((each) => typeof each === 'boolean');
    const classes = isNumber || isFlag ? given.map(String) : texts(from.classes, 'classes');
    if (classes.length < 2) throw unfit('classes', 'two or more', classes.length);
    const functionCount = classes.length === 2 ? 1 : classes.length;
    const coef = list(from.coef, 'coef');
    const isFlat = functionCount === 1 && coef.length > 0 && coef.every((each) => typeof each === 'number');
    const rows = (isFlat ? [coef] : coef).map((row, k) =>
      list(row, `coef[${k}]`).map((each) => number(each, `coef[${k}]`)),
    );
    const intercepts = (
      typeof from.intercept === 'number'
        ? new Array(functionCount).fill(from.intercept)
        : list(from.intercept, 'intercept')
    ).map((each) => number(each, 'intercept'));
    if (rows.length !== functionCount)
      throw unfit('coef', `${functionCount} lists for ${classes.length} classes`, rows.length);
    if (intercepts.length !== functionCount) throw unfit('intercept', `${functionCount} numbers`, intercepts.length);
    const width = rows[0]!.length;
    const label = from.label === undefined ? 'class' : textOf(from.label, 'label');
    const features =
      from.columns === undefined
        ? ({ kind: 'indexed', dimension: width, firstIndex: 0 } as const)
        : crossed(
            tableOf(list(from.columns, 'columns'), { classes, isNumber, join: isNumber || isFlag, label }),
            from.crosses,
          );
    const widthOfColumns = features.kind === 'indexed' ? width : dimension(features);
    rows.forEach((row, k) => {
      if (row.length !== widthOfColumns) throw unfit(`coef[${k}]`, `${widthOfColumns} numbers`, row.length);
    });
    const functions = rows.map((weights, k) => ({ weights, bias: intercepts[k]! }));
    return linearModel({ source, classes, functions, features });
  });
}

interface Label {
  readonly classes: readonly string[];
  readonly isNumber: boolean;
  /** True: numbers and booleans, whose notation in data is not known: 1 or 1.0, true or True. */
  readonly join: boolean;
  readonly label: string;
}

function tableOf(columns: readonly unknown[], { classes, isNumber, join, label }: Label): TableEncoding {
  const parsed = columns.map((column, c) => columnOf(column, `columns[${c}]`));
  const isScaled = parsed.some((column) => column.kind === 'number' && (column.mean !== 0 || column.deviation !== 1));
  const [negative, positive] = classes.length === 2 ? [classes[0]!, classes[1]!] : [null, null];
  return {
    kind: 'table',
    format: 'csv',
    header: true,
    scale: isScaled ? 'standard' : 'none',
    label: {
      column: label,
      type: isNumber ? 'number' : 'text',
      ...(join ? { join } : {}),
      classes,
      positive,
      negative,
    },
    columns: parsed,
    leftOut: [],
  };
}

function crossed(encoding: TableEncoding, value: unknown): TableEncoding {
  if (value === undefined) return encoding;
  const all = columnsByName(encoding.columns);
  const crosses = list(value, 'crosses').map((each, k) => {
    const cross = crossShape({ bits: 0, ...(each as object) }, `crosses[${k}]`);
    const isKnown = cross.columns.every((name) => all.has(name));
    return isKnown ? { ...cross, bits: Math.ceil(Math.log2(crossPairs(cross, all))) } : cross;
  });
  const withCrosses = { ...encoding, crosses };
  checkCrosses(withCrosses, 'crosses');
  return withCrosses;
}

function columnOf(value: unknown, path: string): TableColumn {
  if (typeof value === 'string') return columnOf({ name: value }, path);
  if (!isObject(value)) throw unfit(path, 'a name or an object', value);
  const {
    name,
    levels,
    rare,
    edges,
    mean = 0,
    scale = 1,
    fill = mean,
    indicator = false,
  } = members(value, path, ['name'], ['levels', 'rare', 'edges', 'mean', 'scale', 'fill', 'indicator']);
  const marks = oneOf(indicator, `${path}.indicator`, [true, false]);
  const own = textOf(name, `${path}.name`);
  if (levels !== undefined)
    return {
      kind: 'category',
      name: own,
      levels: texts(levels, `${path}.levels`),
      ...(rare === undefined ? {} : { rare: rareOf(rare, `${path}.rare`) }),
      missing: { count: 0, indicator: marks },
    };
  return {
    kind: 'number',
    name: own,
    mean: number(mean, `${path}.mean`),
    deviation: positive(scale, `${path}.scale`),
    ...(edges === undefined ? {} : { edges: checkEdges(edges, `${path}.edges`) }),
    missing: { count: 0, fill: number(fill, `${path}.fill`), indicator: marks },
  };
}

/** Other programs do not count the levels that share a coefficient. */
function rareOf(value: unknown, path: string): NonNullable<CategoryColumn['rare']> {
  if (value === true) return { least: 2, levels: 2 };
  const { least, levels } = members(value, path, ['least', 'levels']);
  return { least: whole(least, `${path}.least`, 2), levels: whole(levels, `${path}.levels`, 2) };
}
