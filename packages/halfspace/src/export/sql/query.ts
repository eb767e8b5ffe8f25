import { HalfspaceError, quote as quoteWord } from '../../errors.ts';
import { partWidths } from '../../features/date/parts.ts';
import type { CategoryColumn, DateColumn, MeasuredColumn } from '../../features/table-encoding.ts';
import { type Model, tieOf } from '../../model/model.ts';
import { encodedColumns } from '../../model/tree/encoded-columns.ts';
import { numberInput, type PlacedColumn, placed, scalingOf } from '../columns.ts';
import { checkTexts, textsOf } from '../texts.ts';
import { nodeScores, type TreeModel } from '../tree.ts';
import { type Dialect, dialects, number, type SqlDialect, sqlDialects } from './dialect.ts';
import { linearScores } from './linear.ts';
import { checkColumn, SqlRow } from './row.ts';
import { refused, type SqlScores } from './scores.ts';

export interface SqlOptions {
  /** The database. Default `duckdb`. */
  readonly dialect?: SqlDialect | undefined;
  /** Name of the table with the rows; points separate its parts: `shop.orders`. Default `data`. */
  readonly table?: string | undefined;
}

/**
 * Writes a model of a table as a `SELECT`: all columns of a table, then the score, or one score per class, then the
 * class, then for a calibrated model the probability of the second class, or of each. The table has the columns of the
 * training table: numbers as numbers, dates as dates or times in UTC, booleans as booleans, categories as text or whole
 * numbers. NULL and the usual words are missing values.
 *
 * Databases add up in an order of their own, so a score may differ from that of `Predictor` in its last digits; the
 * comment of the query states the bound. Trees give the same scores. Probabilities are computed from these scores by
 * the exponential of the database.
 *
 * @throws HalfspaceError `option-invalid` for kernel models, text, hashed levels, dates that are numbers, and
 *   names with NUL or a half of a character.
 */
export function toSql(model: Model, { dialect: name = 'duckdb', table = 'data' }: SqlOptions = {}): string {
  if (!sqlDialects.includes(name))
    throw new HalfspaceError('option-invalid', `expected the dialect ${sqlDialects.join(', ')}; got ${String(name)}`);
  const { features, classes, calibration } = model;
  if (model.kind === 'dual') throw refused('a linear model or a tree', 'one with a kernel');
  if (features.kind !== 'table') throw refused('a model of a table', `one of ${features.kind} features`);
  features.columns.forEach(checkColumn);
  checkTexts(textsOf(model));
  const dialect = dialects[name];
  const { quote, text } = dialect;
  const row = new SqlRow(dialect, features);
  const own = (as: string) => quote(row.own(as));
  const { expressions, exactness } = model.kind === 'tree' ? treeScores(model, row) : linearScores(model, row);
  const several = (as: string, count: number) =>
    Array.from({ length: count }, (_, k) => own(count === 1 ? as : `${as}_${k + 1}`));
  const names = several('score', expressions.length);
  const scored = [
    'SELECT d.*,',
    `  ${expressions.map((each, k) => `${each} AS ${names[k]}`).join(',\n  ')}`,
    `FROM ${table.split('.').map(quote).join('.')} AS d`,
    ...row.joins,
  ].join('\n');
  const scores = names.map((each) => `s.${each}`);
  const decided =
    classes.length === 2
      ? `CASE WHEN ${scores[0]} ${tieOf(model) > 0 ? '>=' : '>'} 0 THEN ${text(classes[1]!)} ELSE ${text(classes[0]!)} END`
      : `CASE ${classes.map((each, k) => `WHEN ${scores[k]} = GREATEST(${scores.join(', ')}) THEN ${text(each)}`).join(' ')} END`;
  const shares =
    calibration === null ? { expressions: [], joins: [] } : probabilities(calibration, scores, dialect, row.own);
  const shareNames = several('probability', shares.expressions.length);
  const selected = [
    's.*',
    `${decided} AS ${own('class')}`,
    ...shares.expressions.map((each, k) => `${each} AS ${shareNames[k]}`),
  ];
  const comment = [
    `-- A model of halfspace (${model.rule}), written by halfspace/export for ${name}.`,
    ...exactness.map((line) => `-- ${line}`),
    ...features.columns.flatMap((column) =>
      column.kind === 'number' && column.notation !== undefined
        ? [`-- ${quoteWord(column.name)} is ${numberInput(column)}.`]
        : [],
    ),
  ];
  return [
    ...comment,
    `WITH ${[...row.lists, `${own('scored')} AS (\n${scored}\n)`].join(',\n')}`,
    `SELECT ${selected.join(',\n  ')}`,
    `FROM ${own('scored')} AS s`,
    ...shares.joins,
    '',
  ].join('\n');
}

