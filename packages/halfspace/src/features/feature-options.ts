import { HalfspaceError, quote } from '../errors.ts';
import { check, list, type Members, members, number, oneOf, readAs, unfit, whole } from '../json.ts';
import { type DateFormat, dateFormats } from './date/format-names.ts';
import { checkParts, type DatePart } from './date/parts.ts';
import { suggestion } from './nearest.ts';
import { checkSeparator } from './set/separator.ts';
import {
  type ColumnKind,
  columnKinds,
  type TextWeighting,
  type Trend,
  textWeightings,
  trends,
} from './table-encoding.ts';

/**
 * Options for the features of a table's columns; the data decide the rest. Plain data; `features.schema.json` describes
 * its JSON.
 */
export interface FeatureOptions {
  /** Options by column name. */
  readonly columns?: Readonly<Record<string, ColumnOptions>>;
  /** Pairs of columns to cross; both must be categories, or numbers or dates with `bins`. */
  readonly crosses?: readonly (readonly [first: string, second: string])[];
}

/** Options of one column. An option of a kind implies that kind if `kind` is absent. */
export interface ColumnOptions {
  /** Default: chosen from the data. `drop`: the column gets no feature. */
  readonly kind?: ColumnKind | 'drop';
  /** Numbers and dates: the number of intervals with about equally many rows, in [2, 1000]. Default: no intervals. */
  readonly bins?: number;
  /** Numbers: the decimal mark. Default: the marks, blanks and units of all cells decide. */
  readonly decimal?: '.' | ',';
  /**
   * Numbers: the score of two classes, that of the positive one, never falls where the number rises, or never rises.
   * For the rule `logistic` and for `auto`, which then takes it. Default: it may do both.
   */
  readonly trend?: Trend;
  /** Dates: the format of the cells, see docs/tables.md. Default: all cells decide. */
  readonly format?: DateFormat;
  /** Dates: parts that also become features, in this order; not with `bins`. Default: see docs/tables.md. */
  readonly parts?: readonly DatePart[];
  /**
   * Categories and sets: levels in fewer rows than this share one feature; 1: none does. Default: 2 from 50 rows on,
   * else 1.
   */
  readonly rare?: number;
  /** Sets: the mark between the values of a cell. Default: the cells decide; a list in brackets needs none. */
  readonly separator?: string;
  /** Text: smallest and largest n-grams of words, in [1, 8]; null: none. Default: [1, 2], or null with `characters`. */
  readonly words?: readonly [least: number, most: number] | null;
  /**
   * Text: smallest and largest n-grams of characters, in [1, 16]; null: none. Default: a choice of the rule tries
   * [2, 5] beside the words of short texts; else null.
   */
  readonly characters?: readonly [least: number, most: number] | null;
  /** Text: ignore the case of letters. Default: true. */
  readonly lowercase?: boolean;
  /** Text: the value of a term. Default: `tf-idf`. */
  readonly weighting?: TextWeighting;
  /** Text: terms in fewer rows than this are left out; not with `bits`. Default: 2 from 50 rows on, else 1. */
  readonly least?: number;
  /**
   * Text: the largest number of terms, of words and of characters each; the most frequent are kept. In [1, 2²⁴]; not
   * with `bits`. Default: 2¹⁸.
   */
  readonly most?: number;
  /**
   * Text: the smallest lift of an n-gram of words. Lift = observed count / count expected if the last word were
   * independent of those before. 0 keeps all. Only if single words are terms too; not with `bits`. Default: 10.
   */
  readonly lift?: number;
  /** Text: hash terms to 2^bits features instead of listing them, in [1, 24]. */
  readonly bits?: number;
  /** Text: with `bits`, keep up to 2¹⁸ terms as names of the features. Default: false. */
  readonly names?: boolean;
}

const ofText = ['words', 'characters', 'lowercase', 'weighting', 'least', 'most', 'lift', 'bits', 'names'] as const;
const ofKind: Readonly<Record<string, readonly ColumnKind[]>> = {
  bins: ['number', 'date'],
  decimal: ['number'],
  trend: ['number'],
  format: ['date'],
  parts: ['date'],
  rare: ['category', 'set'],
  separator: ['set'],
  ...Object.fromEntries(ofText.map((name) => [name, ['text'] as const])),
};
const columnMembers = ['kind', ...Object.keys(ofKind)];

/**
 * Reads options from untrusted JSON; refuses unknown members.
 *
 * @param source where the JSON comes from, for messages.
 * @throws HalfspaceError `option-invalid`.
 */
export function parseFeatureOptions(value: unknown, source?: string): FeatureOptions {
  return readAs({ code: 'option-invalid', source }, () => parse(value));
}

