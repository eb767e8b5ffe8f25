import { HalfspaceError } from '../../errors.ts';
import { partWidths } from '../../features/date/parts.ts';
import { cellForm, hasTerms, isDense, type TableEncoding } from '../../features/table-encoding.ts';
import type { Model } from '../../model/model.ts';
import { numberInput, type PlacedColumn, placed, scalingOf } from '../columns.ts';
import { array, cString, double } from './write.ts';

/** The part of a program that turns a row into features. */
export interface RowCode {
  /** Length of the row. */
  readonly columns: number;
  /** Lines for the comment: what the row holds. */
  readonly description: readonly string[];
  /** Declares \`NAME_features(row, sum)\`, which passes the features to \`NAME_put\`. */
  readonly code: readonly string[];
}

/** Writes the reading of rows. @throws HalfspaceError `option-invalid` for text and hashed features. */
export function rowCode({ features }: Model, name: string): RowCode {
  switch (features.kind) {
    case 'table':
      return tableCode(features, name);
    case 'indexed': {
      if (features.far !== undefined)
        throw new HalfspaceError(
          'option-invalid',
          'expected indices that are positions in an array; got a few that are very large: JavaScript takes them',
        );
      return listCode(features.dimension, ['row[j] is feature j.'], name);
    }
    case 'named':
      return listCode(
        features.names.length,
        ['row[j] is the feature with this name:', ...features.names.map((each, j) => `  row[${j}]: ${each}`)],
        name,
      );
    case 'hashed':
      throw new HalfspaceError(
        'option-invalid',
        'expected features with names or numbers; got hashed text, which has no rows',
      );
  }
}

/** One entry per feature that a row has: its index and value, in the order of the sum. */
const list = (name: string, length: number) => `typedef struct {
  int count;
  int indices[${Math.max(1, length)}];
  double values[${Math.max(1, length)}];
} ${name}_list;`;

function listCode(columns: number, description: readonly string[], name: string): RowCode {
  return {
    columns,
    description,
    code: [
      list(name, columns),
      `static inline void ${name}_features(const double *row, ${name}_list *list) {
  list->count = 0;
  for (int j = 0; j < ${columns}; j++) {
    list->indices[list->count] = j;
    list->values[list->count++] = row[j];
  }
}`,
    ],
  };
}

const kinds = { number: 0, interval: 1, category: 2, date: 3 } as const;

function tableCode(encoding: TableEncoding, name: string): RowCode {
  const { columns, crosses } = placed(encoding);
  const text = columns.find(({ column }) => hasTerms(column));
  if (text !== undefined)
    throw new HalfspaceError(
      'option-invalid',
      `expected a model of numbers, dates and categories; got one with the ${text.column.kind} ${text.column.name}: use JavaScript, or drop the column`,
    );
  const edges = columns.flatMap(({ column }) => ('edges' in column && column.edges) || []);
  const levels = columns.flatMap(({ column }) => (column.kind === 'category' ? column.levels : []));
  let [edgeAt, levelAt] = [0, 0];
  const rows = columns.map(({ column, first, width }) => {
    const absent = column.missing.indicator ? first + width - 1 : -1;
    if (column.kind === 'category') {
      const from = levelAt;
      levelAt += column.levels.length;
      const rest = column.others ? -1 : column.rare ? first + column.levels.length : -1;
      return structOf({ kind: kinds.category, first, absent, from, length: column.levels.length, rest });
    }
    if (hasTerms(column)) throw new Error('refused before');
    const { mean, deviation, filled } = scalingOf(column, encoding);
    if ('edges' in column && column.edges !== undefined) {
      const from = edgeAt;
      edgeAt += column.edges.length;
      return structOf({ kind: kinds.interval, first, absent, from, length: column.edges.length });
    }
    const parts = 'parts' in column && column.parts !== undefined ? column.parts : null;
    const rest =
      parts === null
        ? 0
        : ['month', 'weekday', 'hour'].reduce(
            (mask, part, bit) => mask | (parts.includes(part as never) ? 1 << bit : 0),
            0,
          );
    return structOf({ kind: parts === null ? kinds.number : kinds.date, first, absent, rest, mean, deviation, filled });
  });
  const others = columns.find(({ column }) => column.kind === 'category' && column.others);
  if (others !== undefined)
    throw new HalfspaceError(
      'option-invalid',
      `expected categories with listed levels; got hashed ones in ${others.column.name}: use JavaScript`,
    );
  const starts: number[] = [];
  const pairs = crosses.map(({ cross, columns: [a, b], counts, first }) => {
    const groups = (cross.groups ?? []).map((own) => {
      const from = starts.length;
      starts.push(...(own ?? []));
      return `${from}, ${own?.length ?? -1}`;
    });
    const [one, other] = [groups[0] ?? '0, -1', groups[1] ?? '0, -1'];
    return `{ ${[a.at, b.at, a.first, b.first, one, other, counts[1], `${counts[0] * counts[1]}.0`, cross.bits, first].join(', ')} }`;
  });
  const most = columns.reduce(
    (sum, { column }) => sum + ('parts' in column && column.parts ? 2 + column.parts.length : 2),
    crosses.length,
  );
  const dense = isDense(encoding);
  const hasDates = columns.some(({ column }) => 'parts' in column && column.parts !== undefined);
  return {
    columns: columns.length,
    description: describe(columns, name),
    code: [
      list(name, most),
      ...(levels.length === 0 ? [] : [array('char *const', `${name}_levels`, levels.map(cString))]),
      ...(edges.length === 0 ? [] : [array('double', `${name}_edges`, edges.map(double))]),
      `typedef struct {
  int kind, first, absent, from, length, rest;
  double mean, deviation, filled;
} ${name}_column;`,
      array(`${name}_column`, `${name}_column_list`, rows),
      ...(levels.length === 0 ? [] : [levelFunction(name)]),
      ...(hasDates ? [dateFunction(name)] : []),
      ...(pairs.length === 0
        ? []
        : [
            array('int', `${name}_starts`, starts.map(String)),
            crossFunction(name),
            array(`${name}_cross`, `${name}_crosses`, pairs),
          ]),
      featuresFunction(name, {
        columns: columns.length,
        dense,
        hasEdges: edges.length > 0,
        hasDates,
        crosses: pairs.length,
      }),
    ],
  };
}