type Calibration = NonNullable<Model['calibration']>[number];

/**
 * Writes the probabilities of the classes by the scores: of two classes that of the second one, else one per class.
 *
 * @param scores expressions of the scores.
 * @param own returns a name that no column of the table has.
 * @returns expressions, and the joins that they need.
 */
function probabilities(
  calibration: readonly [Calibration],
  scores: readonly string[],
  { lateral, quote }: Dialect,
  own: (name: string) => string,
): { readonly expressions: readonly string[]; readonly joins: readonly string[] } {
  const [first] = calibration;
  if (scores.length === 1) return { expressions: [ofScore(first, scores[0]!)], joins: [] };
  const highest = `GREATEST(${scores.join(', ')})`;
  const parts = scores.map((score, k) => {
    if (first.kind === 'softmax') {
      const behind = `${score} - ${highest}`;
      const reached = first.reach === null ? behind : `GREATEST(${behind}, ${number(-first.reach)})`;
      return first.slope === 0 ? '1e0' : exponential(`${number(first.slope)} * (${reached})`);
    }
    const { leads, probabilities } = first as Extract<Calibration, { kind: 'isotonic-leads' }>;
    const others = scores.filter((_, j) => j !== k);
    return interpolated(leads, probabilities, `(${score} - GREATEST(${others.join(', ')}))`);
  });
  const [alias, total] = [own('parts'), own('total')].map(quote);
  const names = parts.map((_, k) => quote(own(`part_${k + 1}`)));
  const sum = quote(own('sum'));
  const share = (name: string) =>
    `CASE WHEN ${total}.${sum} = 0 THEN ${number(1 / scores.length)} ELSE ${alias}.${name} / ${total}.${sum} END`;
  return {
    expressions: names.map(share),
    joins: [
      lateral(alias!, new Map(names.map((name, k) => [name, parts[k]!]))),
      lateral(total!, new Map([[sum, names.map((name) => `${alias}.${name}`).join(' + ')]])),
    ],
  };
}

function ofScore(calibration: Calibration, score: string): string {
  switch (calibration.kind) {
    case 'isotonic':
      return interpolated(calibration.scores, calibration.probabilities, score);
    case 'platt':
    case 'clipped-platt': {
      const { slope, intercept } = calibration;
      const s =
        calibration.kind === 'platt'
          ? score
          : `LEAST(GREATEST(${score}, ${number(calibration.low)}), ${number(calibration.high)})`;
      const z = slope === 0 ? number(intercept) : `(${number(slope)} * ${s} + ${number(intercept)})`;
      const e = exponential(`-ABS(${z})`);
      return `CASE WHEN ${z} >= 0 THEN 1e0 / (1 + ${e}) ELSE ${e} / (1 + ${e}) END`;
    }
    default:
      throw new Error('a joint calibration has several scores');
  }
}

/** Writes the exponential of a number up to 0. Below -745 it counts as -745: databases refuse an underflow. */
function exponential(x: string): string {
  return `EXP(GREATEST(${x}, -745e0))`;
}

/** Writes the function of src/model/calibration.ts that interpolates between points. */
function interpolated(xs: readonly number[], ys: readonly number[], x: string): string {
  const cases = xs.map((to, k) => {
    if (k === 0) return `WHEN ${x} < ${number(to)} THEN ${number(ys[0]!)}`;
    const [from, before, after] = [xs[k - 1]!, ys[k - 1]!, ys[k]!];
    const width = to - from;
    const share =
      width < Infinity
        ? `(${x} - ${number(from)}) / ${number(width)}`
        : `(${x} / 2 - ${number(from / 2)}) / ${number(to / 2 - from / 2)}`;
    const between =
      before === after
        ? number(before)
        : `LEAST(${number(after)}, ${number(before)} + ${share} * ${number(after - before)})`;
    return `WHEN ${x} < ${number(to)} THEN ${between}`;
  });
  return `CASE ${cases.join(' ')} ELSE ${number(ys.at(-1)!)} END`;
}

