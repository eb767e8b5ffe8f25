import {
  byKind,
  type Check,
  check,
  checkDistinct,
  checkRising,
  flag,
  listOf,
  maybe,
  number,
  oneOf,
  only,
  positive,
  shape,
  text,
  texts,
  whole,
  within,
} from '../json.ts';
import { typeOfClasses } from './class-names.ts';
import type { DateFormat } from './date/format-names.ts';
import { checkParts } from './date/parts.ts';
import { thresholdClasses } from './label-threshold.ts';
import {
  type CrossGroups,
  columnsByName,
  columnWidth,
  compareCodePoints,
  crossPairs,
  dimension,
  type FilledMissing,
  isOneHot,
  leftOutReasons,
  type NumberNotation,
  type SetColumn,
  type TableColumn,
  type TableEncoding,
  type TableLabel,
  type TextColumn,
  trendOf,
  trends,
} from './table-encoding.ts';

/** Limits that are checked before memory is allocated. */
const mostColumns = 1 << 20;
const mostFeatures = 1 << 28;
const mostBits = 24;

const filled = shape({ count: whole, fill: number, indicator: flag });
/** Checks the missing values of a category, a set or a text. */
export const leftMissing = shape({ count: whole, indicator: flag });

export function checkEdges(value: unknown, path: string): readonly number[] {
  const edges = listOf(number, mostColumns)(value, path);
  check(edges.length > 0, path, 'at least one number', 'none');
  checkRising(edges, path, (a, b) => a - b);
  return edges;
}

const scaled = {
  kind: text,
  name: text,
  mean: number,
  deviation: (value: unknown, path: string) => {
    const deviation = positive(value, path);
    check(Number.isFinite(1 / deviation), path, 'a number with a finite reciprocal', deviation);
    return deviation;
  },
  edges: maybe(checkEdges),
};

/** Checks that a missing value can be scaled. */
function scalable<C extends { mean: number; deviation: number; missing: FilledMissing }>(parse: Check<C>): Check<C> {
  return (value, path) => {
    const column = parse(value, path);
    const { fill } = column.missing;
    const scaledFill = (fill - column.mean) / column.deviation;
    check(Number.isFinite(scaledFill), `${path}.missing.fill`, 'a number that can be scaled', fill);
    return column;
  };
}

/** Checks the levels of a category or a set. */
export const levelMembers = {
  levels: (value: unknown, path: string) => {
    const levels = texts(value, path, mostFeatures);
    check(!levels.includes(''), path, 'names', 'an empty one');
    checkRising(levels, path, compareCodePoints);
    return levels;
  },
  rare: maybe(shape({ least: within(2), levels: within(2) })),
  others: maybe(shape({ bits: within(1, mostBits) })),
  missing: leftMissing,
};

const columnChecks = {
  category: shape({ kind: text, name: text, ...levelMembers }),
  boolean: shape({ kind: text, name: text, mean: number, missing: filled }),
};

/** Checks columns of dates. @param format the reader of their formats. */
function dateColumns(format: Check<DateFormat>) {
  return (value: unknown, path: string) => {
    const members = { format: maybe(format), parts: maybe(checkParts), wraps: maybe(only(true)), missing: filled };
    const column = scalable(shape({ ...scaled, ...members }))(value, path);
    const { parts } = column;
    check(
      parts?.length !== 0 && !(parts && 'edges' in column),
      `${path}.parts`,
      'not empty, and not with edges',
      parts,
    );
    return column;
  };
}

const labelShape = shape({
  column: text,
  type: only('number', 'text'),
  join: maybe(only(true)),
  threshold: maybe(shape({ operator: only('>=', '>', '<=', '<'), value: number })),
  classes: (value, path) => texts(value, path, mostColumns),
  positive: (value) => value,
  negative: (value) => value,
});

export function parseLabel(value: unknown, path: string): TableLabel {
  const label = labelShape(value, path);
  const { type, classes, positive, negative } = label;
  const at = `${path}.classes`;
  check(classes.length > 1, at, 'at least two classes', classes.length);
  check(type === 'text' || typeOfClasses(classes) === 'number', at, 'numbers', classes.join(', '));
  checkDistinct(classes, at, 'each name once');
  if (positive !== null || classes.length === 2) oneOf(positive, `${path}.positive`, classes);
  const other = classes.length === 2 ? classes.find((name) => name !== positive)! : null;
  oneOf(negative, `${path}.negative`, [other]);
  if (label.threshold !== undefined) {
    const names = thresholdClasses(label.threshold);
    check(type === 'text' && classes.length === 2, `${path}.threshold`, 'two classes of text', classes);
    oneOf(positive, `${path}.positive`, [names.positive]);
    oneOf(negative, `${path}.negative`, [names.negative]);
  }
  return label as TableLabel;
}