function parse(value: unknown): FeatureOptions {
  const from = optionsOf(value, 'features', ['columns', 'crosses']);
  // A column may be called `__proto__`, so names are never assigned as keys of a plain object.
  const columns = new Map(
    Object.entries(from.columns === undefined ? {} : members(from.columns, 'columns')).map(([name, options]) => [
      name,
      parseColumn(options, `columns.${name}`),
    ]),
  );
  const crosses = list(from.crosses === undefined ? [] : from.crosses, 'crosses').map((pair, k) =>
    parseCross(pair, `crosses[${k}]`),
  );
  return { columns: Object.fromEntries(columns), crosses };
}

function parseCross(value: unknown, path: string): readonly [string, string] {
  if (!Array.isArray(value) || value.length !== 2 || !value.every((name) => typeof name === 'string'))
    throw unfit(path, 'two names of columns', value);
  if (value[0] === value[1]) throw unfit(path, 'two different columns', value);
  return [value[0], value[1]];
}

function parseColumn(value: unknown, path: string): ColumnOptions {
  const from = optionsOf(value, path, columnMembers);
  const given = from.kind;
  if (given !== undefined && given !== 'drop' && !columnKinds.includes(given as ColumnKind))
    throw unfit(`${path}.kind`, `${columnKinds.join(', ')} or drop`, given);
  let kind = given as ColumnOptions['kind'];
  for (const name of Object.keys(from)) {
    const kinds = ofKind[name];
    if (kinds === undefined) continue;
    if (kind === undefined) kind = kinds[0]!;
    else if (!kinds.includes(kind as ColumnKind))
      throw new HalfspaceError(
        'option-invalid',
        `expected options of a ${kind} column in "${path}"; got ${quote(name)}, which is for ${kinds.join(' or ')} columns`,
      );
  }
  const options: Record<string, unknown> = kind === undefined ? {} : { kind };
  const option = <A extends unknown[]>(
    name: string,
    checked: (value: unknown, path: string, ...limits: A) => unknown,
    ...limits: A
  ) => {
    if (from[name] !== undefined) options[name] = checked(from[name], `${path}.${name}`, ...limits);
  };
  option('bins', whole, 2, 1000);
  option('decimal', oneOf, ['.', ',']);
  option('trend', oneOf, trends);
  option('format', oneOf, dateFormats);
  option('rare', whole, 1, 1e9);
  option('separator', checkSeparator);
  option('parts', (value, at) => {
    const parts = checkParts(value, at);
    check(from.bins === undefined, at, 'absent where "bins" cut the dates', parts);
    return parts;
  });
  option('words', sizes, mostWords);
  option('characters', sizes, mostCharacters);
  option('lowercase', oneOf, [true, false]);
  option('weighting', oneOf, textWeightings);
  option('least', whole, 1, 1e9);
  option('most', whole, 1, 2 ** 24);
  option('lift', number, 0);
  option('bits', whole, 1, mostBits);
  option('names', oneOf, [true, false]);
  if (options.bits !== undefined)
    for (const name of ['least', 'most', 'lift'])
      if (options[name] !== undefined)
        throw unfit(`${path}.${name}`, 'absent where "bits" hash the terms', options[name]);
  if (options.names === true && options.bits === undefined)
    throw unfit(`${path}.names`, 'an option of hashed terms ("bits"); others have names', true);
  if (options.words === null && (options.characters ?? null) === null)
    throw unfit(path, 'n-grams of words or of characters', 'neither');
  return options;
}

export const mostWords = 8;
export const mostCharacters = 16;
export const mostBits = 24;

/** Checks a pair [smallest, largest] of n-gram sizes, or null. @throws HalfspaceError `model-invalid`. */
export function sizes(value: unknown, path: string, most: number): readonly [number, number] | null {
  if (value === null) return null;
  const fits = (size: unknown) => Number.isInteger(size) && (size as number) >= 1 && (size as number) <= most;
  if (!Array.isArray(value) || value.length !== 2 || !value.every(fits) || value[0] > value[1])
    throw unfit(path, `null, or two rising whole numbers in [1, ${most}]`, value);
  return [value[0], value[1]];
}

/** Refuses options for unknown columns. @throws HalfspaceError `column-unknown`, with the nearest known name. */
export function checkColumnNames({ columns = {}, crosses = [] }: FeatureOptions, known: readonly string[]): void {
  for (const name of [...Object.keys(columns), ...crosses.flat()])
    if (!known.includes(name)) {
      const some = known.slice(0, 20).join(', ');
      throw new HalfspaceError(
        'column-unknown',
        `expected one of the columns ${some}${known.length > 20 ? ', …' : ''}; got ${quote(name)}${suggestion(name, known)}`,
      );
    }
}

function optionsOf(value: unknown, path: string, expected: readonly string[]): Members {
  const from = members(value, path);
  const strange = Object.keys(from).find((key) => !expected.includes(key));
  if (strange === undefined) return from;
  throw new HalfspaceError(
    'option-invalid',
    `expected the options ${expected.join(', ')} in "${path}"; got ${quote(strange)}${suggestion(strange, expected)}`,
  );
}