interface ColumnStruct {
  readonly kind: number;
  readonly first: number;
  readonly absent: number;
  readonly from?: number;
  readonly length?: number;
  readonly rest?: number;
  readonly mean?: number;
  readonly deviation?: number;
  readonly filled?: number;
}

function structOf({
  kind,
  first,
  absent,
  from = 0,
  length = 0,
  rest = 0,
  mean = 0,
  deviation = 1,
  filled = 0,
}: ColumnStruct): string {
  return `{ ${[kind, first, absent, from, length, rest].join(', ')}, ${[mean, deviation, filled].map(double).join(', ')} }`;
}

function describe(columns: readonly PlacedColumn[], name: string): string[] {
  const what = ({ column, at }: PlacedColumn) => {
    switch (column.kind) {
      case 'number':
        return numberInput(column);
      case 'boolean':
        return '1 for true, 0 for false';
      case 'date':
        return `days since 1970-01-01 UTC, with a fraction${cellForm(column) === undefined ? '' : `; written as ${String(cellForm(column))} in the training table`}`;
      default:
        return `a category: ${name}_level(${at}, text), with the text without surrounding blanks`;
    }
  };
  return [
    'row has one double per column. NAN is a missing value. Numbers must be finite.',
    ...columns.map((each) => `  row[${each.at}]: ${each.column.name}, ${what(each)}`),
  ];
}

const levelFunction = (
  name: string,
) => `/* Returns the double that stands for a level in a row; -1, for an unknown one, if the model does not know it. */
static inline double ${name}_level(int column, const char *text) {
  const ${name}_column *c = &${name}_column_list[column];
  for (int k = 0; k < c->length; k++) if (strcmp(${name}_levels[c->from + k], text) == 0) return k;
  return -1.0;
}`;

/** Gregorian months: years begin in March, so that the leap day is the last one (src/features/date/calendar.ts). */
const dateFunction = (name: string) => `static inline double ${name}_floor(double x) {
  double whole = x >= -9e15 && x <= 9e15 ? (double)(long long)x : x;
  return whole > x ? whole - 1.0 : whole;
}

/* Returns a part of a date, from 0: 0 the month, 1 the weekday from Monday, 2 the hour; -1: none. */
static inline int ${name}_part(int part, double x) {
  double whole = ${name}_floor(x);
  if (part == 2) {
    int hour = (int)${name}_floor(${name}_floor((x - whole) * 86400.0 + 0.5) / 3600.0);
    return hour > 23 ? 23 : hour;
  }
  if (!(whole >= -1e8 && whole <= 1e8)) return -1;
  long long days = (long long)whole;
  if (part == 1) return (int)((((days + 3) % 7) + 7) % 7);
  long long shifted = days + 719468;
  long long era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  long long of_era = shifted - era * 146097;
  long long year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  long long of_year = of_era - (365 * year + year / 4 - year / 100);
  return (int)(((5 * of_year + 2) / 153 + 2) % 12);
}`;