function parseMissing(value: unknown, path: string): readonly string[] {
  const words = texts(value, path, mostColumns);
  check(
    words.length > 0 && !words.includes(''),
    path,
    'words, or absent',
    words.length === 0 ? 'none' : 'an empty one',
  );
  checkRising(words, path, compareCodePoints);
  return words;
}

export const crossShape = shape({
  columns: (value, path) => texts(value, path, 2) as [string, string],
  bits: within(0, mostBits),
  groups: maybe(
    listOf((value, path) => {
      if (value === null) return null;
      const starts = listOf(within(1, mostFeatures), mostColumns)(value, path);
      checkRising(starts, path, (a, b) => a - b);
      return starts;
    }, 2) as Check<[CrossGroups, CrossGroups]>,
  ),
});

/** Checks crosses of columns that were checked. */
export function checkCrosses({ columns, crosses }: TableEncoding, path: string): void {
  if (crosses === undefined) return;
  const all = columnsByName(columns);
  check(crosses.length > 0, path, 'at least one cross, or absent', 'none');
  crosses.forEach((cross, k) => {
    const { columns: pair, bits, groups } = cross;
    const crossed = pair.every((name) => all.has(name) && isOneHot(all.get(name)!) && !trendOf(all.get(name)!));
    check(
      pair.length === 2 && pair[0] !== pair[1] && crossed,
      `${path}[${k}].columns`,
      'two columns of categories or intervals',
      pair,
    );
    if (groups !== undefined) check(groups.length === 2, `${path}[${k}].groups`, 'two lists or null', groups);
    groups?.forEach((starts, c) => {
      const width = columnWidth(all.get(pair[c]!)!);
      check((starts?.at(-1) ?? 0) < width, `${path}[${k}].groups[${c}]`, `positions below ${width}`, starts);
    });
    whole(bits, `${path}[${k}].bits`, 0, Math.ceil(Math.log2(crossPairs(cross, all))));
  });
}

/** Check the forms in which cells are written. */
interface FormChecks {
  readonly notation: Check<NumberNotation>;
  readonly format: Check<DateFormat>;
  readonly set: Check<SetColumn>;
}

/**
 * Returns a reader of table encodings from untrusted JSON. It checks and copies every member, and refuses unknown ones.
 * Names are only compared, never used as keys of objects.
 *
 * @param textColumn the reader of text columns.
 * @param forms the readers of the forms of cells.
 */
export function tableEncodings(textColumn: Check<TextColumn>, forms: FormChecks): Check<TableEncoding> {
  const { category, boolean } = columnChecks;
  const date = dateColumns(forms.format);
  const number = scalable(
    shape({ ...scaled, trend: maybe(only(...trends)), notation: maybe(forms.notation), missing: filled }),
  );
  const parse = shape({
    kind: text,
    format: only('csv', 'tsv', 'json', 'ndjson', 'parquet', 'sql', 'rows'),
    header: only(true, false, null),
    scale: only('none', 'standard'),
    missing: maybe(parseMissing),
    notMissing: maybe((value, path) => (value === true ? value : parseMissing(value, path))),
    label: parseLabel,
    columns: listOf(
      byKind({ number, category, set: forms.set, text: textColumn, date, boolean }) as Check<TableColumn>,
      mostColumns,
    ),
    crosses: maybe(listOf(crossShape, mostColumns)),
    leftOut: listOf(shape({ name: text, reason: only(...leftOutReasons) }), mostColumns),
  });
  return (value, path) => {
    const encoding = parse(value, path) as TableEncoding;
    checkCrosses(encoding, `${path}.crosses`);
    const { label, columns, leftOut } = encoding;
    const names = [label.column, ...[...columns, ...leftOut].map(({ name }) => name)];
    checkDistinct(names, path, 'columns of different names');
    check(dimension(encoding) <= mostFeatures, path, `at most ${mostFeatures} features`, dimension(encoding));
    return encoding;
  };
}
