import { HalfspaceError, type Model } from 'halfspace';
import { cellForm, missingWords, type TableColumn, type TableEncoding, tieOf } from 'halfspace/internal';
import { placed } from '../columns.ts';
import { type Dialect, dialects, type SqlDialect, sqlDialects } from './dialect.ts';
import { linearScores } from './linear.ts';
import { refused } from './scores.ts';
import { treeScores } from './tree.ts';

export interface SqlOptions {
  /** The database. Default `duckdb`. */
  readonly dialect?: SqlDialect | undefined;
  /** Name of the table with the rows; points separate its parts: `shop.orders`. Default `data`. */
  readonly table?: string | undefined;
}

/**
 * Writes a model of a table as a `SELECT`: all columns of a table, then the score, or one score per class, and the
 * class. The table has the columns of the training table: numbers as numbers, dates as dates or times in UTC, booleans
 * as booleans, categories as text or whole numbers. NULL and the usual words are missing values.
 *
 * Databases add up in an order of their own, so a score may differ from that of `Predictor` in its last digits; the
 * comment of the query states the bound. Trees give the same scores.
 *
 * @throws HalfspaceError `option-invalid` for kernel models, text, crosses, hashed levels, and cells such as
 *   `$1,234.50`.
 */
export function toSql(model: Model, { dialect: name = 'duckdb', table = 'data' }: SqlOptions = {}): string {
  if (!sqlDialects.includes(name))
    throw new HalfspaceError('option-invalid', `expected the dialect ${sqlDialects.join(', ')}; got ${String(name)}`);
  const { features, classes } = model;
  if (model.kind === 'dual') throw refused('a linear model or a tree', 'one with a kernel');
  if (features.kind !== 'table') throw refused('a model of a table', `one of ${features.kind} features`);
  const [cross] = placed(features).crosses;
  if (cross !== undefined)
    throw refused('a model without crosses', `one that crosses ${cross.cross.columns.join(' and ')}`);
  features.columns.forEach(checkColumn);
  const dialect = dialects[name];
  const { quote, text } = dialect;
  const own = ownNames(features);
  const context = { dialect, encoding: features, own, cell: (column: TableColumn) => cell(column, features, dialect) };
  const { expressions, lists, joins, exactness } =
    model.kind === 'tree' ? treeScores(model, context) : linearScores(model, context);
  const scores = expressions.map((_, k) => quote(own(classes.length === 2 ? 'score' : `score_${k + 1}`)));
  const decided =
    classes.length === 2
      ? `CASE WHEN ${scores[0]} ${tieOf(model) > 0 ? '>=' : '>'} 0 THEN ${text(classes[1]!)} ELSE ${text(classes[0]!)} END`
      : `CASE ${classes.map((each, k) => `WHEN ${scores[k]} = GREATEST(${scores.join(', ')}) THEN ${text(each)}`).join(' ')} END`;
  const scored = `SELECT d.*,\n  ${expressions.map((each, k) => `${each} AS ${scores[k]}`).join(',\n  ')}\nFROM ${table.split('.').map(quote).join('.')} AS d${joins.map((join) => `\n${join}`).join('')}`;
  const ctes = [...lists, `${quote(own('scored'))} AS (\n${indented(scored)}\n)`];
  const comment = [
    `-- A model of halfspace (${model.rule}), written by halfspace-export for ${name}.`,
    ...exactness.map((line) => `-- ${line}`),
  ];
  return `${comment.join('\n')}\nWITH ${ctes.join(',\n')}\nSELECT *, ${decided} AS ${quote(own('class'))}\nFROM ${quote(own('scored'))}\n`;
}

const indented = (text: string) => text.replace(/^/gm, '  ');

const convertible = ['dmy', 'mdy', 'ymd', 'named'];

function checkColumn(column: TableColumn): void {
  const form = cellForm(column);
  if (column.kind === 'text') throw refused('numbers, dates and categories', `the text ${column.name}`);
  if (column.kind === 'category' && column.others)
    throw refused('categories with listed levels', `hashed ones in ${column.name}`);
  // A table in a database has dates as dates, however they were written in a file.
  if (form !== undefined && (typeof form !== 'string' || !convertible.includes(form)))
    throw refused(
      'plain numbers and dates',
      `cells of another form in ${column.name}: convert the column and train again`,
    );
}

/** Returns the value of a column in a query. */
function cell(column: TableColumn, { missing = [] }: TableEncoding, dialect: Dialect): string {
  const raw = `d.${dialect.quote(column.name)}`;
  switch (column.kind) {
    case 'category': {
      const trimmed = dialect.trim(`CAST(${raw} AS ${dialect.string})`);
      const words = [...new Set([...missingWords, ...missing])].map(dialect.text);
      return `CASE WHEN ${trimmed} NOT IN (${words.join(', ')}) THEN ${trimmed} END`;
    }
    case 'boolean':
      return `CASE ${raw} WHEN TRUE THEN CAST(1 AS ${dialect.double}) WHEN FALSE THEN 0 END`;
    case 'date': {
      // Whole days, then the rest, as the library adds them up.
      const time = dialect.microseconds(raw);
      const days = `FLOOR(${time} / 86400000000.0)`;
      return `(CAST(${days} AS ${dialect.double}) + CAST(${time} - ${days} * 86400000000 AS ${dialect.double}) / 86400000000)`;
    }
    default:
      return `CAST(${raw} AS ${dialect.double})`;
  }
}

/** Returns a function that makes names which no column of the table has, in any case of letters. */
function ownNames({ columns, leftOut, label }: TableEncoding): (name: string) => string {
  const names = [label.column, ...[...columns, ...leftOut].map(({ name }) => name)].map((name) => name.toLowerCase());
  let prefix = 'halfspace_';
  while (names.some((name) => name.startsWith(prefix))) prefix = `_${prefix}`;
  return (name) => prefix + name;
}