const crossFunction = (name: string) => `typedef struct {
  int one, other, first_one, first_other;
  int from_one, groups_one, from_other, groups_other; /* Starts of groups; -1: each feature is one. */
  int width;
  double pairs;
  int bits, first;
} ${name}_cross;

static inline int ${name}_group(int place, int from, int length) {
  int group = 0;
  while (group < length && ${name}_starts[from + group] <= place) group++;
  return length < 0 ? place : group;
}

static inline int ${name}_slot(unsigned long long pair, double pairs, int bits) {
  unsigned int size = 1u << bits;
  if (pairs <= (double)size) return (int)pair;
  unsigned int h = ((unsigned int)pair ^ (unsigned int)(pair >> 32)) * 0x9e3779b1u;
  h = (h ^ (h >> 15)) * 0x85ebca6bu;
  return (int)((h ^ (h >> 13)) % size);
}`;

interface FeaturesOptions {
  readonly columns: number;
  readonly dense: boolean;
  readonly hasEdges: boolean;
  readonly hasDates: boolean;
  readonly crosses: number;
}

function featuresFunction(name: string, { columns, dense, hasEdges, hasDates, crosses }: FeaturesOptions): string {
  const found = crosses === 0 ? '' : '    found[j] = feature;\n';
  const put = `static inline void ${name}_put(${name}_list *list, int index, double value) {
  ${dense ? '' : 'if (value == 0.0) return;\n  '}list->indices[list->count] = index;
  list->values[list->count++] = value;
}`;
  const edges = `      int to = c->length, from = 0;
      while (from < to) {
        int middle = (from + to) / 2;
        if (x < ${name}_edges[c->from + middle]) to = middle;
        else from = middle + 1;
      }
      feature = c->first + from;
      ${name}_put(list, feature, 1.0);`;
  const dates = `
      if (c->kind == ${kinds.date}) {
        int next = c->first + 1;
        static const int widths[3] = { ${partWidths.month}, ${partWidths.weekday}, ${partWidths.hour} };
        for (int part = 0; part < 3; part++) {
          if (!(c->rest & (1 << part))) continue;
          int value = is_missing ? -1 : ${name}_part(part, x);
          if (value >= 0) ${name}_put(list, next + value, 1.0);
          next += widths[part];
        }
      }`;
  return `${put}

static inline void ${name}_features(const double *row, ${name}_list *list) {
${crosses === 0 ? '' : `  int found[${Math.max(1, columns)}];\n`}  list->count = 0;
  for (int j = 0; j < ${columns}; j++) {
    const ${name}_column *c = &${name}_column_list[j];
    double x = row[j];
    int is_missing = x != x, feature = -1;
    if (c->kind == ${kinds.category}) {
      feature = is_missing ? c->absent : x >= 0.0 && x < (double)c->length ? c->first + (int)x : c->rest;
      if (feature >= 0) ${name}_put(list, feature, 1.0);
    }${
      hasEdges
        ? ` else if (c->kind == ${kinds.interval}) {
      if (is_missing) {
        feature = c->absent;
        if (feature >= 0) ${name}_put(list, feature, 1.0);
        ${crosses === 0 ? '' : 'found[j] = feature;\n        '}continue;
      }
${edges}
    }`
        : ''
    } else {
      ${name}_put(list, c->first, is_missing ? c->filled : (x - c->mean) / c->deviation);${hasDates ? dates : ''}
      if (c->absent >= 0) ${name}_put(list, c->absent, is_missing ? 1.0 : 0.0);
    }
${found}  }${
    crosses === 0
      ? ''
      : `
  for (int k = 0; k < ${crosses}; k++) {
    const ${name}_cross *c = &${name}_crosses[k];
    int one = found[c->one], other = found[c->other];
    if (one < 0 || other < 0) continue;
    one = ${name}_group(one - c->first_one, c->from_one, c->groups_one);
    other = ${name}_group(other - c->first_other, c->from_other, c->groups_other);
    unsigned long long pair = (unsigned long long)one * (unsigned long long)c->width + (unsigned long long)other;
    ${name}_put(list, c->first + ${name}_slot(pair, c->pairs, c->bits), 1.0);
  }`
  }
}`;
}