/** Writes the scores of a tree as nested cases. */
function treeScores(model: TreeModel, row: SqlRow): SqlScores {
  const { tree, features, classes } = model;
  const { columns, crosses } = placed(row.encoding);
  const { dialect } = row;
  const encoded = encodedColumns(features);
  const fromOf = (feature: number) => columns.find(({ first, width }) => feature >= first && feature < first + width);
  /** Returns the value of a split's column: a category's text, the position of an interval, or a number. */
  const value = (c: number): string => {
    const { first, indicator, mean, deviation } = encoded[c]!;
    const from = fromOf(first);
    if (from === undefined) {
      const at = crosses.filter((cross) => first >= cross.first).length - 1;
      return is(row.slot(crosses[at]!, at), first - crosses[at]!.first);
    }
    if (from.column.kind === 'category') return row.cell(from);
    if (isInterval(from)) return row.place(from);
    if (first > from.first) return partValue(from as PlacedColumn & { column: DateColumn }, first, row);
    const x = row.cell(from);
    // Numbers went through the scaling of linear models and back.
    const back =
      mean === 0 && deviation === 1
        ? x
        : `((${x} - ${number(mean)}) / ${number(deviation)} * ${number(deviation)} + ${number(mean)})`;
    return indicator >= 0
      ? back
      : `COALESCE(${back}, ${number(scalingOf(from.column as MeasuredColumn, row.encoding).filled * deviation + mean)})`;
  };
  const scores = nodeScores(model);
  const node = (n: number, k: number): string => {
    const { split } = tree.nodes[n]!;
    if (split === null) return `CAST(${number(scores[n]![k]!)} AS ${dialect.double})`;
    const from = fromOf(encoded[split.column]!.first);
    const x = value(split.column);
    if (split.kind === 'missing')
      return `CASE WHEN ${from !== undefined && isInterval(from) ? row.cell(from) : x} IS NULL THEN ${node(split.children[1]!, k)} ELSE ${node(split.children[0]!, k)} END`;
    if (split.kind === 'number') {
      const [low, high] = split.children.map((child) => node(child, k));
      const isAbsent = split.missing === 0 ? `${x} IS NULL OR ` : '';
      return `CASE WHEN ${isAbsent}${x} <= ${number(split.threshold)} THEN ${low} ELSE ${high} END`;
    }
    const missing = node(split.children[split.missing]!, k);
    if (isInterval(from!)) {
      const cases = split.levels.map((level, c) => `WHEN ${x} = ${level} THEN ${node(split.children[c]!, k)}`);
      return `CASE ${cases.join(' ')} ELSE ${missing} END`;
    }
    // Rare levels, which are not listed, share the level behind the listed ones.
    const { levels } = from!.column as CategoryColumn;
    const rare = split.levels.indexOf(levels.length);
    const cases = split.levels.flatMap((level, c) =>
      level < levels.length ? [`WHEN ${x} = ${dialect.text(levels[level]!)} THEN ${node(split.children[c]!, k)}`] : [],
    );
    const others = levels.map(dialect.text).join(', ');
    if (rare >= 0) cases.push(`WHEN ${x} NOT IN (${others}) THEN ${node(split.children[rare]!, k)}`);
    return `CASE ${cases.join(' ')} ELSE ${missing} END`;
  };
  return {
    expressions: Array.from({ length: classes.length === 2 ? 1 : classes.length }, (_, k) => node(0, k)),
    exactness: ['The scores are those of halfspace.'],
  };
}

function isInterval({ column }: PlacedColumn): boolean {
  return 'edges' in column && column.edges !== undefined;
}

/** Writes the value of a one-hot feature: 1 or 0. */
function is(place: string, expected: number): string {
  return `CASE WHEN ${place} = ${expected} THEN 1 ELSE 0 END`;
}

/** Writes the value of a feature of a date's parts. */
function partValue(from: PlacedColumn & { readonly column: DateColumn }, feature: number, row: SqlRow): string {
  let next = from.first + 1;
  for (const part of from.column.parts ?? []) {
    if (feature < next + partWidths[part]) return is(row.part(from, part), feature - next);
    next += partWidths[part];
  }
  throw new Error('no part of the date has this feature');
}
