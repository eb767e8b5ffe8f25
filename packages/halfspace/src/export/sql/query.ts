import { HalfspaceError, quote as quoteWord } from '../../errors.ts';
import type { Model } from '../../model/model.ts';
import { tieOf } from '../../model/model.ts';
import { numberInput } from '../columns.ts';
import { checkTexts, textsOf } from '../texts.ts';
import { dialects, type SqlDialect, sqlDialects } from './dialect.ts';
import { linearScores } from './linear.ts';
import { probabilities } from './probabilities.ts';
import { checkColumn, SqlRow } from './row.ts';
import { refused } from './scores.ts';
import { treeScores } from './tree.ts';

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
